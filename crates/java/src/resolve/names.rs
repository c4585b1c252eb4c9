//! Type names to classes: by lexical scope, then imports and the package, then `java.lang` and `glassbox`, then as in the specifications that were
//! put into the class.

use super::*;
use crate::syntax::KEYWORDS;

impl Table<'_> {
    /// The scope of the members of a class.
    pub fn scope_of(&self, class: ClassIx) -> TypeScope {
        TypeScope { class: Some(class), unit: Some(self.class(class).unit.clone()), ..TypeScope::default() }
    }

    /// A simple type name: a class, or a type variable.
    pub fn find_simple(&mut self, scope: &TypeScope, name: &str) -> Option<Type> {
        if let Some((_, v)) = scope.type_vars.iter().rev().find(|(n, _)| &**n == name) {
            return Some(Type::Var(*v));
        }
        if let Some((_, c)) = scope.classes.iter().rev().find(|(n, _)| &**n == name) {
            return Some(Type::class(*c));
        }
        let mut class = scope.class;
        while let Some(c) = class {
            let info = self.class(c);
            if let Some(i) = info.decl.type_params.iter().position(|p| &*p.name.name == name) {
                return info.type_params.get(i).map(|v| Type::Var(*v));
            }
            if &*info.simple == name {
                return Some(Type::class(c));
            }
            let local = info.local.clone();
            let outer = info.outer;
            if let Some(found) = self.member_class(c, name) {
                return Some(Type::class(found));
            }
            if let Some(local) = local {
                if let Some((_, v)) = local.type_vars.iter().rev().find(|(n, _)| &**n == name) {
                    return Some(Type::Var(*v));
                }
                if let Some((_, c)) = local.classes.iter().rev().find(|(n, _)| &**n == name) {
                    return Some(Type::class(*c));
                }
            }
            class = outer;
        }
        let unit = scope.unit.clone()?;
        self.find_in_unit(&unit, name).map(Type::class)
    }

    fn find_in_unit(&mut self, unit: &UnitScope, name: &str) -> Option<ClassIx> {
        for import in unit.imports.iter().filter(|i| !i.wildcard) {
            if import.path.rsplit('.').next() == Some(name)
                && let Some(c) = self.find_qualified(&import.path)
            {
                return Some(c);
            }
        }
        let in_package =
            |package: &str| if package.is_empty() { name.to_string() } else { format!("{package}.{name}") };
        if let Some(c) = self.find_top(&in_package(&unit.package)) {
            return Some(c);
        }
        for import in unit.imports.iter().filter(|i| i.wildcard) {
            let found = match self.find_qualified(&import.path) {
                Some(class) => self.member_class(class, name),
                None => self.find_top(&in_package(&import.path)),
            };
            if found.is_some() {
                return found;
            }
        }
        let found = self.find_top(&in_package("java.lang")).or_else(|| self.find_top(&in_package("glassbox")));
        let found = found.or_else(|| self.find_beside(&in_package(&unit.package)));
        found.or_else(|| unit.specs.iter().find_map(|spec| self.find_in_unit(spec, name)))
    }

    /// `java.util.Map.Entry`, fully qualified.
    pub fn find_qualified(&mut self, path: &str) -> Option<ClassIx> {
        if let Some(c) = self.find_top(path) {
            return Some(c);
        }
        let (front, last) = path.rsplit_once('.')?;
        // A package does not start with a capital: no file is asked for in vain.
        let outer = if front.chars().any(char::is_uppercase) { self.find_qualified(front) } else { None }?;
        self.member_class(outer, last)
    }

    /// A nested class of a class or of its supertypes.
    pub fn member_class(&mut self, class: ClassIx, name: &str) -> Option<ClassIx> {
        if let Some((_, c)) = self.class(class).nested.iter().find(|(n, _)| &**n == name) {
            return Some(*c);
        }
        let header = self.header(class);
        for ty in header.superclass.iter().chain(&header.interfaces) {
            if let Type::Class(c, _) = ty
                && let Some(found) = self.member_class(*c, name)
            {
                return Some(found);
            }
        }
        None
    }

    /// A type as written; the diagnostic says what is not known.
    pub fn resolve(&mut self, scope: &TypeScope, ty: &TypeRef) -> Result<Type, Box<Diagnostic>> {
        match &ty.kind {
            TypeRefKind::Void => Ok(Type::Void),
            TypeRefKind::Var => self.var_type(scope, ty),
            TypeRefKind::Prim(p) => Ok(Type::Prim(*p)),
            TypeRefKind::Array(e) => Ok(Type::array(self.resolve(scope, e)?)),
            TypeRefKind::Wildcard(None) => Ok(Type::Wild(None)),
            TypeRefKind::Wildcard(Some((sup, t))) => Ok(Type::Wild(Some((*sup, Rc::new(self.resolve(scope, t)?))))),
            TypeRefKind::Named(parts) => {
                let found = self.resolve_named(scope, parts, ty.span)?;
                self.replacement(scope, found, ty.span)
            }
        }
    }

    /// Outside of a class that is replaced, its name means its abstraction; what is nested in it cannot be named.
    fn replacement(&self, scope: &TypeScope, found: Type, span: Span) -> Result<Type, Box<Diagnostic>> {
        let Type::Class(class, arguments) = &found else { return Ok(found) };
        let around = |of: Option<ClassIx>| std::iter::successors(of, |c| self.class(*c).outer);
        let Some((module, by)) = around(Some(*class)).find_map(|c| Some((c, *self.replaced.get(&c)?))) else {
            return Ok(found);
        };
        if around(scope.class).any(|c| c == module) {
            return Ok(found);
        }
        if module != *class {
            let message = format!("`{}` is part of a class that is replaced", self.class(*class).name);
            let problem = Diagnostic::error("replaced-class", span, message);
            return Err(Box::new(problem.help(self.stands_for(by).unwrap_or_default())));
        }
        Ok(match self.class(by).type_params.len() == arguments.len() {
            true => Type::Class(by, arguments.clone()),
            false => Type::class(by),
        })
    }

    /// The class that a written type names, if another one has its place there.
    pub fn replaced_name(&mut self, scope: &TypeScope, ty: &TypeRef) -> Option<ClassIx> {
        let TypeRefKind::Named(parts) = &ty.kind else { return None };
        if self.replaced.is_empty() {
            return None;
        }
        let Ok(Type::Class(class, _)) = self.resolve_named(scope, parts, ty.span) else { return None };
        let is_within = std::iter::successors(scope.class, |c| self.class(*c).outer).any(|c| c == class);
        (self.replaced.contains_key(&class) && !is_within).then_some(class)
    }

    /// What to say where a class that has the place of another lacks something.
    pub fn stands_for(&self, class: ClassIx) -> Option<String> {
        let (module, _) = self.replaced.iter().find(|(_, by)| **by == class)?;
        let (module, by) = (&self.class(*module).name, &self.class(class).name);
        Some(format!("`{by}` has the place of `{module}` here: only operations that both have can be used"))
    }

    /// The classes whose places an object of this type may have, for code outside of them: of an interface, all that implement it.
    pub fn places_of(&mut self, class: ClassIx, code: ClassIx) -> Vec<ClassIx> {
        let pairs: Vec<(ClassIx, ClassIx)> = self.replaced.iter().map(|(module, by)| (*module, *by)).collect();
        let around: Vec<ClassIx> = std::iter::successors(Some(code), |c| self.class(*c).outer).collect();
        let is_outside =
            |(module, by): &(ClassIx, ClassIx)| !around.iter().any(|c| c == module || c == by || self.made.contains(c));
        let pairs: Vec<(ClassIx, ClassIx)> = pairs.into_iter().filter(is_outside).collect();
        let is_it = |table: &mut Table, (module, by): (ClassIx, ClassIx)| {
            by == class || table.class(class).is_interface() && table.is_subclass(module, class)
        };
        pairs.into_iter().filter(|pair| is_it(self, *pair)).map(|(module, _)| module).collect()
    }

    fn var_type(&mut self, scope: &TypeScope, ty: &TypeRef) -> Result<Type, Box<Diagnostic>> {
        match self.find_simple(scope, "var") {
            Some(found) => Ok(found),
            None => Err(Box::new(Diagnostic::error(
                "unknown-type",
                ty.span,
                "`var` may only declare a local that has an initialiser",
            ))),
        }
    }

    fn resolve_named(
        &mut self,
        scope: &TypeScope,
        parts: &[(Ident, Option<Vec<TypeRef>>)],
        span: Span,
    ) -> Result<Type, Box<Diagnostic>> {
        let Some((first, _)) = parts.first() else { return Ok(Type::Error) };
        let mut used = 1;
        let mut found = self.find_simple(scope, &first.name);
        if found.is_none() {
            // The longest package prefix that leads to a class.
            let mut path = first.name.to_string();
            for (i, (part, _)) in parts.iter().enumerate().skip(1) {
                path = format!("{path}.{}", part.name);
                if let Some(c) = self.find_top(&path) {
                    found = Some(Type::class(c));
                    used = i + 1;
                    break;
                }
            }
        }
        let Some(mut found) = found else { return Err(self.unknown_type(scope, parts, span)) };
        for (part, _) in &parts[used..] {
            let nested = match found {
                Type::Class(c, _) => self.member_class(c, &part.name),
                _ => None,
            };
            let Some(nested) = nested else {
                let owner = self.type_name(&found);
                let message = format!("`{owner}` has no nested class `{}`", part.name);
                return Err(Box::new(Diagnostic::error("unknown-type", part.span, message)));
            };
            found = Type::class(nested);
        }
        let Type::Class(class, _) = found else { return Ok(found) };
        let mut resolve = |args: &Option<Vec<TypeRef>>| {
            let args = args.iter().flatten().map(|a| self.resolve(scope, a));
            args.collect::<Result<Vec<Type>, Box<Diagnostic>>>()
        };
        let own = parts.last().map(|(_, a)| resolve(a)).transpose()?.unwrap_or_default();
        let outer = parts.iter().rev().skip(1).find(|(_, a)| a.is_some());
        let outer = outer.map(|(_, a)| resolve(a)).transpose()?.unwrap_or_default();
        Ok(self.apply_arguments(class, own, &outer))
    }

    /// A class with type arguments: an inner one also has those of the class around it, which are its own parameters
    /// where it is named without them. Too few: raw.
    pub fn apply_arguments(&self, class: ClassIx, mut own: Vec<Type>, outer: &[Type]) -> Type {
        let info = self.class(class);
        if own.len() != info.decl.type_params.len() {
            return Type::class(class);
        }
        let implicit = &info.type_params[own.len()..];
        match outer.len() == implicit.len() {
            true => own.extend(outer.iter().cloned()),
            false => own.extend(implicit.iter().map(|v| Type::Var(*v))),
        }
        Type::Class(class, own.into())
    }

    fn unknown_type(
        &mut self,
        scope: &TypeScope,
        parts: &[(Ident, Option<Vec<TypeRef>>)],
        span: Span,
    ) -> Box<Diagnostic> {
        let name: Vec<&str> = parts.iter().map(|(i, _)| &*i.name).collect();
        let name = name.join(".");
        let qualified = scope.unit.as_ref().and_then(|u| {
            let suffix = format!(".{name}");
            let imports = u.imports.iter().chain(u.specs.iter().flat_map(|spec| &spec.imports));
            imports.map(|i| i.path.clone()).find(|p| p.ends_with(&suffix))
        });
        let classes = self.classes.iter().filter(|c| c.local.is_none()).map(|c| &*c.simple);
        let nearest = did_you_mean(&name, classes.chain(KEYWORDS.split_whitespace()));
        let help = match (qualified, nearest) {
            (Some(path), _) => format!("give its source: `--source-path` with a folder or archive that holds `{path}`"),
            (None, Some(nearest)) => nearest,
            (None, None) => "name its file on the command line, or give its source with `--source-path`".to_string(),
        };
        Box::new(Diagnostic::error("unknown-type", span, format!("the type `{name}` is not known")).help(help))
    }
}
