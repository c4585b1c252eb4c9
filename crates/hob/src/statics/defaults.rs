//! Defaults: conditions that are joined to many contracts (docs/hob.md, "Defaults").
//!
//! Without a pointcut the default of a module holds before and after each of its procedures, that of a scope or of the program before
//! and after all procedures there are; with one, wherever it says, in other modules too. It is joined primed to `ensures`; the original
//! forgets the primes. A procedure that suspends it is left out. Of the parameters of a default the first stands for the clause that it
//! applies to, which becomes the default's formula; the others are names of formals, and a procedure that lacks one is left out.

use super::copies::{copied, prime, replace_clause};
use super::formulas::{CLAUSE, Purpose};
use super::resolver::Resolver;
use super::sections::Naming;
use crate::program::{Clause, Formula, FormulaKind, ModuleId, ProcId, Reason, ScopeId, Subject, Type};
use crate::syntax::ast::{self, Pattern, Pointcut, Selection, TypePattern, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};
use std::rc::Rc;

/// Where a default is declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Owner {
    Module(ModuleId),
    Scope(ScopeId),
    Program,
}

struct Declared<'a> {
    owner: Owner,
    naming: Rc<Naming<'a>>,
    default: &'a ast::Default,
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn defaults(&mut self) {
        let declared = self.declared_defaults();
        let suspended = self.suspended(&declared);
        for (k, default) in declared.iter().enumerate() {
            if self.knows_types(default) {
                self.apply(default, |id| suspended.get(&id).is_some_and(|names| names.contains(&k)));
            }
        }
    }

    fn declared_defaults(&mut self) -> Vec<Declared<'a>> {
        let none: Rc<Naming<'a>> = Rc::default();
        let mut all: Vec<Declared<'a>> = Vec::new();
        for (k, unit) in self.units.iter().enumerate() {
            let Some(section) = &unit.specification else { continue };
            let owner = Owner::Module(ModuleId(k as u32));
            let naming = &section.naming;
            let declared = |default| Declared { owner, naming: naming.clone(), default };
            all.extend(section.members.defaults.iter().map(declared));
        }
        for (k, scope) in self.files.scopes.iter().enumerate() {
            let owner = Owner::Scope(ScopeId(k as u32));
            all.extend(scope.defaults.iter().map(|default| Declared { owner, naming: none.clone(), default }));
        }
        let of_program = |default| Declared { owner: Owner::Program, naming: none.clone(), default };
        all.extend(self.files.defaults.iter().map(of_program));
        let mut seen: FxHashMap<(Owner, &str), source::Span> = FxHashMap::default();
        for declared in &all {
            let name = &declared.default.name;
            if let Some(first) = seen.insert((declared.owner, &name.text), name.span) {
                self.duplicate("default", name, first);
            }
        }
        all
    }

    /// Which of the defaults each procedure suspends.
    fn suspended(&mut self, declared: &[Declared<'a>]) -> FxHashMap<ProcId, FxHashSet<usize>> {
        let mut suspended: FxHashMap<ProcId, FxHashSet<usize>> = FxHashMap::default();
        for k in 0..self.texts.len() {
            let Some(spec) = self.texts[k].specification else { continue };
            let own = Owner::Module(self.program.procs[k].module);
            for name in &spec.suspends {
                let matches = |d: &Declared| {
                    let is_owner = match &name.module {
                        None => true,
                        Some(owner) if Owner::Module(self.program.procs[k].module) == d.owner => {
                            owner.text == d.naming.origin || self.owner_name(d.owner) == owner.text
                        }
                        Some(owner) => self.owner_name(d.owner) == owner.text,
                    };
                    is_owner && d.default.name.text == name.name.text
                };
                let mut found: Vec<usize> = (0..declared.len()).filter(|d| matches(&declared[*d])).collect();
                // Without a module before the name: the module's own comes first.
                if let Some(first) = found.iter().copied().find(|d| declared[*d].owner == own) {
                    found = vec![first];
                }
                if found.is_empty() {
                    let known = declared.iter().map(|d| d.default.name.text.as_str());
                    let help = self.suggest(&name.name.text, known, "only what a `default` declares can be suspended");
                    let message = format!("there is no default `{}`", name.name.text);
                    self.error("unknown-name", name.name.span, message, help);
                }
                suspended.entry(ProcId(k as u32)).or_default().extend(found);
            }
        }
        suspended
    }

    fn owner_name(&self, owner: Owner) -> &str {
        match owner {
            Owner::Module(module) => self.module_name(module),
            Owner::Scope(scope) => &self.program.scopes[scope.index()].name,
            Owner::Program => "",
        }
    }

    fn apply(&mut self, declared: &Declared<'a>, is_suspended: impl Fn(ProcId) -> bool) {
        let default = declared.default;
        let (module, among) = match declared.owner {
            Owner::Module(module) => (Some(module), Vec::new()),
            Owner::Scope(scope) => (None, self.program.scopes[scope.index()].modules.clone()),
            Owner::Program => (None, (0..self.units.len()).map(|k| ModuleId(k as u32)).collect()),
        };
        let reason = Reason::Default(default.name.text.clone());
        let formals = default.parameters.get(1..).unwrap_or_default();
        // The same for all procedures unless it speaks of their formals.
        let mut shared = None;
        let (mut selected, mut fitting, mut joined) = (false, false, false);
        for k in 0..self.program.procs.len() {
            let id = ProcId(k as u32);
            let (pre, post) = match &default.pointcut {
                Some(pointcut) => self.selects(pointcut, id, declared),
                None => {
                    let all = module.is_none_or(|m| self.program.proc(id).module == m);
                    (all, all)
                }
            };
            selected |= pre || post;
            fitting |= (pre || post) && self.has_formals(id, formals);
            if !pre && !post || is_suspended(id) || !self.has_formals(id, formals) {
                continue;
            }
            let formula = match &shared {
                Some(formula) => Some(Clone::clone(formula)),
                None => self.default_formula(declared, id, module, &among),
            };
            // What is wrong is reported once.
            let Some(formula) = formula else { return };
            if default.parameters.is_empty() {
                self.join(id, pre, post, &formula, default.formula.span, &reason);
            } else {
                self.rewrite(id, pre, post, &formula, default.formula.span, &reason);
            }
            if !joined {
                self.warn_of_replacing(default, &formula);
            }
            joined = true;
            if formals.is_empty() {
                shared.get_or_insert(formula);
            }
        }
        if !joined {
            self.never_applies(default, selected, fitting);
        }
    }

    /// A default that is joined to no contract says nothing.
    fn never_applies(&mut self, default: &ast::Default, selected: bool, fitting: bool) {
        let name = &default.name.text;
        let (why, help) = if !selected {
            let help = match default.pointcut {
                Some(_) => "look at the names of modules and procedures after `:`, and at the types in parentheses",
                None => "no procedure is declared here",
            };
            ("no procedure is selected".to_owned(), help)
        } else if !fitting {
            let formals = default.parameters.iter().skip(1);
            let parameters: Vec<String> = formals.map(|p| format!("`{}`", p.text)).collect();
            let why = format!("no procedure that is selected has the formals {}", parameters.join(", "));
            (why, "the first parameter of a default stands for the clause, the others are names of formals")
        } else {
            ("every procedure that is selected suspends it".to_owned(), "remove it, or one of the `suspends`")
        };
        let message = format!("the default `{name}` never applies: {why}");
        self.diagnostics.push(Diagnostic::warning("unused-default", default.name.span, message).help(help));
    }

    /// The clause becomes the formula, in which [`CLAUSE`] stands for the clause as it was.
    fn rewrite(&mut self, id: ProcId, pre: bool, post: bool, formula: &Formula, span: Span, reason: &Reason) {
        for is_requires in [true, false] {
            if !(if is_requires { pre } else { post }) {
                continue;
            }
            let mut body = copied(formula, &mut self.bound);
            if !is_requires {
                prime(&mut body);
            }
            let contract = &mut self.program.procs[id.index()].contract;
            let clauses = if is_requires { &mut contract.requires } else { &mut contract.ensures };
            // `f & B`: the clause stays, with its own place in messages.
            let is_clause =
                |f: &Formula| matches!(&f.kind, FormulaKind::Bool(n) if n.subject == Subject::Bound(CLAUSE));
            match body.kind {
                FormulaKind::Bool(_) if is_clause(&body) => continue,
                FormulaKind::And(ref mut parts) if parts.iter().filter(|p| is_clause(p)).count() == 1 => {
                    parts.retain(|p| !is_clause(p));
                    if parts.len() == 1 {
                        body = parts.remove(0);
                    }
                }
                _ => {}
            }
            if mentions_clause(&body) || !mentions_clause(formula) {
                let parts = std::mem::take(clauses).into_iter().map(|c| c.formula).collect();
                let clause = Formula { kind: FormulaKind::And(parts), span };
                replace_clause(&mut body, &clause, &mut self.bound);
            }
            let contract = &mut self.program.procs[id.index()].contract;
            let clauses = if is_requires { &mut contract.requires } else { &mut contract.ensures };
            clauses.push(Clause { reason: reason.clone(), formula: body, span });
        }
    }

    fn warn_of_replacing(&mut self, default: &ast::Default, formula: &Formula) {
        let Some(first) = default.parameters.first().filter(|_| !mentions_clause(formula)) else { return };
        let message = format!(
            "the default `{}` does not mention `{}`, so it takes the place of what is written",
            default.name.text, first.text
        );
        let help = format!("`{0}` stands for the clause: write `{0} & …`", first.text);
        self.diagnostics.push(Diagnostic::warning("replacing-default", default.formula.span, message).help(help));
    }

    fn default_formula(
        &mut self,
        declared: &Declared<'a>,
        id: ProcId,
        module: Option<ModuleId>,
        among: &[ModuleId],
    ) -> Option<crate::program::Formula> {
        let default = declared.default;
        let proc = self.program.proc(id);
        let locals = proc.locals.clone();
        let visible = |name: &str| {
            default.parameters.iter().skip(1).find(|p| p.text == name)?;
            let k = locals.iter().position(|l| l.name == name)?;
            let local = crate::program::LocalId(k as u32);
            let role = super::formulas::Role::Formal;
            Some(super::formulas::Visible { id: local, ty: locals[k].ty.clone(), role })
        };
        let names = || default.parameters.iter().map(|p| p.text.clone()).collect();
        let place = super::formulas::Place {
            module,
            naming: &declared.naming,
            among,
            locals: &visible,
            local_names: &names,
            purpose: Purpose::State,
            clause: default.parameters.first().map(|p| p.text.as_str()),
        };
        self.formula(&default.formula, &place)
    }

    fn has_formals(&self, id: ProcId, parameters: &[ast::Ident]) -> bool {
        let proc = self.program.proc(id);
        let formals = &proc.locals[..(proc.formals as usize).min(proc.locals.len())];
        parameters.iter().all(|p| formals.iter().any(|f| f.name == p.text))
    }

    /// Whether the precondition and whether the postcondition of a procedure is selected.
    fn selects(&mut self, pointcut: &Pointcut, id: ProcId, declared: &Declared<'a>) -> (bool, bool) {
        match pointcut {
            Pointcut::Minus(a, b) => {
                let ((pre, post), (no_pre, no_post)) = (self.selects(a, id, declared), self.selects(b, id, declared));
                (pre && !no_pre, post && !no_post)
            }
            Pointcut::Both(a, b) => {
                let (a, b) = (self.selects(a, id, declared), self.selects(b, id, declared));
                (a.0 && b.0, a.1 && b.1)
            }
            Pointcut::Either(a, b) => {
                let (a, b) = (self.selects(a, id, declared), self.selects(b, id, declared));
                (a.0 || b.0, a.1 || b.1)
            }
            Pointcut::Not(inner) => {
                let (pre, post) = self.selects(inner, id, declared);
                (!pre, !post)
            }
            Pointcut::Pre(selection) => (self.selected(selection, id, declared), false),
            Pointcut::Post(selection) => (false, self.selected(selection, id, declared)),
            Pointcut::PrePost(selection) => {
                let is_selected = self.selected(selection, id, declared);
                (is_selected, is_selected)
            }
        }
    }

    fn selected(&mut self, selection: &Selection, id: ProcId, declared: &Declared<'a>) -> bool {
        match selection {
            Selection::Minus(a, b) => self.selected(a, id, declared) && !self.selected(b, id, declared),
            Selection::Both(a, b) => self.selected(a, id, declared) && self.selected(b, id, declared),
            Selection::Either(a, b) => self.selected(a, id, declared) || self.selected(b, id, declared),
            Selection::Not(inner) => !self.selected(inner, id, declared),
            Selection::All => true,
            Selection::Proc { module, name, formals, returns } => {
                self.proc_selected(id, declared, module.as_ref(), name, formals, returns.as_ref())
            }
            Selection::Module(visibility, pattern) => {
                let proc = self.program.proc(id);
                let is_module = self.module_matches(proc.module, pattern, declared);
                is_module && sees(*visibility, !proc.private)
            }
            Selection::Scope(visibility, pattern) => {
                let proc = self.program.proc(id);
                self.scopes_of[proc.module.index()].iter().any(|scope| {
                    let is_this = pattern.text == "this" && declared.owner == Owner::Scope(*scope);
                    let is_scope = is_this || matches_pattern(&self.program.scopes[scope.index()].name, pattern);
                    // What the scope exports is what its exported modules export.
                    let exported = self.members[scope.index()].exports.contains(&proc.module) && !proc.private;
                    is_scope && sees(*visibility, exported)
                })
            }
        }
    }

    fn module_matches(&self, module: ModuleId, pattern: &Pattern, declared: &Declared) -> bool {
        let is_this = pattern.text == "this" || pattern.text == declared.naming.origin;
        is_this && !pattern.prefix && declared.owner == Owner::Module(module)
            || matches_pattern(self.module_name(module), pattern)
    }

    fn proc_selected(
        &mut self,
        id: ProcId,
        declared: &Declared<'a>,
        module: Option<&Pattern>,
        name: &Pattern,
        formals: &[TypePattern],
        returns: Option<&TypePattern>,
    ) -> bool {
        let proc = self.program.proc(id);
        let is_module = module.is_none_or(|p| self.module_matches(proc.module, p, declared));
        if !is_module || !matches_pattern(&proc.name, name) {
            return false;
        }
        let count = proc.formals as usize;
        let types: Vec<Type> = proc.locals.iter().take(count).map(|l| l.ty.clone()).collect();
        let result = proc.result.and_then(|r| proc.locals.get(r.index())).map(|l| l.ty.clone());
        // Without any, whatever the formals are.
        let fits = formals.is_empty()
            || formals.len() == types.len() && formals.iter().zip(&types).all(|(f, ty)| self.is_type(declared, f, ty));
        if !fits {
            return false;
        }
        match (returns, result) {
            (None, _) => true,
            (Some(wanted), Some(result)) => self.is_type(declared, wanted, &result),
            (Some(_), None) => false,
        }
    }

    fn is_type(&mut self, declared: &Declared<'a>, pattern: &TypePattern, ty: &Type) -> bool {
        if pattern.prefix {
            return self.type_text(ty).starts_with(&pattern.ty.name.text);
        }
        self.type_of(&declared.naming, &pattern.ty).as_ref() == Some(ty)
    }

    /// Whether the types of the pointcut are known; those that are not are reported.
    fn knows_types(&mut self, declared: &Declared<'a>) -> bool {
        let mut types = Vec::new();
        if let Some(pointcut) = &declared.default.pointcut {
            types_of_pointcut(pointcut, &mut types);
        }
        let whole = types.into_iter().filter(|t| !t.prefix);
        let known: Vec<bool> = whole.map(|t| self.type_of(&declared.naming, &t.ty).is_some()).collect();
        known.into_iter().all(|is_known| is_known)
    }
}

fn types_of_pointcut<'p>(pointcut: &'p Pointcut, types: &mut Vec<&'p TypePattern>) {
    match pointcut {
        Pointcut::Minus(a, b) | Pointcut::Both(a, b) | Pointcut::Either(a, b) => {
            types_of_pointcut(a, types);
            types_of_pointcut(b, types);
        }
        Pointcut::Not(inner) => types_of_pointcut(inner, types),
        Pointcut::Pre(s) | Pointcut::Post(s) | Pointcut::PrePost(s) => types_of_selection(s, types),
    }
}

fn types_of_selection<'p>(selection: &'p Selection, types: &mut Vec<&'p TypePattern>) {
    match selection {
        Selection::Minus(a, b) | Selection::Both(a, b) | Selection::Either(a, b) => {
            types_of_selection(a, types);
            types_of_selection(b, types);
        }
        Selection::Not(inner) => types_of_selection(inner, types),
        Selection::Proc { formals, returns, .. } => types.extend(formals.iter().chain(returns)),
        Selection::Module(..) | Selection::Scope(..) | Selection::All => {}
    }
}

fn mentions_clause(formula: &Formula) -> bool {
    let mut found = false;
    super::copies::each_name(&mut formula.clone(), &mut |name| found |= name.subject == Subject::Bound(CLAUSE));
    found
}

fn matches_pattern(name: &str, pattern: &Pattern) -> bool {
    if pattern.prefix { name.starts_with(&pattern.text) } else { name == pattern.text }
}

fn sees(visibility: Visibility, is_public: bool) -> bool {
    match visibility {
        Visibility::Public => is_public,
        Visibility::Private => !is_public,
        Visibility::All => true,
    }
}
