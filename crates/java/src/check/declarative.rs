//! Declarative code is free of side effects (docs/java.md, "Declarative code"): a breach is an error that points at the construct.
//! Of the library it may call what turns out to be.
//!
//! Works on lowered code, where nothing is implicit any more. What the built-in classes say of themselves is trusted.

use crate::lower::Lowering;
use crate::resolve::Origin;
use ir::walk::Node;
use ir::{Expr, ExprKind, Intrinsic, LocalId, Method, MethodId, Program, Stmt, StmtKind, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

pub fn check(low: &mut Lowering) {
    let mut roots: Vec<MethodId> = Vec::new();
    let mut trusted = FxHashSet::default();
    for index in 0..low.program.methods.len() {
        let id = MethodId(index as u32);
        let method = low.program.method(id);
        let decl = low.method_of[index].map(|m| low.table.method(m).decl.as_ref());
        // What is built in without a body (or a bridge to one) changes nothing: where a run gets there, that is an error of its own.
        let is_native = decl.is_none_or(|decl| decl.is_some_and(|d| d.modifiers.is_native));
        let class = low.class_ix(method.class);
        if (is_native || method.is_declarative) && low.table.class(class).unit.origin == Origin::Prelude {
            trusted.insert(id);
        }
        // A default constructor claims to be declarative; it is held to that only if declarative code calls it.
        let is_implicit = decl.flatten().is_none();
        if method.is_declarative && !(is_implicit && method.is_constructor) {
            roots.push(id);
        }
    }
    let mut code = Code { program: &low.program, trusted, read: FxHashMap::default() };
    code.read_from(&roots);
    let harmful = code.harmful();
    let mut found = Vec::new();
    let harmless = code.used(roots, &harmful, &mut found);
    for id in harmless {
        let method = &mut low.program.methods[id.index()];
        (method.is_declarative, method.is_implicit) = (true, true);
    }
    for diagnostic in found {
        low.error(diagnostic);
    }
}

/// The methods that declarative code may get to.
struct Code<'p> {
    program: &'p Program,
    /// Declarative methods of the built-in classes, and native ones.
    trusted: FxHashSet<MethodId>,
    read: FxHashMap<MethodId, Read>,
}

/// What a method does as declarative code.
#[derive(Default)]
struct Read {
    breaches: Vec<Breach>,
    calls: Vec<Call>,
}

struct Breach {
    span: Span,
    what: String,
    help: &'static str,
}

struct Call {
    span: Span,
    /// Several if it is virtual.
    targets: Vec<MethodId>,
}

impl Code<'_> {
    fn read_from(&mut self, roots: &[MethodId]) {
        let mut todo = roots.to_vec();
        while let Some(id) = todo.pop() {
            if self.trusted.contains(&id) || self.read.contains_key(&id) {
                continue;
            }
            let read = self.method(id);
            if self.program.method(id).is_declarative || read.breaches.is_empty() {
                todo.extend(read.calls.iter().flat_map(|c| &c.targets));
            }
            self.read.insert(id, read);
        }
    }

    fn method(&self, id: MethodId) -> Read {
        let method = self.program.method(id);
        let mut read = Read::default();
        let Some(body) = &method.body else { return read };
        let mut reader = Reader { program: self.program, method, fresh: fresh_arrays(method), read: &mut read };
        ir::walk::nodes(body, &mut |node| match node {
            Node::Stmt(s) => reader.stmt(s),
            Node::Expr(e) => {
                reader.expr(e);
                true
            }
        });
        read
    }

    fn is_of_library(&self, id: MethodId) -> bool {
        let class = self.program.class(self.program.method(id).class);
        class.is_of_library || !class.is_input
    }

    /// The methods that are not declarative and may not be called as if they were.
    fn harmful(&self) -> FxHashSet<MethodId> {
        let unmarked = |id: MethodId| !self.program.method(id).is_declarative;
        let has_breach = |id: MethodId| !self.read[&id].breaches.is_empty();
        let mut harmful: FxHashSet<MethodId> =
            self.read.keys().copied().filter(|id| unmarked(*id) && has_breach(*id)).collect();
        loop {
            let leads_there = |id: MethodId| {
                let calls = &self.read[&id].calls;
                calls.iter().any(|c| self.bad_target(id, c, &harmful).is_some())
            };
            let others = self.read.keys().copied().filter(|id| unmarked(*id) && !harmful.contains(id));
            let more: Vec<MethodId> = others.filter(|id| leads_there(*id)).collect();
            if more.is_empty() {
                return harmful;
            }
            harmful.extend(more);
        }
    }

    /// A method that a call may not run. Declarative code of the inputs calls what is marked there. Of the library, and what that calls (`equals` of
    /// any object), where several may be meant, one that changes something is an error only where a run gets to it.
    fn bad_target(&self, caller: MethodId, call: &Call, harmful: &FxHashSet<MethodId>) -> Option<MethodId> {
        let is_unmarked = |t: &&MethodId| !self.is_of_library(**t) && !self.program.method(**t).is_declarative;
        let has_to_mark = !self.is_of_library(caller) && self.program.method(caller).is_declarative;
        if has_to_mark && let Some(unmarked) = call.targets.iter().find(is_unmarked) {
            return Some(*unmarked);
        }
        let bad = || call.targets.iter().filter(|t| harmful.contains(t));
        let is_all = bad().count() == call.targets.len();
        bad().find(|_| is_all).copied()
    }

    /// Says what stands against the declarative code; returns the methods that nobody marked and that it calls.
    fn used(&self, roots: Vec<MethodId>, harmful: &FxHashSet<MethodId>, found: &mut Vec<Diagnostic>) -> Vec<MethodId> {
        let (mut todo, mut seen) = (roots, FxHashSet::default());
        let mut harmless = Vec::new();
        while let Some(id) = todo.pop() {
            let Some(read) = self.read.get(&id).filter(|_| !harmful.contains(&id) && seen.insert(id)) else { continue };
            let method = self.program.method(id);
            if !method.is_declarative {
                harmless.push(id);
            }
            for breach in &read.breaches {
                let name = if method.name.is_empty() { "this code" } else { &method.name };
                let message = format!("{} in declarative code", breach.what);
                let d = Diagnostic::error("not-declarative", breach.span, message);
                found.push(d.related(method.name_span, format!("`{name}` is declarative")).help(breach.help));
            }
            for call in &read.calls {
                match self.bad_target(id, call, harmful) {
                    Some(bad) => found.push(self.not_declarative(call.span, bad, harmful)),
                    None => todo.extend(&call.targets),
                }
            }
        }
        harmless
    }

    fn not_declarative(&self, span: Span, callee: MethodId, harmful: &FxHashSet<MethodId>) -> Diagnostic {
        let method = self.program.method(callee);
        let what = if method.is_constructor { "constructor" } else { "method" };
        let name = self.name(callee);
        let message = format!("a call of the {what} `{name}`, which is not declarative, in declarative code");
        let d = Diagnostic::error("not-declarative", span, message);
        if !self.is_of_library(callee) {
            return d.related(method.name_span, "declared here").help(format!("mark the {what} `@Declarative`"));
        }
        // From call to call down to what is wrong.
        let (mut at, mut seen) = (callee, FxHashSet::default());
        let (mut cause, mut why) = (method.name_span, "declared here".to_string());
        while let Some(read) = self.read.get(&at).filter(|_| seen.insert(at)) {
            if let Some(breach) = read.breaches.first() {
                (cause, why) = (breach.span, format!("{} in `{}`", breach.what, self.name(at)));
                break;
            }
            let bad = read.calls.iter().find_map(|c| Some((c.span, self.bad_target(at, c, harmful)?)));
            let Some((span, bad)) = bad else { break };
            (cause, why) = (span, format!("a call of `{}`, which is not declarative", self.name(bad)));
            at = bad;
        }
        d.related(cause, why).help(
            "call what changes nothing (`size()`, `get(i)`, `containsKey(k)`), go through all by `for` (`for (K k : map.keySet())`), which needs no \
             iterator and no view, or look at the fields in a `@Declarative` method of a specification beside the class (`@SpecFor`)",
        )
    }

    fn name(&self, id: MethodId) -> String {
        let method = self.program.method(id);
        format!("{}.{}", self.program.class(method.class).name, method.name)
    }
}

struct Reader<'r> {
    program: &'r Program,
    method: &'r Method,
    /// Locals that only ever hold arrays made in this method.
    fresh: Vec<bool>,
    read: &'r mut Read,
}

impl Reader<'_> {
    fn breach(&mut self, span: Span, what: impl Into<String>, help: &'static str) {
        self.read.breaches.push(Breach { span, what: what.into(), help });
    }

    /// Whether to look into it.
    fn stmt(&mut self, s: &Stmt) -> bool {
        let (what, help) = match &s.kind {
            // Nobody marked it: the answer of a declarative method that throws is an error, whoever throws.
            StmtKind::Throw(_) if !self.method.is_declarative => return false,
            StmtKind::Throw(_) => {
                ("`throw`", "return a value instead: `false`, `null`, or one that no other case returns, such as -1")
            }
            StmtKind::Try { .. } => ("`try`", "test for the condition before"),
            StmtKind::Assume(_) => ("`assume`", "make it a `@Pre`"),
            _ => return true,
        };
        self.breach(s.span, what, help);
        false
    }

    fn expr(&mut self, e: &Expr) {
        let help = "declarative code computes a value and changes nothing but its own variables";
        match &e.kind {
            ExprKind::SetField(object, field, _) => {
                let own = self.method.is_constructor && matches!(object.kind, ExprKind::Local(LocalId(0)));
                if !own {
                    let what = format!("an assignment to the field `{}`", self.program.field(*field).name);
                    self.breach(e.span, what, help);
                }
            }
            ExprKind::SetStatic(field, _) => {
                let what = format!("an assignment to the static field `{}`", self.program.field(*field).name);
                self.breach(e.span, what, help);
            }
            ExprKind::SetElement(array, _, _) if !self.is_fresh(array) => {
                self.breach(e.span, "an assignment to an array that was not made here", help);
            }
            ExprKind::Intrinsic(Intrinsic::ArrayCopy, args) if !args.get(2).is_some_and(|a| self.is_fresh(a)) => {
                self.breach(e.span, "a copy into an array that was not made here", help);
            }
            ExprKind::Call(callee, _) | ExprKind::New(_, callee, _) => {
                self.read.calls.push(Call { span: e.span, targets: vec![*callee] });
            }
            ExprKind::CallVirtual(selector, args) => {
                let receiver = args.first().map(|a| a.ty);
                let mut targets: Vec<MethodId> = Vec::new();
                for (i, class) in self.program.classes.iter().enumerate() {
                    let fits = match receiver {
                        Some(Ty::Class(c)) => self.program.is_subclass(ir::ClassId(i as u32), c),
                        _ => true,
                    };
                    targets.extend(class.dispatch.get(selector).filter(|m| fits && !targets.contains(m)));
                }
                self.read.calls.push(Call { span: e.span, targets });
            }
            _ => {}
        }
    }

    fn is_fresh(&self, array: &Expr) -> bool {
        match &array.kind {
            ExprKind::Local(l) => self.fresh.get(l.index()).copied().unwrap_or(false),
            ExprKind::Element(inner, _) => self.is_fresh(inner),
            ExprKind::Sequence(_, value) => self.is_fresh(value),
            _ => false,
        }
    }
}

/// A local is fresh if all that is ever assigned to it is a new array or a fresh local.
fn fresh_arrays(method: &Method) -> Vec<bool> {
    let parameters = method.argument_locals();
    let mut fresh: Vec<bool> = (0..method.locals.len() as u32).map(|i| !parameters.contains(&i)).collect();
    let Some(body) = &method.body else { return fresh };
    loop {
        let mut changed = false;
        let mut assigned = vec![false; fresh.len()];
        ir::walk::block(body, &mut |e| {
            if let ExprKind::SetLocal(local, value) = &e.kind {
                assigned[local.index()] = true;
                let keeps = makes_fresh(value, &fresh);
                if !keeps && fresh[local.index()] {
                    fresh[local.index()] = false;
                    changed = true;
                }
            }
        });
        for (f, a) in fresh.iter_mut().zip(&assigned) {
            // Never assigned: bound by a `catch`, which declarative code has not.
            changed |= *f && !a;
            *f &= *a;
        }
        if !changed {
            return fresh;
        }
    }
}

fn makes_fresh(value: &Expr, fresh: &[bool]) -> bool {
    match &value.kind {
        ExprKind::NewArray(_) | ExprKind::ArrayLiteral(_) | ExprKind::Intrinsic(Intrinsic::Clone, _) => true,
        ExprKind::Null => true,
        ExprKind::Local(from) => fresh[from.index()],
        ExprKind::Element(array, _) => makes_fresh(array, fresh),
        _ => false,
    }
}
