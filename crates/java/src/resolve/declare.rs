//! Entering classes into the table: a file's, and those found within methods.

use super::*;

/// So the names of classes begin that hold the results of a comparison.
pub const MADE: &str = "Both$";

impl Table<'_> {
    /// Parses a file and declares its classes. Syntax errors go to the table's diagnostics.
    pub fn declare_file(&mut self, file: FileId, origin: Origin) -> Vec<ClassIx> {
        match crate::syntax::parse(self.sources, file) {
            Ok(unit) => self.declare_unit(unit, origin),
            Err(problems) => {
                self.diagnostics.extend(problems);
                Vec::new()
            }
        }
    }

    pub fn declare_unit(&mut self, unit: Unit, origin: Origin) -> Vec<ClassIx> {
        self.declare_woven(unit, origin, Vec::new())
    }

    /// With the scopes of the specifications that are in its classes.
    pub fn declare_woven(&mut self, unit: Unit, origin: Origin, specs: Vec<Rc<UnitScope>>) -> Vec<ClassIx> {
        let scope = Rc::new(UnitScope { package: unit.package, imports: unit.imports, origin, specs });
        let mut declared = Vec::new();
        for decl in unit.classes {
            let qualified = match scope.package.as_str() {
                "" => decl.name.name.to_string(),
                package => format!("{package}.{}", decl.name.name),
            };
            if let Some(Some(before)) = self.top.get(&qualified) {
                // An input may stand in for a class of the prelude; two inputs of one name are a mistake.
                if origin != Origin::Input || self.class(*before).unit.origin != Origin::Input {
                    if origin == Origin::Input {
                        let message = format!("`{qualified}` is built in and cannot be declared again");
                        let d = Diagnostic::error("duplicate-class", decl.name.span, message);
                        self.diagnostics.push(d.help("leave the file out"));
                    }
                    continue;
                }
                let at = self.class(*before).decl.name.span;
                let message = format!("the class `{qualified}` is declared twice");
                let d =
                    Diagnostic::error("duplicate-class", decl.name.span, message).related(at, "first declared here");
                self.diagnostics.push(d);
                continue;
            }
            let ix = self.declare_class(decl, scope.clone(), None, None, None);
            self.top.insert(qualified, Some(ix));
            declared.push(ix);
        }
        declared
    }

    /// `name` only for those without one of their own.
    pub fn declare_class(
        &mut self,
        decl: Rc<ClassDecl>,
        unit: Rc<UnitScope>,
        outer: Option<ClassIx>,
        local: Option<Rc<LocalScope>>,
        static_context: Option<bool>,
    ) -> ClassIx {
        let ix = ClassIx(self.classes.len() as u32);
        let name = self.class_name(&decl, outer, local.is_some());
        let implicit_static = decl.kind != DeclKind::Class
            || outer.is_none()
            || (local.is_none() && outer.is_some_and(|o| self.class(o).is_interface()));
        let is_static = implicit_static || decl.modifiers.is_static || static_context == Some(true);
        self.classes.push(ClassInfo {
            is_made: decl.name.name.starts_with(MADE),
            is_specified: false,
            name,
            simple: decl.name.name.clone(),
            decl: decl.clone(),
            unit: unit.clone(),
            outer,
            is_static,
            type_params: Vec::new(),
            nested: Vec::new(),
            local,
            header: Slot::Unknown,
            members: Slot::Unknown,
        });
        let mut type_params: Vec<VarIx> = decl.type_params.iter().map(|p| self.new_var(p.name.name.clone())).collect();
        if let (false, false, Some(outer)) = (is_static, self.class(ix).local.is_some(), outer) {
            type_params.extend(&self.class(outer).type_params.clone());
        }
        self.classes[ix.index()].type_params = type_params;
        for member in &decl.members {
            if let Member::Class(nested) = member {
                let nested_ix = self.declare_class(nested.clone(), unit.clone(), Some(ix), None, None);
                self.classes[ix.index()].nested.push((nested.name.name.clone(), nested_ix));
            }
        }
        ix
    }

    /// Adds members that were made, not written. Whatever was resolved of the class before is resolved anew.
    pub fn add_members(&mut self, ix: ClassIx, members: &[Member]) {
        let info = &mut self.classes[ix.index()];
        let mut decl = ClassDecl::clone(&info.decl);
        decl.members.extend_from_slice(members);
        info.decl = Rc::new(decl);
        info.members = Slot::Unknown;
        let unit = info.unit.clone();
        for member in members {
            if let Member::Class(nested) = member {
                let nested_ix = self.declare_class(nested.clone(), unit.clone(), Some(ix), None, None);
                self.classes[ix.index()].nested.push((nested.name.name.clone(), nested_ix));
            }
        }
    }

    /// The syntax of a library class's file, if there is one.
    pub fn library_unit(&mut self, qualified: &str) -> Option<Result<Unit, Vec<Diagnostic>>> {
        // Of what is built in, the ready-made abstractions may have a specification beside them.
        let built_in = || crate::prelude::find(qualified).map(|(name, text, _)| (name, text.to_string()));
        let (name, text) = (self.library)(qualified).or_else(built_in).or_else(|| (self.beside)(qualified))?;
        let file = self.sources.add(name, text);
        Some(crate::syntax::parse(self.sources, file))
    }

    /// Another name for a top-level class, in its package.
    pub fn alias(&mut self, class: ClassIx, name: &str) {
        let package = &self.class(class).unit.package;
        let qualified = if package.is_empty() { name.to_string() } else { format!("{package}.{name}") };
        self.top.insert(qualified, Some(class));
    }

    pub fn nested(&self, class: ClassIx, name: &str) -> Option<ClassIx> {
        self.class(class).nested.iter().find(|(n, _)| &**n == name).map(|(_, c)| *c)
    }

    /// For a class of which nothing is resolved yet but its header.
    pub fn set_decl(&mut self, class: ClassIx, decl: ClassDecl) {
        let info = &mut self.classes[class.index()];
        info.decl = Rc::new(decl);
        info.members = Slot::Unknown;
    }

    fn class_name(&mut self, decl: &ClassDecl, outer: Option<ClassIx>, local: bool) -> String {
        let Some(outer) = outer else { return decl.name.name.to_string() };
        if local {
            let outermost = self.outermost(outer);
            let count = self.anonymous.entry(outermost).or_insert(0);
            *count += 1;
            return format!("{}${count}{}", self.classes[outermost.index()].name, decl.name.name);
        }
        format!("{}.{}", self.class(outer).name, decl.name.name)
    }

    pub fn new_var(&mut self, name: Name) -> VarIx {
        self.vars.push(TypeVar { name, bounds: Vec::new() });
        VarIx(self.vars.len() as u32 - 1)
    }

    /// Whether a class is part of the language here, as we write it, and always there.
    pub fn is_built_in(&self, qualified: &str) -> bool {
        self.top.get(qualified).copied().flatten().is_some_and(|c| self.class(c).unit.origin == Origin::Prelude)
    }

    /// Whether the source of a class that is built in, as an installed JDK has it, declares something of this name.
    pub fn is_in_jdk(&self, class: ClassIx, member: &str) -> bool {
        self.declared_in_jdk(class, member) > 0
    }

    /// How many things of this name it declares, in a class of the package above it too.
    pub fn declared_in_jdk(&self, class: ClassIx, member: &str) -> usize {
        let info = self.class(class);
        if !matches!(info.unit.origin, Origin::Prelude | Origin::Ready) || info.outer.is_some() {
            return 0;
        }
        let source = |class: &str| (self.library)(&format!("{}.{class}", info.unit.package));
        let Some((_, text)) = source(&info.simple) else { return 0 };
        let header = text.split_once(&format!("class {}", info.simple)).and_then(|(_, rest)| rest.split('{').next());
        let above = header.and_then(|header| header.trim_start().strip_prefix("extends"));
        let above = above.and_then(|rest| source(rest.split_whitespace().next()?));
        declarations(&text, member) + above.map_or(0, |(_, text)| declarations(&text, member))
    }

    /// Looks among the declared top-level classes, then asks the library.
    pub fn find_top(&mut self, qualified: &str) -> Option<ClassIx> {
        if let Some(found) = self.top.get(qualified) {
            return *found;
        }
        if let Some((name, text, origin)) = crate::prelude::find(qualified) {
            let file = self.sources.add(name, text);
            self.declare_file(file, origin);
        } else if let Some((name, text)) = (self.library)(qualified) {
            let file = self.sources.add(name, text);
            self.declare_file(file, Origin::Library);
        }
        *self.top.entry(qualified.to_string()).or_insert(None)
    }

    /// A top-level class of the library that no file is named after.
    pub fn find_beside(&mut self, qualified: &str) -> Option<ClassIx> {
        let (name, text) = (self.beside)(qualified)?;
        let file = self.sources.add(name, text);
        self.declare_file(file, Origin::Library);
        self.top.get(qualified).copied().flatten()
    }

    /// Of which states may hold objects, further than input classes: those that come with the command.
    pub fn classes_of_states(&self) -> Vec<ClassIx> {
        let all = (0..self.classes.len() as u32).map(ClassIx);
        all.filter(|&c| self.class(c).is_input() && !self.within_method(c)).collect()
    }

    /// Input classes that no method contains, nested ones too, in textual order.
    pub fn input_classes(&self) -> Vec<ClassIx> {
        let all = (0..self.classes.len() as u32).map(ClassIx);
        let is_input = |info: &ClassInfo| info.unit.origin == Origin::Input || info.is_specified;
        all.filter(|&c| is_input(self.class(c)) && !self.within_method(c)).collect()
    }

    /// The input classes that a name on the command line means: the one with that name, as Java writes it or with `$`, else all with that
    /// simple name.
    pub fn called(&self, name: &str) -> Vec<ClassIx> {
        let dotted = name.replace('$', ".");
        let inputs = self.input_classes();
        let with =
            |is_it: &dyn Fn(&ClassInfo) -> bool| inputs.iter().copied().filter(|c| is_it(self.class(*c))).collect();
        let exact: Vec<ClassIx> = with(&|info| info.name == dotted);
        if exact.is_empty() { with(&|info| *info.simple == *dotted) } else { exact }
    }

    /// Local and anonymous classes, lambdas, and the bodies of enum constants.
    pub fn within_method(&self, ix: ClassIx) -> bool {
        self.class(ix).local.is_some() || self.class(ix).outer.is_some_and(|o| self.within_method(o))
    }
}

/// How many declarations of a name the source of a class has, by the way the JDK is written: the first thing of its line that is followed by
/// `(`, `=` or `;`.
fn declarations(text: &str, member: &str) -> usize {
    let code = text.lines().filter(|line| line.starts_with("    ") && !line.trim_start().starts_with(['*', '/']));
    let is_declared = |line: &&str| {
        let declared = line.split(['(', '=', ';']).next().unwrap_or_default();
        declared.split_whitespace().count() > 1 && declared.split_whitespace().last() == Some(member)
    };
    code.filter(|line| !line.starts_with("     ")).filter(is_declared).count()
}
