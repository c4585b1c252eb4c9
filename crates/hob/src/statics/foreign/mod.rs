//! Abstractions that were written for other plugins: PALE, Bohne and vcgen (docs/hob.md, "Modules of other plugins"). Their formulas become
//! formulas about the heap, which the plugin `bounded` checks.
//!
//! What goes in: the texts in quotes. What comes out: the same formulas as `bounded` has, or None where a text says something that we do
//! not read: then nothing is claimed of it. In formulas of Isabelle's kind fields are total (`next null` is null), and quantifiers range
//! over null too; in PALE's they range over objects.

mod build;
mod graph;
mod pale;
mod syntax;
mod tokens;
mod ways;

use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{self, BinaryOp, FieldId, HeapFormula, HeapInvariant, HeapTerm, LocalId, ModuleId, Type, TypeId};
use crate::syntax::ast::{Ident, Quoted};
use build::{and, arithmetic, for_all, is_null, not, or, total};
use graph::Backbone;
use source::Span;
use std::rc::Rc;
use syntax::{Said, Set, Term};
use tokens::Unread;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Pale,
    Isabelle,
}

impl Language {
    /// Of the plugin of that name.
    pub fn of(plugin: &str) -> Option<Language> {
        match plugin {
            "PALE" | "pale" => Some(Language::Pale),
            "Bohne" | "Bohne decaf" | "bohne" | "vcgen" => Some(Language::Isabelle),
            _ => None,
        }
    }
}

/// Where to point, and what to say, if a formula is not read.
pub fn told(reason: Option<(Span, String)>, whole: Span) -> (Span, String) {
    match reason {
        Some((span, why)) => (span, format!(": {why}")),
        None => (whole, String::new()),
    }
}

/// A variable of the procedure that a formula stands in.
pub type Visible<'v> = &'v dyn Fn(&str) -> Option<(LocalId, Type)>;

impl<'a> Resolver<'a, '_> {
    /// The condition of a set, whose variable is number 0. The shape is what the invariants of the section say.
    pub(super) fn foreign_condition(
        &mut self,
        language: Language,
        module: ModuleId,
        naming: &Naming<'a>,
        (shape, quoted): (&[Quoted], &Quoted),
        (variable, object): (&Ident, TypeId),
    ) -> Option<HeapFormula> {
        let mut reader = Reader::new(self, language, module, naming, &|_| None);
        reader.shape(shape)?;
        let env = vec![(variable.text.clone(), Bound::Variable(0, Type::Object(object)))];
        let said = reader.parsed(quoted)?;
        reader.read(&said, &env)
    }

    /// The invariants of a section. Those of PALE make sense together only.
    pub(super) fn foreign_invariants(
        &mut self,
        language: Language,
        module: ModuleId,
        naming: &Naming<'a>,
        quoted: &[Quoted],
    ) -> Option<(Vec<HeapInvariant>, Option<program::Backbone>)> {
        let mut reader = Reader::new(self, language, module, naming, &|_| None);
        if language == Language::Pale {
            let invariants = reader.graph(quoted)?;
            return Some((invariants, reader.backbone.declared()));
        }
        let one = |quoted: &Quoted| {
            let said = reader.parsed(quoted)?;
            Some(HeapInvariant { formula: reader.read(&said, &[])?, span: quoted.span })
        };
        Some((quoted.iter().map(one).collect::<Option<_>>()?, None))
    }

    /// An assertion or an invariant of a loop.
    pub(super) fn foreign_formula(
        &mut self,
        language: Language,
        module: ModuleId,
        naming: &Naming<'a>,
        (shape, quoted): (&[Quoted], &Quoted),
        locals: Visible<'_>,
    ) -> Option<HeapFormula> {
        let mut reader = Reader::new(self, language, module, naming, locals);
        reader.shape(shape)?;
        let said = reader.parsed(quoted)?;
        reader.read(&said, &[])
    }
}

#[derive(Clone, Debug)]
enum Bound {
    Variable(u32, Type),
    /// The instance of a quantifier at null.
    Null,
    /// A term that a name stands for: a pointer field, in the formula that determines it.
    Term(HeapTerm, Type),
}

type Env = [(String, Bound)];

struct Reader<'r, 's, 'a, 'd> {
    resolver: &'r mut Resolver<'a, 'd>,
    language: Language,
    module: ModuleId,
    naming: &'s Naming<'a>,
    locals: Visible<'s>,
    /// What is being read.
    text: Option<Quoted>,
    numbers: u32,
    /// Of PALE.
    backbone: Rc<Backbone>,
}

impl<'r, 's, 'a, 'd> Reader<'r, 's, 'a, 'd> {
    fn new(
        resolver: &'r mut Resolver<'a, 'd>,
        language: Language,
        module: ModuleId,
        naming: &'s Naming<'a>,
        locals: Visible<'s>,
    ) -> Reader<'r, 's, 'a, 'd> {
        resolver.unread = None;
        Reader { resolver, language, module, naming, locals, text: None, numbers: 1, backbone: Rc::default() }
    }
}

impl Reader<'_, '_, '_, '_> {
    fn parsed(&mut self, quoted: &Quoted) -> Option<Said> {
        let fields = &self.resolver.program.module(self.module).fields;
        let is_field = |name: &str| fields.iter().any(|f| self.resolver.program.field(*f).name == name);
        let said = match self.language {
            Language::Pale => pale::formula(&quoted.text),
            Language::Isabelle => syntax::isabelle(&quoted.text, &is_field),
        };
        self.text = Some(quoted.clone());
        said.map_err(|unread| self.unexpected(unread)).ok()
    }

    fn unexpected(&mut self, Unread(at): Unread) {
        let Some(rest) = self.text.as_ref().map(|quoted| &quoted.text[at..]) else { return };
        let is_inner = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        let word: String = match rest.chars().next() {
            Some(first) if is_inner(&first) => rest.chars().take_while(is_inner).collect(),
            first => first.into_iter().collect(),
        };
        let why = if word.is_empty() { "it ends too early".to_string() } else { format!("unexpected `{word}`") };
        self.because(why, at, word.len());
    }

    /// Nothing more is read of the text, for the first of these reasons. If it has no length, it is about the whole text.
    fn because(&mut self, why: String, at: usize, length: usize) {
        if let (Some(quoted), None) = (&self.text, &self.resolver.unread) {
            let start = quoted.span.start as usize + at;
            let place = Span::new(quoted.span.file, start, start + length);
            self.resolver.unread = Some((if length == 0 { quoted.span } else { place }, why));
        }
    }

    /// A name that stands for nothing here.
    fn not_known<T>(&mut self, name: &str, why: String) -> Option<T> {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
        let at = self.text.as_ref().and_then(|quoted| {
            let is_whole = |at: &usize| {
                let (before, after) = (&quoted.text[..*at], &quoted.text[at + name.len()..]);
                !before.ends_with(is_inner) && !after.starts_with(is_inner)
            };
            quoted.text.match_indices(name).map(|(at, _)| at).find(is_whole)
        });
        self.because(why, at.unwrap_or(0), at.map_or(0, |_| name.len()));
        None
    }

    fn object_called(&mut self, name: &str) -> Option<TypeId> {
        let called = self.naming.types.get(name).copied().unwrap_or(name);
        let found = self.resolver.types.get(called).copied();
        found.or_else(|| self.not_known(name, format!("there is no type `{name}`")))
    }

    fn field(&mut self, object: TypeId, name: &str) -> Option<(FieldId, Type)> {
        self.field_if_any(object, name).or_else(|| {
            let of = self.resolver.program.types[object.index()].name.clone();
            self.not_known(name, format!("`{name}` is no field of {of}"))
        })
    }

    fn field_if_any(&self, object: TypeId, name: &str) -> Option<(FieldId, Type)> {
        let id = self.resolver.names[self.module.index()].fields.get(&(object, name)).copied()?;
        let ty = self.resolver.program.field(id).ty.clone();
        (ty != Type::Nothing).then_some((id, ty))
    }

    /// What a variable without a type may range over: objects that the module knows, and ints.
    fn candidates(&self) -> Vec<Type> {
        let program = &self.resolver.program;
        let module = program.module(self.module);
        let mut found: Vec<Type> = module.fields.iter().map(|f| Type::Object(program.field(*f).object)).collect();
        let mentioned = module.fields.iter().map(|f| &program.field(*f).ty);
        let mentioned = mentioned.chain(module.globals.iter().map(|g| &program.globals[g.index()].ty));
        for ty in mentioned {
            let mut inner = ty;
            while let Type::Array(of) = inner {
                inner = of;
            }
            if matches!(inner, Type::Object(_)) {
                found.push(inner.clone());
            }
        }
        found.push(Type::Int);
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|ty| seen.insert(ty.clone()));
        found
    }

    /// A whole text.
    fn read(&mut self, said: &Said, env: &Env) -> Option<HeapFormula> {
        self.formula(said, env).or_else(|| {
            self.because("its types do not fit".to_string(), 0, 0);
            None
        })
    }

    fn formula(&mut self, said: &Said, env: &Env) -> Option<HeapFormula> {
        Some(match said {
            Said::Constant(true) => HeapFormula::True,
            Said::Constant(false) => HeapFormula::False,
            Said::Not(inner) => not(self.formula(inner, env)?),
            Said::And(parts) => and(parts.iter().map(|p| self.formula(p, env)).collect::<Option<_>>()?),
            Said::Or(parts) => or(parts.iter().map(|p| self.formula(p, env)).collect::<Option<_>>()?),
            Said::Implies(a, b) => or(vec![not(self.formula(a, env)?), self.formula(b, env)?]),
            Said::Iff(a, b) => HeapFormula::Iff(Box::new(self.formula(a, env)?), Box::new(self.formula(b, env)?)),
            Said::Quantified { exists, variable, ty, body } => {
                let candidates = match ty.as_deref() {
                    Some("int" | "nat") => vec![Type::Int],
                    Some("bool") => vec![Type::Bool],
                    Some("obj") | None => self.candidates(),
                    Some(name) => vec![Type::Object(self.object_called(name)?)],
                };
                // The first type that makes sense of the body.
                let before = self.resolver.unread.clone();
                let found = candidates.into_iter().find_map(|ty| self.quantified(*exists, variable, ty, body, env))?;
                self.resolver.unread = before;
                found
            }
            Said::Compare(op, a, b) => self.comparison(*op, a, b, env)?,
            Said::Member(term, set) => {
                let (term, ty) = self.term(term, env)?;
                self.member(term, &ty, set, env)?
            }
            Said::SameSet(a, b) | Said::Subset(a, b) => {
                let object = self.elements(a, env).or(self.elements(b, env))?;
                let number = self.number();
                let (x, ty) = (HeapTerm::Bound(number), Type::Object(object));
                let in_a = self.member(x.clone(), &ty, a, env)?;
                let in_b = self.member(x, &ty, b, env)?;
                let body = match said {
                    Said::Subset(..) => or(vec![not(in_a), in_b]),
                    _ => HeapFormula::Iff(Box::new(in_a), Box::new(in_b)),
                };
                for_all(number, "x", ty, body)
            }
            Said::Closure { fields, strict, from, to } => self.closure(fields, *strict, from, to, env)?,
            Said::Reach(from, way, to) => {
                let (from, to) = (self.term(from, env)?, self.term(to, env)?);
                self.reach(from, way, to).or_else(|| {
                    self.because("this way does not lead over fields that hold objects".to_string(), 0, 0);
                    None
                })?
            }
            Said::Holds(term) => {
                let (term, ty) = self.term(term, env)?;
                if ty != Type::Bool {
                    return None;
                }
                HeapFormula::Holds(term)
            }
        })
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers - 1
    }

    fn quantified(&mut self, exists: bool, name: &str, ty: Type, body: &Said, env: &Env) -> Option<HeapFormula> {
        let number = self.number();
        let mut inner = env.to_vec();
        inner.push((name.to_string(), Bound::Variable(number, ty.clone())));
        let over = self.formula(body, &inner)?;
        let is_object = matches!(ty, Type::Object(_));
        let quantified = match (exists, over) {
            (false, HeapFormula::True) => HeapFormula::True,
            (true, HeapFormula::False) => HeapFormula::False,
            (_, over) => {
                HeapFormula::Quantified { exists, variable: number, name: name.to_string(), ty, body: Box::new(over) }
            }
        };
        if !is_object || self.language == Language::Pale {
            return Some(quantified);
        }
        inner.pop();
        inner.push((name.to_string(), Bound::Null));
        let at_null = self.formula(body, &inner)?;
        Some(if exists { or(vec![at_null, quantified]) } else { and(vec![at_null, quantified]) })
    }

    fn comparison(&mut self, op: BinaryOp, a: &Term, b: &Term, env: &Env) -> Option<HeapFormula> {
        let ((a, left), (b, right)) = (self.term(a, env)?, self.term(b, env)?);
        let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let whole = |ty: &Type| matches!(ty, Type::Int | Type::Byte);
        if whole(&left) && whole(&right) {
            if self.language == Language::Pale {
                return Some(HeapFormula::Compare(op, a, b));
            }
            let (left, right) = (total(&a), total(&b));
            let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
            let case = |((at_a, a), (at_b, b)): (&(HeapFormula, HeapTerm), &(HeapFormula, HeapTerm))| {
                and(vec![at_a.clone(), at_b.clone(), HeapFormula::Compare(op, a.clone(), b.clone())])
            };
            return Some(or(pairs.map(case).collect()));
        }
        if !is_equality {
            return None;
        }
        let reference = |ty: &Type| matches!(ty, Type::Object(_) | Type::Array(_) | Type::Null);
        let same = if left == Type::Bool && right == Type::Bool {
            HeapFormula::Iff(Box::new(HeapFormula::Holds(a)), Box::new(HeapFormula::Holds(b)))
        } else if reference(&left) && reference(&right) && (left == right || left == Type::Null || right == Type::Null)
        {
            self.same(a, b)
        } else {
            self.because("it compares values of different types".to_string(), 0, 0);
            return None;
        };
        Some(if op == BinaryOp::Equal { same } else { not(same) })
    }

    /// Of references.
    fn same(&self, a: HeapTerm, b: HeapTerm) -> HeapFormula {
        let is_total = self.language == Language::Isabelle;
        let is_plain = |t: &HeapTerm| !matches!(t, HeapTerm::Field(..) | HeapTerm::Index(..));
        match (&a, &b) {
            (HeapTerm::Null, HeapTerm::Null) => HeapFormula::True,
            (HeapTerm::Null, other) | (other, HeapTerm::Null) if is_total => is_null(other),
            _ if !is_total || is_plain(&a) && is_plain(&b) => HeapFormula::Compare(BinaryOp::Equal, a, b),
            _ => {
                let both_null = and(vec![is_null(&a), is_null(&b)]);
                or(vec![HeapFormula::Compare(BinaryOp::Equal, a, b), both_null])
            }
        }
    }

    fn elements(&mut self, set: &Set, env: &Env) -> Option<TypeId> {
        match set {
            Set::Inverse(_, ty, _) => self.object_called(ty),
            Set::Union(a, b) | Set::Inter(a, b) | Set::Minus(a, b) => {
                self.elements(a, env).or_else(|| self.elements(b, env))
            }
            Set::Of(parts) => parts.iter().find_map(|part| match self.term(part, env)? {
                (_, Type::Object(object)) => Some(object),
                _ => None,
            }),
        }
    }

    fn member(&mut self, x: HeapTerm, ty: &Type, set: &Set, env: &Env) -> Option<HeapFormula> {
        match set {
            Set::Of(parts) => {
                let mut any = Vec::new();
                for part in parts {
                    let (y, of) = self.term(part, env)?;
                    if of != Type::Null && *ty != Type::Null && of != *ty {
                        return None;
                    }
                    // An element of an array that is null holds nothing.
                    if of != Type::Null {
                        let there = not(is_null(&x));
                        any.push(and(vec![there, HeapFormula::Compare(BinaryOp::Equal, x.clone(), y)]));
                    }
                }
                Some(or(any))
            }
            Set::Union(a, b) | Set::Inter(a, b) | Set::Minus(a, b) => {
                let (in_a, in_b) = (self.member(x.clone(), ty, a, env)?, self.member(x, ty, b, env)?);
                Some(match set {
                    Set::Union(..) => or(vec![in_a, in_b]),
                    Set::Inter(..) => and(vec![in_a, in_b]),
                    _ => and(vec![in_a, not(in_b)]),
                })
            }
            Set::Inverse(of, owner, field) => {
                let (of, _) = self.term(of, env)?;
                let owner = self.object_called(owner)?;
                let (field, _) = self.field(owner, field)?;
                let there = not(is_null(&of));
                // Objects outside of the backbone have nothing to do with it.
                let inside = self.backbone.has(&x);
                let read = HeapTerm::Field(Box::new(x), field);
                Some(and(vec![there, inside, HeapFormula::Compare(BinaryOp::Equal, read, of)]))
            }
        }
    }

    fn term(&mut self, term: &Term, env: &Env) -> Option<(HeapTerm, Type)> {
        Some(match term {
            Term::Null => (HeapTerm::Null, Type::Null),
            Term::Int(n) => (HeapTerm::Int(*n), Type::Int),
            Term::Name(name) => {
                if let Some((_, bound)) = env.iter().rev().find(|(n, _)| n == name) {
                    return Some(match bound {
                        Bound::Variable(number, ty) => (HeapTerm::Bound(*number), ty.clone()),
                        Bound::Null => (HeapTerm::Null, Type::Null),
                        Bound::Term(term, ty) => (term.clone(), ty.clone()),
                    });
                }
                if let Some((local, ty)) = (self.locals)(name) {
                    return (ty != Type::Nothing).then_some((HeapTerm::Local(local), ty));
                }
                if let "true" | "True" | "false" | "False" = name.as_str() {
                    return Some((HeapTerm::Bool(matches!(name.as_str(), "true" | "True")), Type::Bool));
                }
                let Some(&global) = self.resolver.names[self.module.index()].globals.get(name.as_str()) else {
                    return self.not_known(name, format!("`{name}` is no variable here"));
                };
                let ty = self.resolver.program.globals[global.index()].ty.clone();
                (HeapTerm::Global(global), ty)
            }
            Term::Field(of, name) => match self.term(of, env)? {
                // Of null: null; of ints and Booleans see `total`.
                (HeapTerm::Null, _) if self.language == Language::Isabelle => {
                    let fields = &self.resolver.program.module(self.module).fields;
                    let named = fields.iter().find(|f| self.resolver.program.field(**f).name == *name)?;
                    match self.resolver.program.field(*named).ty.clone() {
                        Type::Object(_) | Type::Array(_) => (HeapTerm::Null, Type::Null),
                        ty => (HeapTerm::Field(Box::new(HeapTerm::Null), *named), ty),
                    }
                }
                (of, Type::Object(object)) => {
                    let (id, ty) = self.field(object, name)?;
                    (HeapTerm::Field(Box::new(of), id), ty)
                }
                _ => return None,
            },
            Term::Index(array, index) => {
                let ((array, ty), (index, index_ty)) = (self.term(array, env)?, self.term(index, env)?);
                let (Type::Array(of), Type::Int) = (ty, index_ty) else { return None };
                (HeapTerm::Index(Box::new(array), Box::new(index)), *of)
            }
            Term::Length(array) => match self.term(array, env)? {
                (array, Type::Array(_)) => (HeapTerm::Length(Box::new(array)), Type::Int),
                _ => return None,
            },
            Term::Arithmetic(op, a, b) => {
                let (Some((a, Type::Int)), Some((b, Type::Int))) = (self.term(a, env), self.term(b, env)) else {
                    return None;
                };
                (arithmetic(*op, a, b), Type::Int)
            }
        })
    }
}
