//! What the choice of operations, receivers and static state leaves out, said once where it matters for the class: methods
//! that others may call and that are not operations, and static state that operations change and look at.

use super::Picker;
use super::operations::Candidate;
use crate::lower::Lowering;
use crate::resolve::*;
use ir::walk::Node;
use ir::{
    Checked, CheckedKind, ClassId, ClassKind, Expr, ExprKind, FieldId, LocalId, MethodId, OperationKind, Program,
    StmtKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;
use verdict::LeftOut;

/// Methods that others may call and that are not operations, and why.
#[derive(Debug)]
pub struct NotChecked {
    pub class: ClassIx,
    pub methods: Vec<MethodIx>,
    pub why: Why,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Run as parts of operations only.
    Helper,
    /// For the package, with code that cannot be analysed.
    Refused,
    /// Static, with an object of the class as an argument or as the result.
    Static,
    /// Of an inner class, which sees the fields of the outer object.
    Inner(ClassIx),
    /// Inherited from a class of the library.
    Library(ClassIx),
}

impl Picker<'_> {
    pub fn not_checked(&mut self, class: ClassIx, kind: CheckedKind, operations: &[Candidate]) -> Vec<NotChecked> {
        let is_chosen = |m: MethodIx| operations.iter().any(|o| o.method == m);
        let possible = self.possible(class);
        // Who marks operations, or steps, knows what is left.
        let is_marked = possible.iter().any(|c| self.has(c.method, "Check"));
        if is_marked || kind != CheckedKind::DataStructure {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut say = |methods: Vec<MethodIx>, why: Why| {
            if !methods.is_empty() {
                found.push(NotChecked { class, methods, why });
            }
        };
        let others = possible.iter().filter(|c| !is_chosen(c.method) && self.is_callable(c.method));
        let others: Vec<&Candidate> = others.collect();
        let of_kind = |kind| others.iter().filter(move |c| c.kind == kind).map(|c| c.method);
        say(of_kind(OperationKind::Method).collect(), Why::Helper);
        let statics: Vec<MethodIx> = of_kind(OperationKind::Static).collect();
        let has_one = |m: &MethodIx| {
            let info = self.low.table.method(*m).clone();
            info.params.iter().chain([&info.ret]).any(|p| {
                matches!(p, Type::Class(c, _) if self.low.table.class(*c).is_input() && self.low.table.is_subclass(class, *c))
            })
        };
        say(statics.into_iter().filter(has_one).collect(), Why::Static);
        for inner in self.low.table.input_classes() {
            let info = self.low.table.class(inner);
            let (outer, is_static) = (info.outer, info.is_static);
            // Inner objects of a superclass belong to objects of this one too.
            let is_of_it = outer.is_some_and(|outer| self.low.table.is_subclass(class, outer));
            if !is_of_it || is_static || self.low.table.is_subclass(inner, class) {
                continue;
            }
            let methods = self.low.table.members(inner).methods.clone();
            let is_open = |m: &MethodIx| {
                let info = self.low.table.method(*m);
                self.is_callable(*m) && !info.is_constructor && !info.is_abstract
            };
            say(methods.into_iter().filter(is_open).collect(), Why::Inner(inner));
        }
        for (library, methods) in self.inherited_from_library(class) {
            say(methods, Why::Library(library));
        }
        found
    }

    /// By other classes, and with an effect as far as can be seen without looking.
    fn is_callable(&self, method: MethodIx) -> bool {
        !self.low.table.method(method).is_private && !self.low.is_declarative(method)
    }

    /// Public methods of library superclasses that no input overrides.
    fn inherited_from_library(&mut self, class: ClassIx) -> Vec<(ClassIx, Vec<MethodIx>)> {
        let mut found = Vec::new();
        let mut at = Some(class);
        while let Some(c) = at {
            if self.low.is_library(c) {
                let methods = self.low.table.members(c).methods.clone();
                let mut inherited = Vec::new();
                for m in methods {
                    let info = self.low.table.method(m);
                    let is_open = !info.is_static && !info.is_constructor && !info.is_abstract;
                    if is_open
                        && self.is_public(m)
                        && !self.low.is_declarative(m)
                        && self.low.implementation(class, m) == Some(m)
                    {
                        inherited.push(m);
                    }
                }
                found.push((c, inherited));
            }
            at = match self.low.table.header(c).superclass {
                Some(Type::Class(c, _)) => Some(c),
                _ => None,
            };
        }
        found
    }
}

pub fn say(low: &Lowering, checked: &mut [Checked], not_checked: &[NotChecked]) {
    let program = &low.program;
    let reach = Reach { program };
    // Static state is everybody's: an operation of one class changes what those of another look at.
    let all_operations = checked.iter().flat_map(|c| &c.operations).map(|o| o.method);
    let changed = reach.changed_statics(&reach.from(all_operations));
    for class in checked {
        let ix = low.class_ix(class.class);
        let bodies: Vec<FxHashSet<MethodId>> = class.operations.iter().map(|o| reach.from([o.method])).collect();
        let is_run: FxHashSet<MethodId> = bodies.iter().flatten().copied().collect();
        let of_class = not_checked.iter().filter(|n| n.class == ix).filter_map(|n| methods(low, n, &is_run));
        let mut of_class: Vec<LeftOut> = of_class.collect();
        of_class.extend(local_receivers(program, class));
        of_class.extend(links(program, class));
        for (index, operation) in class.operations.iter_mut().enumerate() {
            let specs = operation.preconditions.iter().chain(&operation.postconditions).map(|s| s.method);
            let mut looked: Vec<MethodId> = specs.chain([class.invariant]).collect();
            looked.extend(&bodies[index]);
            let all = reach.from(looked);
            let read = reach.read_statics(&all);
            operation.left_out.extend(of_class.iter().cloned());
            let mut fields: Vec<FieldId> = changed.iter().copied().filter(|f| read.contains(f)).collect();
            fields.sort_unstable();
            operation.left_out.extend(fields.into_iter().map(|f| static_state(program, f)));
            operation.left_out.extend(reach.identity_hash(&all).map(identity_hash));
            let order = reach.arbitrary_order(&read).filter(|_| reach.makes_unordered(&all));
            operation.left_out.extend(order.map(arbitrary_order));
        }
    }
}

fn static_state(program: &Program, field: FieldId) -> LeftOut {
    let info = program.field(field);
    let name = format!("{}.{}", program.class(info.class).name, info.name);
    let is_late = program.fields.iter().any(|f| f.class == info.class && f.name == ir::USED);
    if is_late {
        let class = &program.class(info.class).name;
        return LeftOut {
            id: "static-state",
            message: format!(
                "every operation starts before `{class}` is first used: calls after that were not checked"
            ),
            remedy: format!("what `{class}` is initialised with, in constants, makes that needless"),
            span: Some(info.span),
            example: None,
            only_json: false,
        };
    }
    let what = if info.is_final { "what it holds was" } else { "it was" };
    let remedy = match info.enum_constant {
        true => "move what changes out of the enum to bring them in".to_string(),
        false => format!("`@Varies` on `{}` brings them in", info.name),
    };
    LeftOut {
        id: "static-state",
        message: format!(
            "every operation starts with `{name}` as it was initialised: calls after {what} changed were not checked"
        ),
        remedy,
        span: Some(info.span),
        example: None,
        only_json: false,
    }
}

/// On a JVM such numbers are arbitrary, and two objects may have the same one.
fn identity_hash(at: Span) -> LeftOut {
    LeftOut {
        id: "identity-hash",
        message: "objects without a `hashCode` of their own have the hash codes 0, 1, 2, …: others, and two objects with the same one, were not checked"
            .to_string(),
        remedy: "a class with a field that its `hashCode` returns brings them in".to_string(),
        span: Some(at),
        example: None,
        only_json: false,
    }
}

/// The JDK draws a number for it when it starts.
fn arbitrary_order(at: Span) -> LeftOut {
    LeftOut {
        id: "arbitrary-order",
        message:
            "`Set.of` and `Map.of` have their elements in one order: the others that Java may choose were not checked"
                .to_string(),
        remedy: "a `LinkedHashSet`, a `LinkedHashMap` or a `List` has one order only".to_string(),
        span: Some(at),
        example: None,
        only_json: false,
    }
}

/// A line for methods that are not operations; None if they change nothing.
fn methods(low: &Lowering, not: &NotChecked, is_run: &FxHashSet<MethodId>) -> Option<LeftOut> {
    let reach = Reach { program: &low.program };
    let matters = |m: &&MethodIx| match (not.why, low.lowered(**m)) {
        (Why::Helper, Some(id)) => is_run.contains(&id) && reach.has_effect(&reach.from([id])),
        (Why::Helper, None) => false,
        (Why::Refused, _) => true,
        // What an operation runs is looked at there.
        (_, lowered) => lowered.is_none_or(|id| !is_run.contains(&id)),
    };
    let methods: Vec<&MethodIx> = not.methods.iter().filter(matters).collect();
    let first = low.table.method(**methods.first()?).name_span;
    let mut names: Vec<String> = methods.iter().map(|m| format!("`{}`", low.table.method(**m).name)).collect();
    names.dedup();
    let rest = names.len().saturating_sub(3);
    names.truncate(3);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let names = names.join(", ") + &more;
    let of = &low.table.class(not.class).name;
    let (was, it) = if methods.len() == 1 { ("was", "it") } else { ("were", "them") };
    let (id, message, remedy) = match not.why {
        Why::Helper => (
            "helper",
            format!("{names} ran only as part of other operations, though other classes may call {it}"),
            format!("`private` says that none does, `public` makes operations of {it}"),
        ),
        Why::Refused => (
            "not-analysed",
            format!("{names} {was} not checked: there is code in it that cannot be analysed"),
            "`public` shows what".to_string(),
        ),
        Why::Static => (
            "static-method",
            format!("{names} {was} not checked: static methods are operations only with `@Check`"),
            format!("`@Check` on {it} and on the other operations brings {it} in"),
        ),
        Why::Inner(inner) => (
            "inner-class",
            format!("{names} of the inner class `{}` {was} not checked on `{of}`", low.table.class(inner).simple),
            format!("call {it} in an operation"),
        ),
        Why::Library(library) => (
            "library-method",
            format!("{names} inherited from `{}` {was} not checked", low.table.class(library).name),
            format!("give the file of that class too, or override {it}"),
        ),
    };
    Some(LeftOut { id, message, remedy, span: Some(first), example: None, only_json: false })
}

/// Nodes that refer to nodes, but not by a tree edge, where a `@Tree` field has one of them: whatever the size, there is one.
fn links(program: &Program, checked: &Checked) -> Vec<LeftOut> {
    // What tree edges lead to, from an object of a class, other than through arrays.
    let below = |from: ClassId| {
        let (mut found, mut todo) = (Vec::new(), vec![from]);
        while let Some(class) = todo.pop() {
            for field in program.instance_fields(class) {
                let field = program.field(field);
                if let (true, Ty::Class(declared)) = (field.bound.tree, field.ty) {
                    let new: Vec<ClassId> =
                        program.concrete_subclasses(declared).filter(|c| !found.contains(c)).collect();
                    found.extend(&new);
                    todo.extend(new);
                }
            }
        }
        found
    };
    let mut holes: Vec<LeftOut> = Vec::new();
    let nodes = below(checked.class);
    for &node in nodes.iter().filter(|node| program.class(**node).is_input && !below(**node).contains(node)) {
        for field in program.instance_fields(node) {
            let field = program.field(field);
            let is_link = matches!(field.ty, Ty::Class(c) if program.class(c).is_input && program.is_subclass(node, c));
            if !is_link || field.is_synthetic || holes.iter().any(|hole| hole.span == Some(field.span)) {
                continue;
            }
            let class = &program.class(node).name;
            holes.push(LeftOut {
                id: "no-tree",
                message: format!(
                    "`{class}.{}` is no tree edge: no start state has more than one `{class}` there",
                    field.name
                ),
                remedy: format!("`@Tree` on `{}` brings in those with more", field.name),
                span: Some(field.span),
                example: None,
                only_json: false,
            });
        }
    }
    holes
}

/// Anonymous and local classes are no receivers: what they copied from variables cannot be made up.
fn local_receivers(program: &Program, checked: &Checked) -> Vec<LeftOut> {
    let classes = (0..program.classes.len() as u32).map(ir::ClassId);
    let local = classes.filter(|&c| program.class(c).is_local && program.is_subclass(c, checked.class));
    let hole = |c: ir::ClassId| LeftOut {
        id: "local-receiver",
        message: format!(
            "no operation was checked on an object of the class within a method that extends `{}`",
            program.class(checked.class).name
        ),
        remedy: "a nested class with a name brings them in".to_string(),
        span: Some(program.class(c).span),
        example: None,
        only_json: false,
    };
    local.map(hole).collect()
}

pub struct Reach<'p> {
    pub program: &'p Program,
}

impl Reach<'_> {
    /// Everything that may run when these do.
    pub fn from(&self, start: impl IntoIterator<Item = MethodId>) -> FxHashSet<MethodId> {
        let mut seen = FxHashSet::default();
        let mut todo: Vec<MethodId> = start.into_iter().collect();
        while let Some(method) = todo.pop() {
            let Some(body) = self.program.method(method).body.as_ref().filter(|_| seen.insert(method)) else {
                continue;
            };
            ir::walk::block(body, &mut |e| todo.extend(self.callees(e)));
        }
        seen
    }

    fn callees(&self, e: &Expr) -> Vec<MethodId> {
        match &e.kind {
            ExprKind::Call(callee, _) | ExprKind::New(_, callee, _) => vec![*callee],
            ExprKind::CallVirtual(selector, args) => {
                let Some(Ty::Class(of)) = args.first().map(|a| a.ty) else { return Vec::new() };
                self.program.targets(*selector, of).collect()
            }
            _ => Vec::new(),
        }
    }

    fn visit(&self, methods: &FxHashSet<MethodId>, mut visit: impl FnMut(MethodId, Node<'_>) -> bool) {
        for &method in methods {
            if let Some(body) = &self.program.method(method).body {
                ir::walk::nodes(body, &mut |node| visit(method, node));
            }
        }
    }

    pub fn is_unsupported(&self, methods: &FxHashSet<MethodId>) -> bool {
        let mut found = false;
        self.visit(methods, |_, node| {
            found |= matches!(node, Node::Expr(Expr { kind: ExprKind::Unsupported(_), .. }));
            true
        });
        found
    }

    /// Whether any of them changes something, asserts or throws.
    pub fn has_effect(&self, methods: &FxHashSet<MethodId>) -> bool {
        let mut claims = false;
        self.visit(methods, |_, node| {
            claims |= matches!(node, Node::Stmt(s) if matches!(s.kind, StmtKind::Assert { .. } | StmtKind::Throw(..)));
            true
        });
        claims || self.writes(methods)
    }

    /// The first place where an object is asked for its identity hash, itself or as what it has for lack of a `hashCode`.
    fn identity_hash(&self, methods: &FxHashSet<MethodId>) -> Option<Span> {
        let known = &self.program.known;
        let is_default = |m: &MethodId| {
            let info = self.program.method(*m);
            info.class == known.object && info.name == "hashCode"
        };
        let mut found: Option<Span> = None;
        self.visit(methods, |method, node| {
            if let Node::Expr(e) = node
                && ![known.object, known.string].contains(&self.program.method(method).class)
                && (matches!(e.kind, ExprKind::Intrinsic(ir::Intrinsic::IdentityHash, _))
                    || self.callees(e).iter().any(is_default))
            {
                found = Some(found.map_or(e.span, |f| f.min(e.span)));
            }
            true
        });
        found
    }

    /// What the order of the JDK's immutable sets and maps depends on, if it is read.
    fn arbitrary_order(&self, read: &FxHashSet<FieldId>) -> Option<Span> {
        let decides = |f: &&FieldId| {
            let info = self.program.field(**f);
            matches!(info.name.as_str(), "SALT32L" | "REVERSE")
                && self.program.class(info.class).name == "ImmutableCollections"
        };
        read.iter().filter(decides).map(|f| self.program.field(*f).span).min()
    }

    /// Whether any of them makes a set or a map of those: lists are in one class with them.
    fn makes_unordered(&self, methods: &FxHashSet<MethodId>) -> bool {
        let mut found = false;
        self.visit(methods, |_, node| {
            if let Node::Expr(Expr { kind: ExprKind::New(class, ..), .. }) = node {
                let name = self.program.class(*class).name.as_str();
                let (around, name) = name.rsplit_once('.').unwrap_or_default();
                found |= around == "ImmutableCollections" && ["Set12", "SetN", "Map1", "MapN"].contains(&name);
            }
            true
        });
        found
    }

    /// Whether any of them changes an object that may have been there before.
    fn writes(&self, methods: &FxHashSet<MethodId>) -> bool {
        let mut found = false;
        self.visit(methods, |method, node| {
            if let Node::Expr(e) = node {
                found |= match &e.kind {
                    ExprKind::SetField(object, ..) => !self.is_being_made(method, object),
                    ExprKind::SetElement(..) | ExprKind::SetStatic(..) => true,
                    ExprKind::Intrinsic(i, _) => *i == ir::Intrinsic::ArrayCopy,
                    _ => false,
                };
            }
            true
        });
        found
    }

    fn is_being_made(&self, method: MethodId, object: &Expr) -> bool {
        self.program.method(method).is_constructor && matches!(object.kind, ExprKind::Local(LocalId(0)))
    }

    /// Static fields of the inputs that are given another value, or whose objects are changed where they are named.
    fn changed_statics(&self, methods: &FxHashSet<MethodId>) -> FxHashSet<FieldId> {
        let mut found = FxHashSet::default();
        let mut locals: FxHashMap<(MethodId, LocalId), FieldId> = FxHashMap::default();
        self.visit(methods, |method, node| {
            if let Node::Expr(Expr { kind: ExprKind::SetLocal(local, value), .. }) = node
                && let Some(field) = named(value, |l| locals.get(&(method, l)).copied())
            {
                locals.insert((method, *local), field);
            }
            true
        });
        self.visit(methods, |method, node| {
            let Node::Expr(e) = node else { return true };
            let named = |e: &Expr| named(e, |l| locals.get(&(method, l)).copied());
            let field = match &e.kind {
                ExprKind::SetStatic(field, _) => Some(*field),
                ExprKind::SetField(object, ..) | ExprKind::SetElement(object, ..) => named(object),
                ExprKind::Call(_, args) | ExprKind::CallVirtual(_, args) => {
                    let held = args.first().and_then(named);
                    held.filter(|_| self.writes(&self.from(self.callees(e))))
                }
                _ => None,
            };
            let is_ours = |f: &FieldId| {
                let info = self.program.field(*f);
                self.program.class(info.class).is_input && !info.is_synthetic
            };
            found.extend(field.filter(is_ours));
            // A constant of an enum is changed by its own methods as well.
            if let ExprKind::SetField(object, changed, _) = &e.kind
                && let Ty::Class(class) = object.ty
                && self.program.class(class).kind == ClassKind::Enum
                && !matches!(object.kind, ExprKind::Static(_))
                && !self.program.field(*changed).is_synthetic
            {
                let constants = (0..self.program.fields.len() as u32).map(FieldId);
                let of_class = |f: &FieldId| {
                    let info = self.program.field(*f);
                    info.enum_constant && info.ty == Ty::Class(class)
                };
                found.extend(constants.filter(of_class).take(1));
            }
            true
        });
        found
    }

    /// Static fields that somebody looks at; to count up alone is not to look.
    fn read_statics(&self, methods: &FxHashSet<MethodId>) -> FxHashSet<FieldId> {
        let mut found = FxHashSet::default();
        self.visit(methods, |_, node| match node {
            Node::Stmt(s) => match &s.kind {
                StmtKind::Expr(Expr { kind: ExprKind::SetStatic(field, value), .. }) => !counts(*field, value),
                _ => true,
            },
            Node::Expr(e) => {
                if let ExprKind::Static(field) = &e.kind {
                    found.insert(*field);
                }
                true
            }
        });
        found
    }
}

/// The static field that an object is read from: directly, as an element, or by way of a local.
fn named(e: &Expr, local: impl Fn(LocalId) -> Option<FieldId>) -> Option<FieldId> {
    match &e.kind {
        ExprKind::Static(field) => Some(*field),
        ExprKind::Local(l) => local(*l),
        ExprKind::Element(inner, _) | ExprKind::Cast(inner, _) => named(inner, local),
        _ => None,
    }
}

/// `field = field + 1` and the like.
fn counts(field: FieldId, value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Binary(_, _, a, b) => counts(field, a) && matches!(b.kind, ExprKind::Int(_)),
        ExprKind::Convert(a) => counts(field, a),
        ExprKind::Static(read) => *read == field,
        _ => false,
    }
}
