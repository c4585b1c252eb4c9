//! What is written for a module and its abstraction: a driver for each operation, and the classes that check the abstraction by itself.

use super::same::{has_equal_to, same_exceptions, same_values};
use super::{
    ALLOWED, Called, Counterpart, Driver, IS_VALID, LAW, VALID, WRAPPED, is_asked, methods, specifies, ways_to_name,
};
use crate::check::commute;
use crate::resolve::hierarchy::Candidate;
use crate::resolve::overload::{Argument, Selection};
use crate::resolve::*;
use crate::syntax::ast::{AnnotationValue, ClassDecl, ExprKind, MethodDecl, Param, TypeRef};
use source::{Diagnostic, Span};
use std::fmt::Write;
use std::rc::Rc;

/// What a predicate of this is given: of `? super E` an E.
fn of_wildcard(table: &mut Table, ty: &Type) -> Type {
    match ty {
        Type::Wild(Some((_, bound))) => Type::clone(bound),
        Type::Wild(None) => Type::class(table.known("java.lang.Object")),
        _ => ty.clone(),
    }
}

/// Whatever is thrown counts as the answer.
fn caught(call: &str, by: &str) -> String {
    format!("try {{ {call}; }} catch (Throwable x$) {{ both$.{by} = x$; }}")
}

/// A call of two abstractions.
#[derive(Clone, Copy)]
struct Pair<'p> {
    number: usize,
    /// Of the abstraction.
    method: MethodIx,
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

pub struct Writer<'t, 's> {
    pub table: &'t mut Table<'s>,
    pub class: ClassIx,
    pub function: &'t MethodDecl,
    pub abstraction: &'t Type,
    /// The module and what it inherits from; the same of the abstraction.
    pub decls: Vec<(ClassIx, Rc<ClassDecl>)>,
    pub abstract_decls: Vec<(ClassIx, Rc<ClassDecl>)>,
    /// The exceptions that the abstraction throws by statements of its own, in full: they are part of what it does.
    pub thrown: Vec<String>,
    /// Members of the module.
    pub text: String,
    /// Members of a class that has two abstractions that are equal, and of one that has two more for operations to get.
    pub pairs: String,
    pub couples: String,
    pub on_equal: Vec<commute::Driver>,
    /// Whether objects of the class and abstractions of them never change: then one is as good as another that is equal.
    pub never_change: bool,
}

/// Whether objects of these classes are what they were made, with all that is declared within them.
pub fn never_change(table: &mut Table, classes: [ClassIx; 2]) -> bool {
    let is_within = |table: &Table, class: ClassIx| {
        classes.contains(&class) || table.class(class).outer.is_some_and(|outer| classes.contains(&outer))
    };
    table.input_classes().into_iter().filter(|c| is_within(table, *c)).collect::<Vec<_>>().into_iter().all(|class| {
        let members = table.members(class);
        let mut fields = members.fields.iter().map(|f| table.field(*f)).filter(|f| !f.is_static);
        fields.all(|f| f.is_final && !matches!(f.ty, Type::Array(_)))
    })
}

impl Writer<'_, '_> {
    /// The operation of the abstraction that the same call means: with the same arguments, or with the abstraction of one that is an object
    /// of the module itself.
    pub fn counterpart(&mut self, called: &Called) -> Option<Counterpart> {
        let mut given = called.candidate.params.clone();
        let found = self.meant(called, &given);
        if let Some((method, result)) = found {
            // `equals` gets any object: one of the module as what it is here, too.
            let is_equals = &*called.decl.name.name == "equals" && given == [self.table.object()];
            return Some(Counterpart { method, result, other: is_equals.then_some(0) });
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
        let mut candidates = self.table.find_methods(self.abstraction, &called.decl.name.name);
        candidates.retain(|c| !self.table.method(c.method).is_private);
        match self.table.select(&candidates, &arguments) {
            Selection::Found(found, _) => {
                let info = self.table.method(found.method);
                (!info.is_static).then_some((found.method, found.ret))
            }
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

    pub fn driver(&mut self, number: usize, called: &Called, counterpart: &Counterpart) -> Driver {
        let Counterpart { result, other, .. } = counterpart;
        let abstract_span = self.table.method(counterpart.method).name_span;
        let method = &called.decl;
        let (abstraction, function) = (self.table.full_name(self.abstraction), &self.function.name.name);
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
        let gets_any = other.is_some_and(|other| called.candidate.params[other] == self.table.object());
        if let Some(other) = *other {
            // What it was before the call; of the object itself, the abstraction that the call changes. Of what is no object of the
            // module there is none.
            let name = &arguments[other];
            let (is_own, typed) = match gets_any {
                true => (format!("{name} instanceof {own}"), format!("(({own}) {name})")),
                false => (format!("{name} != null"), name.clone()),
            };
            let _ = write!(fields, " {abstraction} o;");
            begun = format!("both$.o = {is_own} ? ({name} == this ? both$.a : {typed}.{function}()) : null;");
            (begun_with, begun_for) = (plain[other].clone(), name.clone());
            alike = format!(" && (both$.o == null || both$.w != null || both$.o.equalTo({typed}.{function}()))");
            abstract_arguments[other] = match gets_any {
                true => format!("both$.o == null ? {name} : both$.o"),
                false => "both$.o".to_string(),
            };
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
        let same = same.map(|same| same + &self.same_object(&ours_type, result, &arguments, *other));
        // Of what throws there is no result: a number is then 0, and a box null.
        let mut same = format!("(both$.t != null || {})", same.unwrap_or("false".to_string()));
        if let Some(other) = other.filter(|_| gets_any) {
            // Where there are modules, nobody has an abstraction to give.
            let raw = self.table.erasure(self.abstraction);
            same = format!("({} instanceof {} || {same})", arguments[other], self.table.full_name(&raw));
        }
        let _ = write!(
            self.text,
            "static final class {both} {{ {abstraction} a;{fields} Throwable t, u, w; }}\n\
             private {both} $begin{number}({begun_with}) {{\n    {both} both$ = new {both}();\n    \
             try {{ both$.a = {function}(); {begun} }} catch (Throwable x$) {{ both$.w = x$; }}\n    return both$;\n}}\n\
             {both} {driver}({}) {{\n    {both} both$ = $begin{number}({begun_for});\n    if (both$.w != null) return both$;\n    \
             {ours}\n    {theirs}\n    return both$;\n}}\n\
             @Declarative boolean $result{number}({specified}) {{\n    \
             return both$.w == null && {exceptions} && {same};\n}}\n\
             @Declarative boolean $alike{number}({both} both$) {{ return both$.w != null || both$.a.equalTo({function}()); }}\n\
             @Declarative boolean $state{number}({specified}) {{ return $alike{number}(both$){alike}; }}\n",
            parameters.join(", ")
        );
        let counted = if has_result { result } else { &Type::Void };
        let types: Vec<Type> = called.candidate.params.iter().map(|ty| self.written(called, ty).0).collect();
        let pair = Pair {
            number,
            method: counterpart.method,
            name,
            parameters: &parameters,
            plain: &plain,
            types: &types,
            arguments: &arguments,
        };
        if other.is_none() || gets_any {
            self.pair(&pair, None, Given::Same, counted, abstract_span);
        }
        if let Some(other) = *other {
            let without = |all: &[String]| [&all[..other], &all[other + 1..]].concat();
            let (parameters, plain) = (without(&parameters), without(&plain));
            let types = [&types[..other], &types[other + 1..]].concat();
            let pair = Pair { parameters: &parameters, plain: &plain, types: &types, ..pair };
            self.pair(&pair, Some(other), Given::Couple, counted, abstract_span);
            self.pair(&pair, Some(other), Given::Itself, counted, abstract_span);
            if !gets_any && !method.params[other].modifiers.has("NonNull") {
                self.pair(&pair, Some(other), Given::Null, counted, abstract_span);
            }
        }
        let mut posts = vec![format!("$result{number}"), format!("$state{number}")];
        let called_so = ways_to_name(self.table, method, &called.candidate.params);
        let posted = |m: &&Rc<MethodDecl>| specifies(m, &called_so, "Post");
        let all: Vec<_> = self.decls.iter().flat_map(|(_, d)| methods(d)).filter(posted).cloned().collect();
        for (k, post) in all.iter().enumerate() {
            let mut available = vec!["before$".to_string()];
            available.extend(arguments.iter().cloned());
            available.extend(has_result.then(|| "both$.r".to_string()));
            available.truncate(post.params.len());
            let call = format!("{}({})", post.name.name, available.join(", "));
            let made = format!("{}{WRAPPED}{number}${k}", post.name.name);
            let _ = writeln!(
                self.text,
                "@Declarative boolean {made}({specified}) {{ return both$.t != null || both$.w != null || {call}; }}"
            );
            posts.push(made);
        }
        // Where the abstraction must not be called, it is not compared with its like.
        for (k, pre) in self.abstract_preconditions(counterpart.method).iter().enumerate() {
            let mut given: Vec<String> = arguments.iter().take(pre.params.len()).cloned().collect();
            if let Some(given) = other.and_then(|other| given.get_mut(other)) {
                *given = match gets_any {
                    true => format!("({given} instanceof {own} ? (({own}) {given}).{function}() : {given})"),
                    false => format!("({given} == null ? null : {given}.{function}())"),
                };
            }
            let given = given.join(", ");
            let _ = writeln!(
                self.text,
                "@Declarative boolean {ALLOWED}{number}${k}({specified}) {{ return both$.w != null || before$.{function}().{}({given}); }}",
                pre.name.name
            );
            posts.push(format!("{ALLOWED}{number}${k}"));
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

    /// Where the object itself may be the result, or the other one that was given: that both return it, or neither. Whoever changes the
    /// result can tell.
    fn same_object(&mut self, ours: &Type, theirs: &Type, arguments: &[String], other: Option<usize>) -> String {
        let own = Type::class(self.class);
        let [ours, theirs, of] = [ours, theirs, self.abstraction].map(|ty| self.table.erasure(ty));
        let is_ours = self.table.is_subtype(&own, &ours) || self.table.is_subtype(&ours, &own);
        // What is just an `Object` is one that the class was given, and the same one on both sides.
        if self.never_change || !is_ours || !self.table.is_subtype(&theirs, &of) {
            return String::new();
        }
        let given = other.map(|other| format!(" && (both$.r == {}) == (both$.s == both$.o)", arguments[other]));
        format!(" && (both$.r == this) == (both$.s == both$.a){}", given.unwrap_or_default())
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

    /// Of an operation of the abstraction.
    fn abstract_preconditions(&mut self, operation: MethodIx) -> Vec<Rc<MethodDecl>> {
        let info = self.table.method(operation).clone();
        let Some(decl) = info.decl else { return Vec::new() };
        let called_so = ways_to_name(self.table, &decl, &info.params);
        let all = self.abstract_decls.iter().flat_map(|(_, d)| methods(d));
        all.filter(|m| specifies(m, &called_so, "Pre")).cloned().collect()
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
            Given::Couple => ("Couples$", "this.a.equalTo(this.b) && this.p.equalTo(this.q)"),
            _ => ("Pairs$", "this.a.equalTo(this.b)"),
        };
        let specified = std::iter::once(format!("{class} before$")).chain(pair.plain.iter().cloned());
        let specified = specified.chain([format!("{both} both$")]).collect::<Vec<_>>().join(", ");
        let exceptions = same_exceptions("t1", "t2");
        let same = match has_result {
            // Two of one type can be compared.
            true => same_values(self.table, result, result, "both$.r1", "both$.r2").unwrap_or("false".to_string()),
            false => "true".to_string(),
        };
        let [returns, itself] = [result, self.abstraction].map(|ty| self.table.erasure(ty));
        let is_told = has_result && !self.never_change && self.table.is_subtype(&returns, &itself);
        let same = match is_told {
            true => same + " && (both$.r1 == this.a) == (both$.r2 == this.b)",
            false => same,
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
        for (k, pre) in self.abstract_preconditions(pair.method).iter().enumerate() {
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
        let elsewhere = self.elsewhere();
        for (number, decl) in (first..).zip(&decls) {
            // Of what is not public, other code among the inputs shows whether it asks: the rest are parts of `equalTo` and the like.
            let is_named = |text: &String| text.contains(&format!("{}(", decl.name.name));
            if !(decl.modifiers.is_public || decl.modifiers.has("Pre") || elsewhere.iter().any(is_named)) {
                continue;
            }
            let Some(called) = Called::of(self.table, self.abstraction, decl) else { continue };
            let Candidate { method, params, ret } = &called.candidate;
            // What is inside of two objects is never the same.
            let is_inside = matches!(ret, Type::Class(c, _) if self.table.class(*c).outer.is_some())
                && !has_equal_to(self.table, ret, ret);
            let is_itself = params.is_empty() && self.table.erasure(ret) == self.table.erasure(self.abstraction);
            let is_compared = !shared.contains(method) && !is_inside && !is_itself;
            let Some(asked) = is_compared.then(|| self.asked(&called)).flatten() else {
                continue;
            };
            let (parameters, types): (Vec<String>, Vec<Type>) = asked.parameters.into_iter().unzip();
            let annotated: Vec<String> =
                asked.bounds.iter().zip(&parameters).map(|(bound, plain)| format!("{bound}{plain}")).collect();
            let pair = Pair {
                number,
                method: *method,
                name: &decl.name.name,
                parameters: &annotated,
                plain: &parameters,
                types: &types,
                arguments: &asked.arguments,
            };
            self.pair(&pair, None, Given::Same, &called.candidate.ret, decl.name.span);
        }
    }

    /// The texts of classes that are neither the module nor its abstraction.
    fn elsewhere(&self) -> Vec<String> {
        let both: Vec<ClassIx> = self.decls.iter().chain(&self.abstract_decls).map(|(class, _)| *class).collect();
        let others = self.table.input_classes().into_iter().filter(|c| {
            let info = self.table.class(*c);
            info.outer.is_none() && info.unit.origin != Origin::Ready && !both.contains(c)
        });
        others.map(|c| self.table.sources.text(self.table.class(c).decl.span).to_string()).collect()
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
                    ("Predicate", 1) | ("BiPredicate", 2) => of.iter().map(|of| of_wildcard(self.table, of)).collect(),
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
    pub fn constructors(&mut self, decl: &ClassDecl, abstract_class: ClassIx) -> (Vec<Driver>, Vec<MethodIx>) {
        let members = self.table.members(abstract_class);
        let (mut candidates, mut others) = (Vec::new(), Vec::new());
        for &method in &members.methods {
            let info = self.table.method(method);
            let is_declarative = info.decl.as_ref().is_none_or(|d| d.modifiers.has("Declarative"));
            if info.is_constructor && !info.is_private {
                let candidate = Candidate { method, params: info.params.clone(), ret: Type::Void };
                if is_declarative { candidates.push(candidate) } else { others.push(candidate) }
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
            let Some(found) = found else {
                if let Some(found) = self.constructor(&others, &info.params) {
                    self.not_declarative(found, info.name_span);
                }
                continue;
            };
            makers.retain(|m| *m != found);
            let written: &[Param] = info.decl.as_ref().map_or(&[], |d| &d.params);
            let mut given = vec![format!("{} before$", decl.name.name)];
            given.extend(written.iter().map(|p| format!("{} {}", self.ty(&p.ty), p.name.name)));
            let mut arguments: Vec<String> = written.iter().map(|p| p.name.name.to_string()).collect();
            let (abstraction, function) = (self.table.full_name(self.abstraction), self.function.name.name.clone());
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

    /// A constructor that both have, and that cannot be asked what it makes.
    fn not_declarative(&mut self, theirs: MethodIx, ours: Span) {
        let (name, span) = {
            let info = self.table.method(theirs);
            (self.table.class(info.class).name.clone(), info.name_span)
        };
        let message = format!("the constructor of `{name}` must be `@Declarative`: what it makes is compared");
        let problem = Diagnostic::error("bad-abstraction", span, message).related(ours, "with what this one makes");
        self.table.diagnostics.push(problem.help("write `@Declarative` in front of it"));
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
        let abstraction = self.table.full_name(self.abstraction);
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
        let specified = [vec!["Pairs$ before$".to_string()], plain].concat().join(", ");
        let _ = write!(
            self.pairs,
            "@Check public void {name}({}) {{ }}\n\
             @Declarative @Post(\"{name}\") boolean {LAW}{name}({specified}) {{ return {a}.equalTo({b}); }}\n",
            annotated.join(", ")
        );
    }

    fn has_invariant(&mut self) -> bool {
        let found = self.table.find_methods(self.abstraction, "repOk");
        found.iter().any(|m| {
            let info = self.table.method(m.method);
            m.params.is_empty() && info.decl.as_ref().is_some_and(|d| d.modifiers.has("Declarative"))
        })
    }

    /// That the function gives a valid abstraction of each valid state: what is known of abstractions is known of valid ones. None is asked
    /// if all are valid.
    pub fn validity(&mut self) -> bool {
        let function = &self.function.name.name;
        let is_asked = self.has_invariant();
        if is_asked {
            let ty = self.table.full_name(self.abstraction);
            let _ = writeln!(
                self.text,
                "public {ty} {VALID}() {{ return {function}(); }}\n\
                 @Declarative boolean {IS_VALID}({ty} a) {{ return a.repOk(); }}"
            );
        }
        is_asked
    }

    /// Classes whose states are one, two or three abstractions: `equalTo` must be an equivalence that every operation keeps (3.4).
    pub fn abstraction_alone(&mut self, abstract_class: ClassIx, shared: &[MethodIx]) -> Vec<(String, String)> {
        let number = self.decls.iter().map(|(_, d)| d.members.len()).sum();
        self.queries(number, shared);
        let ty = self.table.full_name(self.abstraction);
        let name = self.table.class(abstract_class).name.clone();
        let has_invariant = self.has_invariant();
        let valid = |names: &[&str]| match has_invariant {
            true => names.iter().map(|n| format!("{n}.repOk() && ")).collect::<String>(),
            false => String::new(),
        };
        let law = |law: &str, class: &str, says: &str| {
            format!(
                "@Check public void {law}() {{ }}\n@Declarative @Post(\"{law}\") boolean {LAW}{law}({class} before$) {{ return {says}; }}\n"
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
        let pairs = pairs + &law(symmetric, "Pairs$", "b.equalTo(a)");
        let mut all = vec![
            (format!("{name}, any"), class("Single$", &["a"], "true", law("reflexive", "Single$", "a.equalTo(a)"))),
            (format!("{name}, two that are equal"), class("Pairs$", &["a", "b"], "a.equalTo(b)", pairs)),
            (
                format!("{name}, three that are equal"),
                class(
                    "Triple$",
                    &["a", "b", "c"],
                    "a.equalTo(b) && b.equalTo(c)",
                    law("transitive", "Triple$", "a.equalTo(c)"),
                ),
            ),
        ];
        if !couples.is_empty() {
            let class = class("Couples$", &["a", "b", "p", "q"], "a.equalTo(b) && p.equalTo(q)", couples);
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
