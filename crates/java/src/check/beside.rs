//! A specification beside code that nobody may edit (`@SpecFor`; docs/java.md, "Specifications beside the code").
//!
//! What goes in: a class with `@SpecFor("java.util.TreeMap")` and the source of the class that it names. What comes out: the syntax tree of
//! the original with the members of the specification in it, before anything is resolved. So engines, replay and explanations see one class.
//! Kept: every body of the original that has no `@Model`. A field, a nested class or a method without a body that is declared again adds
//! annotations, and nothing else.

use crate::resolve::*;
use crate::syntax::ast::*;
use source::{Diagnostic, Span};
use std::rc::Rc;

/// A class that specifies another.
pub struct Spec {
    decl: Rc<ClassDecl>,
    /// What names mean in its file.
    scope: Rc<UnitScope>,
    /// The class that it is for, or the one around that, and where it says so.
    of: String,
    /// From there to the class itself.
    nested: Vec<Name>,
    span: Span,
    /// Whether states hold what it describes. Of classes that another specification describes, it may only say more.
    is_of_states: bool,
}

/// Takes the specifications out of a file.
pub fn take(unit: &mut Unit) -> Result<Vec<Spec>, Vec<Diagnostic>> {
    let (specs, classes): (Vec<Rc<ClassDecl>>, Vec<Rc<ClassDecl>>) =
        std::mem::take(&mut unit.classes).into_iter().partition(|c| c.modifiers.has("SpecFor"));
    unit.classes = classes;
    let (package, imports) = (unit.package.clone(), unit.imports.clone());
    let scope = Rc::new(UnitScope { package, imports, origin: Origin::Input, specs: Vec::new() });
    let mut problems = Vec::new();
    let specs = specs.into_iter().filter_map(|decl| {
        let annotation = decl.modifiers.annotation("SpecFor")?;
        let span = annotation.span;
        let Some(of) = annotation.strings().next().map(str::to_string) else {
            let problem = Diagnostic::error("bad-spec", span, "`@SpecFor` takes the full name of a class, as a string");
            problems.push(problem.help("write `@SpecFor(\"java.util.TreeMap\")`"));
            return None;
        };
        Some(Spec { scope: scope.clone(), of, nested: Vec::new(), span, is_of_states: true, decl: decl.clone() })
    });
    let specs = specs.collect();
    if problems.is_empty() { Ok(specs) } else { Err(problems) }
}

/// How declarative code goes through the classes that these specifications are for (`specs/Elements.java`).
pub fn elements(mut unit: Unit, specs: &[Spec]) -> Vec<Spec> {
    // What is a HashMap may be a LinkedHashMap, which has another order.
    let is_wanted =
        |of: &str| specs.iter().any(|s| s.of == of || s.of == "java.util.HashMap" && of == "java.util.LinkedHashMap");
    let all = take(&mut unit).unwrap_or_default().into_iter().filter(|s| is_wanted(&s.of));
    all.map(|s| Spec { is_of_states: false, ..s }).collect()
}

impl Spec {
    pub fn is_of_package(&self, package: &str) -> bool {
        self.of.rsplit_once('.').is_some_and(|(of, _)| of == package)
    }

    pub fn is_for_class(&self, class: &str) -> bool {
        self.of == class
    }

    /// A type by its simple name, as the original would write it: the name of the specification is the original's.
    fn written(&self, ty: &TypeRef) -> String {
        let original = self.nested.last().map_or(self.of.rsplit('.').next().unwrap_or_default(), |name| name);
        match written(ty) {
            name if name.trim_end_matches("[]") == &*self.decl.name.name => {
                name.replacen(&*self.decl.name.name, original, 1)
            }
            name => name,
        }
    }

    /// Parameters are compared as the source writes them, without packages and type arguments.
    fn has_params(&self, known: &MethodDecl, again: &MethodDecl) -> bool {
        let erased = |m: &MethodDecl| {
            let own: Vec<(String, String)> = m
                .type_params
                .iter()
                .map(|p| (p.name.name.to_string(), p.bounds.first().map_or("Object".to_string(), written)))
                .collect();
            let erase =
                |name: String| own.iter().find(|(var, _)| *var == name).map_or(name, |(_, bound)| bound.clone());
            m.params.iter().map(|p| erase(self.written(&p.ty))).collect::<Vec<String>>()
        };
        erased(known) == erased(again)
    }

    fn other_type(&self, known: &TypeRef, again: &TypeRef, name: &Ident, at: Span) -> Option<Diagnostic> {
        let (known, again) = (written(known), self.written(again));
        if known == again {
            return None;
        }
        let message = format!("`{}` is of type `{known}` in the original, not `{again}`", name.name);
        Some(Diagnostic::error("bad-spec", name.span, message).related(at, "declared here"))
    }

    fn other_kind(&self, known: &MethodDecl, again: &MethodDecl) -> Option<Diagnostic> {
        let other = self.other_static(known, again);
        other.or_else(|| self.other_type(&known.return_ty, &again.return_ty, &again.name, known.name.span))
    }

    fn other_static(&self, known: &MethodDecl, again: &MethodDecl) -> Option<Diagnostic> {
        (known.modifiers.is_static != again.modifiers.is_static).then(|| {
            let is = if known.modifiers.is_static { "static" } else { "not static" };
            let message = format!("`{}` is {is} in the original", again.name.name);
            let d = Diagnostic::error("bad-spec", again.name.span, message);
            d.related(known.name.span, "declared here")
        })
    }

    /// The file of the original, if it is among the inputs, otherwise the library's; and whether it is among them. For a class within another,
    /// the other one's: `java.util.AbstractMap.SimpleEntry`.
    fn locate(&mut self, table: &mut Table, units: &mut Vec<Unit>) -> Option<Result<(usize, bool), Vec<Diagnostic>>> {
        loop {
            let has_it = |u: &Unit| u.classes.iter().any(|c| self.is_for(u, c) && within(c, &self.nested).is_some());
            if let Some(at) = units.iter().position(has_it) {
                return Some(Ok((at, true)));
            }
            match table.library_unit(&self.of) {
                Some(Ok(unit)) if has_it(&unit) => {
                    units.push(unit);
                    return Some(Ok((units.len() - 1, false)));
                }
                Some(Err(problems)) => return Some(Err(problems)),
                _ => {}
            }
            let (around, name) = self.of.rsplit_once('.')?;
            self.nested.insert(0, name.into());
            self.of = around.to_string();
        }
    }

    /// The file of the original, if it is among the inputs: its package and the simple name.
    fn is_for(&self, unit: &Unit, class: &ClassDecl) -> bool {
        match unit.package.as_str() {
            "" => self.of == *class.name.name,
            package => self.of.strip_prefix(package).and_then(|rest| rest.strip_prefix('.')) == Some(&*class.name.name),
        }
    }
}

/// Puts specifications into the classes that they are for: inputs, or sources of the library. Then all is declared.
pub fn weave(table: &mut Table, mut units: Vec<Unit>, specs: Vec<Spec>, looked_in: &str) {
    let mut woven: Vec<(Weaver, bool)> = Vec::new();
    for mut spec in specs {
        if table.is_built_in(&spec.of) {
            let message = format!("`{}` is built in: what runs is not the source of a library", spec.of);
            let d = Diagnostic::error("bad-spec", spec.span, message);
            table.diagnostics.push(d.help("to check its code, copy that into a class of another name"));
            continue;
        }
        let of = spec.of.clone();
        let (at, is_given) = match spec.locate(table, &mut units) {
            Some(Ok(found)) => found,
            Some(Err(problems)) => {
                table.diagnostics.extend(problems);
                continue;
            }
            None => {
                let message = format!("the source of `{of}`, which this specifies, was not found");
                let mut d = Diagnostic::error("unknown-class", spec.span, message);
                d.help = Some(format!("{looked_in}; give another place with `--source-path`"));
                table.diagnostics.push(d);
                continue;
            }
        };
        let unit = &mut units[at];
        let index = unit.classes.iter().position(|c| spec.is_for(unit, c)).unwrap_or_default();
        let mut weaver = Weaver {
            spec,
            inherited: Vec::new(),
            added: Vec::new(),
            again: Vec::new(),
            models: Vec::new(),
            problems: Vec::new(),
        };
        let original = unit.classes[index].clone();
        unit.classes[index] = Rc::new(weaver.at(&original, 0));
        woven.push((weaver, is_given));
    }
    let from_library: Vec<usize> =
        woven.iter().filter(|(_, is_given)| !is_given).map(|(w, _)| position(&units, &w.spec)).collect();
    let mut scopes: Vec<Vec<Rc<UnitScope>>> = vec![Vec::new(); units.len()];
    woven.iter().for_each(|(w, _)| scopes[position(&units, &w.spec)].push(w.spec.scope.clone()));
    for (at, (unit, scopes)) in units.into_iter().zip(scopes).enumerate() {
        let origin = if from_library.contains(&at) { Origin::Library } else { Origin::Input };
        table.declare_woven(unit, origin, scopes);
    }
    table.spec_files.extend(woven.iter().map(|(w, _)| w.spec.span.file));
    for (weaver, _) in woven {
        weaver.finish(table);
    }
}

fn position(units: &[Unit], spec: &Spec) -> usize {
    units.iter().position(|u| u.classes.iter().any(|c| spec.is_for(u, c))).unwrap_or_default()
}

/// The class at the end of a path of names.
fn within<'c>(class: &'c ClassDecl, path: &[Name]) -> Option<&'c ClassDecl> {
    path.iter().try_fold(class, |class, name| {
        class.members.iter().find_map(|member| match member {
            Member::Class(nested) if nested.name.name == *name => Some(&**nested),
            _ => None,
        })
    })
}

struct Weaver {
    spec: Spec,
    /// Members that the original, or the class within it at this path, does not declare itself: what it inherits.
    inherited: Vec<(Vec<Name>, Member)>,
    /// Members that the specification adds to it.
    added: Vec<(Vec<Name>, Member)>,
    /// Classes of the original that are declared again, as paths of names: they are part of states.
    again: Vec<Vec<Name>>,
    /// Names of methods whose bodies take the place of the original's.
    models: Vec<Span>,
    problems: Vec<Diagnostic>,
}

impl Weaver {
    /// A class that is so far on the way to the one that is specified.
    fn at(&mut self, original: &ClassDecl, depth: usize) -> ClassDecl {
        let path = self.spec.nested.clone();
        let Some(name) = path.get(depth) else {
            let decl = self.spec.decl.clone();
            return self.class(original, &decl, &path);
        };
        let mut class = original.clone();
        for member in &mut class.members {
            if let Member::Class(nested) = member
                && nested.name.name == *name
            {
                *nested = Rc::new(self.at(nested, depth + 1));
            }
        }
        class
    }

    fn class(&mut self, original: &ClassDecl, spec: &ClassDecl, path: &[Name]) -> ClassDecl {
        let mut class = original.clone();
        self.again.push(path.to_vec());
        let (own, given) = (names(&original.type_params), names(&spec.type_params));
        if own != given {
            let message = format!("`{}` has other type parameters than `{}`", spec.name.name, original.name.name);
            let d = Diagnostic::error("bad-spec", spec.name.span, message);
            let help = match own.is_empty() {
                true => "write it without any".to_string(),
                false => format!("write `<{}>`", own.join(", ")),
            };
            self.problems.push(d.related(original.name.span, "declared here").help(help));
        }
        self.problems.extend(contradictions(&class.modifiers, &spec.modifiers));
        annotate_class(&mut class.modifiers, &spec.modifiers);
        let more =
            spec.interfaces.iter().filter(|more| original.interfaces.iter().all(|i| written(i) != written(more)));
        class.interfaces.extend(more.cloned());
        for member in &spec.members {
            self.member(&mut class, spec, member, path);
        }
        class
    }

    fn member(&mut self, class: &mut ClassDecl, spec: &ClassDecl, member: &Member, path: &[Name]) {
        match member {
            Member::Field(again) => {
                let known = class.members.iter_mut().find_map(|m| match m {
                    Member::Field(f) if f.name.name == again.name.name => Some(f),
                    _ => None,
                });
                match known {
                    Some(known) => {
                        if let Some(problem) = self.spec.other_type(&known.ty, &again.ty, &again.name, known.name.span)
                        {
                            self.problems.push(problem);
                        }
                        self.problems.extend(contradictions(&known.modifiers, &again.modifiers));
                        *known = Rc::new(annotated_field(known, again));
                    }
                    // A constant of the specification itself.
                    None if again.modifiers.is_static && again.init.is_some() => self.added(class, member, path),
                    None => self.elsewhere(class, member, path),
                }
            }
            Member::Method(again) if is_again(again) => {
                let named = |m: &MethodDecl| match again.is_constructor {
                    true => m.is_constructor,
                    false => !m.is_constructor && m.name.name == again.name.name,
                };
                let has_constructor = class.has_constructor();
                let known = class.members.iter_mut().find_map(|m| match m {
                    Member::Method(m) if named(m) && self.spec.has_params(m, again) => Some(m),
                    _ => None,
                });
                match known {
                    Some(known) => {
                        if !again.is_constructor {
                            self.problems.extend(self.spec.other_kind(known, again));
                        }
                        self.problems.extend(contradictions_of_methods(known, again));
                        *known = Rc::new(annotated_method(known, again));
                    }
                    // A constructor that nobody wrote.
                    None if again.is_constructor && again.params.is_empty() && !has_constructor => {
                        class.members.push(Member::Method(Rc::new(renamed(again, &class.name))));
                    }
                    None => self.elsewhere(class, member, path),
                }
            }
            Member::Method(model) if model.modifiers.has("Model") => {
                let known = class.members.iter_mut().find_map(|m| match m {
                    Member::Method(m) if m.name.name == model.name.name && self.spec.has_params(m, model) => Some(m),
                    _ => None,
                });
                match known {
                    Some(known) => {
                        self.problems.extend(self.spec.other_kind(known, model));
                        *known = Rc::new(modelled(known, model));
                        self.models.push(model.name.span);
                    }
                    None => {
                        let help = "a model stands in the specification of the class that declares the method";
                        self.problems.push(missing(&class.name.name, class.name.span, member).help(help));
                    }
                }
            }
            Member::Method(_) => self.added(class, member, path),
            Member::Class(again) => {
                let known =
                    class.members.iter().position(|m| matches!(m, Member::Class(c) if c.name.name == again.name.name));
                match known {
                    Some(at) => {
                        let Member::Class(known) = class.members[at].clone() else { return };
                        let path: Vec<Name> = path.iter().cloned().chain([again.name.name.clone()]).collect();
                        class.members[at] = Member::Class(Rc::new(self.class(&known, again, &path)));
                    }
                    None => {
                        class.members.push(member.clone());
                        self.again.push(path.iter().cloned().chain([again.name.name.clone()]).collect());
                    }
                }
            }
            Member::Initialiser { .. } => {
                let message = "a specification has no initialisers: nothing of it runs when an object is made";
                self.problems.push(Diagnostic::error("bad-spec", spec.name.span, message));
            }
        }
    }

    /// A member of the specification itself.
    fn added(&mut self, class: &mut ClassDecl, member: &Member, path: &[Name]) {
        class.members.push(member.clone());
        self.added.push((path.to_vec(), member.clone()));
    }

    /// A member that the class does not declare: one that it inherits, or a mistake.
    fn elsewhere(&mut self, class: &ClassDecl, member: &Member, path: &[Name]) {
        if !matches!(member, Member::Method(m) if m.is_constructor) {
            self.inherited.push((path.to_vec(), member.clone()));
            return;
        }
        self.problems.push(missing(&class.name.name, class.name.span, member));
    }

    /// After everything is declared: what is inherited, and which classes are part of states.
    fn finish(self, table: &mut Table) {
        table.diagnostics.extend(self.problems);
        table.models.extend(self.models);
        let Some(class) = table.find_top(&self.spec.of) else { return };
        let own = self.spec.nested.iter().try_fold(class, |c, name| table.nested(c, name));
        table.alias(own.unwrap_or(class), &self.spec.decl.name.name);
        for path in self.again.iter().filter(|_| self.spec.is_of_states) {
            if let Some(at) = path.iter().try_fold(class, |c, name| table.nested(c, name)) {
                table.classes[at.index()].is_specified = true;
            }
        }
        for (path, member) in self.inherited {
            let Some(class) = path.iter().try_fold(class, |c, name| table.nested(c, name)) else { continue };
            if !table.above(class).into_iter().skip(1).any(|c| table.annotate(c, &member, &self.spec)) {
                let info = table.class(class);
                let problem = missing(&info.name, info.decl.name.span, &member);
                table.diagnostics.push(problem);
            }
        }
        for (path, member) in self.added {
            let Some(class) = path.iter().try_fold(class, |c, name| table.nested(c, name)) else { continue };
            let problem = table.taken(class, &member);
            table.diagnostics.extend(problem);
        }
    }
}

impl Table<'_> {
    /// A class and what is above it as Java finds what is inherited: superclasses first, nearest first, then interfaces with their default
    /// methods.
    fn above(&mut self, class: ClassIx) -> Vec<ClassIx> {
        let mut above = vec![class];
        let mut at = 0;
        let class_of = |ty: &Type| if let Type::Class(c, _) = ty { Some(*c) } else { None };
        while let Some(c) = self.header(above[at]).superclass.as_ref().and_then(class_of) {
            above.push(c);
            at += 1;
        }
        at = 0;
        while at < above.len() {
            let found: Vec<ClassIx> = self.header(above[at]).interfaces.iter().filter_map(class_of).collect();
            above.extend(found.into_iter().filter(|c| !above.contains(c)).collect::<Vec<_>>());
            at += 1;
        }
        above
    }

    /// A member that a specification adds to a class, if code of the original would mean it where it meant another: a method that it calls
    /// with as many arguments, also by overriding, or a field.
    fn taken(&mut self, class: ClassIx, added: &Member) -> Option<Diagnostic> {
        let is_taken = |known: &Member| match (known, added) {
            (Member::Method(known), Member::Method(added))
                if !known.is_constructor && known.name.name == added.name.name =>
            {
                let fits = known.params.len() == added.params.len() || known.varargs || added.varargs;
                fits.then_some(known.name.span)
            }
            (Member::Field(known), Member::Field(added)) if known.name.name == added.name.name => Some(known.name.span),
            _ => None,
        };
        let (what, name, help) = match added {
            Member::Method(added) => (
                "method",
                &added.name,
                "give it another name, or code of the original would call it; to add annotations to the original's, declare it \
                 `native`; to run this one in its place, mark it `@Model`",
            ),
            Member::Field(added) => {
                ("field", &added.name, "give it another name, or code of the original would read it")
            }
            _ => return None,
        };
        // What methods hide in classes around is sorted out where they are called.
        let around = std::iter::successors(Some(class), |c| self.class(*c).outer.filter(|_| what == "field"));
        let around: Vec<ClassIx> = around.collect();
        let classes: Vec<ClassIx> = around.into_iter().flat_map(|c| self.above(c)).collect();
        let (owner, at) = classes.into_iter().find_map(|c| {
            let info = self.class(c);
            // Which a specification implements: no code of the original knows it.
            if info.is_interface() && info.unit.package == "glassbox" {
                return None;
            }
            let mut taken = info.decl.members.iter().filter_map(is_taken);
            Some((&info.name, taken.find(|span| !self.spec_files.contains(&span.file))?))
        })?;
        let message = format!("`{owner}` has a {what} `{}` of its own", name.name);
        Some(Diagnostic::error("bad-spec", name.span, message).related(at, "declared here").help(help))
    }

    /// Adds the annotations of a member that is declared again to a class above. False if it has no such member.
    fn annotate(&mut self, class: ClassIx, again: &Member, spec: &Spec) -> bool {
        let mut decl = ClassDecl::clone(&self.class(class).decl);
        let mut problems = Vec::new();
        let found = decl.members.iter_mut().find_map(|m| match (&mut *m, again) {
            (Member::Field(known), Member::Field(again)) if known.name.name == again.name.name => {
                problems.extend(contradictions(&known.modifiers, &again.modifiers));
                *known = Rc::new(annotated_field(known, again));
                Some(())
            }
            (Member::Method(known), Member::Method(again))
                if known.name.name == again.name.name && spec.has_params(known, again) =>
            {
                // Type parameters may have other names above, so types are not compared.
                problems.extend(spec.other_static(known, again));
                problems.extend(contradictions_of_methods(known, again));
                *known = Rc::new(annotated_method(known, again));
                Some(())
            }
            _ => None,
        });
        self.diagnostics.extend(problems);
        if found.is_some() {
            self.set_decl(class, decl);
            // What an annotation names is known where it is written.
            Rc::make_mut(&mut self.classes[class.index()].unit).specs.push(spec.scope.clone());
        }
        found.is_some()
    }
}

impl ClassDecl {
    fn has_constructor(&self) -> bool {
        self.members.iter().any(|m| matches!(m, Member::Method(m) if m.is_constructor))
    }
}

fn missing(class: &str, at: Span, member: &Member) -> Diagnostic {
    let (what, name) = match member {
        Member::Method(m) => {
            let params: Vec<String> = m.params.iter().map(|p| written(&p.ty)).collect();
            (format!("method `{}({})`", m.name.name, params.join(", ")), &m.name)
        }
        Member::Field(f) => (format!("field `{}`", f.name.name), &f.name),
        _ => return Diagnostic::error("bad-spec", at, "this cannot be declared again"),
    };
    let message = format!("`{class}` has no {what}, nor has a class that it extends");
    let d = Diagnostic::error("unknown-member", name.span, message).related(at, "this is the class that was found");
    d.help("the specification may be for another version of the library")
}

/// Bounds that two specifications give to one declaration, and that are not the same.
fn contradictions(known: &Modifiers, again: &Modifiers) -> Vec<Diagnostic> {
    let bounds = again.annotations.iter().filter(|a| ["Range", "Length", "Max", "OneOf"].contains(&&*a.name.name));
    let problems = bounds.filter_map(|again| {
        let name = &again.name.name;
        let before = known.annotation(name)?;
        let (one, other) = (values_of(before), values_of(again));
        if one == other || &**name == "Max" && (is_none(before) || is_none(again)) {
            return None;
        }
        let message =
            format!("`@{name}` is given twice, and says {} here but {} elsewhere", other.join(", "), one.join(", "));
        let d = Diagnostic::error("bad-spec", again.span, message).related(before.span, "given here too");
        Some(d.help("leave out one of the two"))
    });
    problems.collect()
}

fn contradictions_of_methods(known: &MethodDecl, again: &MethodDecl) -> Vec<Diagnostic> {
    let params = known.params.iter().zip(&again.params);
    let params = params.flat_map(|(known, again)| contradictions(&known.modifiers, &again.modifiers));
    contradictions(&known.modifiers, &again.modifiers).into_iter().chain(params).collect()
}

/// What an annotation is given, as text.
fn values_of(annotation: &Annotation) -> Vec<String> {
    let classes = annotation.values().filter_map(|value| match value {
        AnnotationValue::Expr(Expr { kind: ExprKind::ClassLiteral(ty), .. }) => Some(format!("{}.class", written(ty))),
        _ => None,
    });
    annotation.strings().map(|text| format!("\"{text}\"")).chain(classes).collect()
}

fn is_none(max: &Annotation) -> bool {
    max.strings().eq(["0"])
}

/// What one specification leaves out (`@Max("0")`) and another describes is there.
fn annotate_class(known: &mut Modifiers, again: &Modifiers) {
    if again.annotation("Max").is_some_and(|max| !is_none(max)) {
        known.annotations.retain(|a| &*a.name.name != "Max");
    }
    let has_max = known.annotation("Max").is_some();
    let added = again.annotations.iter().filter(|a| &*a.name.name != "SpecFor" && !(has_max && &*a.name.name == "Max"));
    known.annotations.extend(added.cloned().collect::<Vec<_>>());
}

fn names(params: &[TypeParam]) -> Vec<&str> {
    params.iter().map(|p| &*p.name.name).collect()
}

/// Without a body, or a constructor with an empty one.
fn is_again(method: &MethodDecl) -> bool {
    match &method.body {
        None => true,
        Some(body) => method.is_constructor && body.is_empty(),
    }
}

fn renamed(method: &MethodDecl, name: &Ident) -> MethodDecl {
    MethodDecl { name: Ident { name: name.name.clone(), span: method.name.span }, ..method.clone() }
}

fn annotated_field(known: &FieldDecl, again: &FieldDecl) -> FieldDecl {
    let mut modifiers = Modifiers::clone(&known.modifiers);
    modifiers.annotations.extend(again.modifiers.annotations.iter().cloned());
    FieldDecl { modifiers: Rc::new(modifiers), ..known.clone() }
}

fn annotated_method(known: &MethodDecl, again: &MethodDecl) -> MethodDecl {
    let mut method = known.clone();
    method.modifiers.annotations.extend(again.modifiers.annotations.iter().cloned());
    for (param, more) in method.params.iter_mut().zip(&again.params) {
        param.modifiers.annotations.extend(more.modifiers.annotations.iter().cloned());
    }
    // What it throws, too: that it may.
    method.throws.extend(again.throws.iter().cloned());
    method
}

/// The original's, with another body.
fn modelled(known: &MethodDecl, model: &MethodDecl) -> MethodDecl {
    let mut modifiers = known.modifiers.clone();
    modifiers.is_native = false;
    modifiers.is_abstract = false;
    modifiers.annotations.extend(model.modifiers.annotations.iter().cloned());
    MethodDecl { modifiers, throws: known.throws.clone(), ..model.clone() }
}

/// A type by its simple name.
fn written(ty: &TypeRef) -> String {
    match &ty.kind {
        TypeRefKind::Void => "void".into(),
        TypeRefKind::Var => "var".into(),
        TypeRefKind::Prim(p) => prim_name(*p).into(),
        TypeRefKind::Named(parts) => parts.last().map_or(String::new(), |(name, _)| name.name.to_string()),
        TypeRefKind::Array(e) => format!("{}[]", written(e)),
        TypeRefKind::Wildcard(_) => "?".into(),
    }
}
