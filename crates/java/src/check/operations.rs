//! Which methods and constructors of a class are its operations (docs/java.md, "Operations").
//!
//! Those with `@Check`. Without any, everything that other code may call: constructors that are not private, public
//! methods, and of the other methods that are not private those that change something, assert or throw and that no operation calls on
//! `this`; without anything public that somebody wrote, all that are not private. A class without a constructor has one all the same.
//! Static methods are operations only with `@Check`.

use super::Picker;
use super::against::{IS_VALID, VALID, without_blanks};
use super::specs::Specs;
use crate::resolve::*;
use ir::{CheckedKind, Compared, Operation, OperationKind, Orders, Spec, SpecArgument};

/// An operation before it is lowered.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub method: MethodIx,
    pub kind: OperationKind,
}

impl Picker<'_> {
    pub fn operations(&mut self, class: ClassIx, kind: CheckedKind) -> Vec<Candidate> {
        let all = self.possible(class);
        if let CheckedKind::Language { .. } = kind {
            let step = |low: &crate::lower::Lowering, m: MethodIx| {
                let info = low.table.method(m);
                &*info.name == "smallStep" && (info.params.is_empty() || info.params == [INT])
            };
            return all.into_iter().filter(|c| step(&self.low, c.method)).collect();
        }
        let marked: Vec<Candidate> = all.iter().filter(|c| self.has(c.method, "Check")).cloned().collect();
        if !marked.is_empty() {
            return marked;
        }
        let is_ordinary = |c: &Candidate| match c.kind {
            OperationKind::Static => false,
            // Declarative or not, it makes an object.
            OperationKind::Constructor => true,
            OperationKind::Method => !self.low.is_declarative(c.method),
        };
        let callable = |c: &Candidate| is_ordinary(c) && !self.low.table.method(c.method).is_private;
        let callable: Vec<Candidate> = all.into_iter().filter(callable).collect();
        let is_written = |m: MethodIx| self.low.table.method(m).decl.is_some();
        if !callable.iter().any(|c| is_written(c.method) && self.is_public(c.method)) {
            return callable;
        }
        let is_offered = |c: &&Candidate| self.is_public(c.method) || c.kind == OperationKind::Constructor;
        let (offered, rest): (Vec<&Candidate>, Vec<&Candidate>) = callable.iter().partition(is_offered);
        let methods = |candidates: &[&Candidate]| candidates.iter().map(|c| c.method).collect::<Vec<MethodIx>>();
        let (offered, rest) = (methods(&offered), methods(&rest));
        let more = self.for_the_package(class, &offered, &rest);
        callable.into_iter().filter(|c| offered.contains(&c.method) || more.contains(&c.method)).collect()
    }

    pub fn has(&self, method: MethodIx, annotation: &str) -> bool {
        self.low.table.method(method).decl.as_ref().is_some_and(|d| d.modifiers.has(annotation))
    }

    /// As written, or as a member of an interface is.
    pub fn is_public(&self, method: MethodIx) -> bool {
        let info = self.low.table.method(method);
        let is_written = info.decl.as_ref().is_some_and(|d| d.modifiers.is_public);
        is_written || self.low.table.class(info.class).is_interface() && !info.is_private
    }

    /// Everything with a body that the class has: what it declares, a constructor that nobody wrote, and what it inherits
    /// from other inputs, nearest first.
    pub fn possible(&mut self, class: ClassIx) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let mut todo = vec![self.low.table.self_type(class)];
        let mut seen = Vec::new();
        while let Some(ty) = todo.pop() {
            let Type::Class(c, _) = ty.clone() else { continue };
            if seen.contains(&c) {
                continue;
            }
            seen.push(c);
            // Of a class of the library, what a specification beside the code marks.
            let is_input = self.low.table.class(c).is_input();
            if !is_input && !self.low.table.class(class).is_specified {
                continue;
            }
            for &m in &self.low.table.members(c).methods {
                let info = self.low.table.method(m).clone();
                let is_maker = self.modules.iter().any(|module| module.makers.contains(&m));
                if is_maker || self.is_made(&info) || self.has(m, "Show") || !is_input && !self.has(m, "Check") {
                    continue;
                }
                // A constructor belongs to its own class only, and a static method runs the same in all.
                let is_elsewhere = info.is_constructor || info.is_static && self.receiving.contains(&c);
                if info.is_abstract || (is_elsewhere && c != class) {
                    continue;
                }
                let overridden = !info.is_static
                    && !info.is_constructor
                    && !info.is_private
                    && self.low.implementation(class, m).is_some_and(|i| i != m);
                if overridden || (c != class && info.is_private) {
                    continue;
                }
                let kind = match () {
                    _ if info.is_constructor => OperationKind::Constructor,
                    _ if info.is_static => OperationKind::Static,
                    _ => OperationKind::Method,
                };
                found.push(Candidate { method: m, kind });
            }
            todo.extend(self.low.table.supertypes(&ty).into_iter().rev());
        }
        found
    }

    /// Declarative methods that the class and its abstraction have: clients may ask either.
    pub fn queries(&mut self, class: ClassIx, all: &[Candidate]) -> Vec<Candidate> {
        let Some(module) = self.modules.iter().find(|m| m.class == class) else { return Vec::new() };
        let drivers: Vec<_> = module.drivers.iter().filter(|d| !d.method.is_empty()).map(|d| d.operation).collect();
        let possible = self.possible(class);
        let place = |c: &Candidate| self.low.table.method(c.method).name_span;
        let known: Vec<_> = all.iter().map(place).collect();
        possible.into_iter().filter(|c| drivers.contains(&place(c)) && !known.contains(&place(c))).collect()
    }

    /// The first method of a class, of those that it declares, that has this name.
    pub fn member(&mut self, class: ClassIx, name: &str) -> Option<MethodIx> {
        let members = self.low.table.members(class);
        members.methods.iter().copied().find(|m| &*self.low.table.method(*m).name == name)
    }

    /// The operation as it is compared with that of the abstraction, if it is.
    pub fn compared(&mut self, class: ClassIx, method: MethodIx, operation: Operation) -> Operation {
        let place = self.low.table.method(method).name_span;
        let Some(module) = self.modules.iter().find(|m| m.class == class) else { return operation };
        let Some(driver) = module.drivers.iter().find(|d| d.operation == place).cloned() else { return operation };
        let (abstraction, function) = (module.name.clone(), module.function);
        let is_constructor = driver.method.is_empty();
        let made = if is_constructor { Some(method) } else { self.member(class, &driver.method) };
        let Some(made) = made else { return operation };
        let parameters = self.low.table.method(made).params.len();
        let given = std::iter::once(SpecArgument::PreState).chain((0..parameters).map(SpecArgument::Parameter));
        let last = if is_constructor { driver.other.map(SpecArgument::Before) } else { Some(SpecArgument::Result) };
        let arguments: Vec<SpecArgument> = given.chain(last).collect();
        let posts = driver.posts.iter().filter_map(|name| {
            let method = self.member(class, name)?;
            Some(Spec { method: self.low.method_id(method), arguments: arguments.clone() })
        });
        let postconditions: Vec<Spec> = posts.collect();
        let [result, state] = match &postconditions[..] {
            [result, state, ..] => [result.method, state.method],
            [state] => [state.method; 2],
            [] => return operation,
        };
        let compared = Compared {
            abstraction,
            operation: operation.method,
            function: self.low.method_id(function),
            same_result: result,
            same_state: state,
            other: driver.other,
        };
        if is_constructor {
            let postconditions = [operation.postconditions.clone(), postconditions].concat();
            return Operation { postconditions, compared: Some(compared), ..operation };
        }
        Operation { method: self.low.method_id(made), postconditions, compared: Some(compared), ..operation }
    }

    /// That the abstraction of a valid state is valid, as an operation that gives it.
    pub fn validity(&mut self, class: ClassIx) -> Option<Operation> {
        let module = self.modules.iter().find(|m| m.class == class && m.is_validity_asked)?;
        let function = self.low.table.method(module.function);
        let (name, span) = (format!("{}() is valid", function.name), function.name_span);
        let (method, is_valid) = (self.member(class, VALID)?, self.member(class, IS_VALID)?);
        let method = Candidate { method, kind: OperationKind::Method };
        let is_valid = Spec { method: self.low.method_id(is_valid), arguments: vec![SpecArgument::Result] };
        let operation = self.operation(&method, &Specs { pre: Vec::new(), post: vec![is_valid] });
        Some(Operation { name, span, ..operation })
    }

    /// An operation of a class that was made for both orders, as what it stands for.
    pub fn ordered(&mut self, class: ClassIx, operation: Operation) -> Operation {
        let name = &self.low.program.method(operation.method).name;
        let ordered = self.orders.iter().filter(|m| m.class == class).flat_map(|m| &m.drivers).map(|d| (d, false));
        let equal = self.modules.iter().filter(|m| m.is_made(class)).flat_map(|m| &m.on_equal).map(|d| (d, true));
        let driver = ordered.chain(equal).find(|(d, _)| d.method == *name);
        let Some((driver, is_abstraction)) = driver.map(|(d, of)| (d.clone(), of)) else { return operation };
        let [first, second] = &driver.names;
        let [result, state] = match &operation.postconditions[..] {
            [result, state] => [result.method, state.method],
            _ => return operation,
        };
        let name = match driver.is_pair {
            _ if is_abstraction => match driver.method.strip_prefix(first.as_str()) {
                Some("_itself") => format!("{first}, with itself"),
                Some("_null") => format!("{first}, with null"),
                Some("_") => operation.name.replacen(&driver.method, first, 1),
                _ => operation.name.clone(),
            },
            true => format!("{first} and {second}, in both orders"),
            false => format!("{first}, on equal states"),
        };
        let not_run = self.orders.iter().filter(|m| m.class == class).flat_map(|m| &m.not_run);
        let left_out = not_run.map(|(name, span)| verdict::LeftOut {
            id: "another-argument",
            message: format!(
                "whether `{name}`, which gets another object of the class, does the same on equal states was not checked"
            ),
            remedy: String::new(),
            span: Some(*span),
            example: None,
            only_json: false,
        });
        let left_out = left_out.collect();
        let orders = Orders {
            names: driver.names,
            arguments: driver.arguments,
            is_pair: driver.is_pair,
            is_abstraction,
            same_result: result,
            same_state: state,
        };
        Operation { name, span: driver.span, orders: Some(orders), left_out, ..operation }
    }

    /// Whether it is one of those that were added for a comparison.
    fn is_made(&self, info: &MethodInfo) -> bool {
        let made = |m: &super::against::Module| {
            m.class == info.class
                && ([VALID, IS_VALID].contains(&&*info.name) || m.drivers.iter().any(|d| d.has(&info.name)))
        };
        self.modules.iter().any(made)
    }

    /// `--method`.
    pub fn is_wanted(&self, method: MethodIx) -> bool {
        match &self.method {
            Some(wanted) => self.is_called(method, wanted),
            None => true,
        }
    }

    /// Whether a name, or a name with parameter types, means this method.
    pub fn is_called(&self, method: MethodIx, wanted: &str) -> bool {
        let info = self.low.table.method(method);
        let wanted = without_blanks(wanted);
        if *info.name == *wanted {
            return true;
        }
        let plain: Vec<String> = info.params.iter().map(|p| self.low.table.simple_name(p)).collect();
        wanted == format!("{}({})", info.name, plain.join(",")) || wanted == self.erased_name(method)
    }

    /// By erasure: `add(int,Object)` for `add(int, E)`.
    fn erased_name(&self, method: MethodIx) -> String {
        let info = self.low.table.method(method);
        let params: Vec<String> = info.params.iter().map(|p| self.low.table.erased_name(p)).collect();
        format!("{}({})", info.name, params.join(","))
    }

    pub fn operation_name(&self, method: MethodIx) -> String {
        let info = self.low.table.method(method);
        let params: Vec<String> = info.params.iter().map(|p| self.low.table.type_name(p)).collect();
        format!("{}({})", info.name, params.join(", "))
    }

    pub fn operation(&mut self, candidate: &Candidate, specs: &Specs) -> Operation {
        let name = self.operation_name(candidate.method);
        let info = self.low.table.method(candidate.method).clone();
        let may_throw = self.may_throw(candidate.method);
        if !info.is_static {
            self.low.static_initialiser(info.class);
        }
        Operation {
            method: self.low.method_id(candidate.method),
            name,
            kind: candidate.kind,
            preconditions: specs.pre.clone(),
            postconditions: specs.post.clone(),
            may_throw,
            span: info.name_span,
            left_out: Vec::new(),
            others: Vec::new(),
            made: None,
            compared: None,
            orders: None,
            block: None,
        }
    }
}
