//! Annotations that bound a state: `@Tree`, `@Range`, `@Length`, `@OneOf`, `@NonNull`, `@Owned`, `@Padded`, `@Max`, and the little language
//! of their expressions: integers and n with `+ - * /` and parentheses, ranges as `lo..hi`.

use super::Lowering;
use super::instances::innermost;
use crate::resolve::*;
use crate::syntax::ast::{Annotation, AnnotationValue, ClassDecl, ExprKind, Literal, Modifiers, Param};
use ir::{Bound, RangeExpr, SizeExpr};
use source::{Diagnostic, Span};

impl Lowering<'_> {
    pub(super) fn max_bound(&mut self, decl: &ClassDecl) -> Option<SizeExpr> {
        let annotation = decl.modifiers.annotation("Max")?;
        let [(text, span)] = &self.texts(annotation, false)[..] else { return None };
        match parse_size(text) {
            Some(size) if at_no_size(|n| size.eval(n).is_some_and(|max| max >= 0)) => {
                self.error(Diagnostic::error("bad-bound", *span, format!("\"{text}\" is not a number at any size")));
                None
            }
            Some(size) => Some(size),
            None => {
                self.bad_bound(*span, text, "an expression over `n`, such as \"n\" or \"2*n\"");
                None
            }
        }
    }

    pub(super) fn field_bound(&mut self, info: &FieldInfo) -> Bound {
        let FieldOrigin::Declared(decl) = &info.origin else { return Bound::default() };
        let mut bound = self.bound(info.class, &decl.modifiers, &info.ty);
        // What it holds from the beginning it holds for good.
        let is_made =
            decl.init.as_ref().is_some_and(|e| matches!(e.kind, ExprKind::New { .. } | ExprKind::NewArray { .. }));
        // Of other classes there may be no object.
        let made = self.made_from_the_beginning(info).map(|(ty, _)| ty);
        let has_objects = [Some(&info.ty), made.as_ref()].into_iter().flatten().any(|ty| match ty {
            Type::Class(class, _) => *ty == self.table.object() || self.table.class(*class).is_input(),
            ty => matches!(ty, Type::Array(_)),
        });
        if is_made && decl.modifiers.is_final && !decl.modifiers.is_static {
            bound.non_null |= has_objects;
            // In a class of the library null is as good as what its specification says of the states that matter.
            let is_ours = self.table.class(info.class).unit.origin != Origin::Library;
            if let (false, true, Some(Type::Class(class, _))) = (has_objects, is_ours, made) {
                bound.made = Some(self.table.class(class).name.clone());
            }
        }
        bound
    }

    /// The type of the `new` object that a field starts with, and whether it is of just that class: an anonymous one is below.
    pub(super) fn made_from_the_beginning(&mut self, info: &FieldInfo) -> Option<(Type, bool)> {
        let FieldOrigin::Declared(decl) = &info.origin else { return None };
        let ExprKind::New { ty, body, .. } = &decl.init.as_ref()?.kind else { return None };
        let scope = self.table.scope_of(info.class);
        Some((self.table.resolve(&scope, ty).ok()?, body.is_none()))
    }

    pub(super) fn param_bound(&mut self, class: ClassIx, param: &Param, ty: &Type) -> Bound {
        self.bound(class, &param.modifiers, ty)
    }

    fn bound(&mut self, class: ClassIx, modifiers: &Modifiers, ty: &Type) -> Bound {
        let mut bound = Bound::default();
        if self.is_comparable(ty) {
            // Where no other class is at hand, it holds these.
            let integer = self.table.known("java.lang.Integer");
            self.class_id(integer);
        }
        if ty.is_floating() {
            bound.format = ty.prim().and_then(super::floating::format_of);
            let number = match super::floating::given(modifiers, ty) {
                None => super::floating::unknown(ty),
                Some(Ok(number)) => number,
                Some(Err(span)) => {
                    let d = Diagnostic::error(
                        "bad-bound",
                        span,
                        "the range of a number with a fraction is that number alone",
                    );
                    self.error(d.help("write `@Range(\"0.75..0.75\")`"));
                    super::floating::unknown(ty)
                }
            };
            let number = SizeExpr::Const(number);
            bound.range = Some(RangeExpr { lo: number.clone(), hi: number, span: Span::default() });
        }
        for annotation in &modifiers.annotations {
            match &*annotation.name.name {
                "Tree" => {
                    bound.tree = true;
                    if ty.prim().is_some() {
                        self.misplaced(annotation, "a reference or an array of references", ty);
                    }
                }
                "NonNull" => bound.non_null = true,
                "Padded" => bound.padded = self.table.replaced.values().any(|by| *by == class),
                "Owned" => {
                    bound.owned = true;
                    if !matches!(ty, Type::Array(_)) {
                        self.misplaced(annotation, "an array", ty);
                    }
                }
                "Range" if ty.is_floating() => {}
                "Range" => {
                    // Behind a wider type: the numbers of boxes.
                    let is_wide = self.holds_integers(ty);
                    if is_wide && !modifiers.has("OneOf") {
                        let integer = self.table.known("java.lang.Integer");
                        bound.one_of = Some(vec![self.class_id(integer)]);
                    }
                    let integral = is_wide || innermost_prim(ty, &mut self.table);
                    if !integral {
                        self.misplaced(annotation, "an integral type or an array of it", ty);
                    }
                    bound.range = self.ranges(annotation, false).into_iter().next();
                }
                "Length" => {
                    let dimensions = dimensions(ty);
                    let lengths = self.ranges(annotation, true);
                    if dimensions == 0 || lengths.len() > dimensions {
                        self.misplaced(annotation, "an array, with at most one range per dimension", ty);
                    }
                    bound.lengths = lengths;
                }
                "OneOf" => bound.one_of = Some(self.classes(class, annotation, ty)),
                _ => {}
            }
        }
        bound
    }

    fn is_comparable(&mut self, ty: &Type) -> bool {
        let comparable = self.table.known("java.lang.Comparable");
        matches!(self.table.erasure(innermost(ty)), Type::Class(class, _) if class == comparable)
    }

    /// A type variable, `Object`, `Comparable`: a box fits there.
    fn holds_integers(&mut self, ty: &Type) -> bool {
        let ty = innermost(ty);
        let integer = self.table.known_type("java.lang.Integer");
        ty.prim().is_none() && self.table.unboxed(ty).is_none() && !ty.is_error() && self.table.is_subtype(&integer, ty)
    }

    fn misplaced(&mut self, annotation: &Annotation, wants: &str, ty: &Type) {
        let name = &annotation.name.name;
        let message = format!("`@{name}` needs {wants}, but this is `{}`", self.table.type_name(ty));
        self.error(Diagnostic::error("bad-bound", annotation.span, message));
    }

    fn bad_bound(&mut self, span: Span, text: &str, wants: &str) {
        let d =
            Diagnostic::error("bad-bound", span, format!("\"{text}\" is not a bound")).help(format!("write {wants}"));
        self.error(d);
    }

    fn ranges(&mut self, annotation: &Annotation, several: bool) -> Vec<RangeExpr> {
        let mut ranges = Vec::new();
        for (text, span) in self.texts(annotation, several) {
            match parse_range(&text) {
                Some((lo, hi)) if at_no_size(|n| lo.eval(n).zip(hi.eval(n)).is_some_and(|(lo, hi)| lo <= hi)) => {
                    let message = format!("\"{text}\" holds nothing at any size");
                    self.error(Diagnostic::error("bad-bound", span, message).help("write the smaller end first"));
                }
                Some((lo, hi)) => ranges.push(RangeExpr { lo, hi, span: annotation.span }),
                None => self.bad_bound(span, &text, "a range over `n`, such as \"0..n-1\""),
            }
        }
        ranges
    }

    /// The strings an annotation is given.
    fn texts(&mut self, annotation: &Annotation, several: bool) -> Vec<(String, Span)> {
        let mut texts = Vec::new();
        let values = self.values(annotation);
        // An argument of another name was reported already.
        if (values.is_empty() && annotation.arguments.is_empty()) || (values.len() > 1 && !several) {
            self.bad_argument(annotation.span, annotation, "one string");
        }
        for value in values {
            match value {
                AnnotationValue::Expr(e) => match &e.kind {
                    ExprKind::Literal(Literal::String(text)) => texts.push((text.clone(), e.span)),
                    _ => self.bad_argument(e.span, annotation, "a string, such as \"0..n-1\""),
                },
                AnnotationValue::Array(_, span) | AnnotationValue::Annotation(span) => {
                    self.bad_argument(*span, annotation, "a string, such as \"0..n-1\"");
                }
            }
        }
        texts
    }

    /// The values of `value`, an array taken apart. Any other name is an error.
    pub fn values<'v>(&mut self, annotation: &'v Annotation) -> Vec<&'v AnnotationValue> {
        let mut values = Vec::new();
        for (key, value) in &annotation.arguments {
            if &*key.name != "value" {
                let message = format!("`@{}` has no argument `{}`", annotation.name.name, key.name);
                self.error(
                    Diagnostic::error("unknown-annotation-argument", key.span, message).help("leave the name out"),
                );
                continue;
            }
            values.extend(value.parts());
        }
        values
    }

    fn bad_argument(&mut self, span: Span, annotation: &Annotation, wants: &str) {
        let message = format!("`@{}` takes {wants}", annotation.name.name);
        self.error(Diagnostic::error("bad-bound", span, message));
    }

    fn classes(&mut self, class: ClassIx, annotation: &Annotation, ty: &Type) -> Vec<ir::ClassId> {
        let scope = self.table.scope_of(class);
        let mut classes = Vec::new();
        for value in self.values(annotation) {
            let AnnotationValue::Expr(e) = value else { continue };
            let ExprKind::ClassLiteral(written) = &e.kind else {
                self.bad_argument(e.span, annotation, "class literals such as `A.class`");
                continue;
            };
            match self.table.resolve(&scope, written) {
                Ok(found @ Type::Class(c, _)) => {
                    let mut element = ty.clone();
                    while let Type::Array(e) = element {
                        element = Type::clone(&e);
                    }
                    if !self.table.is_subtype(&found, &element) {
                        let (a, b) = (self.table.type_name(&found), self.table.type_name(&element));
                        self.error(Diagnostic::error("bad-bound", e.span, format!("`{a}` is not a `{b}`")));
                    }
                    let is_abstract =
                        self.table.class(c).is_interface() || self.table.class(c).decl.modifiers.is_abstract;
                    classes.push(if is_abstract { self.class_id(c) } else { self.made_class_id(c) });
                }
                Ok(_) => self.bad_argument(e.span, annotation, "classes"),
                Err(problem) => self.error(*problem),
            }
        }
        classes
    }
}

/// Whether a bound is senseless whatever `--size` is. At one size only it is an error of the run.
fn at_no_size(is_sensible: impl Fn(i64) -> bool) -> bool {
    !(1..100).any(is_sensible)
}

fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::Array(e) => 1 + dimensions(e),
        _ => 0,
    }
}

fn innermost_prim(ty: &Type, table: &mut Table) -> bool {
    match ty {
        Type::Array(e) => innermost_prim(e, table),
        Type::Error => true,
        _ => table.as_prim(ty).is_some_and(|p| p != crate::syntax::ast::Prim::Bool) && !ty.is_floating(),
    }
}

/// `0..n-1`, or one number: `n` is `n..n`.
pub fn parse_range(text: &str) -> Option<(SizeExpr, SizeExpr)> {
    let (lo, hi) = text.split_once("..").unwrap_or((text, text));
    Some((parse_size(lo)?, parse_size(hi)?))
}

pub fn parse_size(text: &str) -> Option<SizeExpr> {
    let mut parser = SizeParser { rest: text.trim(), depth: 0 };
    let size = parser.sum()?;
    parser.rest.is_empty().then_some(size)
}

struct SizeParser<'t> {
    rest: &'t str,
    depth: usize,
}

impl SizeParser<'_> {
    fn eat(&mut self, c: char) -> bool {
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<SizeExpr> {
        let mut left = self.product()?;
        loop {
            if self.eat('+') {
                left = SizeExpr::Add(Box::new(left), Box::new(self.product()?));
            } else if self.eat('-') {
                left = SizeExpr::Sub(Box::new(left), Box::new(self.product()?));
            } else {
                return Some(left);
            }
        }
    }

    fn product(&mut self) -> Option<SizeExpr> {
        let mut left = self.atom()?;
        loop {
            if self.eat('*') {
                left = SizeExpr::Mul(Box::new(left), Box::new(self.atom()?));
            } else if self.eat('/') {
                left = SizeExpr::Div(Box::new(left), Box::new(self.atom()?));
            } else {
                return Some(left);
            }
        }
    }

    fn atom(&mut self) -> Option<SizeExpr> {
        self.depth += 1;
        if self.depth > 100 {
            return None;
        }
        if self.eat('-') {
            if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
                return self.number(true);
            }
            let operand = self.atom()?;
            return Some(match operand {
                SizeExpr::Const(c) => SizeExpr::Const(c.checked_neg()?),
                other => SizeExpr::Sub(Box::new(SizeExpr::Const(0)), Box::new(other)),
            });
        }
        if self.eat('(') {
            let inner = self.sum()?;
            return self.eat(')').then_some(inner);
        }
        if self.eat('n') {
            return Some(SizeExpr::N);
        }
        self.number(false)
    }

    /// The least number of all is one only with its sign.
    fn number(&mut self, is_negative: bool) -> Option<SizeExpr> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let text = self.rest.get(..digits)?;
        let number = if is_negative { format!("-{text}").parse() } else { text.parse() }.ok()?;
        self.rest = self.rest[digits..].trim_start();
        Some(SizeExpr::Const(number))
    }
}
