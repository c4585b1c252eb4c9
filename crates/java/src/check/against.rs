//! Modules against abstractions (dissertation, chapter III): a class with an `@Abstraction` method gets, for each operation that its
//! abstraction has as well, a driver in the manner of Figure 3.6. The driver runs the operation on the object and on its abstraction; two
//! postconditions compare the results and the abstractions afterwards. All of it is plain Java, which is added to the class before anything is
//! resolved: searches, replay and pictures need not know.

use super::commute;
use crate::resolve::hierarchy::Candidate;
use crate::resolve::overload::{Argument, Selection};
use crate::resolve::*;
use crate::syntax::ast::{
    Annotation, AnnotationValue, ClassDecl, Expr, ExprKind, Member, MethodDecl, Modifiers, Param, Prim, Stmt, StmtKind,
    TypeRef,
};
use source::{Diagnostic, Span};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::rc::Rc;

/// A class that is compared with its abstraction.
#[derive(Clone, Debug)]
pub struct Module {
    pub class: ClassIx,
    /// Classes that were made to check the abstraction itself.
    pub made: Vec<ClassIx>,
    /// Its abstraction, as the user knows it.
    pub name: String,
    /// Constructors of the abstraction with which none of the module is compared: the function makes abstractions by them, and gives them
    /// what is right.
    pub makers: Vec<MethodIx>,
    /// The method that gives it.
    pub function: String,
    pub drivers: Vec<Driver>,
    /// Operations of two abstractions that are equal.
    pub on_equal: Vec<commute::Driver>,
    /// Operations that only the abstraction has.
    pub only_abstraction: Vec<String>,
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

/// Adds drivers to all input classes that have an abstraction.
pub fn extend(table: &mut Table) -> Vec<Module> {
    let mut modules = Vec::new();
    for class in table.input_classes() {
        let decl = table.class(class).decl.clone();
        let functions: Vec<Rc<MethodDecl>> =
            methods(&decl).filter(|m| m.modifiers.has("Abstraction")).cloned().collect();
        match &functions[..] {
            [] => {}
            [function] => modules.extend(extend_class(table, class, &decl, function)),
            [first, second, ..] => {
                let message = format!("`{}` has two abstractions", table.class(class).name);
                let problem = Diagnostic::error("bad-abstraction", second.name.span, message);
                table.diagnostics.push(problem.related(first.name.span, "the first").help("leave one of them out"));
            }
        }
    }
    modules
}

pub fn methods(decl: &ClassDecl) -> impl Iterator<Item = &Rc<MethodDecl>> {
    decl.members.iter().filter_map(|member| match member {
        Member::Method(method) => Some(method),
        _ => None,
    })
}

fn extend_class(table: &mut Table, class: ClassIx, decl: &Rc<ClassDecl>, function: &MethodDecl) -> Option<Module> {
    let abstraction = abstraction(table, class, function)?;
    let Type::Class(abstract_class, _) = abstraction else { return None };
    let name = table.class(abstract_class).name.clone();
    let own = table.self_type(class);
    // Of a class that a specification stands beside, the operations that it names, from whatever class they are.
    let is_specified = table.class(class).is_specified;
    let decls = above(table, class, |info| is_specified || info.is_input());
    let is_checked = |m: &&Rc<MethodDecl>| !is_specified || m.modifiers.has("Check");
    let checked = decls.iter().flat_map(|(_, d)| methods(d)).filter(is_checked);
    let operations: Vec<Called> = checked.filter_map(|m| Called::of(table, &own, m)).collect();
    let abstract_decls = lineage(table, abstract_class);
    let thrown = thrown(table, &abstract_decls);
    let mut writer = Writer {
        table,
        class,
        function,
        abstraction: &abstraction,
        decls,
        abstract_decls,
        thrown,
        text: String::new(),
        pairs: String::new(),
        couples: String::new(),
        on_equal: Vec::new(),
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
    let made: Vec<ClassIx> =
        classes.into_iter().filter_map(|(name, text)| add_class(table, class, name, &text)).collect();
    let name_of_function = function.name.name.to_string();
    Some(Module { class, made, name, makers, function: name_of_function, drivers, on_equal, only_abstraction })
}

/// A class and the classes above it, as far as they are among the inputs.
pub fn lineage(table: &mut Table, class: ClassIx) -> Vec<(ClassIx, Rc<ClassDecl>)> {
    above(table, class, ClassInfo::is_input)
}

/// The same, as far as others are wanted.
fn above(table: &mut Table, class: ClassIx, is_wanted: impl Fn(&ClassInfo) -> bool) -> Vec<(ClassIx, Rc<ClassDecl>)> {
    let mut found = Vec::new();
    let mut next = Some(class);
    while let Some(c) = next.filter(|c| *c == class || is_wanted(table.class(*c))) {
        found.push((c, table.class(c).decl.clone()));
        next = match &table.header(c).superclass {
            Some(Type::Class(above, _)) => Some(*above),
            _ => None,
        };
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
    let scope = table.scope_of(class);
    let found = match table.resolve(&scope, &function.return_ty) {
        Ok(found) => found,
        Err(problem) => {
            table.diagnostics.push(*problem);
            return None;
        }
    };
    let problem = match () {
        _ if !function.params.is_empty() => Some("it must have no parameters"),
        _ if function.modifiers.is_static => Some("it must not be static"),
        _ if !function.modifiers.has("Declarative") => Some("it must be `@Declarative`"),
        _ if !matches!(found, Type::Class(..)) => Some("it must return an object of the class that is the abstraction"),
        _ => None,
    };
    if let Some(problem) = problem {
        let message = format!("`{}` cannot be the abstraction: {problem}", function.name.name);
        let help = "write `@Declarative @Abstraction AbsMap abstraction()`, for example";
        table.diagnostics.push(Diagnostic::error("bad-abstraction", function.name.span, message).help(help));
        return None;
    }
    let equal: Vec<_> = table.find_methods(&found, "equalTo").into_iter().filter(|m| m.params.len() == 1).collect();
    let is_fit = equal.iter().any(|m| {
        let info = table.method(m.method);
        info.ret == BOOL && info.decl.as_ref().is_some_and(|d| d.modifiers.has("Declarative"))
    });
    if !is_fit {
        let name = table.type_name(&found);
        let message = format!("`{name}` cannot be an abstraction: it has no declarative `equalTo`");
        let help = format!("add `@Declarative public boolean equalTo({name} other)`: when two of them behave alike");
        table.diagnostics.push(Diagnostic::error("bad-abstraction", function.name.span, message).help(help));
        return None;
    }
    Some(found)
}

/// The names of the exceptions that classes throw by statements of their own. A failed assertion is a violation whoever throws it.
fn thrown(table: &mut Table, decls: &[(ClassIx, Rc<ClassDecl>)]) -> BTreeSet<String> {
    fn collect<'s>(stmt: &'s Stmt, found: &mut Vec<&'s TypeRef>) {
        if let StmtKind::Throw(Expr { kind: ExprKind::New { ty, .. }, .. }) = &stmt.kind {
            found.push(ty);
        }
        stmt.parts().into_iter().for_each(|part| collect(part, found));
    }
    let assertion = table.known("java.lang.AssertionError");
    let mut names = BTreeSet::new();
    for (class, decl) in decls {
        let scope = table.scope_of(*class);
        let mut found = Vec::new();
        methods(decl).filter_map(|m| m.body.as_ref()).flatten().for_each(|stmt| collect(stmt, &mut found));
        for ty in found {
            let Ok(ty) = table.resolve(&scope, ty) else { continue };
            if !matches!(ty, Type::Class(class, _) if table.is_subclass(class, assertion)) {
                names.insert(table.full_name(&ty));
            }
        }
    }
    names
}

/// That both threw the same, or nothing: two fields of what a driver returns.
pub fn same_exceptions(t: &str, u: &str) -> String {
    format!(
        "(both$.{t} == null ? both$.{u} == null : both$.{u} != null && both$.{t}.getClass() == both$.{u}.getClass())"
    )
}

/// Whatever is thrown counts as the answer.
fn caught(call: &str, by: &str) -> String {
    format!("try {{ {call}; }} catch (Throwable x$) {{ both$.{by} = x$; }}")
}

/// A call of two abstractions.
#[derive(Clone, Copy)]
struct Pair<'p> {
    number: usize,
    name: &'p str,
    /// With annotations, and without.
    parameters: &'p [String],
    plain: &'p [String],
    /// Their types, and what the calls get.
    types: &'p [Type],
    arguments: &'p [String],
}

/// What two abstractions that are equal get for a parameter that is an abstraction itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// There is no such parameter.
    Same,
    /// Each itself.
    Itself,
    Null,
    /// One of two others that are equal.
    Couple,
}

impl Given {
    fn arguments(self) -> [&'static str; 2] {
        match self {
            Given::Itself => ["this.a", "this.b"],
            Given::Couple => ["this.p", "this.q"],
            Given::Same | Given::Null => ["null", "null"],
        }
    }
}

struct Asked {
    parameters: Vec<(String, Type)>,
    /// The annotations of each parameter.
    bounds: Vec<String>,
    arguments: Vec<String>,
}

struct Writer<'t, 's> {
    table: &'t mut Table<'s>,
    class: ClassIx,
    function: &'t MethodDecl,
    abstraction: &'t Type,
    /// The module and what it inherits from; the same of the abstraction.
    decls: Vec<(ClassIx, Rc<ClassDecl>)>,
    abstract_decls: Vec<(ClassIx, Rc<ClassDecl>)>,
    /// The exceptions that the abstraction throws by statements of its own, by name: they are part of what it does.
    thrown: BTreeSet<String>,
    /// Members of the module.
    text: String,
    /// Members of a class that has two abstractions that are equal, and of one that has two more for operations to get.
    pairs: String,
    couples: String,
    on_equal: Vec<commute::Driver>,
}

impl Writer<'_, '_> {
    /// The operation of the abstraction that the same call means: with the same arguments, or with the abstraction of one that is an object
    /// of the module itself.
    fn counterpart(&mut self, called: &Called) -> Option<Counterpart> {
        let mut given = called.candidate.params.clone();
        let found = self.meant(called, &given);
        if let Some((method, result)) = found {
            return Some(Counterpart { method, result, other: None });
        }
        let other = self.abstracted_argument(&mut given)?;
        let (method, result) = self.meant(called, &given)?;
        Some(Counterpart { method, result, other: Some(other) })
    }

    /// Of the one parameter that is another object of the module, the abstraction gets the abstraction.
    fn abstracted_argument(&self, parameters: &mut [Type]) -> Option<usize> {
        let is_own = |ty: &Type| matches!(ty, Type::Class(class, _) if *class == self.class);
        let own: Vec<usize> = (0..parameters.len()).filter(|k| is_own(&parameters[*k])).collect();
        let [other] = own[..] else { return None };
        parameters[other] = self.abstraction.clone();
        Some(other)
    }

    fn meant(&mut self, called: &Called, given: &[Type]) -> Option<(MethodIx, Type)> {
        let arguments: Vec<Argument> = given.iter().cloned().map(Argument::Typed).collect();
        let candidates = self.table.find_methods(self.abstraction, &called.decl.name.name);
        match self.table.select(&candidates, &arguments) {
            Selection::Found(found, _) if !self.table.method(found.method).is_static => Some((found.method, found.ret)),
            _ => None,
        }
    }

    fn source(&self, from: Span, to: Span) -> String {
        self.table.sources.text(from.to(to)).to_string()
    }

    fn ty(&self, ty: &TypeRef) -> String {
        self.source(ty.span, ty.span)
    }

    /// A type of an operation; a driver has no type parameters of its own.
    fn written(&mut self, called: &Called, ty: &Type) -> (Type, String) {
        let vars = self.table.method(called.candidate.method).type_params.clone();
        let ty = if ty.mentions(&vars) { self.table.erasure(ty) } else { ty.clone() };
        let text = self.table.full_name(&ty);
        (ty, text)
    }

    /// `int key`, for each parameter.
    fn plain(&mut self, called: &Called) -> Vec<String> {
        let parameters = called.decl.params.iter().zip(&called.candidate.params);
        parameters.map(|(p, ty)| format!("{} {}", self.written(called, ty).1, p.name.name)).collect()
    }

    /// The same with their annotations.
    fn annotated(&mut self, called: &Called) -> Vec<String> {
        let plain = self.plain(called);
        called.decl.params.iter().zip(plain).map(|(p, plain)| self.annotations(p) + &plain).collect()
    }

    fn annotations(&self, parameter: &Param) -> String {
        parameter.modifiers.annotations.iter().map(|a| self.source(a.span, a.span) + " ").collect()
    }

    fn driver(&mut self, number: usize, called: &Called, counterpart: &Counterpart) -> Driver {
        let Counterpart { result, other, .. } = counterpart;
        let abstract_span = self.table.method(counterpart.method).name_span;
        let method = &called.decl;
        let (abstraction, function) = (self.ty(&self.function.return_ty), &self.function.name.name);
        let (name, (ours_type, returned)) = (&method.name.name, self.written(called, &called.candidate.ret));
        let (parameters, plain) = (self.annotated(called), self.plain(called));
        let arguments: Vec<String> = method.params.iter().map(|p| p.name.name.to_string()).collect();
        let has_result = returned != "void" && *result != Type::Void;
        let result = &self.closed(result);
        let theirs = self.table.full_name(result);
        let (both, driver) = (format!("Both${number}"), format!("{name}${number}"));
        let own = self.table.class(self.class).simple.clone();
        let mut fields = if has_result { format!(" {returned} r; {theirs} s;") } else { String::new() };
        let (left, right) = if has_result { ("both$.r = ", "both$.s = ") } else { ("", "") };
        let mut abstract_arguments = arguments.clone();
        let [mut begun_with, mut begun_for, mut begun, mut alike] = [const { String::new() }; 4];
        if let Some(other) = *other {
            // What it was before the call; of the object itself, the abstraction that the call changes.
            let (name, plain) = (&arguments[other], &plain[other]);
            let _ = write!(fields, " {abstraction} o;");
            begun = format!("both$.o = {name} == null ? null : {name} == this ? both$.a : {name}.{function}();");
            (begun_with, begun_for) = (plain.clone(), name.clone());
            alike = format!(" && ({name} == null || both$.o.equalTo({name}.{function}()))");
            abstract_arguments[other] = "both$.o".to_string();
        }
        let may = self.may_throw(called);
        let run = |call: String, caught: &str| match may.is_empty() {
            true => format!("{call};"),
            false => {
                format!("try {{ {call}; }} catch (Throwable x$) {{ if (!({may})) throw x$; both$.{caught} = x$; }}")
            }
        };
        let given = arguments.join(", ");
        let ours = run(format!("{left}{name}({given})"), "t");
        let theirs = caught(&format!("{right}both$.a.{name}({})", abstract_arguments.join(", ")), "u");
        let specified = std::iter::once(format!("{own} before$")).chain(plain.iter().cloned());
        let specified = specified.chain([format!("{both} both$")]).collect::<Vec<_>>().join(", ");
        let exceptions = same_exceptions("t", "u");
        let same = match ours_type {
            Type::Void => Some("true".to_string()),
            _ if *result == Type::Void => None,
            _ => same_values(self.table, &ours_type, result, "both$.r", "both$.s"),
        };
        if same.is_none() {
            self.cannot_compare(called, &ours_type, result, abstract_span);
        }
        // Of what throws there is no result: a number is then 0, and a box null.
        let same = format!("(both$.t != null || {})", same.unwrap_or("false".to_string()));
        let _ = write!(
            self.text,
            "static final class {both} {{ {abstraction} a;{fields} Throwable t, u; }}\n\
             private {both} $begin{number}({begun_with}) {{ {both} both$ = new {both}(); both$.a = {function}(); {begun} return both$; }}\n\
             {both} {driver}({}) {{\n    {both} both$ = $begin{number}({begun_for});\n    {ours}\n    {theirs}\n    return both$;\n}}\n\
             @Declarative boolean $result{number}({specified}) {{\n    \
             return {exceptions} && {same};\n}}\n\
             @Declarative boolean $alike{number}({both} both$) {{ return both$.a.equalTo({function}()); }}\n\
             @Declarative boolean $state{number}({specified}) {{ return $alike{number}(both$){alike}; }}\n",
            parameters.join(", ")
        );
        let counted = if has_result { result } else { &Type::Void };
        let types: Vec<Type> = called.candidate.params.iter().map(|ty| self.written(called, ty).0).collect();
        let mut pair =
            Pair { number, name, parameters: &parameters, plain: &plain, types: &types, arguments: &arguments };
        match *other {
            None => self.pair(&pair, None, Given::Same, counted, abstract_span),
            Some(other) => {
                let without = |all: &[String]| [&all[..other], &all[other + 1..]].concat();
                let (parameters, plain) = (without(&parameters), without(&plain));
                let types = [&types[..other], &types[other + 1..]].concat();
                (pair.parameters, pair.plain, pair.types) = (&parameters, &plain, &types);
                self.pair(&pair, Some(other), Given::Couple, counted, abstract_span);
                self.pair(&pair, Some(other), Given::Itself, counted, abstract_span);
                if !method.params[other].modifiers.has("NonNull") {
                    self.pair(&pair, Some(other), Given::Null, counted, abstract_span);
                }
            }
        }
        let mut posts = vec![format!("$result{number}"), format!("$state{number}")];
        let posted = |m: &&Rc<MethodDecl>| specifies(m, name, "Post");
        let all: Vec<_> = self.decls.iter().flat_map(|(_, d)| methods(d)).filter(posted).cloned().collect();
        for (k, post) in all.iter().enumerate() {
            let mut available = vec!["before$".to_string()];
            available.extend(arguments.iter().cloned());
            available.extend(has_result.then(|| "both$.r".to_string()));
            available.truncate(post.params.len());
            let call = format!("{}({})", post.name.name, available.join(", "));
            let made = format!("{}{WRAPPED}{number}${k}", post.name.name);
            let _ =
                writeln!(self.text, "@Declarative boolean {made}({specified}) {{ return both$.t != null || {call}; }}");
            posts.push(made);
        }
        // Where the abstraction must not be called, it is not compared with its like.
        for (k, pre) in self.abstract_preconditions(name).iter().enumerate() {
            let mut given: Vec<String> = arguments.iter().take(pre.params.len()).cloned().collect();
            if let Some(given) = other.and_then(|other| given.get_mut(other)) {
                *given = format!("({given} == null ? null : {given}.{function}())");
            }
            let given = given.join(", ");
            let _ = writeln!(
                self.text,
                "@Declarative boolean $allowed{number}${k}({specified}) {{ return before$.{function}().{}({given}); }}",
                pre.name.name
            );
            posts.push(format!("$allowed{number}${k}"));
        }
        Driver { operation: method.name.span, method: driver, posts, other: *other }
    }

    /// A type of the abstraction without type parameters of a method, which a driver does not have.
    fn closed(&mut self, ty: &Type) -> Type {
        let Type::Class(class, _) = self.abstraction else { return ty.clone() };
        let known: Vec<VarIx> =
            [self.class, *class].iter().flat_map(|c| self.table.class(*c).type_params.clone()).collect();
        let all: Vec<VarIx> = (0..self.table.vars.len() as u32).map(VarIx).filter(|v| !known.contains(v)).collect();
        if ty.mentions(&all) { self.table.erasure(ty) } else { ty.clone() }
    }

    fn cannot_compare(&mut self, called: &Called, ours: &Type, theirs: &Type, abstract_span: Span) {
        let name = &called.decl.name;
        let [ours, theirs] = [ours, theirs].map(|ty| self.table.type_name(ty));
        let message = format!(
            "`{0}` returns `{ours}`, and `{0}` of the abstraction `{theirs}`: these cannot be compared",
            name.name
        );
        let problem =
            Diagnostic::error("bad-abstraction", name.span, message).related(abstract_span, "the abstraction's");
        let help = "let both return numbers, strings, the same objects, arrays of these, or objects with a declarative `equalTo`";
        self.table.diagnostics.push(problem.help(help));
    }

    fn abstract_preconditions(&self, operation: &str) -> Vec<Rc<MethodDecl>> {
        let all = self.abstract_decls.iter().flat_map(|(_, d)| methods(d));
        all.filter(|m| specifies(m, operation, "Pre")).cloned().collect()
    }

    /// The same call on two abstractions that are equal; of its arguments, `other` is what is given.
    fn pair(&mut self, pair: &Pair, other: Option<usize>, given: Given, result: &Type, span: Span) {
        let Pair { name, .. } = pair;
        let number = match given {
            Given::Same | Given::Couple => pair.number.to_string(),
            Given::Itself => format!("{}i", pair.number),
            Given::Null => format!("{}n", pair.number),
        };
        let both = format!("Both${number}");
        let arguments = given.arguments().map(|given| {
            let mut all = pair.arguments.to_vec();
            if let Some(other) = other {
                all[other] = given.to_string();
            }
            all
        });
        let [a, b] = [0, 1].map(|k| arguments[k].join(", "));
        let result = &self.closed(result);
        let returned = self.table.full_name(result);
        let has_result = *result != Type::Void;
        let fields = if has_result { format!(" {returned} r1; {returned} r2;") } else { String::new() };
        let (left, right) = if has_result { ("both$.r1 = ", "both$.r2 = ") } else { ("", "") };
        let ours = caught(&format!("{left}this.a.{name}({a})"), "t1");
        let theirs = caught(&format!("{right}this.b.{name}({b})"), "t2");
        let (class, equal) = match given {
            Given::Couple => ("Couples", "this.a.equalTo(this.b) && this.p.equalTo(this.q)"),
            _ => ("Pairs", "this.a.equalTo(this.b)"),
        };
        let specified = std::iter::once(format!("{class} before$")).chain(pair.plain.iter().cloned());
        let specified = specified.chain([format!("{both} both$")]).collect::<Vec<_>>().join(", ");
        let exceptions = same_exceptions("t1", "t2");
        let same = match has_result {
            // Two of one type can be compared.
            true => same_values(self.table, result, result, "both$.r1", "both$.r2").unwrap_or("false".to_string()),
            false => "true".to_string(),
        };
        // What every object has must not get another result.
        let is_objects =
            ["equals", "hashCode", "toString", "clone", "getClass", "finalize", "wait", "notify", "notifyAll"];
        let shown = match given {
            Given::Itself => format!("{name}_itself"),
            Given::Null => format!("{name}_null"),
            _ if is_objects.contains(name) => format!("{name}_"),
            _ => name.to_string(),
        };
        let types: Vec<String> = pair.types.iter().map(|p| self.table.simple_name(p)).collect();
        let signature = format!("{shown}({})", types.join(","));
        let mut text = format!(
            "static final class {both} {{{fields} Throwable t1, t2; }}\n\
             @Check public {both} {shown}({}) {{\n    {both} both$ = new {both}();\n    {ours}\n    {theirs}\n    return both$;\n}}\n\
             @Declarative @Post(\"{signature}\") boolean $result{number}({specified}) {{\n    \
             return {exceptions} && {same};\n}}\n\
             @Declarative @Post(\"{signature}\") boolean $state{number}({specified}) {{ return {equal}; }}\n",
            pair.parameters.join(", ")
        );
        let names = [name.to_string(), name.to_string()];
        self.on_equal.push(commute::Driver { method: shown, names, arguments: types.len(), is_pair: false, span });
        let plain = pair.plain.join(", ");
        for (k, pre) in self.abstract_preconditions(name).iter().enumerate() {
            let [a, b] = [0, 1]
                .map(|side| arguments[side].iter().take(pre.params.len()).cloned().collect::<Vec<_>>().join(", "));
            let pre = &pre.name.name;
            let _ = writeln!(
                text,
                "@Declarative @Pre(\"{signature}\") boolean $allowed{number}${k}({plain}) {{ return this.a.{pre}({a}) && this.b.{pre}({b}); }}"
            );
        }
        match given {
            Given::Couple => self.couples += &text,
            _ => self.pairs += &text,
        }
    }

    /// What only clients ask of an abstraction, and its preconditions, must give the same on two that are equal.
    fn queries(&mut self, first: usize, shared: &[MethodIx]) {
        let decls: Vec<Rc<MethodDecl>> =
            self.abstract_decls.iter().flat_map(|(_, d)| methods(d)).filter(|m| is_asked(m)).cloned().collect();
        for (number, decl) in (first..).zip(&decls) {
            let Some(called) = Called::of(self.table, self.abstraction, decl) else { continue };
            let Candidate { method, params, ret } = &called.candidate;
            // What is inside of two objects is never the same.
            let is_inside = matches!(ret, Type::Class(c, _) if self.table.class(*c).outer.is_some())
                && !has_equal_to(self.table, ret, ret);
            let is_itself = params.is_empty() && ret == self.abstraction;
            let is_compared = !shared.contains(method) && !is_inside && !is_itself;
            let Some(asked) = is_compared.then(|| self.asked(&called)).flatten() else {
                continue;
            };
            let (parameters, types): (Vec<String>, Vec<Type>) = asked.parameters.into_iter().unzip();
            let annotated: Vec<String> =
                asked.bounds.iter().zip(&parameters).map(|(bound, plain)| format!("{bound}{plain}")).collect();
            let pair = Pair {
                number,
                name: &decl.name.name,
                parameters: &annotated,
                plain: &parameters,
                types: &types,
                arguments: &asked.arguments,
            };
            self.pair(&pair, None, Given::Same, &called.candidate.ret, decl.name.span);
        }
    }

    /// How a query is asked. A predicate is any that one value, or one pair of values, does not satisfy: whether all entries satisfy it
    /// says which entries there are. None for other objects.
    fn asked(&mut self, called: &Called) -> Option<Asked> {
        let mut asked = Asked { parameters: Vec::new(), bounds: Vec::new(), arguments: Vec::new() };
        for (k, (written, ty)) in called.decl.params.iter().zip(&called.candidate.params).enumerate() {
            let mut add = |table: &Table, ty: &Type, name: String| {
                asked.parameters.push((format!("{} {name}", table.full_name(ty)), ty.clone()));
                asked.bounds.push(String::new());
                name
            };
            let values: Vec<Type> = match ty {
                Type::Class(c, of) => match (&*self.table.class(*c).simple.clone(), of.len()) {
                    ("Predicate", 1) | ("BiPredicate", 2) => of.to_vec(),
                    ("IntPredicate", 0) => vec![INT],
                    ("Object" | "String", 0) => Vec::new(),
                    _ if self.table.unboxed(ty).is_some() => Vec::new(),
                    _ => return None,
                },
                Type::Prim(_) => Vec::new(),
                _ => return None,
            };
            if values.is_empty() {
                let name = add(self.table, ty, format!("p{k}"));
                asked.arguments.push(name);
                asked.bounds.pop();
                asked.bounds.push(self.annotations(written));
                continue;
            }
            let mut tests = Vec::new();
            for (i, value) in values.iter().enumerate() {
                let plain = self.table.unboxed(value).map_or(value.clone(), Type::Prim);
                let name = add(self.table, &plain, format!("p{k}x{i}"));
                tests.push(format!("x{i}$ == {name}"));
            }
            let inputs: Vec<String> = (0..values.len()).map(|i| format!("x{i}$")).collect();
            asked.arguments.push(format!("({}) -> !({})", inputs.join(", "), tests.join(" && ")));
        }
        Some(asked)
    }

    /// A postcondition for each constructor that the abstraction has as well, and declarative ones that only the abstraction has.
    fn constructors(&mut self, decl: &ClassDecl, abstract_class: ClassIx) -> (Vec<Driver>, Vec<MethodIx>) {
        let members = self.table.members(abstract_class);
        let mut candidates = Vec::new();
        for &method in &members.methods {
            let info = self.table.method(method);
            let is_declarative = info.decl.as_ref().is_none_or(|d| d.modifiers.has("Declarative"));
            if info.is_constructor && is_declarative {
                candidates.push(Candidate { method, params: info.params.clone(), ret: Type::Void });
            }
        }
        let own = self.table.members(self.class);
        let is_written = |c: &Candidate| self.table.method(c.method).decl.is_some();
        let mut makers: Vec<MethodIx> = candidates.iter().filter(|c| is_written(c)).map(|c| c.method).collect();
        let mut drivers = Vec::new();
        for (number, &method) in own.methods.iter().enumerate() {
            let info = self.table.method(method).clone();
            if !info.is_constructor || info.is_private {
                continue;
            }
            let mut params = info.params.clone();
            let mut other = None;
            let mut found = self.constructor(&candidates, &params);
            if found.is_none() {
                other = self.abstracted_argument(&mut params);
                found = other.and_then(|_| self.constructor(&candidates, &params));
            }
            let Some(found) = found else { continue };
            makers.retain(|m| *m != found);
            let written: &[Param] = info.decl.as_ref().map_or(&[], |d| &d.params);
            let mut given = vec![format!("{} before$", decl.name.name)];
            given.extend(written.iter().map(|p| format!("{} {}", self.ty(&p.ty), p.name.name)));
            let mut arguments: Vec<String> = written.iter().map(|p| p.name.name.to_string()).collect();
            let (abstraction, function) = (self.ty(&self.function.return_ty), self.function.name.name.clone());
            let mut posts = vec![format!("$made{number}")];
            if let Some(other) = other {
                self.copied(written, other, &arguments);
                let name = &arguments[other];
                given.push(format!("{} before${name}", decl.name.name));
                let kept = format!("{name} == null || before${name}.{function}().equalTo({name}.{function}())");
                let given = given.join(", ");
                let _ = writeln!(self.text, "@Declarative boolean $kept{number}({given}) {{ return {kept}; }}");
                posts.push(format!("$kept{number}"));
                arguments[other] = format!("(before${name} == null ? null : before${name}.{function}())");
            }
            let _ = writeln!(
                self.text,
                "@Declarative boolean $made{number}({}) {{ return new {abstraction}({}).equalTo({function}()); }}",
                given.join(", "),
                arguments.join(", "),
            );
            let method = String::new();
            drivers.push(Driver { operation: info.name_span, method, posts, other });
        }
        (drivers, makers)
    }

    fn constructor(&mut self, candidates: &[Candidate], given: &[Type]) -> Option<MethodIx> {
        let arguments: Vec<Argument> = given.iter().cloned().map(Argument::Typed).collect();
        match self.table.select(candidates, &arguments) {
            Selection::Found(found, _) => Some(found.method),
            _ => None,
        }
    }

    /// Constructors of the abstraction that get another one must make equal ones of equal ones.
    fn copied(&mut self, written: &[Param], other: usize, arguments: &[String]) {
        let abstraction = self.ty(&self.function.return_ty);
        let [a, b] = ["this.a", "this.b"].map(|given| {
            let mut all = arguments.to_vec();
            all[other] = given.to_string();
            format!("new {abstraction}({})", all.join(", "))
        });
        let rest = || written.iter().enumerate().filter(|(k, _)| *k != other).map(|(_, p)| p);
        let plain: Vec<String> = rest().map(|p| format!("{} {}", self.ty(&p.ty), p.name.name)).collect();
        let annotated: Vec<String> = rest().zip(&plain).map(|(p, plain)| self.annotations(p) + plain).collect();
        let is_taken = |name: &str| {
            self.pairs.contains(&format!("void {name}(")) || self.on_equal.iter().any(|d| d.method == name)
        };
        let mut name = "copied".to_string();
        while is_taken(&name) {
            name.push('_');
        }
        let specified = [vec!["Pairs before$".to_string()], plain].concat().join(", ");
        let _ = write!(
            self.pairs,
            "@Check public void {name}({}) {{ }}\n\
             @Declarative @Post(\"{name}\") boolean is${name}({specified}) {{ return {a}.equalTo({b}); }}\n",
            annotated.join(", ")
        );
    }

    /// Classes whose states are one, two or three abstractions: `equalTo` must be an equivalence that every operation keeps (3.4).
    fn abstraction_alone(&mut self, abstract_class: ClassIx, shared: &[MethodIx]) -> Vec<(String, String)> {
        let number = self.decls.iter().map(|(_, d)| d.members.len()).sum();
        self.queries(number, shared);
        let ty = self.ty(&self.function.return_ty);
        let name = self.table.class(abstract_class).name.clone();
        let has_invariant = self.table.find_methods(self.abstraction, "repOk").iter().any(|m| {
            let info = self.table.method(m.method);
            m.params.is_empty() && info.decl.as_ref().is_some_and(|d| d.modifiers.has("Declarative"))
        });
        let valid = |names: &[&str]| match has_invariant {
            true => names.iter().map(|n| format!("{n}.repOk() && ")).collect::<String>(),
            false => String::new(),
        };
        let law = |law: &str, class: &str, says: &str| {
            format!(
                "@Check public void {law}() {{ }}\n@Declarative @Post(\"{law}\") boolean is${law}({class} before$) {{ return {says}; }}\n"
            )
        };
        let class = |class: &str, names: &[&str], equal: &str, members: String| {
            let fields: String = names.iter().map(|n| format!("@Tree @NonNull {ty} {n};\n")).collect();
            let valid = valid(names);
            format!(
                "class {class} {{\n{fields}@Declarative boolean repOk() {{ return {valid}{equal}; }}\n{members}}}\n"
            )
        };
        let [pairs, couples] = [&mut self.pairs, &mut self.couples].map(std::mem::take);
        // Unless an operation is called so.
        let is_taken = self.on_equal.iter().any(|d| d.method == "symmetric");
        let symmetric = if is_taken { "symmetric_" } else { "symmetric" };
        let pairs = pairs + &law(symmetric, "Pairs", "b.equalTo(a)");
        let mut all = vec![
            (format!("{name}, any"), class("Single", &["a"], "true", law("reflexive", "Single", "a.equalTo(a)"))),
            (format!("{name}, two that are equal"), class("Pairs", &["a", "b"], "a.equalTo(b)", pairs)),
            (
                format!("{name}, three that are equal"),
                class(
                    "Triple",
                    &["a", "b", "c"],
                    "a.equalTo(b) && b.equalTo(c)",
                    law("transitive", "Triple", "a.equalTo(c)"),
                ),
            ),
        ];
        if !couples.is_empty() {
            let class = class("Couples", &["a", "b", "p", "q"], "a.equalTo(b) && p.equalTo(q)", couples);
            all.push((format!("{name}, two and two that are equal"), class));
        }
        all
    }

    /// A condition on an exception `x`: whether it may escape. Empty if none may.
    fn may_throw(&mut self, called: &Called) -> String {
        let (method, class) = (&called.decl, self.table.method(called.candidate.method).class);
        let scope = self.table.scope_of(class);
        let unchecked = ["java.lang.RuntimeException", "java.lang.Error"].map(|n| self.table.known(n));
        let mut parts = Vec::new();
        for ty in &method.throws {
            let Ok(Type::Class(class, _)) = self.table.resolve(&scope, ty) else { continue };
            let mut part = format!("x$ instanceof {}", self.table.full_name(&Type::class(class)));
            for (u, name) in unchecked.into_iter().zip(["RuntimeException", "Error"]) {
                if self.table.is_subclass(u, class) {
                    let _ = write!(part, " && !(x$ instanceof {name})");
                }
            }
            parts.push(part);
        }
        if let Some(annotation) = method.modifiers.annotation("MayThrow") {
            for value in annotation.values() {
                if let AnnotationValue::Expr(e) = value
                    && let ExprKind::ClassLiteral(ty) = &e.kind
                {
                    let Ok(found) = self.table.resolve(&scope, ty) else { continue };
                    parts.push(format!("x$ instanceof {}", self.table.full_name(&found)));
                }
            }
        }
        parts.extend(self.thrown.iter().map(|thrown| format!("x$.getClass() == {thrown}.class")));
        parts.join(" || ")
    }
}

/// When two results are the same to whoever called: a Boolean expression over two pure ones. None if nothing says so for these types.
pub fn same_values(table: &mut Table, left: &Type, right: &Type, l: &str, r: &str) -> Option<String> {
    same_at(table, [left, right], [l, r], 0)
}

/// `depth`: within how many arrays.
fn same_at(table: &mut Table, [left, right]: [&Type; 2], [l, r]: [&str; 2], depth: usize) -> Option<String> {
    if let (Type::Array(x), Type::Array(y)) = (left, right) {
        // Not the same array, as a rule: each made its own.
        let i = format!("i{depth}$");
        let each = same_at(table, [x, y], [&format!("{l}[{i}]"), &format!("{r}[{i}]")], depth + 1)?;
        let elements = format!("glassbox.GlassBox.forall(0, {l}.length, {i} -> {each})");
        return Some(format!("({l} == null ? {r} == null : {r} != null && {l}.length == {r}.length && {elements})"));
    }
    let alike = |a: Prim, b: Prim| (a == Prim::Bool) == (b == Prim::Bool);
    let by = |x: &str, equal: &str, y: &str| format!("({l} == {r} || {l} != null && {r} != null && {x}.{equal}({y}))");
    let nullable = |x: &str, says: String| Some(format!("({x} != null && {says})"));
    match (left, right) {
        (Type::Prim(a), Type::Prim(b)) => return alike(*a, *b).then(|| format!("{l} == {r}")),
        (Type::Prim(a), other) => {
            return match table.unboxed(other) {
                Some(b) if alike(*a, b) => nullable(r, format!("{l} == {r}")),
                None if *other == table.object() => nullable(r, format!("{r}.equals({l})")),
                _ => None,
            };
        }
        (_, Type::Prim(_)) => return same_at(table, [right, left], [r, l], depth),
        _ => {}
    }
    let [x, y] = [left, right].map(|ty| table.erasure(ty));
    let is_related = table.is_subtype(&x, &y) || table.is_subtype(&y, &x);
    let is_interface = |ty: &Type| matches!(ty, Type::Class(c, _) if table.class(*c).is_interface());
    let may_be_one = is_related || is_interface(&x) || is_interface(&y);
    match () {
        _ if is_value(table, &y) && may_be_one => Some(by(r, "equals", l)),
        _ if is_value(table, &x) && may_be_one => Some(by(l, "equals", r)),
        _ if has_equal_to(table, &x, &y) && may_be_one => Some(by(l, "equalTo", r)),
        _ if has_equal_to(table, &y, &x) && may_be_one => Some(by(r, "equalTo", l)),
        _ if may_be_one => Some(format!("{l} == {r}")),
        // An object of a module, and one of its abstraction.
        _ => [(&x, &y, l, r), (&y, &x, r, l)].into_iter().find_map(|(module, other, m, o)| {
            let (function, of) = abstracted(table, module)?;
            let is_its = has_equal_to(table, &of, other);
            is_its.then(|| format!("({m} == null ? {o} == null : {o} != null && {m}.{function}().equalTo({o}))"))
        }),
    }
}

/// Boxes and strings, which are compared by `equals`.
pub fn is_value(table: &Table, ty: &Type) -> bool {
    let Type::Class(class, _) = ty else { return false };
    let values = ["Boolean", "Byte", "Short", "Character", "Integer", "Long", "String"];
    table.class(*class).unit.package == "java.lang" && values.contains(&&*table.class(*class).simple)
}

fn has_equal_to(table: &mut Table, of: &Type, other: &Type) -> bool {
    let candidates = table.find_methods(of, "equalTo");
    let found = matches!(table.select(&candidates, &[Argument::Typed(other.clone())]), Selection::Found(..));
    found
}

/// The abstraction function of a class, and what it gives.
fn abstracted(table: &mut Table, ty: &Type) -> Option<(String, Type)> {
    let Type::Class(class, _) = *ty else { return None };
    let decls = lineage(table, class);
    let found = |m: &&Rc<MethodDecl>| m.modifiers.has("Abstraction") && !m.modifiers.is_private;
    let function = decls.iter().flat_map(|(_, d)| methods(d)).find(found).cloned()?;
    let candidate = table.find_methods(ty, &function.name.name).into_iter().find(|c| c.params.is_empty())?;
    Some((function.name.name.to_string(), table.erasure(&candidate.ret)))
}

/// Whether it is a precondition (`Pre`) or postcondition (`Post`) of the operation of this name, by its annotation or by its own name.
pub fn specifies(method: &MethodDecl, operation: &str, what: &str) -> bool {
    let Some(annotation) = method.modifiers.annotation(what) else {
        let (name, parameters) = if what == "Post" { ("postcondition", 1) } else { ("precondition", 0) };
        return &*method.name.name == name && method.params.len() == parameters;
    };
    names_operation(annotation, operation)
}

/// Whether the annotation of a specification names an operation, or all.
pub fn names_operation(annotation: &Annotation, operation: &str) -> bool {
    let is_named = |text: &str| text.split('(').next().is_some_and(|n| n.trim() == operation);
    annotation.arguments.is_empty() || annotation.strings().any(is_named)
}

/// Declares a class beside another one, with the same imports.
pub fn add_class(table: &mut Table, beside: ClassIx, name: String, text: &str) -> Option<ClassIx> {
    let id = table.sources.add(format!("<made from>/{name}.java"), text);
    let unit = match crate::syntax::parse(table.sources, id) {
        Ok(unit) => unit,
        Err(problems) => {
            table.diagnostics.extend(problems);
            return None;
        }
    };
    let scope = table.class(beside).unit.clone();
    // Within the module, whose own classes it names as the module does.
    let made = table.declare_class(unit.classes.first()?.clone(), scope, Some(beside), None, Some(true));
    // What is said beside a class of a library is looked into as the class is.
    let is_specified = table.class(beside).is_specified;
    let info = &mut table.classes[made.index()];
    (info.name, info.is_specified) = (name, is_specified);
    table.made.insert(made);
    Some(made)
}

/// Adds members to a class that nothing was resolved in for good.
pub fn add(table: &mut Table, class: ClassIx, members: &str) {
    if let Some(members) = parse_members(table, class, members) {
        table.add_members(class, &members);
    }
}

/// Members that are made for a class.
pub fn parse_members(table: &mut Table, class: ClassIx, members: &str) -> Option<Vec<Member>> {
    let info = table.class(class);
    let (simple, file) = (info.simple.clone(), format!("<made from>/{}.java", info.name));
    let id = table.sources.add(file, format!("class {simple} {{\n{members}}}\n"));
    match crate::syntax::parse(table.sources, id) {
        Ok(unit) => unit.classes.first().map(|made| made.members.clone()),
        Err(problems) => {
            table.diagnostics.extend(problems);
            None
        }
    }
}
