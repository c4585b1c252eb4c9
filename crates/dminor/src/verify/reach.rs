//! What in a program rests on what: the named types and the functions that a subject leads to.

use super::{Kind, Subject, Unproved, Why};
use crate::program::*;

/// Who uses whom, by number: types first, then functions, in the order of the text. There may be very many, so everything here but a list of
/// what one subject rests on takes a time that grows with the size of the program.
pub(super) struct Uses {
    types: usize,
    uses: Vec<Vec<usize>>,
    used_by: Vec<Vec<usize>>,
    /// By subject: the last one that it uses, directly or not.
    last: Vec<Option<usize>>,
}

impl Uses {
    pub fn new(program: &Program) -> Uses {
        let types = program.types.len();
        let type_number = |id: TypeId| id.0 as usize;
        let of_type = |named: &NamedType| names_in(&named.definition).into_iter().map(type_number).collect();
        let of_function = |k: usize| {
            let id = FunId(k as u32);
            let mut called = Vec::new();
            calls(&program.function(id).body, &mut called);
            let called = called.into_iter().map(|id| types + id.0 as usize);
            called.chain(named_by(program, id).into_iter().map(type_number)).collect()
        };
        let functions = (0..program.functions.len()).map(of_function);
        let uses: Vec<Vec<usize>> = program.types.iter().map(of_type).chain(functions).collect();
        let mut used_by: Vec<Vec<usize>> = vec![Vec::new(); uses.len()];
        for (user, used) in uses.iter().enumerate() {
            used.iter().for_each(|used| used_by[*used].push(user));
        }
        let mut all = Uses { types, last: vec![None; uses.len()], uses, used_by };
        let mut last = std::mem::take(&mut all.last);
        for k in (0..last.len()).rev() {
            // Whoever leads to a later one as well was found before.
            all.spread(k, |user| last[user].is_none() && last[user].replace(k).is_none());
        }
        all.last = last;
        all
    }

    /// Goes to those who use this one, directly or not, as long as they are new.
    fn spread(&self, from: usize, mut is_new: impl FnMut(usize) -> bool) {
        let mut todo = vec![from];
        while let Some(k) = todo.pop() {
            todo.extend(self.used_by[k].iter().copied().filter(|user| is_new(*user)));
        }
    }

    pub fn number(&self, subject: Subject) -> usize {
        match subject {
            Subject::Type(id) => id.0 as usize,
            Subject::Function(id) => self.types + id.0 as usize,
        }
    }

    fn subject(&self, number: usize) -> Subject {
        match number.checked_sub(self.types) {
            None => Subject::Type(TypeId(number as u32)),
            Some(k) => Subject::Function(FunId(k as u32)),
        }
    }

    /// How many subjects must be known before it is known what this one rests on.
    pub fn needed(&self, number: usize) -> usize {
        self.last[number].map_or(0, |last| last + 1)
    }

    /// Marks those who use this one, directly or not.
    pub fn mark_users(&self, of: usize, marked: &mut [bool]) {
        self.spread(of, |user| !std::mem::replace(&mut marked[user], true));
    }

    /// What a subject uses, directly or not, but for itself: the first of those that are wanted, in order, at most so many.
    pub fn rests_on(&self, subject: Subject, most: usize, is_wanted: impl Fn(usize) -> bool) -> Vec<Subject> {
        let own = self.number(subject);
        let mut seen = vec![false; self.uses.len()];
        seen[own] = true;
        let (mut todo, mut found) = (vec![own], Vec::new());
        while let Some(k) = todo.pop() {
            if k != own && is_wanted(k) {
                found.push(k);
                if found.len() == most {
                    break;
                }
            }
            todo.extend(self.uses[k].iter().filter(|used| !std::mem::replace(&mut seen[**used], true)));
        }
        found.sort_unstable();
        found.into_iter().map(|k| self.subject(k)).collect()
    }

    /// The types that are fine, and lead to none that is not.
    pub fn fine(&self, is_fine: &[bool]) -> Vec<bool> {
        let mut is_doubtful = vec![false; self.uses.len()];
        for (k, _) in is_fine.iter().enumerate().filter(|(_, fine)| !**fine) {
            is_doubtful[k] = true;
            self.mark_users(k, &mut is_doubtful);
        }
        is_doubtful[..self.types].iter().map(|doubtful| !doubtful).collect()
    }
}

/// The functions that an expression calls.
fn calls(expr: &Expr, out: &mut Vec<FunId>) {
    if let ExprKind::Call(id, _) = &expr.kind
        && !out.contains(id)
    {
        out.push(*id);
    }
    expr.each_part(&mut |part| calls(part, out));
}

/// The types and the functions of a program, in the order of the text.
pub(super) fn subjects(program: &Program) -> (Vec<Subject>, Vec<Subject>) {
    let types = (0..program.types.len() as u32).map(|k| Subject::Type(TypeId(k)));
    let functions = (0..program.functions.len() as u32).map(|k| Subject::Function(FunId(k)));
    (types.collect(), functions.collect())
}

/// The types that a function rests on and that are not fine.
pub(crate) fn ill_formed(program: &Program, subject: Subject, well_formed: &[bool]) -> Vec<Unproved> {
    let Subject::Function(id) = subject else { return Vec::new() };
    let ill = named_by(program, id).into_iter().filter(|id| !well_formed[id.0 as usize]);
    ill.map(|id| Unproved {
        kind: Kind::IllFormed(program.named(id).name.clone()),
        span: program.named(id).name_span,
        why: Why::IllFormed,
        path: Vec::new(),
    })
    .collect()
}

/// Named types in a function, and in the signatures of what it calls.
fn named_by(program: &Program, id: FunId) -> Vec<TypeId> {
    let mut named = Vec::new();
    let function = program.function(id);
    function.parameters.iter().for_each(|(_, ty)| named_in(ty, &mut named));
    named_in(&function.result, &mut named);
    names_of(&function.body, program, &mut named);
    named
}

/// The named types that a type rests on.
pub(super) fn names_in(ty: &Type) -> Vec<TypeId> {
    let mut named = Vec::new();
    named_in(ty, &mut named);
    named
}

/// Named types in a type.
fn named_in(ty: &Type, out: &mut Vec<TypeId>) {
    if let TypeKind::Named(id) = ty.kind
        && !out.contains(&id)
    {
        out.push(id);
    }
    ty.each_part(&mut |part| named_in(part, out));
    ty.each_expr(&mut |e| types_of(e, out));
}

fn types_of(expr: &Expr, out: &mut Vec<TypeId>) {
    expr.each_type(&mut |ty| named_in(ty, out));
    expr.each_part(&mut |part| types_of(part, out));
}

/// Named types in a body, and in the signatures of what it calls.
fn names_of(expr: &Expr, program: &Program, out: &mut Vec<TypeId>) {
    types_of(expr, out);
    if let ExprKind::Call(id, _) = &expr.kind {
        let called = program.function(*id);
        called.parameters.iter().for_each(|(_, ty)| named_in(ty, out));
        named_in(&called.result, out);
    }
    expr.each_part(&mut |part| names_of(part, program, out));
}

pub(super) fn has_accumulate(program: &Program, subject: Subject) -> bool {
    let found = |expr: &Expr| expr.has(&|kind| matches!(kind, ExprKind::Accumulate(_)));
    match subject {
        Subject::Type(id) => {
            let mut any = false;
            program.named(id).definition.each_expr(&mut |e| any |= found(e));
            any
        }
        Subject::Function(id) => found(&program.function(id).body),
    }
}
