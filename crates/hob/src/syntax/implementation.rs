//! Implementation modules (`.fl`; docs/hob.md, "Implementation"): formats, variables, procedures and their statements.
//!
//! Behind a mistake reading goes on at the next statement, or at the next member of the module.

use super::ast::{ExprKind, Format, ImplBody, ImplModule, Proc, Stmt, StmtKind, TypeName};
use super::lexer::Kind;
use super::parser::{Mistake, Parsed, Parser};
use source::{Diagnostic, Span};

const MEMBERS: [&str; 6] = ["format", "reference", "var", "private", "proc", "impl"];
const MODULE: &str = "a module is written `impl module M { … }`";

pub(super) fn modules(parser: &mut Parser) -> Vec<ImplModule> {
    let mut modules = Vec::new();
    while !parser.at_end() {
        let start = parser.position();
        parser.set_depth(0);
        match parser.impl_module() {
            Ok(module) => modules.push(module),
            Err(Mistake) => {
                if parser.position() == start {
                    parser.advance();
                }
                parser.skip_to_word(&["impl"]);
            }
        }
    }
    modules
}

impl Parser<'_, '_> {
    fn impl_module(&mut self) -> Parsed<ImplModule> {
        let start = self.span();
        if !self.is_word("impl") && (self.is_word("spec") || self.is_word("abst")) {
            let help = "specifications belong in a `.sl` file, abstractions in a `.al` file";
            return Err(self.unexpected("`impl module`", help));
        }
        self.expect_word("impl", "before a module", MODULE)?;
        self.expect_word("module", "after `impl`", MODULE)?;
        let name = self.ident("the name of the module", MODULE)?;
        if self.accept("=") {
            let body = ImplBody::Instance(self.instance()?);
            return Ok(ImplModule { name, body, span: self.since(start) });
        }
        let open = self.span();
        self.expect("{", "before the members of the module", MODULE)?;
        let level = self.level();
        let (mut formats, mut references, mut procs) = (Vec::new(), Vec::new(), Vec::new());
        while !self.is("}") && !self.at_end() && !self.is_word("impl") {
            let before = self.position();
            self.set_depth(0);
            let read = match self.kind() {
                Kind::Word("format") => self.format().map(|f| formats.push(f)),
                Kind::Word("reference" | "var") => self.reference().map(|r| references.extend(r)),
                Kind::Word("proc" | "private") => self.proc().map(|p| procs.push(p)),
                _ => Err(self.unexpected(
                    "`format`, `reference`, `proc` or `private proc`",
                    "a module has formats, variables `reference x : T;` and procedures",
                )),
            };
            if read.is_err() {
                if self.position() == before {
                    self.advance();
                }
                self.skip_to_member(&MEMBERS, level);
            }
        }
        self.close(open, "`}` after the members of the module")?;
        Ok(ImplModule { name, body: ImplBody::Members { formats, references, procs }, span: self.since(start) })
    }

    pub(super) fn format(&mut self) -> Parsed<Format> {
        let help = "a format is written `format T { f : int; next : T; }`";
        self.advance();
        let name = self.ident("the name of the format", help)?;
        self.expect("{", "before the fields", help)?;
        let mut fields = Vec::new();
        while !self.accept("}") {
            let names = self.idents("the name of a field", help)?;
            self.expect(":", "after the name of a field", help)?;
            let ty = self.type_name("the type of a field")?;
            self.expect(";", "after a field", help)?;
            fields.extend(names.into_iter().map(|n| (n, ty.clone())));
        }
        Ok(Format { name, fields })
    }

    /// `reference x : T;`, `var a, b : T;`.
    fn reference(&mut self) -> Parsed<Vec<(super::ast::Ident, TypeName)>> {
        let help = "a variable of a module is written `reference x : T;`";
        self.advance();
        let names = self.idents("the name of the variable", help)?;
        self.expect(":", "after the name of the variable", help)?;
        let ty = self.type_name("the type of the variable")?;
        self.expect(";", "after the variable", help)?;
        Ok(names.into_iter().map(|name| (name, ty.clone())).collect())
    }

    fn proc(&mut self) -> Parsed<Proc> {
        let help = "a procedure is written `proc p(x : T) returns r : U { … }`";
        let start = self.span();
        let private = self.accept_word("private");
        self.expect_word("proc", "after `private`", help)?;
        let name = self.ident("the name of the procedure", help)?;
        let formals = self.formals()?;
        let returns = self.returns()?;
        let (mut requires, mut modifies, mut ensures) = (None, Vec::new(), None);
        loop {
            let clause = "clauses of a private procedure are in quotes: `requires \"x in S\"`";
            if requires.is_none() && self.accept_word("requires") {
                requires = Some(self.quoted("a formula in quotes", clause)?);
            } else if modifies.is_empty() && self.accept_word("modifies") {
                modifies = self.names("a set", "sets that change are listed: `modifies S, T`")?;
            } else if ensures.is_none() && self.accept_word("ensures") {
                ensures = Some(self.quoted("a formula in quotes", clause)?);
            } else {
                break;
            }
        }
        self.accept(";");
        let body = self.block("before the body of the procedure")?;
        Ok(Proc { private, name, formals, returns, requires, modifies, ensures, body, span: self.since(start) })
    }

    /// `{ stmt* }`. Only what the block cannot end with is a mistake of the block; those of its statements are reported and left out.
    fn block(&mut self, place: &str) -> Parsed<Vec<Stmt>> {
        let open = self.span();
        self.expect("{", place, "write statements in braces")?;
        self.enter()?;
        let depth = self.depth();
        let mut statements = Vec::new();
        while !self.is("}") {
            if self.at_end() || self.begins_member() {
                self.close(open, "a statement or `}`")?;
            }
            let before = self.position();
            match self.stmt() {
                Ok(statement) => statements.push(statement),
                Err(Mistake) => {
                    if self.position() == before {
                        self.advance();
                    }
                    self.set_depth(depth);
                    self.skip_statement();
                }
            }
        }
        self.advance();
        self.leave();
        Ok(statements)
    }

    fn begins_member(&self) -> bool {
        matches!(self.kind(), Kind::Word("proc" | "private" | "impl" | "format" | "reference"))
            && matches!(self.ahead(1), Kind::Word(_))
    }

    /// Behind the next `;` of this block, or before the brace that closes it.
    fn skip_statement(&mut self) {
        let mut open = 0usize;
        while !self.at_end() && !self.begins_member() {
            match self.kind() {
                Kind::Symbol("{") => open += 1,
                Kind::Symbol("}") if open == 0 => return,
                Kind::Symbol("}") => {
                    open -= 1;
                    if open == 0 {
                        return self.advance();
                    }
                }
                Kind::Symbol(";") if open == 0 => return self.advance(),
                _ => {}
            }
            self.advance();
        }
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        self.enter()?;
        self.fresh_links();
        let start = self.span();
        let kind = self.stmt_kind()?;
        self.leave();
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn boxed(&mut self) -> Parsed<Box<Stmt>> {
        self.stmt().map(Box::new)
    }

    fn stmt_kind(&mut self) -> Parsed<StmtKind> {
        let Kind::Word(word) = self.kind() else {
            return match self.kind() {
                Kind::Symbol(";") => {
                    self.advance();
                    Ok(StmtKind::Empty)
                }
                Kind::Symbol("{") => Ok(StmtKind::Block(self.block("before the statements")?)),
                _ => self.simple("after the statement"),
            };
        };
        match word {
            "return" => {
                self.advance();
                let value = if self.is(";") { None } else { Some(self.expr()?) };
                self.end("`return`")?;
                Ok(StmtKind::Return(value))
            }
            "if" => {
                self.advance();
                let condition = self.condition("if")?;
                let then = self.boxed()?;
                let otherwise = if self.accept_word("else") { Some(self.boxed()?) } else { None };
                Ok(StmtKind::If(condition, then, otherwise))
            }
            "while" => {
                self.advance();
                let invariant = self.invariant()?;
                let condition = self.condition("while")?;
                Ok(StmtKind::While { invariant, condition, body: self.boxed()? })
            }
            "for" => self.for_loop(),
            "assert" | "assume" => {
                let help = "a formula goes in quotes: `assert \"x' in S'\";`";
                self.advance();
                let mut label = None;
                let mut formula = self.quoted("a formula in quotes", help)?;
                if self.accept(":") {
                    label = Some(formula);
                    formula = self.quoted("a formula in quotes after the label", help)?;
                }
                self.end(&format!("`{word}`"))?;
                Ok(if word == "assert" {
                    StmtKind::Assert { label, formula }
                } else {
                    StmtKind::Assume { label, formula }
                })
            }
            "pragma" => {
                self.advance();
                let text = self.quoted("a text in quotes", "a pragma is written `pragma \"…\";`")?;
                self.end("`pragma`")?;
                Ok(StmtKind::Pragma(text))
            }
            "havoc" => {
                self.advance();
                let names = self.idents("a variable", "write `havoc x, y;`")?;
                self.end("`havoc`")?;
                Ok(StmtKind::Havoc(names))
            }
            "choice" => {
                self.advance();
                let first = self.boxed()?;
                self.expect("|", "between the two statements of a choice", "write `choice { … } | { … }`")?;
                Ok(StmtKind::Choice(first, self.boxed()?))
            }
            "else" => Err(self.unexpected("a statement", "an `else` comes right after the statement of its `if`")),
            _ => self.simple("after the statement"),
        }
    }

    fn end(&mut self, what: &str) -> Parsed<()> {
        self.expect(";", &format!("after {what}"), "a statement ends with `;`")
    }

    fn invariant(&mut self) -> Parsed<Option<super::ast::Quoted>> {
        match self.kind() {
            Kind::Text(_) => self.quoted("an invariant", "").map(Some),
            _ => Ok(None),
        }
    }

    fn condition(&mut self, word: &str) -> Parsed<super::ast::Expr> {
        let help = "a condition goes in parentheses";
        self.expect("(", &format!("after `{word}`"), help)?;
        let condition = self.expr()?;
        self.expect(")", "after the condition", help)?;
        Ok(condition)
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        let help = "a loop is written `for (i = 0; i < n; i++) { … }`";
        self.advance();
        let invariant = self.invariant()?;
        self.expect("(", "after `for`", help)?;
        let start = self.span();
        let init = if self.accept(";") {
            None
        } else {
            let kind = self.simple("after the beginning of the loop")?;
            Some(Box::new(Stmt { kind, span: self.since(start) }))
        };
        let condition = if self.is(";") { None } else { Some(self.expr()?) };
        self.expect(";", "after the condition of the loop", help)?;
        let start = self.span();
        let step = if self.is(")") {
            None
        } else {
            let kind = self.stmt_expr()?;
            Some(Box::new(Stmt { kind, span: self.since(start) }))
        };
        self.expect(")", "after the step of the loop", help)?;
        Ok(StmtKind::For { invariant, init, condition, step, body: self.boxed()? })
    }

    /// A declaration, assignment, call or step, with its `;`.
    fn simple(&mut self, place: &str) -> Parsed<StmtKind> {
        let is_declaration = match (self.kind(), self.ahead(1)) {
            (Kind::Word("int" | "bool" | "float"), _) => true,
            (Kind::Word(word), Kind::Word(_)) => !self.is_reserved(word),
            (Kind::Word(_), Kind::Symbol("[")) => self.symbol_ahead(2, "]"),
            _ => false,
        };
        let kind = if is_declaration { self.locals()? } else { self.stmt_expr()? };
        let help = if self.is("?") { "there is no `c ? a : b`: write an `if`" } else { "a statement ends with `;`" };
        self.expect(";", place, help)?;
        Ok(kind)
    }

    fn locals(&mut self) -> Parsed<StmtKind> {
        let help = "a variable is declared as `T x = e;`";
        let ty = self.type_name("the type of the variable")?;
        let mut variables = Vec::new();
        loop {
            let name = self.ident("the name of the variable", help)?;
            let value = if self.accept("=") { Some(self.expr()?) } else { None };
            variables.push((name, value));
            if !self.accept(",") {
                return Ok(StmtKind::Locals(ty, variables));
            }
        }
    }

    fn stmt_expr(&mut self) -> Parsed<StmtKind> {
        let left = self.expr()?;
        if self.is("=") {
            let is_place = matches!(left.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..));
            if !is_place {
                return Err(self.mistake_at(
                    left.span,
                    "nothing can be assigned to this",
                    "a variable, a field `x.f` or an element `a[i]` can; equality is written `==`",
                ));
            }
            self.advance();
            let value = self.expr()?;
            if self.is("=") {
                let help = "an assignment has no value: write two of them";
                return Err(self.unexpected("`;`", help));
            }
            return Ok(StmtKind::Assign(left, value));
        }
        if matches!(left.kind, ExprKind::Call(..) | ExprKind::Step { .. }) {
            return Ok(StmtKind::Expr(left));
        }
        if self.is(";") || self.is(")") {
            let help = match &left.kind {
                ExprKind::Name(word) if word == "break" || word == "continue" => {
                    "a loop ends by its condition, or by `return`: there is no `break` and no `continue`"
                }
                _ => "a statement is an assignment, a call, `x++` or `x--`",
            };
            return Err(self.mistake_at(left.span, "this expression has no effect", help));
        }
        if matches!(&left.kind, ExprKind::Name(word) if word == "do") {
            return Err(self.mistake_at(left.span, "there is no `do`", "a loop is written `while (…) { … }`"));
        }
        Err(self.unexpected("`=`, or the arguments of a call", "an assignment is written `x = e;`, a call `M.p(e);`"))
    }

    fn mistake_at(&mut self, span: Span, message: &str, help: &str) -> Mistake {
        self.diagnostics.push(Diagnostic::error("syntax-error", span, message).help(help));
        Mistake
    }
}
