//! Types (docs/dminor.md, "Grammar"): `where` binds loosest, then `|`, `&`, and the suffixes `*` and `?`. After `in` there is no suffix.

use super::ast::{Ident, Type, TypeKind};
use super::expected::Expected;
use super::lexer::Kind;
use super::parser::{Parsed, Parser, label_of};

impl Parser<'_> {
    /// `union {where expr}`
    pub(super) fn type_(&mut self) -> Parsed<Type> {
        self.enter()?;
        let start = self.span();
        let mut parsed = self.union()?;
        while self.accept_keyword("where") {
            self.link()?;
            let condition = self.expr()?;
            let kind = TypeKind::Refinement(None, Box::new(parsed), Box::new(condition));
            parsed = Type { kind, span: self.since(start) };
        }
        self.leave();
        Ok(parsed)
    }

    fn union(&mut self) -> Parsed<Type> {
        let start = self.span();
        let mut left = self.inter()?;
        while self.accept("|") {
            self.link()?;
            let right = self.inter()?;
            left = Type { kind: TypeKind::Or(Box::new(left), Box::new(right)), span: self.since(start) };
        }
        Ok(left)
    }

    fn inter(&mut self) -> Parsed<Type> {
        let start = self.span();
        let mut left = self.post()?;
        while self.accept("&") {
            self.link()?;
            let right = self.post()?;
            left = Type { kind: TypeKind::And(Box::new(left), Box::new(right)), span: self.since(start) };
        }
        Ok(left)
    }

    fn post(&mut self) -> Parsed<Type> {
        let start = self.span();
        let mut inner = self.type_atom()?;
        loop {
            let kind: fn(Box<Type>) -> TypeKind = if self.accept("*") {
                TypeKind::Collection
            } else if self.accept("?") {
                TypeKind::Nullable
            } else {
                return Ok(inner);
            };
            self.link()?;
            inner = Type { kind: kind(Box::new(inner)), span: self.since(start) };
        }
    }

    pub(super) fn type_atom(&mut self) -> Parsed<Type> {
        self.enter()?;
        let start = self.span();
        let in_initial = self.in_initial;
        let kind = match self.kind() {
            Kind::Name(name) => {
                let name = name.clone();
                self.advance();
                TypeKind::Name(name)
            }
            Kind::Symbol("!") => {
                self.advance();
                TypeKind::Not(Box::new(self.type_atom()?))
            }
            Kind::Symbol("(") => {
                self.advance();
                self.in_initial = false;
                let kind = if matches!(self.kind(), Kind::Name(_)) && self.symbol_ahead(1, ":") {
                    let variable = self.name(Expected::Variable)?;
                    self.expect(Expected::RefinedColon)?;
                    let base = self.union()?;
                    self.expect(Expected::RefinedWhere)?;
                    let condition = self.expr()?;
                    TypeKind::Refinement(Some(variable), Box::new(base), Box::new(condition))
                } else {
                    self.type_()?.kind
                };
                self.expect(Expected::TypeClose)?;
                kind
            }
            Kind::Symbol("{") => {
                self.advance();
                self.in_initial = false;
                self.braces()?
            }
            Kind::Keyword("null" | "true" | "false") | Kind::Number(_) | Kind::Text(_) => {
                return Err(
                    self.unexpected_with(Expected::Type, "the type of one value alone is written in braces: {null}")
                );
            }
            _ => return Err(self.unexpected(Expected::Type)),
        };
        self.in_initial = in_initial;
        self.leave();
        Ok(Type { kind, span: self.since(start) })
    }

    /// Behind the opening brace.
    fn braces(&mut self) -> Parsed<TypeKind> {
        if label_of(self.kind()).is_some() && self.symbol_ahead(1, ":") {
            let mut fields: Vec<(Ident, Type)> = Vec::new();
            loop {
                let label = self.label()?;
                self.expect(Expected::FieldColon)?;
                fields.push((label, self.type_()?));
                if self.accept("}") {
                    break;
                }
                self.expect(Expected::FieldEnd)?;
                if self.accept("}") {
                    break;
                }
            }
            return Ok(TypeKind::Entity(fields));
        }
        if self.ends_in_star() {
            let inner = self.post()?;
            self.expect(Expected::MembersClose)?;
            return Ok(inner.kind);
        }
        if self.is_symbol("}") {
            let help = "the type of the empty collection is {{}}, of all entities with a field `a` {a: Any;}";
            return Err(self.unexpected_with(Expected::FieldsOrExpression, help));
        }
        let value = self.expr()?;
        self.expect(Expected::SingletonClose)?;
        Ok(TypeKind::Singleton(Box::new(value)))
    }
}
