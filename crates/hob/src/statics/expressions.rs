//! Expressions and places of the implementation language: names resolved, types checked as in Java (docs/hob.md, "Implementation").
//!
//! An int beside a float is converted; a byte is an int where one is needed, and a small constant a byte. Characters are compared
//! and joined to texts, but not counted with. A string is never null: it starts as "".

use super::bodies::Body;
use crate::program::{BinaryOp, Expr, ExprKind, FieldId, LocalId, Place, Type, TypeId, UnaryOp};
use crate::syntax::ast::{self, Ident};
use source::{Diagnostic, Span};

fn is_whole(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Byte)
}

fn is_number(ty: &Type) -> bool {
    is_whole(ty) || *ty == Type::Float
}

fn is_reference(ty: &Type) -> bool {
    matches!(ty, Type::Object(_) | Type::Array(_) | Type::Null)
}

fn to_float(expr: Expr) -> Expr {
    if expr.ty == Type::Float {
        return expr;
    }
    let span = expr.span;
    Expr { kind: ExprKind::ToFloat(Box::new(expr)), ty: Type::Float, span }
}

/// Without its sign.
const LEAST: i64 = -(i32::MIN as i64);

fn small_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(value) => (-128..128).contains(value),
        ExprKind::Unary(UnaryOp::Negate, inner) => matches!(inner.kind, ExprKind::Int(0..=128)),
        _ => false,
    }
}

/// The constants 0 and 1 beside a Boolean; other Booleans as they are. None if neither.
pub(super) fn as_bool(expr: &Expr, other: &Type) -> Option<Expr> {
    match expr.kind {
        ExprKind::Int(n @ (0 | 1)) if *other == Type::Bool => {
            Some(Expr { kind: ExprKind::Bool(n == 1), ty: Type::Bool, span: expr.span })
        }
        _ if expr.ty == Type::Bool && *other == Type::Int => Some(expr.clone()),
        _ => None,
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::OrElse => "||",
        BinaryOp::AndThen => "&&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::And => "&",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::Greater => ">",
        BinaryOp::AtMost => "<=",
        BinaryOp::AtLeast => ">=",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::ShiftRightUnsigned => ">>>",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
    }
}

impl Body<'_, '_, '_> {
    pub(super) fn fail<T>(&mut self, id: &'static str, span: Span, message: String, help: &str) -> Option<T> {
        self.resolver.error(id, span, message, help);
        None
    }

    /// The value as one of that type, converted if need be.
    pub(super) fn fit(&mut self, value: Expr, ty: &Type, what: &str) -> Option<Expr> {
        match (&value.ty, ty) {
            (_, Type::Nothing) => None,
            (have, want) if have == want => Some(value),
            (have, Type::Float) if is_whole(have) => Some(to_float(value)),
            (Type::Byte, Type::Int) => Some(value),
            (Type::Int, Type::Byte) if small_constant(&value) => Some(value),
            (Type::Null, Type::Object(_) | Type::Array(_)) => Some(value),
            (have, want) => {
                let help = match (have, want) {
                    (Type::Float, Type::Int | Type::Byte) => "write `Math.toInt(e)` or `Math.round(e)`",
                    (Type::Int, Type::Bool) => "compare it, as in `e != 0`; a Boolean is `true` or `false`",
                    (Type::Object(_), Type::Bool) => "compare it, as in `e != null`",
                    (_, Type::String) if *have == Type::Null => "strings are never null: write `\"\"`",
                    (_, Type::String) => "write `\"\" + e`",
                    (Type::String, Type::Char) => "a character goes in single quotes: 'a'",
                    (Type::Int, Type::Byte) => "a byte is a constant from -128 to 127 or another byte",
                    _ => "give it another type, or take another value",
                };
                let (have, want) = (self.resolver.type_text(have), self.resolver.type_text(want));
                let message = format!("{what} has type {have}, but {want} is expected");
                self.fail("type-mismatch", value.span, message, help)
            }
        }
    }

    fn variable(&mut self, name: &str, span: Span) -> Option<Expr> {
        let (kind, ty) = if let Some(id) = self.scopes.find(name) {
            (ExprKind::Local(id), self.locals[id.index()].ty.clone())
        } else if let Some(id) = self.resolver.names[self.module.index()].globals.get(name) {
            (ExprKind::Global(*id), self.resolver.program.globals[id.index()].ty.clone())
        } else {
            let message = format!("there is no variable `{name}` here");
            let help = if self.resolver.modules.contains_key(name) {
                format!("`{name}` is a module: its procedures are called as `{name}.p(…)`, its variables are its own")
            } else {
                let locals = self.scopes.names();
                let globals = self.resolver.names[self.module.index()].globals.keys().copied();
                let known = locals.iter().map(String::as_str).chain(globals);
                self.resolver.suggest(name, known, "declare it: `T x;`, or in the module `reference x : T;`")
            };
            return self.fail("unknown-name", span, message, &help);
        };
        // A type that is not known has been reported.
        (ty != Type::Nothing).then_some(Expr { kind, ty, span })
    }

    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let span = expr.span;
        let made = |kind, ty| Some(Expr { kind, ty, span });
        match &expr.kind {
            ast::ExprKind::Int(value) if i32::try_from(*value).is_err() => {
                let help = "an int is from -2147483648 to 2147483647";
                self.fail("number-too-large", span, "this number does not fit an int".to_string(), help)
            }
            ast::ExprKind::Int(value) => made(ExprKind::Int(*value), Type::Int),
            ast::ExprKind::Float(value) => made(ExprKind::Float(*value), Type::Float),
            ast::ExprKind::Bool(value) => made(ExprKind::Bool(*value), Type::Bool),
            ast::ExprKind::Char(value) => made(ExprKind::Char(*value), Type::Char),
            ast::ExprKind::String(value) => made(ExprKind::String(value.clone()), Type::String),
            ast::ExprKind::Null => made(ExprKind::Null, Type::Null),
            ast::ExprKind::Name(name) => self.variable(name, span),
            ast::ExprKind::Field(object, field) => self.selection(object, field, span),
            ast::ExprKind::Index(array, index) => {
                let (array, index, ty) = self.element(array, index)?;
                made(ExprKind::Index(Box::new(array), Box::new(index)), ty)
            }
            ast::ExprKind::Call(..) => {
                let call = self.call(expr)?;
                if call.ty == Type::Nothing {
                    let help = "only a procedure that `returns` something can be used in an expression";
                    return self.fail("type-mismatch", span, "this call has no result".to_string(), help);
                }
                Some(call)
            }
            ast::ExprKind::New(name) => {
                if super::resolver::builtin(&name.text).is_some() {
                    let message = format!("there are no objects of type {}", name.text);
                    return self.fail("type-mismatch", span, message, "`new` makes objects of formats, and arrays");
                }
                let naming = self.naming.clone();
                let ty = self.resolver.object_type(&naming, name)?;
                made(ExprKind::New(ty), Type::Object(ty))
            }
            ast::ExprKind::NewArray(ty, lengths) => {
                let naming = self.naming.clone();
                let ty = self.resolver.type_of(&naming, ty);
                let mut resolved = Vec::new();
                for length in lengths {
                    let length = self.expr(length)?;
                    resolved.push(self.fit(length, &Type::Int, "a length")?);
                }
                made(ExprKind::NewArray(resolved), ty?)
            }
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.binary(*op, left?, right?, span)
            }
            ast::ExprKind::Step { place, up, prefix } => {
                let (place, ty) = self.place(place)?;
                if !is_number(&ty) {
                    let message = format!("a number is expected, but this has type {}", self.resolver.type_text(&ty));
                    return self.fail("type-mismatch", span, message, "`++` and `--` are for numbers");
                }
                made(ExprKind::Step { place: Box::new(place), up: *up, prefix: *prefix }, ty)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Option<Expr> {
        // The least int is written with a number that is no int.
        if let (UnaryOp::Negate, ast::ExprKind::Int(LEAST)) = (op, &operand.kind) {
            return Some(Expr { kind: ExprKind::Int(-LEAST), ty: Type::Int, span });
        }
        let operand = self.expr(operand)?;
        let (operand, ty) = match op {
            UnaryOp::Not => (self.fit(operand, &Type::Bool, "the operand of `!`")?, Type::Bool),
            UnaryOp::Negate if is_whole(&operand.ty) => (operand, Type::Int),
            UnaryOp::Negate => (self.fit(operand, &Type::Float, "the operand of `-`")?, Type::Float),
        };
        Some(Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span })
    }

    fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let (l, r) = (&left.ty, &right.ty);
        let (both_whole, both_numbers) = (is_whole(l) && is_whole(r), is_number(l) && is_number(r));
        let both_bool = *l == Type::Bool && *r == Type::Bool;
        let ty = match op {
            BinaryOp::OrElse | BinaryOp::AndThen => both_bool.then_some(Type::Bool),
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::And if both_bool => Some(Type::Bool),
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::And => both_whole.then_some(Type::Int),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightUnsigned => {
                both_whole.then_some(Type::Int)
            }
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::AtMost | BinaryOp::AtLeast => {
                (both_numbers || *l == Type::Char && *r == Type::Char).then_some(Type::Bool)
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                if matches!((l, r), (Type::String, Type::Null) | (Type::Null, Type::String)) {
                    return self.never_null(op, left, right, span);
                }
                if let (Some(left), Some(right)) = (as_bool(&left, r), as_bool(&right, l)) {
                    self.bool_as_number(span);
                    return self.binary(op, left, right, span);
                }
                let with_null = is_reference(l) && is_reference(r) && (*l == Type::Null || *r == Type::Null);
                (l == r || both_numbers || with_null).then_some(Type::Bool)
            }
            BinaryOp::Add if *l == Type::String || *r == Type::String => Some(Type::String),
            _ if both_whole => Some(Type::Int),
            _ => both_numbers.then_some(Type::Float),
        };
        let Some(ty) = ty else { return self.no_such_operator(op, &left, &right, span) };
        let mixed = both_numbers && !both_whole;
        let (left, right) = if mixed { (to_float(left), to_float(right)) } else { (left, right) };
        Some(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// `s == null`, which the original has: a string is never null.
    fn never_null(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let message = format!("a string is never null: this is always {}", op == BinaryOp::NotEqual);
        let problem = Diagnostic::warning("string-null", span, message).help("compare with `\"\"`");
        self.resolver.diagnostics.push(problem);
        let null = |e: Expr| if e.ty == Type::Null { Expr { ty: Type::String, ..e } } else { e };
        let kind = ExprKind::Binary(op, Box::new(null(left)), Box::new(null(right)));
        Some(Expr { kind, ty: Type::Bool, span })
    }

    pub(super) fn bool_as_number(&mut self, span: Span) {
        let problem = Diagnostic::warning(
            "bool-as-number",
            span,
            "a bool is used as a number: 1 is read as `true`, 0 as `false`",
        );
        self.resolver.diagnostics.push(problem.help("write `true` or `false`"));
    }

    fn no_such_operator(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Option<Expr> {
        let (l, r) = (self.resolver.type_text(&left.ty), self.resolver.type_text(&right.ty));
        let message = format!("`{}` does not take {l} and {r}", symbol(op));
        let help = match op {
            BinaryOp::OrElse | BinaryOp::AndThen => "both sides are Booleans: compare what is none, as in `x != null`",
            BinaryOp::Equal | BinaryOp::NotEqual if left.ty == Type::String || right.ty == Type::String => {
                "both sides have the same type, and strings are never null: compare with `\"\"`"
            }
            BinaryOp::Equal | BinaryOp::NotEqual => "both sides have the same type, or one is null",
            BinaryOp::Add => "`+` adds numbers, or joins a string and anything",
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightUnsigned => "both sides are ints",
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::And => "both sides are Booleans, or both are ints",
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::AtMost | BinaryOp::AtLeast => {
                "numbers and characters are ordered"
            }
            _ => "both sides are numbers",
        };
        self.fail("type-mismatch", span, message, help)
    }

    /// `x.f`, or the length of an array.
    fn selection(&mut self, object: &ast::Expr, field: &Ident, span: Span) -> Option<Expr> {
        let object = self.expr(object)?;
        if let Type::Array(_) = object.ty
            && field.text == "length"
        {
            return Some(Expr { kind: ExprKind::Length(Box::new(object)), ty: Type::Int, span });
        }
        let (id, ty) = self.field(&object, field)?;
        Some(Expr { kind: ExprKind::Field(Box::new(object), id), ty, span })
    }

    fn field(&mut self, object: &Expr, field: &Ident) -> Option<(FieldId, Type)> {
        let Type::Object(of) = object.ty else {
            let ty = self.resolver.type_text(&object.ty);
            let help = match object.ty {
                Type::String => "the length of a string is `Strings.length(s)`",
                Type::Array(_) => "an array has a `length` and elements `a[i]`",
                _ => "only objects have fields",
            };
            let message = format!("a value of type {ty} has no field `{}`", field.text);
            return self.fail("type-mismatch", field.span, message, help);
        };
        let found = self.resolver.names[self.module.index()].fields.get(&(of, field.text.as_str())).copied();
        let Some(id) = found else { return self.unknown_field(of, field) };
        let ty = self.resolver.program.field(id).ty.clone();
        (ty != Type::Nothing).then_some((id, ty))
    }

    fn unknown_field<T>(&mut self, of: TypeId, field: &Ident) -> Option<T> {
        let ty = self.resolver.program.types[of.index()].name.clone();
        let other = self.resolver.names.iter().position(|n| n.fields.contains_key(&(of, field.text.as_str())));
        let (message, help) = match other {
            Some(k) => {
                let owner = &self.resolver.program.modules[k].name;
                (
                    format!("field `{}` of `{ty}` belongs to module `{owner}`", field.text),
                    format!("only `{owner}` can touch it: call one of its procedures"),
                )
            }
            None => {
                let names = &self.resolver.names[self.module.index()].fields;
                let known = names.keys().filter(|(t, _)| *t == of).map(|(_, n)| *n);
                let otherwise = format!("declare it in this module: `format {ty} {{ {} : int; }}`", field.text);
                let help = self.resolver.suggest(&field.text, known, &otherwise);
                (format!("this module gives type `{ty}` no field `{}`", field.text), help)
            }
        };
        self.fail("unknown-field", field.span, message, &help)
    }

    fn element(&mut self, array: &ast::Expr, index: &ast::Expr) -> Option<(Expr, Expr, Type)> {
        let (array, index) = (self.expr(array), self.expr(index));
        let (array, index) = (array?, index?);
        let Type::Array(of) = &array.ty else {
            let message = format!("a value of type {} has no elements", self.resolver.type_text(&array.ty));
            return self.fail("type-mismatch", array.span, message, "only arrays have elements `a[i]`");
        };
        let ty = (**of).clone();
        let index = self.fit(index, &Type::Int, "an index")?;
        Some((array, index, ty))
    }

    /// What can be assigned, and its type.
    pub(super) fn place(&mut self, expr: &ast::Expr) -> Option<(Place, Type)> {
        match &expr.kind {
            ast::ExprKind::Name(name) => {
                let variable = self.variable(name, expr.span)?;
                let place = match variable.kind {
                    ExprKind::Local(id) => Place::Local(self.writable(id, name, expr.span)?),
                    ExprKind::Global(id) => Place::Global(id),
                    _ => return None,
                };
                Some((place, variable.ty))
            }
            ast::ExprKind::Field(object, field) => {
                let object = self.expr(object)?;
                if matches!(object.ty, Type::Array(_)) && field.text == "length" {
                    let message = "the length of an array cannot be changed".to_string();
                    return self.fail("read-only", expr.span, message, "make a new array");
                }
                let (id, ty) = self.field(&object, field)?;
                Some((Place::Field(Box::new(object), id), ty))
            }
            ast::ExprKind::Index(array, index) => {
                let (array, index, ty) = self.element(array, index)?;
                Some((Place::Index(Box::new(array), Box::new(index)), ty))
            }
            _ => {
                let help = "a variable, a field `x.f` or an element `a[i]` can be changed";
                self.fail("read-only", expr.span, "this cannot be changed".to_string(), help)
            }
        }
    }

    fn writable(&mut self, id: LocalId, name: &str, span: Span) -> Option<LocalId> {
        let (what, help) = if id.0 < self.formals {
            let ty = self.resolver.type_text(&self.locals[id.index()].ty);
            ("formal", format!("copy it first, as in `{ty} y = {name};`"))
        } else if Some(id) == self.result {
            ("return", "write `return e;` at the end".to_string())
        } else {
            return Some(id);
        };
        self.fail("read-only", span, format!("writing to {what} parameter `{name}`"), &help)
    }
}
