//! A compact text of the IR, for debugging and tests: one line per statement, every expression in prefix form unless an infix
//! one is plainer. It is not meant to be parsed.

use crate::program::*;
use std::fmt::Write;

/// The whole program: classes with their fields, then methods.
pub fn program(program: &Program) -> String {
    let mut out = String::new();
    for (index, class) in program.classes.iter().enumerate() {
        let _ = write!(out, "{:?} {}", class.kind, class.name);
        if let Some(superclass) = class.superclass {
            let _ = write!(out, " < {}", program.class(superclass).name);
        }
        out.push('\n');
        for field in program.fields.iter().filter(|f| f.class.index() == index) {
            let prefix = if field.is_static { "static " } else { "" };
            let _ = writeln!(out, "  {prefix}{} {}", program.ty_name(field.ty), field.name);
        }
    }
    for id in 0..program.methods.len() as u32 {
        out.push_str(&method(program, MethodId(id)));
    }
    out
}

pub fn method(program: &Program, id: MethodId) -> String {
    let m = program.method(id);
    let parameters: Vec<String> =
        m.parameters.iter().map(|p| format!("{} {}", program.ty_name(p.ty), p.name)).collect();
    let mut out = format!("{} {}({})", program.ty_name(m.return_ty), method_name(program, id), parameters.join(", "));
    let mut printer = Printer { program, method: m, out: String::new(), indent: 1 };
    match &m.body {
        Some(body) => {
            out.push_str(" {\n");
            printer.block(body);
            out.push_str(&printer.out);
            out.push_str("}\n");
        }
        None => out.push_str(";\n"),
    }
    out
}

/// An expression of a method.
pub fn expr(program: &Program, method: MethodId, e: &Expr) -> String {
    Printer { program, method: program.method(method), out: String::new(), indent: 0 }.expr(e)
}

fn method_name(program: &Program, id: MethodId) -> String {
    let m = program.method(id);
    format!("{}.{}", program.class(m.class).name, m.name)
}

struct Printer<'p> {
    program: &'p Program,
    method: &'p Method,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn nested(&mut self, head: &str, block: &Block) {
        self.line(head);
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                let text = self.expr(e);
                self.line(&text);
            }
            StmtKind::If { condition, then, otherwise } => {
                let head = format!("if {}", self.expr(condition));
                self.nested(&head, then);
                if !otherwise.is_empty() {
                    self.nested("else", otherwise);
                }
            }
            StmtKind::Loop { label, test_first, condition, body, update } => {
                let word = if *test_first { "while" } else { "do-while" };
                let mut head = format!("L{}: {word} {}", label.0, self.expr(condition));
                if !update.is_empty() {
                    let _ = write!(head, "; {}", self.exprs(update));
                }
                self.nested(&head, body);
            }
            StmtKind::Labelled { label, body } => self.nested(&format!("L{}:", label.0), body),
            StmtKind::Switch { label, on, cases } => {
                let head = format!("L{}: switch {}", label.0, self.expr(on));
                self.line(&head);
                for case in cases {
                    let mut labels: Vec<String> = case.values.iter().map(i64::to_string).collect();
                    if case.is_default {
                        labels.push("default".into());
                    }
                    self.nested(&format!("case {}", labels.join(", ")), &case.body);
                }
            }
            StmtKind::Break(label) => self.line(&format!("break L{}", label.0)),
            StmtKind::Continue(label) => self.line(&format!("continue L{}", label.0)),
            StmtKind::Return(None) => self.line("return"),
            StmtKind::Return(Some(e)) => self.keyword("return", e),
            StmtKind::Throw(e) => self.keyword("throw", e),
            StmtKind::Assert { condition, .. } => self.keyword("assert", condition),
            StmtKind::Assume(e) => self.keyword("assume", e),
            StmtKind::Try { body, catches, finally } => {
                self.nested("try", body);
                for catch in catches {
                    let classes: Vec<&str> =
                        catch.classes.iter().map(|&c| self.program.class(c).name.as_str()).collect();
                    let head = format!("catch {} {}", classes.join(" | "), self.local(catch.local));
                    self.nested(&head, &catch.body);
                }
                if !finally.is_empty() {
                    self.nested("finally", finally);
                }
            }
            StmtKind::Block(body) => self.nested("{}", body),
        }
    }

    fn keyword(&mut self, word: &str, e: &Expr) {
        let text = format!("{word} {}", self.expr(e));
        self.line(&text);
    }

    fn local(&self, id: LocalId) -> String {
        match self.method.locals.get(id.index()) {
            Some(local) if !local.name.is_empty() => format!("{}#{}", local.name, id.0),
            _ => format!("#{}", id.0),
        }
    }

    fn field(&self, id: FieldId) -> &str {
        &self.program.field(id).name
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|e| self.expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, e: &Expr) -> String {
        let x = |e: &Expr| self.expr(e);
        match &e.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Int(value) if e.ty == Ty::Long => format!("{value}L"),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Null => "null".into(),
            ExprKind::String(id) => format!("{:?}", self.program.strings[id.index()]),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::SetLocal(local, a) => format!("({} = {})", self.local(*local), x(a)),
            ExprKind::Field(a, field) => format!("{}.{}", x(a), self.field(*field)),
            ExprKind::SetField(a, field, b) => format!("({}.{} = {})", x(a), self.field(*field), x(b)),
            ExprKind::Static(field) => self.static_name(*field),
            ExprKind::SetStatic(field, a) => format!("({} = {})", self.static_name(*field), x(a)),
            ExprKind::Element(a, b) => format!("{}[{}]", x(a), x(b)),
            ExprKind::SetElement(a, b, c) => format!("({}[{}] = {})", x(a), x(b), x(c)),
            ExprKind::Length(a) => format!("{}.length", x(a)),
            ExprKind::Not(a) => format!("!{}", x(a)),
            ExprKind::Negate(_, a) => format!("-({})", x(a)),
            ExprKind::Complement(_, a) => format!("~{}", x(a)),
            ExprKind::Binary(op, width, a, b) => {
                let suffix = if *width == Width::W64 { "L" } else { "" };
                format!("({} {}{suffix} {})", x(a), binary(*op), x(b))
            }
            ExprKind::Compare(op, a, b) => format!("({} {} {})", x(a), compare(*op), x(b)),
            ExprKind::Logic(op, a, b) => format!("({} {} {})", x(a), logic(*op), x(b)),
            ExprKind::AndThen(a, b) => format!("({} && {})", x(a), x(b)),
            ExprKind::OrElse(a, b) => format!("({} || {})", x(a), x(b)),
            ExprKind::Conditional(a, b, c) => format!("({} ? {} : {})", x(a), x(b), x(c)),
            ExprKind::Same(a, b) => format!("({} === {})", x(a), x(b)),
            ExprKind::Convert(a) => format!("({}) {}", self.program.ty_name(e.ty), x(a)),
            ExprKind::InstanceOf(a, ty) => format!("({} instanceof {})", x(a), self.program.ty_name(*ty)),
            ExprKind::Cast(a, ty) => format!("(({}) {})", self.program.ty_name(*ty), x(a)),
            ExprKind::Call(method, args) => format!("{}({})", method_name(self.program, *method), self.exprs(args)),
            ExprKind::CallVirtual(selector, args) => format!("s{}({})", selector.0, self.exprs(args)),
            ExprKind::New(class, _, args) => format!("new {}({})", self.program.class(*class).name, self.exprs(args)),
            ExprKind::NewArray(lengths) => format!("new {}({})", self.program.ty_name(e.ty), self.exprs(lengths)),
            ExprKind::ArrayLiteral(elements) => format!("{{{}}}", self.exprs(elements)),
            ExprKind::Sequence(block, value) => {
                let mut inner = Printer { program: self.program, method: self.method, out: String::new(), indent: 0 };
                inner.block(block);
                let statements: Vec<&str> = inner.out.lines().map(str::trim).collect();
                format!("[{}; {}]", statements.join("; "), x(value))
            }
            ExprKind::Concat(parts) => format!("concat({})", self.exprs(parts)),
            ExprKind::Intrinsic(intrinsic, args) => format!("{intrinsic:?}({})", self.exprs(args)),
            ExprKind::Unsupported(diagnostic) => format!("unsupported({})", diagnostic.id),
        }
    }

    fn static_name(&self, id: FieldId) -> String {
        format!("{}.{}", self.program.class(self.program.field(id).class).name, self.field(id))
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::UShr => ">>>",
    }
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}

fn logic(op: LogicOp) -> &'static str {
    match op {
        LogicOp::And => "&",
        LogicOp::Or => "|",
        LogicOp::Xor => "^",
        LogicOp::Eq => "<=>",
    }
}
