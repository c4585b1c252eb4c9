//! Modules against abstractions (dissertation, chapter III): a class with an `@Abstraction` method gets, for each operation that its
//! abstraction has as well, a driver in the manner of Figure 3.6. The driver runs the operation on the object and on its abstraction; two
//! postconditions compare the results and the abstractions afterwards. All of it is plain Java, which is added to the class before anything is
//! resolved: searches, replay and pictures need not know.

pub mod same;
mod write;

use super::commute;
use super::made::{add, add_class};
use crate::resolve::hierarchy::Candidate;
use crate::resolve::*;
use crate::syntax::ast::{ClassDecl, Expr, ExprKind, Member, MethodDecl, Modifiers, Stmt, StmtKind, TypeRef};
use source::{Diagnostic, Span};
use std::collections::BTreeSet;
use std::rc::Rc;
use write::Writer;

/// A class that is compared with its abstraction.
#[derive(Clone, Debug)]
pub struct Module {
    pub class: ClassIx,
    /// Classes that were made to check the abstraction itself, with their texts.
    pub made: Vec<(ClassIx, String)>,
    /// Its abstraction, as the user knows it.
    pub name: String,
    /// The abstraction, with what it inherits from; and the exceptions that it throws by statements of its own.
    pub abstraction: Vec<ClassIx>,
    pub thrown: Vec<ClassIx>,
    /// Constructors of the abstraction with which none of the module is compared: the function makes abstractions by them, and gives them
    /// what is right.
    pub makers: Vec<MethodIx>,
    /// The method that gives it.
    pub function: MethodIx,
    pub drivers: Vec<Driver>,
    /// Whether abstractions have an invariant.
    pub is_validity_asked: bool,
    /// Operations of two abstractions that are equal.
    pub on_equal: Vec<commute::Driver>,
    /// Operations that only the abstraction has.
    pub only_abstraction: Vec<String>,
}

impl Module {
    /// Whether the class was made to check its abstraction.
    pub fn is_made(&self, class: ClassIx) -> bool {
        self.made.iter().any(|(made, _)| *made == class)
    }
}

#[derive(Clone, Debug)]
pub struct Driver {
    /// The operation that it stands for, by its place.
    pub operation: Span,
    /// The method that was added.
    pub method: String,
    pub posts: Vec<String>,
    /// The parameter that is another object of the module: the abstraction gets its abstraction.
    pub other: Option<usize>,
}

impl Driver {
    pub fn has(&self, name: &str) -> bool {
        self.method == name || self.posts.iter().any(|p| p == name)
    }
}

/// Between the name of a postcondition and the number of the driver that asks it.
pub const WRAPPED: &str = "$post";
/// A method that gives the abstraction, and a postcondition of it: that of a valid state is valid.
pub const VALID: &str = "$valid";
pub const IS_VALID: &str = "$isValid";
/// In front of the name of a law of `equalTo`; and of the number of a driver that asks a precondition of the abstraction.
pub const LAW: &str = "is$";
pub const ALLOWED: &str = "$allowed";

/// Adds drivers to all input classes that have an abstraction. What is wrong with one matters only where it is checked: by default each
/// is, else the class with a name.
pub fn extend(table: &mut Table, only: Option<&str>) -> Vec<Module> {
    let only = only.map(|name| table.called(name));
    let mut modules = Vec::new();
    for class in table.input_classes() {
        let known = table.diagnostics.len();
        let decl = table.class(class).decl.clone();
        let functions: Vec<Rc<MethodDecl>> = methods(&decl)
            .filter(|m| m.modifiers.has("Abstraction") && !table.taken_files.contains(&m.name.span.file))
            .cloned()
            .collect();
        match &functions[..] {
            [] => {
                let function = inherited_function(table, class);
                modules.extend(function.and_then(|f| extend_class(table, class, &decl, &f, &modules)));
            }
            [function] => modules.extend(extend_class(table, class, &decl, function, &modules)),
            [first, second, ..] => {
                let message = format!("`{}` has two abstractions", table.class(class).name);
                let problem = Diagnostic::error("bad-abstraction", second.name.span, message);
                table.diagnostics.push(problem.related(first.name.span, "the first").help("leave one of them out"));
            }
        }
        if only.as_ref().is_some_and(|only| !only.contains(&class)) {
            table.diagnostics.truncate(known);
        }
    }
    modules
}

/// What a class that has none of its own inherits: what it is behaves like that, too. What is said beside a class of a library is about
/// that class alone.
fn inherited_function(table: &mut Table, class: ClassIx) -> Option<Rc<MethodDecl>> {
    let is_own = |info: &ClassInfo| info.unit.origin == Origin::Input && !info.is_specified;
    if !is_own(table.class(class)) || !table.class(class).has_objects() {
        return None;
    }
    let above = lineage(table, class).into_iter().filter(|(c, _)| is_own(table.class(*c))).collect::<Vec<_>>();
    let is_function = |m: &&Rc<MethodDecl>| m.modifiers.has("Abstraction") && !m.modifiers.is_private;
    let named = above.iter().flat_map(|(_, d)| methods(d)).find(is_function)?.name.name.clone();
    // It may be overridden, and then need not say again what it is.
    let own = table.self_type(class);
    let found = table.find_methods(&own, &named).into_iter().find(|c| c.params.is_empty())?;
    table.method(found.method).decl.clone()
}

pub fn methods(decl: &ClassDecl) -> impl Iterator<Item = &Rc<MethodDecl>> {
    decl.members.iter().filter_map(|member| match member {
        Member::Method(method) => Some(method),
        _ => None,
    })
}

fn extend_class(
    table: &mut Table,
    class: ClassIx,
    decl: &Rc<ClassDecl>,
    function: &MethodDecl,
    others: &[Module],
) -> Option<Module> {
    let abstraction = abstraction(table, class, function)?;
    let Type::Class(abstract_class, _) = abstraction else { return None };
    // Those that extend it have objects.
    if !table.class(class).has_objects() {
        return None;
    }
    let own = table.self_type(class);
    if table.find_methods(&own, "repOk").iter().all(|m| !m.params.is_empty()) {
        let message = format!(
            "`{}` has an abstraction, but no invariant: nothing of it would be checked",
            table.class(class).name
        );
        let problem = Diagnostic::error("no-invariant", function.name.span, message);
        let help = "add `@Declarative boolean repOk()`, which says what states there are: `return true;` if any is";
        table.diagnostics.push(problem.help(help));
        return None;
    }
    let name = table.class(abstract_class).name.clone();
    // Of a class that a specification stands beside, the operations that it names, from whatever class they are.
    let is_specified = table.class(class).is_specified;
    let decls = above(table, class, |info| is_specified || info.is_input());
    let is_checked = |m: &&Rc<MethodDecl>| !is_specified || m.modifiers.has("Check");
    let checked = decls.iter().flat_map(|(_, d)| methods(d)).filter(is_checked);
    let operations: Vec<Called> = checked.filter_map(|m| Called::of(table, &own, m)).collect();
    let abstract_decls = lineage(table, abstract_class);
    let abstract_classes = abstract_decls.iter().map(|(class, _)| *class).collect();
    let thrown = thrown(table, &abstract_decls);
    let names_of_thrown = thrown.iter().map(|class| table.full_name(&Type::class(*class))).collect();
    let never_change = write::never_change(table, [class, abstract_class]);
    let mut writer = Writer {
        table,
        class,
        function,
        abstraction: &abstraction,
        decls,
        abstract_decls,
        thrown: names_of_thrown,
        text: String::new(),
        pairs: String::new(),
        couples: String::new(),
        on_equal: Vec::new(),
        never_change,
    };
    let mut drivers = Vec::new();
    let mut shared: Vec<MethodIx> = Vec::new();
    for (number, called) in operations.iter().filter(|c| is_operation(&c.decl) || is_query(&c.decl)).enumerate() {
        if let Some(counterpart) = writer.counterpart(called) {
            shared.push(counterpart.method);
            drivers.push(writer.driver(number, called, &counterpart));
        }
    }
    let has_drivers = !drivers.is_empty();
    let (constructors, makers) = writer.constructors(decl, abstract_class);
    drivers.extend(constructors);
    let is_validity_asked = writer.validity();
    let classes = writer.abstraction_alone(abstract_class, &shared);
    let (text, on_equal) = (writer.text, writer.on_equal);
    let mut only_abstraction = Vec::new();
    for method in table.members(abstract_class).methods.iter().filter(|m| !shared.contains(m)) {
        let info = table.method(*method);
        if info.decl.as_ref().is_some_and(|d| is_operation(d)) {
            only_abstraction.push(info.name.to_string());
        }
    }
    if !has_drivers {
        let message = format!("`{}` and its abstraction `{name}` share no operation", table.class(class).name);
        let problem = Diagnostic::error("bad-abstraction", function.name.span, message);
        table.diagnostics.push(problem.help("give the abstraction methods with the same names and parameters"));
        return None;
    }
    add(table, class, &text);
    let made = classes.into_iter().filter_map(|(name, text)| {
        // Another module has the same abstraction. A class literal may mean another class there.
        let known =
            others.iter().flat_map(|m| &m.made).find(|(_, of_other)| *of_other == text && !text.contains(".class"));
        known.map(|(class, _)| *class).or_else(|| add_class(table, class, name, &text)).map(|class| (class, text))
    });
    let made = made.collect();
    let function = inherited(table, class, function)?.method;
    Some(Module {
        class,
        made,
        name,
        abstraction: abstract_classes,
        thrown,
        makers,
        function,
        drivers,
        is_validity_asked,
        on_equal,
        only_abstraction,
    })
}

/// A class, and the classes and interfaces above it, as far as they are among the inputs.
pub fn lineage(table: &mut Table, class: ClassIx) -> Vec<(ClassIx, Rc<ClassDecl>)> {
    above(table, class, ClassInfo::is_input)
}

/// The same, as far as others are wanted.
fn above(table: &mut Table, class: ClassIx, is_wanted: impl Fn(&ClassInfo) -> bool) -> Vec<(ClassIx, Rc<ClassDecl>)> {
    let mut found: Vec<(ClassIx, Rc<ClassDecl>)> = Vec::new();
    let mut todo = vec![class];
    while let Some(c) = todo.pop() {
        let info = table.class(c);
        if found.iter().any(|(known, _)| *known == c) || c != class && !is_wanted(info) {
            continue;
        }
        found.push((c, info.decl.clone()));
        let own = table.self_type(c);
        let next = table.supertypes(&own).into_iter().rev();
        todo.extend(next.filter_map(|ty| if let Type::Class(above, _) = ty { Some(above) } else { None }));
    }
    found
}

/// A method as objects of a class have it, which may inherit it.
struct Called {
    decl: Rc<MethodDecl>,
    candidate: Candidate,
}

impl Called {
    /// None if it is overridden.
    fn of(table: &mut Table, own: &Type, decl: &Rc<MethodDecl>) -> Option<Called> {
        Some(Called { decl: decl.clone(), candidate: candidate(table, own, decl)? })
    }
}

/// A method as objects of a class have it; None if it is overridden.
pub fn inherited(table: &mut Table, class: ClassIx, method: &MethodDecl) -> Option<Candidate> {
    let own = table.self_type(class);
    candidate(table, &own, method)
}

fn candidate(table: &mut Table, own: &Type, method: &MethodDecl) -> Option<Candidate> {
    let candidates = table.find_methods(own, &method.name.name);
    candidates.into_iter().find(|c| table.method(c.method).name_span == method.name.span)
}

/// The operation of the abstraction that the same call means.
struct Counterpart {
    method: MethodIx,
    /// What it returns.
    result: Type,
    /// See [`Driver::other`].
    other: Option<usize>,
}

/// What other code may call and that may change something.
pub fn is_operation(method: &MethodDecl) -> bool {
    let Modifiers { is_private, is_static, is_abstract, .. } = method.modifiers;
    !is_private && !is_static && !is_abstract && !method.is_constructor && !method.modifiers.has("Declarative")
}

/// A declarative method that other code may ask, and that specifies nothing.
fn is_query(method: &MethodDecl) -> bool {
    let Modifiers { is_private, is_static, is_abstract, .. } = method.modifiers;
    let is_spec = ["Abstraction", "Pre", "Post"].iter().any(|a| method.modifiers.has(a))
        || ["repOk", "equalTo", "precondition", "postcondition"].contains(&&*method.name.name);
    !is_private && !is_static && !is_abstract && !method.is_constructor && !is_spec
}

/// A declarative method of an abstraction that its operations do not need: what clients specify with.
fn is_asked(method: &MethodDecl) -> bool {
    method.modifiers.has("Declarative") && (is_query(method) || method.modifiers.has("Pre"))
}

/// The class that the function maps to, if all is well with it.
fn abstraction(table: &mut Table, class: ClassIx, function: &MethodDecl) -> Option<Type> {
    let called = inherited(table, class, function)?;
    let mut problems = Vec::new();
    let found = if called.ret == Type::Error {
        let scope = table.method_scope(called.method);
        problems.extend(table.resolve(&scope, &function.return_ty).err().map(|problem| *problem));
        None
    } else {
        let problem = unfit(table, &called.ret, function);
        let is_fit = problem.is_none();
        problems.extend(problem);
        is_fit.then_some(called.ret)
    };
    // The class that it is inherited from says so, too.
    if table.method(called.method).class == class {
        table.diagnostics.extend(problems);
    }
    found
}

/// What is wrong with the function, or with the class that it maps to.
fn unfit(table: &mut Table, found: &Type, function: &MethodDecl) -> Option<Diagnostic> {
    let problem = match () {
        _ if !function.params.is_empty() => Some("it must have no parameters"),
        _ if function.modifiers.is_static => Some("it must not be static"),
        _ if !function.modifiers.has("Declarative") => Some("it must be `@Declarative`"),
        _ if !matches!(found, Type::Class(..)) => Some("it must return an object of the class that is the abstraction"),
        _ if matches!(found, Type::Class(c, _) if !table.class(*c).has_objects()) => {
            Some("it must return a class of which objects can be made: none that is abstract, and no interface or enum")
        }
        _ => None,
    };
    if let Some(problem) = problem {
        let message = format!("`{}` cannot be the abstraction: {problem}", function.name.name);
        let help = "write `@Declarative @Abstraction AbsMap abstraction()`, for example";
        return Some(Diagnostic::error("bad-abstraction", function.name.span, message).help(help));
    }
    let equal: Vec<_> = table.find_methods(found, "equalTo").into_iter().filter(|m| m.params.len() == 1).collect();
    let is_fit = equal.iter().any(|m| {
        let info = table.method(m.method);
        let is_query = info.ret == BOOL && info.decl.as_ref().is_some_and(|d| d.modifiers.has("Declarative"));
        is_query && table.is_subtype(found, &m.params[0])
    });
    (!is_fit).then(|| {
        let name = table.type_name(found);
        let message = format!("`{name}` cannot be an abstraction: it has no declarative `equalTo`");
        let help = format!("add `@Declarative public boolean equalTo({name} other)`: when two of them behave alike");
        Diagnostic::error("bad-abstraction", function.name.span, message).help(help)
    })
}

/// The exceptions that classes throw by statements of their own. A failed assertion is a violation whoever throws it.
fn thrown(table: &mut Table, decls: &[(ClassIx, Rc<ClassDecl>)]) -> Vec<ClassIx> {
    fn collect<'s>(stmt: &'s Stmt, found: &mut Vec<&'s TypeRef>) {
        if let StmtKind::Throw(Expr { kind: ExprKind::New { ty, .. }, .. }) = &stmt.kind {
            found.push(ty);
        }
        stmt.parts().into_iter().for_each(|part| collect(part, found));
    }
    let assertion = table.known("java.lang.AssertionError");
    let mut all = BTreeSet::new();
    for (class, decl) in decls {
        let scope = table.scope_of(*class);
        let mut found = Vec::new();
        methods(decl).filter_map(|m| m.body.as_ref()).flatten().for_each(|stmt| collect(stmt, &mut found));
        for ty in found {
            if let Ok(Type::Class(class, _)) = table.resolve(&scope, ty)
                && !table.is_subclass(class, assertion)
            {
                all.insert(class);
            }
        }
    }
    all.into_iter().collect()
}

/// What the annotation of a specification may say to mean this method: its name, alone or with the types of its parameters, as they are
/// written, without their packages, or by erasure.
pub fn ways_to_name(table: &mut Table, method: &MethodDecl, params: &[Type]) -> Vec<String> {
    let name = &method.name.name;
    let written = method.params.iter().map(|p| table.sources.text(p.ty.span).to_string()).collect::<Vec<_>>();
    let simple = params.iter().map(|p| table.simple_name(p)).collect::<Vec<_>>();
    let erased = params.iter().map(|p| table.erased_name(p)).collect::<Vec<_>>();
    let with = [written, simple, erased].map(|types| without_blanks(&format!("{name}({})", types.join(","))));
    std::iter::once(name.to_string()).chain(with).collect()
}

pub fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Whether it is a precondition (`Pre`) or postcondition (`Post`) of an operation that is [called so](ways_to_name), by its annotation or by
/// its own name.
pub fn specifies(method: &MethodDecl, called_so: &[String], what: &str) -> bool {
    let Some(annotation) = method.modifiers.annotation(what) else {
        let (name, parameters) = if what == "Post" { ("postcondition", 1) } else { ("precondition", 0) };
        return &*method.name.name == name && method.params.len() == parameters;
    };
    annotation.arguments.is_empty() || annotation.strings().any(|text| called_so.contains(&without_blanks(text)))
}
