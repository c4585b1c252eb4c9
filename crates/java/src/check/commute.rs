//! Commutativity (dissertation, 8.1): from every two equal states, both orders of two calls give the same results and equal states; and one
//! call on each leaves equal states equal. States are equal by the abstraction's `equalTo`, or have the same shape.
//!
//! A class is made whose states are two equal objects, with a driver for each pair of operations and for each operation: plain Java, as in
//! [`super::against`].

use super::against::same::{is_value, same_exceptions, same_values};
use super::against::{inherited, is_operation, lineage, methods, specifies, ways_to_name, without_blanks};
use super::made::{add, add_class};
use crate::resolve::*;
use crate::syntax::ast::{MethodDecl, Param};
use source::{Diagnostic, Span};
use std::fmt::Write;
use std::rc::Rc;

/// A class that was made to run operations of another one in both orders.
#[derive(Clone, Debug)]
pub struct Made {
    pub class: ClassIx,
    pub of: ClassIx,
    pub drivers: Vec<Driver>,
    /// Operations that get another object of the class: the same one for two objects that are equal would tell them apart.
    pub not_run: Vec<(String, Span)>,
}

#[derive(Clone, Debug)]
pub struct Driver {
    pub method: String,
    /// The operations, the first one twice if there is one only.
    pub names: [String; 2],
    /// How many arguments the first one has.
    pub arguments: usize,
    /// Whether it is about two operations: else, one on equal states.
    pub is_pair: bool,
    pub span: Span,
}

/// `@Commutes` of all classes, and `--commute`.
pub fn extend(table: &mut Table, wanted: &[Vec<String>]) -> Vec<Made> {
    let mut all = Vec::new();
    let mut is_found = vec![false; wanted.len()];
    for class in table.input_classes() {
        let decl = table.class(class).decl.clone();
        let mut groups: Vec<(Vec<String>, Option<Span>)> = Vec::new();
        for annotation in decl.modifiers.annotations.iter().filter(|a| &*a.name.name == "Commutes") {
            groups.push((annotation.strings().map(str::to_string).collect(), Some(annotation.span)));
        }
        let decls = lineage(table, class);
        let members: Vec<&Rc<MethodDecl>> = decls.iter().flat_map(|(_, d)| methods(d)).collect();
        let is_checked = table.class(class).outer.is_none() && members.iter().any(|m| &*m.name.name == "repOk");
        let operations = members.into_iter().filter(|m| is_operation(m) && inherited(table, class, m).is_some());
        let operations: Vec<Rc<MethodDecl>> = operations.cloned().collect();
        if let Some((_, span)) = groups.first().filter(|_| !is_checked) {
            let message = format!("`{}` has no invariant: nothing of it is checked", table.class(class).name);
            let problem = Diagnostic::error("commute", *span, message);
            table.diagnostics.push(problem.help("add `@Declarative boolean repOk()` to it, a class of the top level"));
            continue;
        }
        for (names, is_found) in wanted.iter().zip(&mut is_found) {
            let mut has = |name: &String| operations.iter().any(|m| is_called(table, class, m, name));
            if is_checked && names.iter().all(&mut has) {
                *is_found = true;
                groups.push((names.clone(), None));
            }
        }
        if !groups.is_empty() {
            all.extend(extend_class(table, class, &operations, &groups));
        }
    }
    for (names, _) in wanted.iter().zip(is_found).filter(|(_, is_found)| !is_found) {
        let message = format!("--commute: no class that is checked has the operations {}", names.join(", "));
        let problem = Diagnostic::error("unknown-operation", None, message);
        table.diagnostics.push(problem.help("write --commute put,remove, or signatures as `put(int,int)`"));
    }
    all
}

/// Whether a name, or a name with parameter types, means this method.
fn is_called(table: &mut Table, class: ClassIx, method: &MethodDecl, wanted: &str) -> bool {
    let params = inherited(table, class, method).map_or(Vec::new(), |m| m.params);
    ways_to_name(table, method, &params).contains(&without_blanks(wanted))
}

fn text(table: &Table, span: Span) -> String {
    table.sources.text(span).to_string()
}

fn extend_class(
    table: &mut Table,
    class: ClassIx,
    operations: &[Rc<MethodDecl>],
    groups: &[(Vec<String>, Option<Span>)],
) -> Option<Made> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (names, span) in groups {
        let mut chosen: Vec<Vec<usize>> = Vec::new();
        for name in names {
            let found = (0..operations.len()).filter(|&i| is_called(table, class, &operations[i], name));
            let found: Vec<usize> = found.collect();
            if found.is_empty() {
                let message = format!("`{}` has no operation `{name}`", table.class(class).name);
                let near = did_you_mean(name, operations.iter().map(|m| &*m.name.name));
                let mut problem = Diagnostic::error("unknown-operation", *span, message);
                problem.help =
                    near.or(Some("name operations of the class, as `@Commutes({\"put\", \"remove\"})`".into()));
                table.diagnostics.push(problem);
                return None;
            }
            chosen.push(found);
        }
        if chosen.is_empty() {
            let problem = Diagnostic::error("unknown-operation", *span, "`@Commutes` names no operation");
            table.diagnostics.push(problem.help("write `@Commutes({\"put\", \"remove\"})`, for example"));
            return None;
        }
        // An operation that stands alone is to commute with itself.
        let last = if let [only] = &chosen[..] { vec![only.clone()] } else { Vec::new() };
        let all: Vec<Vec<usize>> = chosen.into_iter().chain(last).collect();
        for (k, first) in all.iter().enumerate() {
            for second in &all[k + 1..] {
                for (&i, &j) in first.iter().flat_map(|i| second.iter().map(move |j| (i, j))) {
                    if !pairs.contains(&(i, j)) {
                        pairs.push((i, j));
                    }
                }
            }
        }
    }
    let of_two: Vec<bool> = operations.iter().map(|m| gets_another(table, class, m)).collect();
    if let Some(&(i, j)) = pairs.iter().find(|(i, j)| of_two[*i] || of_two[*j]) {
        let name = &operations[if of_two[i] { i } else { j }].name;
        let message =
            format!("both orders of `{}` cannot be compared: it gets another `{}`", name.name, table.class(class).name);
        let help = "leave it out; an `@Abstraction` with the same operation says what it does with two of them";
        table.diagnostics.push(Diagnostic::error("commute", name.span, message).help(help));
        return None;
    }
    let function = abstraction(table, class);
    let (equal, shape) = match Shape::write(table, class, function.is_some()) {
        Ok(text) => match function {
            Some(function) => (format!("apart$(a, b) && a.{function}().equalTo(b.{function}())"), text),
            None => ("shape$0(a, b, a, b)".to_string(), text),
        },
        Err(problem) => {
            table.diagnostics.push(*problem);
            return None;
        }
    };
    let own = table.class(class).simple.clone();
    // In the class itself, since these may be private there.
    let members = format!(
        "@Declarative static boolean valid$({own} a) {{ return a.repOk(); }}\n\
         @Declarative static boolean equal$({own} a, {own} b) {{ return {equal}; }}\n{shape}"
    );
    let mut writer = Writer { table, class, members, text: String::new(), drivers: Vec::new() };
    for (i, j) in pairs {
        writer.driver(&operations[i], Some(&operations[j]));
    }
    let mut not_run = Vec::new();
    for (operation, of_two) in operations.iter().zip(of_two) {
        match of_two {
            true => not_run.push((operation.name.name.to_string(), operation.name.span)),
            false => writer.driver(operation, None),
        }
    }
    let Writer { text, drivers, members, .. } = writer;
    add(table, class, &members);
    let text = format!(
        "class Orders$ {{\n@Tree @NonNull {own} a;\n@Tree @NonNull {own} b;\n\
         @Declarative boolean repOk() {{ return {own}.valid$(a) && {own}.valid$(b); }}\n{text}}}\n"
    );
    let name = format!("{}, two that are equal", table.class(class).name);
    let made = add_class(table, class, name, &text)?;
    Some(Made { class: made, of: class, drivers, not_run })
}

/// Whether it takes an object of its own class.
fn gets_another(table: &mut Table, class: ClassIx, method: &MethodDecl) -> bool {
    let parameters = inherited(table, class, method).map_or(Vec::new(), |called| called.params);
    parameters.iter().any(|ty| matches!(ty, Type::Class(of, _) if *of == class))
}

/// The name of its abstraction function.
fn abstraction(table: &mut Table, class: ClassIx) -> Option<String> {
    let decls = lineage(table, class);
    let found = decls.iter().flat_map(|(_, d)| methods(d)).find(|m| m.modifiers.has("Abstraction"))?;
    Some(found.name.name.to_string())
}

struct Writer<'t, 's> {
    table: &'t mut Table<'s>,
    class: ClassIx,
    /// Of the class itself.
    members: String,
    text: String,
    drivers: Vec<Driver>,
}

impl Writer<'_, '_> {
    /// `@Range("0..n")` and `int x$0`: another name, since both operations may have a parameter of the same.
    fn parameter(&mut self, method: &MethodDecl, param: &Param, index: usize, name: &str) -> [String; 2] {
        let own = inherited(self.table, self.class, method);
        let ty = own.and_then(|m| m.params.get(index).cloned()).unwrap_or(Type::Error);
        let ty = self.table.erasure(&ty);
        let annotations: Vec<String> = param.modifiers.annotations.iter().map(|a| text(self.table, a.span)).collect();
        [annotations.join(" "), format!("{} {name}{index}", self.table.full_name(&ty))]
    }

    fn result(&mut self, method: &MethodDecl) -> Option<Type> {
        let ty = inherited(self.table, self.class, method)?.ret;
        (ty != Type::Void).then(|| self.table.erasure(&ty))
    }

    /// What must hold before a call, assumed: of an order in which an operation may not be called nothing is asked.
    fn preconditions(&mut self, method: &MethodDecl, number: usize, name: &str) -> String {
        let decls = lineage(self.table, self.class);
        let mut text = String::new();
        let own = self.table.class(self.class).simple.clone();
        let params = inherited(self.table, self.class, method).map_or(Vec::new(), |m| m.params);
        let called_so = ways_to_name(self.table, method, &params);
        let all = decls.iter().flat_map(|(_, d)| methods(d));
        for (k, pre) in all.filter(|m| specifies(m, &called_so, "Pre")).enumerate() {
            let count = pre.params.len().min(method.params.len());
            let given: Vec<String> = (0..count).map(|i| format!("{name}{i}")).collect();
            let written = method.params.iter().enumerate().take(count);
            let plain: Vec<String> = written
                .map(|(i, param)| {
                    let [_, plain] = self.parameter(method, param, i, name);
                    plain
                })
                .collect();
            let helper = format!("pre${number}{name}{k}");
            let all: Vec<String> = std::iter::once(format!("{own} a")).chain(plain).collect();
            let target = if pre.modifiers.is_static { own.to_string() } else { "a".to_string() };
            let _ = writeln!(
                self.members,
                "@Declarative static boolean {helper}({}) {{ return {target}.{}({}); }}",
                all.join(", "),
                pre.name.name,
                given.join(", ")
            );
            let arguments: Vec<String> = std::iter::once("this$".to_string()).chain(given).collect();
            let _ = write!(text, "GlassBox.assume({own}.{helper}({})); ", arguments.join(", "));
        }
        text
    }

    fn driver(&mut self, first: &MethodDecl, second: Option<&MethodDecl>) {
        let number = self.drivers.len();
        let both = format!("Both${number}");
        let mut parameters: Vec<String> = Vec::new();
        let mut plain: Vec<String> = Vec::new();
        let mut fields = String::new();
        let mut same: Vec<String> = Vec::new();
        // By operation: the letters of its parameters and results.
        let mut calls: Vec<[String; 2]> = Vec::new();
        let letters = [("x$", "r", "t"), ("y$", "s", "u")];
        for (method, (name, result, thrown)) in std::iter::once(first).chain(second).zip(letters) {
            for (index, param) in method.params.iter().enumerate() {
                let [annotations, declared] = self.parameter(method, param, index, name);
                parameters.push(format!("{annotations} {declared}"));
                plain.push(declared);
            }
            let arguments: Vec<String> = (0..method.params.len()).map(|index| format!("{name}{index}")).collect();
            let returned = self.result(method);
            if let Some(ty) = &returned {
                let _ = write!(fields, " {0} {result}1; {0} {result}2;", self.table.full_name(ty));
                let [one, other] = [1, 2].map(|k| format!("both$.{result}{k}"));
                // Two of one type can be compared.
                let text = same_values(self.table, ty, ty, &one, &other);
                same.push(text.unwrap_or("false".to_string()));
            }
            let _ = write!(fields, " Throwable {thrown}1, {thrown}2;");
            same.push(same_exceptions(&format!("{thrown}1"), &format!("{thrown}2")));
            let assumed = self.preconditions(method, number, name);
            let call = |object: &str, k: usize| {
                let target = if returned.is_some() { format!("both$.{result}{k} = ") } else { String::new() };
                let call = format!("{target}{object}.{}({})", method.name.name, arguments.join(", "));
                let assumed = assumed.replace("this$", object);
                format!("{assumed}try {{ {call}; }} catch (Throwable x$) {{ both$.{thrown}{k} = x$; }}")
            };
            calls.push([call("a", 1), call("b", 2)]);
        }
        // The second one goes first on the other object.
        let ours = calls.iter().map(|c| c[0].clone()).collect::<Vec<_>>().join("\n    ");
        let theirs = calls.iter().rev().map(|c| c[1].clone()).collect::<Vec<_>>().join("\n    ");
        let name = match second {
            Some(second) => format!("{}_{}${number}", first.name.name, second.name.name),
            None => format!("{}${number}", first.name.name),
        };
        let given: Vec<String> =
            std::iter::once("Orders$ before$".into()).chain(plain).chain([format!("{both} both$")]).collect();
        let given = given.join(", ");
        let (parameters, same) = (parameters.join(", "), same.join(" && "));
        let equal = format!("{}.equal$(a, b)", self.table.class(self.class).simple);
        let _ = write!(
            self.text,
            "static final class {both} {{{fields} }}\n\
             @Check public {both} {name}({parameters}) {{\n    {both} both$ = new {both}();\n    {ours}\n    {theirs}\n    return both$;\n}}\n\
             @Declarative @Pre(\"{name}\") boolean equal${number}() {{ return {equal}; }}\n\
             @Declarative @Post(\"{name}\") boolean result${number}({given}) {{ return {same}; }}\n\
             @Declarative @Post(\"{name}\") boolean state${number}({given}) {{ return {equal}; }}\n"
        );
        let names = [first, second.unwrap_or(first)].map(|m| m.name.name.to_string());
        let driver = Driver {
            method: name,
            names,
            arguments: first.params.len(),
            is_pair: second.is_some(),
            span: first.name.span,
        };
        self.drivers.push(driver);
    }
}

/// Writes declarative methods about two objects. With an abstraction: `apart$`, that neither refers to what belongs to the other, as no two
/// objects that a program makes do at first. Without: `shape$0`, which compares them place by place over their tree fields. Other references to
/// what is in the trees must lead to the same place; what is outside must be the same object.
struct Shape<'t, 's> {
    table: &'t mut Table<'s>,
    root: String,
    /// Classes in the trees, the root first.
    classes: Vec<ClassIx>,
    text: String,
}

impl Shape<'_, '_> {
    fn write(table: &mut Table, class: ClassIx, is_abstract: bool) -> Result<String, Box<Diagnostic>> {
        let root = table.class(class).simple.to_string();
        let mut shape = Shape { table, root, classes: vec![class], text: String::new() };
        shape.collect(is_abstract)?;
        for number in 0..shape.classes.len() {
            if is_abstract { shape.own(number)? } else { shape.class(number)? }
        }
        if is_abstract {
            shape.apart();
        }
        Ok(shape.text)
    }

    /// `own$k`: references that are not tree edges lead into the trees of the same object, or to what all share.
    fn own(&mut self, number: usize) -> Result<(), Box<Diagnostic>> {
        let (class, root) = (self.classes[number], self.root.clone());
        let ty = self.table.full_name(&Type::class(class));
        let (mut own, mut within) = (String::new(), String::new());
        for field in self.fields(class) {
            self.check_field(&field)?;
            let (name, is_array) = (&field.name, matches!(field.ty, Type::Array(_)));
            let Some(inner) = self.number(&Shape::element(&field.ty)) else { continue };
            if !Shape::is_tree(&field) {
                let _ = match is_array {
                    // An array that is not a tree's is not looked into.
                    true => Ok(()),
                    false => write!(own, " && (x.{name} == null || within$0(r, x.{name}))"),
                };
            } else if is_array {
                let element = self.table.class(self.classes[inner]).name.clone();
                let _ = write!(own, " && (x.{name} == null || owns${number}${name}(x.{name}, 0, r))");
                let _ = write!(within, " || x.{name} != null && has${number}${name}(x.{name}, 0, p)");
                let _ = write!(
                    self.text,
                    "@Declarative static boolean owns${number}${name}({element}[] x, int i, {root} r) {{ return i >= x.length || own${inner}(x[i], r) && owns${number}${name}(x, i + 1, r); }}\n\
                     @Declarative static boolean has${number}${name}({element}[] x, int i, Object p) {{ return i < x.length && (within${inner}(x[i], p) || has${number}${name}(x, i + 1, p)); }}\n"
                );
            } else {
                let _ = write!(own, " && own${inner}(x.{name}, r)");
                let _ = write!(within, " || within${inner}(x.{name}, p)");
            }
        }
        let _ = write!(
            self.text,
            "@Declarative static boolean own${number}({ty} x, {root} r) {{ return x == null || true{own}; }}\n\
             @Declarative static boolean within${number}({ty} x, Object p) {{ return x != null && (x == p{within}); }}\n"
        );
        Ok(())
    }

    fn apart(&mut self) {
        let mut arrays = String::new();
        for field in self.fields(self.classes[0]) {
            if matches!(field.ty, Type::Array(_)) && !Shape::is_tree(&field) {
                let _ = write!(arrays, " && (a.{0} == null || a.{0} != b.{0})", field.name);
            }
        }
        let root = self.root.clone();
        let _ = writeln!(
            self.text,
            "@Declarative static boolean apart$({root} a, {root} b) {{ return own$0(a, a) && own$0(b, b){arrays}; }}"
        );
    }

    /// What both objects would share, and could change.
    fn check_field(&mut self, field: &FieldInfo) -> Result<(), Box<Diagnostic>> {
        let element = Shape::element(&field.ty);
        let outside = match &element {
            Type::Class(class, _) => {
                let info = self.table.class(*class);
                self.number(&element).is_none() && info.is_input() && !info.is_enum() && !Shape::is_tree(field)
            }
            _ => false,
        };
        match outside {
            true => Err(self.problem(field, "leads to objects outside of its trees")),
            false => Ok(()),
        }
    }

    /// Whether it has the place of a module: then it is known by its operations and its `equalTo` only.
    fn is_replacement(&self, class: ClassIx) -> bool {
        self.table.replaced.values().any(|by| *by == class)
    }

    fn fields(&mut self, class: ClassIx) -> Vec<FieldInfo> {
        let mut all = Vec::new();
        if self.is_replacement(class) {
            return all;
        }
        let mut at = Some(class);
        while let Some(class) = at.filter(|c| self.table.class(*c).is_input()) {
            let members = self.table.members(class);
            all.extend(members.fields.iter().map(|f| self.table.field(*f).clone()).filter(|f| !f.is_static));
            at = match &self.table.header(class).superclass {
                Some(Type::Class(class, _)) => Some(*class),
                _ => None,
            };
        }
        all
    }

    fn is_tree(field: &FieldInfo) -> bool {
        matches!(&field.origin, FieldOrigin::Declared(decl) if decl.modifiers.has("Tree"))
    }

    fn element(ty: &Type) -> Type {
        match ty {
            Type::Array(element) => Type::clone(element),
            ty => ty.clone(),
        }
    }

    /// All classes that tree fields lead to.
    fn collect(&mut self, is_abstract: bool) -> Result<(), Box<Diagnostic>> {
        let mut next = 0;
        while next < self.classes.len() {
            if self.is_replacement(self.classes[next]) {
                next += 1;
                continue;
            }
            for field in self.fields(self.classes[next]) {
                if let (true, Type::Class(class, _)) = (Shape::is_tree(&field), Shape::element(&field.ty))
                    && !self.classes.contains(&class)
                {
                    let info = self.table.class(class);
                    if info.is_interface() || info.decl.modifiers.is_abstract {
                        if is_abstract {
                            continue;
                        }
                        return Err(self.problem(&field, "leads to objects of several classes"));
                    }
                    self.classes.push(class);
                }
            }
            next += 1;
        }
        Ok(())
    }

    fn problem(&self, field: &FieldInfo, why: &str) -> Box<Diagnostic> {
        let message = format!("both orders cannot be compared: `{}` {why}", field.name);
        let help = "mark what belongs to an object with `@Tree`; an `@Abstraction` can say which states are equal";
        Box::new(Diagnostic::error("commute", field.span, message).help(help))
    }

    fn number(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Class(class, _) => self.classes.iter().position(|c| c == class),
            _ => None,
        }
    }

    fn class(&mut self, number: usize) -> Result<(), Box<Diagnostic>> {
        let (class, root) = (self.classes[number], self.root.clone());
        let ty = self.table.full_name(&Type::class(class));
        let (mut same, mut within) = (Vec::new(), Vec::new());
        if self.is_replacement(class) {
            same.push("x.equalTo(y)".to_string());
        }
        for field in self.fields(class) {
            let (x, y) = (format!("x.{}", field.name), format!("y.{}", field.name));
            let is_array = matches!(field.ty, Type::Array(_));
            let element = Shape::element(&field.ty);
            if let Type::Array(_) = element {
                return Err(self.problem(&field, "is an array of arrays"));
            }
            let inner = self.number(&element);
            let is_value = is_value(self.table, &element);
            self.check_field(&field)?;
            let compare = |x: &str, y: &str| match inner {
                Some(k) if Shape::is_tree(&field) => format!("shape$${k}({x}, {y}, r, s)").replace("$$", "$"),
                Some(_) => format!("({x} == null ? {y} == null : {y} != null && within$0(r, s, {x}, {y}))"),
                // As results are compared: two boxes of one number are the same value.
                None if is_value => format!("({x} == null ? {y} == null : {x}.equals({y}))"),
                None => format!("{x} == {y}"),
            };
            if is_array {
                let name = format!("elements${number}${}", field.name);
                let element = self.table.erasure(&element);
                let element = self.table.full_name(&element);
                let each = compare("x[i]", "y[i]");
                let _ = writeln!(
                    self.text,
                    "@Declarative static boolean {name}({element}[] x, {element}[] y, int i, {root} r, {root} s) {{ return i >= x.length || {each} && {name}(x, y, i + 1, r, s); }}"
                );
                same.push(format!(
                    "({x} == null ? {y} == null : {y} != null && {x} != {y} && {x}.length == {y}.length && {name}({x}, {y}, 0, r, s))"
                ));
                if Shape::is_tree(&field) {
                    return Err(self.problem(&field, "is an array of trees"));
                }
            } else {
                same.push(compare(&x, &y));
                if let Some(k) = inner.filter(|_| Shape::is_tree(&field)) {
                    within.push(format!("within${k}({x}, {y}, p, q)"));
                }
            }
        }
        let same = same.iter().map(|s| format!(" && {s}")).collect::<String>();
        let within = within.iter().map(|s| format!(" || {s}")).collect::<String>();
        let _ = write!(
            self.text,
            "@Declarative static boolean shape${number}({ty} x, {ty} y, {root} r, {root} s) {{ return x == null ? y == null : y != null{same}; }}\n\
             @Declarative static boolean within${number}({ty} x, {ty} y, Object p, Object q) {{ return x != null && y != null && (x == p && y == q{within}); }}\n"
        );
        Ok(())
    }
}
