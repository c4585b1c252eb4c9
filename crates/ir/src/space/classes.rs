//! Which classes a state may hold objects of, and which of them tree fields lead to.

use crate::generics::InstanceId;
use crate::program::*;
use crate::seen::Kind;
use crate::task::Operation;
use rustc_hash::FxHashSet;

/// A class with its type arguments, if its fields depend on them.
pub(super) type Node = (ClassId, Option<InstanceId>);

/// A field as an object with these type arguments has it.
pub(super) fn field_of(program: &Program, (class, instance): Node, field: FieldId) -> Field {
    let generics = &program.generics;
    let instance = instance.or(generics.of_class.get(&class).copied());
    let mut found = program.field(field).clone();
    let Some(narrow) = instance.and_then(|i| generics.instances[i.index()].fields.get(&field)) else { return found };
    if !narrow.ty.is_reference() {
        let (lo, hi) = narrow.ty.range();
        found.bound.range = Some(RangeExpr { lo: SizeExpr::Const(lo), hi: SizeExpr::Const(hi), span: found.span });
        return found;
    }
    let says_something = narrow.ty != Ty::Class(program.known.object);
    found.bound.narrow = Some(narrow.clone()).filter(|_| says_something);
    if narrow.is_stronger {
        (found.bound.one_of, found.bound.range) = (None, None);
    }
    found
}

/// The concrete classes whose objects fit where a class is declared.
pub(super) fn fitting(program: &Program, class: ClassId, bound: &Bound) -> Vec<ClassId> {
    match &bound.one_of {
        Some(classes) => {
            let mut all: Vec<ClassId> = Vec::new();
            for &named in classes {
                // All that is an Object is not worth naming: it is one without contents.
                if named == program.known.object {
                    all.push(named);
                    continue;
                }
                // Below a class of the inputs, not what only the library has: nobody said what its fields hold.
                let is_known = |c: &ClassId| program.class(*c).is_input || !program.class(named).is_input;
                for c in program.concrete_subclasses(named).filter(is_known) {
                    if !all.contains(&c) {
                        all.push(c);
                    }
                }
            }
            all
        }
        None => match &bound.narrow {
            Some(narrow) if !narrow.of.is_empty() => narrow.of.iter().map(|(c, _)| *c).collect(),
            _ => program.state_subclasses(class).collect(),
        },
    }
}

/// The classes whose objects a field may hold, or the innermost elements of an array, as far as its type says more than `Object`.
pub fn held_in(program: &Program, node: (ClassId, Option<InstanceId>), field: FieldId) -> Vec<Node> {
    let field = field_of(program, node, field);
    held(program, field.ty, &field.bound)
}

/// The same, of what is declared like this.
pub fn held(program: &Program, mut ty: Ty, bound: &Bound) -> Vec<Node> {
    while let Ty::Array(array) = ty {
        ty = program.element_ty(array);
    }
    let Ty::Class(class) = ty else { return Vec::new() };
    let is_named = match (&bound.one_of, &bound.narrow) {
        (Some(_), _) => true,
        (None, Some(narrow)) => !narrow.of.is_empty(),
        (None, None) => class != program.known.object,
    };
    let fitting = if is_named { fitting(program, class, bound) } else { Vec::new() };
    fitting.into_iter().map(|c| (c, bound.instance(c))).collect()
}

/// Where a tree field leads, or the elements of an array of trees. A type parameter that stands for a number or a string leads nowhere.
pub(super) fn edge_targets(program: &Program, field: &Field) -> Vec<Node> {
    let target = match field.ty {
        Ty::Class(c) => Some(c),
        Ty::Array(a) => match program.element_ty(a) {
            Ty::Class(c) => Some(c),
            _ => None,
        },
        _ => None,
    };
    let bound = &field.bound;
    let is_plain = bound.one_of.is_none() && bound.narrow.as_ref().is_some_and(|n| n.of.is_empty());
    match target.filter(|_| bound.tree && !is_plain) {
        Some(target) => fitting(program, target, bound).into_iter().map(|c| (c, bound.instance(c))).collect(),
        None => Vec::new(),
    }
}

/// Where the tree fields of a class lead: its concrete target classes.
pub(super) fn tree_targets(program: &Program, node: Node) -> Vec<Node> {
    let fields = program.instance_fields(node.0).into_iter();
    fields.flat_map(|f| edge_targets(program, &field_of(program, node, f))).collect()
}

/// Classes on a cycle of tree fields.
pub(super) fn recursive(program: &Program, nodes: &FxHashSet<Node>) -> FxHashSet<ClassId> {
    let is_on_cycle =
        |node: &&Node| closure(tree_targets(program, **node), |n| tree_targets(program, n)).contains(*node);
    nodes.iter().filter(is_on_cycle).map(|(class, _)| *class).collect()
}

fn closure(start: Vec<Node>, next: impl Fn(Node) -> Vec<Node>) -> FxHashSet<Node> {
    let mut seen = FxHashSet::default();
    let mut stack = start;
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            stack.extend(next(node));
        }
    }
    seen
}

/// The classes that a state may hold objects of: what fields of any kind lead to, from the checked class and the parameters.
pub(super) fn state_classes(program: &Program, checked: ClassId, operation: &Operation) -> FxHashSet<Node> {
    let held = |mut ty: Ty, bound: &Bound| -> Vec<Node> {
        if let Some(narrow) = bound.narrow.as_ref().filter(|n| bound.one_of.is_none() && !n.of.is_empty()) {
            return narrow.of.clone();
        }
        while let Ty::Array(array) = ty {
            ty = program.element_ty(array);
        }
        let Ty::Class(class) = ty else { return Vec::new() };
        let asked = bound.seen.types.iter().filter_map(|kind| match kind {
            Kind::Class(asked) if !program.class(class).is_input => Some(*asked),
            _ => None,
        });
        let declared = (class != program.known.object).then_some(class);
        asked.chain(declared).flat_map(|c| program.state_subclasses(c)).map(|c| (c, None)).collect()
    };
    let mut start = vec![(checked, None)];
    start.extend(program.static_state.iter().map(|s| (s.class, None)));
    for parameter in &program.method(operation.method).parameters {
        start.extend(held(parameter.ty, &parameter.bound));
    }
    closure(start, |node| {
        let fields = program.instance_fields(node.0).into_iter().map(|f| field_of(program, node, f));
        fields.flat_map(|field| [held(field.ty, &field.bound), edge_targets(program, &field)].concat()).collect()
    })
}
