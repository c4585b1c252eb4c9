//! How a heap is laid out on positions, so that every heap has a layout.
//!
//! Position 0 is null. From each root (a module variable that a route in a set or invariant starts from) the *followed* fields lead from
//! object to object, at most one followed field per type, until null or an object met before: those objects have consecutive positions,
//! the *block* of the root, and its last one leads to null or back into a block that is there already. So lists, lists that share a tail,
//! and cycles have a layout; that there are no cycles is for the invariants to say. All other objects are anywhere behind; what their
//! fields hold is not known.
//!
//! PALE's declarations say that data fields form a forest: then those are the followed fields, every block ends with null, and no two
//! blocks meet. If the invariants of another language say so, MONA is asked first, and the layouts are the same. Where a type has two data
//! fields, a tree is laid out on the positions of WS2S in the same way: the empty word is null, `x.0` and `x.1` are where the first and the
//! second field lead to.
//!
//! One field that is not followed may be laid out as well, the *payload*: what it holds stands right behind its object. That is possible for
//! every heap in which no two objects of the blocks hold the same: the invariants must say so, which MONA is asked first.
//!
//! Other fields are known where an invariant determines them: [`super::determined`].

use super::execute::{State, Value};
use super::formula::Mode;
use super::heap::{Heap, Version, all, any, not, same};
use super::{Prover, Shown, open};
use crate::interp::names_of;
use crate::program::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Layout {
    /// Types of objects that the module knows. If there is only one, all objects are of it.
    types: Vec<TypeId>,
    is_one: bool,
    roots: Vec<GlobalId>,
    /// Followed fields.
    followed: Vec<FieldId>,
    payload: Option<FieldId>,
    is_tree: bool,
    /// The layouts are those heaps whose followed fields form a forest: PALE's declarations say so, or other invariants, as MONA has shown.
    is_forest: bool,
    pub is_declared_forest: bool,
}

impl Layout {
    pub fn of(program: &Program, module: ModuleId) -> Layout {
        let declared = program.module(module);
        let (mut roots, mut followed) = (Vec::new(), Vec::new());
        let mut note = |formula: &HeapFormula| routes(formula, &mut roots, &mut followed);
        for plugin in &declared.plugins {
            plugin.invariants.iter().for_each(|i| note(&i.formula));
            plugin.sets.iter().for_each(|set| definitions(&set.definition, &mut note));
        }
        let objects = |f: &FieldId| program.field(*f).object;
        followed.retain(|f| matches!(program.field(*f).ty, Type::Object(_)));
        let backbone = declared.plugins.iter().find_map(|p| p.backbone.as_ref());
        let most = |b: &Backbone| {
            b.fields.iter().map(|f| b.fields.iter().filter(|g| objects(g) == objects(f)).count()).max().unwrap_or(0)
        };
        let backbone = backbone.filter(|b| most(b) <= 2);
        let (is_forest, is_tree) = (backbone.is_some(), backbone.is_some_and(|b| most(b) == 2));
        if let Some(backbone) = backbone {
            (roots, followed) = (backbone.roots.clone(), backbone.fields.clone());
        } else {
            let mut seen = BTreeSet::new();
            followed.retain(|f| seen.insert(objects(f)));
        }
        let mut types = BTreeSet::new();
        let mut add = |ty: &Type| {
            if let Type::Object(object) = ty {
                types.insert(*object);
            }
        };
        for field in &declared.fields {
            add(&Type::Object(program.field(*field).object));
            add(&program.field(*field).ty);
        }
        declared.globals.iter().for_each(|g| add(&program.globals[g.index()].ty));
        declared.procs.iter().flat_map(|p| &program.proc(*p).locals).for_each(|l| add(&l.ty));
        let is_of = |t: TypeId| {
            spoken_of(program, module).into_iter().all(|v| match program.spec_var(v).kind {
                SpecVarKind::Set(object) => object == Some(t),
                SpecVarKind::Bool | SpecVarKind::Relation => true,
            })
        };
        let is_one = types.len() == 1 && types.iter().all(|t| is_of(*t));
        Layout {
            types: types.into_iter().collect(),
            is_one,
            roots,
            followed,
            payload: None,
            is_tree,
            is_forest,
            is_declared_forest: is_forest,
        }
    }

    /// PALE says nothing of objects outside of the blocks.
    fn may_be_known_outside(&self) -> bool {
        !self.is_declared_forest && !self.is_tree
    }

    pub fn is_followed(&self, field: FieldId) -> bool {
        self.followed.contains(&field)
    }

    fn is_laid_out(&self, field: FieldId) -> bool {
        self.is_followed(field) || self.payload == Some(field)
    }

    /// Whether objects of a type can be told from others.
    pub fn knows(&self, object: TypeId) -> bool {
        self.types.contains(&object)
    }

    /// Types that have a set of their own.
    fn told_apart(&self) -> &[TypeId] {
        if self.is_one { &[] } else { &self.types }
    }

    /// Whether sets of objects of a type, or of any, can be told from the module's objects.
    pub fn can_hold(&self, elements: Option<TypeId>) -> bool {
        !self.is_one || elements.is_some_and(|t| self.types == [t])
    }

    pub fn is_tree(&self) -> bool {
        self.is_tree
    }

    pub fn logic(&self) -> &'static str {
        if self.is_tree { "ws2s" } else { "ws1s" }
    }

    pub fn null(&self) -> &'static str {
        if self.is_tree { "root" } else { "0" }
    }

    /// Whether an object, or null, is an object of the type.
    pub fn typed(&self, x: &str, object: TypeId) -> String {
        // A type that is not known is declared nowhere: MONA will say so.
        if self.is_one && self.types == [object] { not(&same(x, self.null())) } else { format!("{x} in T{}", object.0) }
    }
}

impl Prover<'_> {
    /// The set of objects that a root leads to by the followed fields, as they were laid out: its block. Of a root that may lead into
    /// blocks before its own it is not known; there is none before the first, whatever cycle it ends in.
    pub fn block_of(&self, heap: &Heap, step: &Route, x: &str) -> Option<String> {
        let is_root = |r: &GlobalId| format!("g{}", r.0) == x;
        let root = self.layout.roots.iter().position(is_root).filter(|root| self.layout.is_forest || *root == 0)?;
        let mut fields = Vec::new();
        let is_step = match step {
            Route::Field(_) => true,
            Route::Either(parts) => parts.iter().all(|p| matches!(p, Route::Field(_))),
            _ => false,
        };
        steps(step, &mut fields);
        let as_laid_out =
            |f: &FieldId| fields.contains(f) && heap.fields.get(f).is_some_and(|v| matches!(**v, Version::Entry(_)));
        let is_all = self.layout.followed.iter().all(as_laid_out) && fields.len() == self.layout.followed.len();
        match (is_step && is_all, self.layout.is_tree) {
            (true, false) if self.layout.payload.is_some() => Some(format!("N{root}")),
            (true, false) => Some(format!("B{root}")),
            (true, true) if self.layout.roots.len() == 1 => Some("B".into()),
            _ => None,
        }
    }

    /// A root that the invariants put into the blocks of others (the current object of an iterator, say) needs none of its own. With one
    /// block instead of three MONA takes a second where it took more than ten.
    pub fn find_roots(&mut self) -> Shown {
        for root in self.layout.roots.clone() {
            let before = self.layout.roots.clone();
            if self.layout.is_declared_forest || self.layout.is_tree || before.len() == 1 {
                break;
            }
            self.layout.roots.retain(|other| *other != root);
            self.layout.roots.push(root);
            let state = self.any_heap()?;
            let has_none = format!("~(ex1 x: x in B{})", before.len() - 1);
            if self.follows(&state, &has_none, self.program.module(self.module).span)? {
                self.layout.roots.pop();
            } else {
                self.layout.roots = before;
            }
        }
        Ok(())
    }

    /// Whether the invariants say that no block leads back into one, and no root either.
    pub fn find_forest(&mut self) -> Shown {
        if self.layout.is_forest || self.layout.is_tree {
            return Ok(());
        }
        let state = self.any_heap()?;
        let each = self.layout.roots.iter().enumerate().map(|(i, root)| {
            let ends = format!("((ex1 x: x in B{i}) => c{i} = 0)");
            let starts = any(&[format!("g{} = 0", root.0), format!("g{} in B{i}", root.0)]);
            all(&[ends, starts])
        });
        let goal = all(&each.collect::<Vec<_>>());
        self.layout.is_forest = self.follows(&state, &goal, self.program.module(self.module).span)?;
        Ok(())
    }

    /// Finds a field to lay out as payload: of objects that are followed, to others that are not, and no two of them hold the same.
    pub fn find_payload(&mut self) -> Shown {
        let object = |ty: &Type| matches!(ty, Type::Object(_));
        let is_followed = |prover: &Self, ty: &Type| {
            let field = |f: &FieldId| prover.program.field(*f);
            let of = |f: &FieldId| Type::Object(field(f).object) == *ty || field(f).ty == *ty;
            let roots = prover.layout.roots.iter().any(|r| prover.program.globals[r.index()].ty == *ty);
            prover.layout.followed.iter().any(of) || roots
        };
        for &field in &self.program.module(self.module).fields {
            let declared = self.program.field(field);
            let fits = object(&declared.ty)
                && !self.layout.is_tree
                && is_followed(self, &Type::Object(declared.object))
                && !is_followed(self, &declared.ty);
            if !fits {
                continue;
            }
            let mut state = self.laid_out()?;
            let (Value::Object(a), Value::Object(b), Value::Object(held)) = (
                self.any_value(&mut state, &Type::Object(declared.object)),
                self.any_value(&mut state, &Type::Object(declared.object)),
                self.any_value(&mut state, &declared.ty),
            ) else {
                continue;
            };
            let in_block =
                |x: &str| any(&(0..self.layout.roots.len()).map(|i| format!("{x} in B{i}")).collect::<Vec<_>>());
            let facts = [in_block(&a), in_block(&b), not(&same(&a, &b)), not(&same(&held, self.layout.null()))];
            state.assume(&all(&facts));
            for object in [a, b] {
                self.write(&mut state, field, &object, &Value::Object(held.clone()));
            }
            for invariant in self.invariants.clone() {
                let known = self.heap_formula(&mut state, &invariant.formula, Mode::May)?;
                state.assume(&known);
            }
            if self.follows(&state, "false", declared.span)? {
                self.layout.payload = Some(field);
                return Ok(());
            }
        }
        Ok(())
    }

    /// All heaps, whatever the invariants say; with a payload, all that they allow.
    pub fn laid_out(&mut self) -> Shown<State> {
        let module = self.program.module(self.module);
        let arrays =
            module.globals.iter().map(|g| (&self.program.globals[g.index()].ty, self.program.globals[g.index()].span));
        let fields = module.fields.iter().map(|f| (&self.program.field(*f).ty, self.program.field(*f).span));
        if let Some((_, span)) = arrays.chain(fields).find(|(ty, _)| matches!(ty, Type::Array(_))) {
            return open(span, "arrays are not laid out");
        }
        let mut heap = Heap {
            globals: FxHashMap::default(),
            fields: FxHashMap::default(),
            made: Vec::new(),
            elsewhere: FxHashMap::default(),
            stamp: 0,
        };
        let null = self.layout.null();
        let mut text = format!("{null} notin A;\n");
        for (i, t) in self.layout.told_apart().iter().enumerate() {
            let others: String = self.layout.types[..i].iter().map(|o| format!(" & x notin T{}", o.0)).collect();
            _ = writeln!(text, "var2 T{};\n{null} notin T{};\nall1 x: x in T{} => (true{others});", t.0, t.0, t.0);
        }
        for &global in &module.globals {
            let name = format!("g{}", global.0);
            let value = match &self.program.globals[global.index()].ty {
                Type::Object(object) => {
                    let there = all(&[format!("{name} in A"), self.layout.typed(&name, *object)]);
                    _ = writeln!(text, "var1 {name};\n{};", any(&[same(&name, null), there]));
                    Value::Object(name)
                }
                Type::Bool => {
                    _ = writeln!(text, "var0 {name};");
                    Value::Bool(name)
                }
                _ => Value::Other,
            };
            heap.globals.insert(global, value);
        }
        if self.layout.is_tree {
            self.trees(&mut text)
        } else {
            self.blocks(&mut text)
        }
        for &field in &module.fields {
            match self.program.field(field).ty {
                Type::Bool => _ = writeln!(text, "var2 F{};", field.0),
                Type::Object(_) if !self.layout.is_laid_out(field) => continue,
                Type::Object(_) => {}
                _ => continue,
            }
            heap.fields.insert(field, Rc::new(Version::Entry(field)));
        }
        let mut state = State::new(heap);
        state.say(text);
        self.something_fits.clear();
        if self.layout.may_be_known_outside() {
            for field in self.layout.followed.clone() {
                self.determined(&mut state, field)?;
            }
        }
        let mut later = Vec::new();
        for &field in &module.fields {
            if matches!(self.program.field(field).ty, Type::Object(_)) && !self.layout.is_laid_out(field) {
                self.determined(&mut state, field)?;
                later.push(field);
            }
        }
        self.stamp(&mut state);
        state.heap.fields.extend(later.into_iter().map(|f| (f, Rc::new(Version::Entry(f)))));
        state.entry = Rc::new(state.heap.clone());
        Ok(state)
    }

    /// Lists, one after the other.
    fn blocks(&self, text: &mut String) {
        let roots = &self.layout.roots;
        let held = |x: &str| match self.layout.payload.map(|f| &self.program.field(f).ty) {
            Some(Type::Object(target)) => format!("({x}) in T{}", target.0),
            _ => "false".into(),
        };
        let (mut union, mut next) = (Vec::new(), Vec::new());
        for (i, root) in roots.iter().enumerate() {
            let (block, r) = (format!("B{i}"), format!("g{}", root.0));
            let end = if self.layout.is_forest { "0".to_owned() } else { format!("c{i}") };
            let before = any(&union);
            union.push(format!("x in {block}"));
            let upto = any(&union);
            let earlier = |x: &str, set: &str| set.replace("x in", &format!("{x} in"));
            _ = writeln!(text, "var2 {block};");
            // Behind the blocks before it, without gaps.
            _ = writeln!(
                text,
                "all1 x: x in {block} => (x in A & {} & (all1 y: (0 < y & y < x) => {}));",
                not(&before),
                earlier("y", &upto)
            );
            if !self.layout.is_forest {
                let back = all(&[earlier(&end, &upto), not(&held(&end))]);
                _ = writeln!(text, "var1 {end};\n{};", any(&[same(&end, "0"), back]));
            }
            // Its root: its first object, or one that is there already.
            let is_empty = format!("~(ex1 x: x in {block})");
            let first = format!("({r} in {block} & (all1 x: x in {block} => {r} <= x))");
            let met = if self.layout.is_forest { "false".into() } else { earlier(&r, &before) };
            _ = writeln!(text, "({first} | ({is_empty} & {}));", any(&[same(&r, "0"), met]));
            if self.layout.payload.is_some() {
                // What is held follows its holder.
                let holder = format!("(ex1 y: (y in {block} & x = y + 1 & {}))", not(&held("y")));
                _ = writeln!(text, "all1 x: (x in {block} & {}) => {holder};", held("x"));
                let holders = all(&[format!("x in {block}"), not(&held("x"))]);
                _ = writeln!(text, "var2 N{i};\nall1 x: x in N{i} <=> {holders};");
            }
            let behind = |n: u32| format!("(x + {n} in {block} & y = x + {n})");
            let last = |n: u32| format!("(x + {n} notin {block} & y = {end})");
            let (one, two) = (any(&[behind(1), last(1)]), any(&[behind(2), last(2)]));
            let holds = all(&[format!("x + 1 in {block}"), held("x + 1")]);
            let either = any(&[all(&[not(&holds), one]), all(&[holds, two])]);
            next.push(all(&[format!("x in {block}"), not(&held("x")), either]));
        }
        _ = writeln!(text, "pred nxt(var1 x, var1 y) = {};", any(&next));
        let mut with = Vec::new();
        for &field in &self.layout.followed {
            let declared = self.program.field(field);
            let (owner, f) = (self.layout.typed("x", declared.object), field.0);
            // Of objects outside of the blocks invariants may say what it holds.
            let [k, holds] = if self.layout.may_be_known_outside() { ["i", "j"] } else { ["k", "f"] };
            _ = writeln!(text, "pred {k}{f}(var1 x) = {owner} & {};", any(&union));
            _ = writeln!(text, "pred {holds}{f}(var1 x, var1 y) = {owner} & nxt(x, y);");
            if let Type::Object(target) = declared.ty {
                let is = any(&[same("y", "0"), self.layout.typed("y", target)]);
                _ = writeln!(text, "all1 x, y: {holds}{f}(x, y) => {is};");
            }
            with.push(declared.object);
        }
        if let Some(payload) = self.layout.payload {
            let declared = self.program.field(payload);
            let (owner, f) = (self.layout.typed("x", declared.object), payload.0);
            let is_held = all(&[any(&union).replace("x in", "x + 1 in"), held("x + 1")]);
            _ = writeln!(text, "pred k{f}(var1 x) = {owner} & {};", any(&union));
            _ = writeln!(
                text,
                "pred f{f}(var1 x, var1 y) = k{f}(x) & (({is_held} & y = x + 1) | ({} & y = 0));",
                not(&is_held)
            );
        }
        // Objects without a followed field end their block.
        for t in self.layout.told_apart().iter().filter(|t| !with.contains(t)) {
            _ = writeln!(text, "all1 x, y: ({} & nxt(x, y)) => y = 0;", self.layout.typed("x", *t));
        }
        if !self.layout.is_one {
            let known: Vec<String> = self.layout.types.iter().map(|t| self.layout.typed("x", *t)).collect();
            _ = writeln!(text, "all1 x: {} => {};", any(&union), any(&known));
        }
    }

    /// Trees: the i-th has its root at `1…10`, with i times 1.
    fn trees(&self, text: &mut String) {
        let mut start = String::from("root");
        let (mut starts, mut at_root) = (Vec::new(), Vec::new());
        for root in &self.layout.roots {
            starts.push(format!("{start}.0"));
            at_root.push(format!("g{}", root.0));
            start += ".1";
        }
        _ = writeln!(text, "var2 B;");
        let is_start: Vec<String> = starts.iter().map(|s| same("x", s)).collect();
        let has_parent = "(ex1 p: (p in B & (x = p.0 | x = p.1)))".to_string();
        let mut upper = is_start;
        upper.push(has_parent);
        _ = writeln!(text, "all1 x: x in B => (x in A & {});", any(&upper));
        for (s, r) in starts.iter().zip(&at_root) {
            _ = writeln!(text, "(({r} = {s} & {s} in B) | ({r} = root & {s} notin B));");
        }
        for (i, &field) in self.layout.followed.iter().enumerate() {
            let declared = self.program.field(field);
            let earlier = self.layout.followed[..i].iter().any(|g| self.program.field(*g).object == declared.object);
            let (owner, f, side) = (self.layout.typed("x", declared.object), field.0, u8::from(earlier));
            _ = writeln!(text, "pred k{f}(var1 x) = {owner} & x in B;");
            _ = writeln!(
                text,
                "pred f{f}(var1 x, var1 y) = {owner} & x in B & ((x.{side} in B & y = x.{side}) | (x.{side} notin B & y = root));"
            );
            if let Type::Object(target) = declared.ty {
                let is = any(&[same("y", "root"), self.layout.typed("y", target)]);
                _ = writeln!(text, "all1 x, y: f{f}(x, y) => {is};");
            }
        }
        if !self.layout.is_one {
            let known: Vec<String> = self.layout.types.iter().map(|t| self.layout.typed("x", *t)).collect();
            _ = writeln!(text, "all1 x: x in B => {};", any(&known));
            // An object with one followed field, or none, has nothing on the other sides.
            for t in &self.layout.types {
                let count = self.layout.followed.iter().filter(|f| self.program.field(**f).object == *t).count();
                for side in count..2 {
                    _ = writeln!(text, "all1 x: (x in B & {}) => x.{side} notin B;", self.layout.typed("x", *t));
                }
            }
        }
    }
}

/// Sets and Booleans that contracts of the module and invariants of its scopes speak of.
fn spoken_of(program: &Program, module: ModuleId) -> BTreeSet<SpecVarId> {
    let contracts = program.module(module).procs.iter().map(|p| &program.proc(*p).contract);
    let clauses = contracts.flat_map(|c| c.requires.iter().chain(&c.ensures)).map(|c| &c.formula);
    let scopes = program.scopes.iter().filter(|s| s.modules.contains(&module));
    let mut found: BTreeSet<SpecVarId> = program.module(module).spec_vars.iter().copied().collect();
    for formula in clauses.chain(scopes.flat_map(|s| &s.invariants).map(|i| &i.formula)) {
        names_of(formula, &mut |name| {
            if let Subject::SpecVar(variable) = name.subject {
                found.insert(variable);
            }
        });
    }
    found
}

/// The module variables that routes start from, and the fields on them.
fn routes(formula: &HeapFormula, roots: &mut Vec<GlobalId>, fields: &mut Vec<FieldId>) {
    match formula {
        HeapFormula::Reach(from, route, _) => {
            if let HeapTerm::Global(global) = from {
                if !roots.contains(global) {
                    roots.push(*global);
                }
                steps(route, fields);
            }
        }
        HeapFormula::Not(a) => routes(a, roots, fields),
        HeapFormula::Quantified { body, .. } => routes(body, roots, fields),
        HeapFormula::And(parts) | HeapFormula::Or(parts) => parts.iter().for_each(|p| routes(p, roots, fields)),
        HeapFormula::Implies(a, b) | HeapFormula::Iff(a, b) => {
            routes(a, roots, fields);
            routes(b, roots, fields);
        }
        HeapFormula::True | HeapFormula::False | HeapFormula::Compare(..) | HeapFormula::Holds(_) => {}
    }
}

pub fn steps(route: &Route, fields: &mut Vec<FieldId>) {
    match route {
        Route::Field(field) if fields.contains(field) => {}
        Route::Field(field) => fields.push(*field),
        Route::Sequence(parts) | Route::Either(parts) => parts.iter().for_each(|p| steps(p, fields)),
        Route::Star(inner) | Route::Plus(inner) | Route::Optional(inner) => steps(inner, fields),
    }
}

fn definitions(definition: &Definition, note: &mut dyn FnMut(&HeapFormula)) {
    match definition {
        Definition::Union(a, b) | Definition::Inter(a, b) => {
            definitions(a, note);
            definitions(b, note);
        }
        Definition::Heap { formula, .. } => note(formula),
        Definition::Named(_) | Definition::Flag { .. } => {}
    }
}
