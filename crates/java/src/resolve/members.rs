//! Headers and members of classes, resolved when first asked for.

use super::*;

impl Table<'_> {
    /// Supertypes of a class. While they are being worked out (a class nested in its own supertype) there are none.
    pub fn header(&mut self, ix: ClassIx) -> Rc<Header> {
        match &self.class(ix).header {
            Slot::Known(h) => return h.clone(),
            Slot::InProgress => return Rc::new(Header::default()),
            Slot::Unknown => self.classes[ix.index()].header = Slot::InProgress,
        }
        let decl = self.class(ix).decl.clone();
        // The class's own members are not in scope in its header, its type parameters are.
        let scope = self.scope_of(ix);
        let mut header = Header::default();
        let mut resolve = |table: &mut Self, ty: &TypeRef| match table.resolve(&scope, ty) {
            Ok(ty @ Type::Class(..)) => Some(ty),
            Ok(_) => None,
            Err(problem) => {
                header.problems.push(*problem);
                None
            }
        };
        let mut superclass = decl.superclass.as_ref().and_then(|s| resolve(self, s));
        let interfaces: Vec<Type> = decl.interfaces.iter().filter_map(|i| resolve(self, i)).collect();
        let own = Type::class(ix);
        if decl.kind == DeclKind::Enum {
            superclass = Some(Type::Class(self.known("java.lang.Enum"), Rc::from([own])));
        } else if decl.kind == DeclKind::Record {
            superclass = Some(self.known_type("java.lang.Record"));
        } else if superclass.is_none() && ix != ClassIx(0) && !self.class(ix).is_interface() {
            superclass = Some(self.object());
        }
        if let (Some(Type::Class(c, _)), Some(written)) = (&superclass, &decl.superclass) {
            let parent = self.class(*c);
            let what = match () {
                _ if parent.is_interface() => Some("an interface: use `implements`"),
                _ if parent.is_enum() => Some("an enum"),
                _ if parent.decl.modifiers.is_final => Some("final"),
                _ => None,
            };
            if let Some(what) = what {
                let message = format!("`{}` cannot be extended: it is {what}", parent.name);
                header.problems.push(Diagnostic::error("bad-superclass", written.span, message));
                superclass = Some(self.object());
            }
        }
        header.superclass = superclass;
        header.interfaces = interfaces;
        self.set_header(ix, header);
        self.break_cycle(ix);
        let params = self.class(ix).type_params.clone();
        for (var, param) in params.into_iter().zip(&decl.type_params) {
            self.resolve_bounds(&scope, var, param);
        }
        match &self.class(ix).header {
            Slot::Known(h) => h.clone(),
            _ => Rc::new(Header::default()),
        }
    }

    pub fn set_header(&mut self, ix: ClassIx, header: Header) {
        self.classes[ix.index()].header = Slot::Known(Rc::new(header));
    }

    /// A class that is its own supertype would make every walk endless.
    fn break_cycle(&mut self, ix: ClassIx) {
        let mut seen = vec![];
        let mut todo = vec![ix];
        while let Some(c) = todo.pop() {
            let Slot::Known(h) = &self.class(c).header else { continue };
            for ty in h.superclass.iter().chain(&h.interfaces) {
                let Type::Class(s, _) = ty else { continue };
                if *s == ix {
                    let span = self.class(ix).decl.name.span;
                    let message = format!("the class `{}` is its own supertype", self.class(ix).name);
                    self.diagnostics.push(Diagnostic::error("cyclic-inheritance", span, message));
                    let superclass = (ix != ClassIx(0) && !self.class(ix).is_interface()).then(|| self.object());
                    self.set_header(ix, Header { superclass, ..Header::default() });
                    return;
                }
                if !seen.contains(s) {
                    seen.push(*s);
                    todo.push(*s);
                }
            }
        }
    }

    pub fn resolve_bounds(&mut self, scope: &TypeScope, var: VarIx, param: &TypeParam) {
        let bounds = param.bounds.iter().filter_map(|b| self.resolve(scope, b).ok()).collect();
        self.vars[var.index()].bounds = bounds;
    }

    /// What a class declares itself.
    pub fn members(&mut self, ix: ClassIx) -> Rc<Members> {
        match &self.class(ix).members {
            Slot::Known(m) => return m.clone(),
            Slot::InProgress => return Rc::new(Members::default()),
            Slot::Unknown => self.classes[ix.index()].members = Slot::InProgress,
        }
        self.header(ix);
        let decl = self.class(ix).decl.clone();
        let mut members = Members::default();
        for constant in &decl.constants {
            let origin = FieldOrigin::EnumConstant;
            members.fields.push(self.add_field(FieldInfo {
                name: constant.name.name.clone(),
                class: ix,
                ty: Type::class(ix),
                is_static: true,
                is_final: true,
                origin,
                span: constant.name.span,
                problems: Vec::new(),
            }));
        }
        let mut has_constructor = false;
        for member in &decl.members {
            match member {
                Member::Field(field) => members.fields.push(self.declared_field(ix, field)),
                Member::Method(method) => {
                    has_constructor |= method.is_constructor;
                    members.methods.push(self.declared_method(ix, method));
                }
                _ => {}
            }
        }
        let anonymous = decl.name.name.is_empty();
        if !has_constructor && !anonymous && matches!(decl.kind, DeclKind::Class | DeclKind::Enum | DeclKind::Record) {
            let constructor = self.implicit_constructor(ix, Vec::new());
            members.methods.push(constructor);
        }
        let members = Rc::new(members);
        self.classes[ix.index()].members = Slot::Known(members.clone());
        members
    }

    /// For classes that are made here, not read: lambdas and anonymous classes.
    pub fn add_member_method(&mut self, ix: ClassIx, method: MethodIx) {
        let mut members = Members::clone(&self.members(ix));
        members.methods.push(method);
        self.classes[ix.index()].members = Slot::Known(Rc::new(members));
    }

    pub fn add_field(&mut self, field: FieldInfo) -> FieldIx {
        self.fields.push(field);
        FieldIx(self.fields.len() as u32 - 1)
    }

    pub fn add_method(&mut self, method: MethodInfo) -> MethodIx {
        self.methods.push(method);
        MethodIx(self.methods.len() as u32 - 1)
    }

    pub fn implicit_constructor(&mut self, ix: ClassIx, params: Vec<Type>) -> MethodIx {
        let name_span = self.class(ix).decl.name.span;
        let name = self.class(ix).simple.clone();
        self.add_method(MethodInfo {
            name,
            class: ix,
            decl: None,
            type_params: Vec::new(),
            params,
            ret: Type::Void,
            varargs: false,
            is_static: false,
            is_abstract: false,
            is_private: false,
            is_constructor: true,
            is_final: false,
            span: name_span,
            name_span,
            problems: Vec::new(),
        })
    }

    fn declared_field(&mut self, class: ClassIx, field: &Rc<FieldDecl>) -> FieldIx {
        let scope = self.scope_of(class);
        let (ty, problems) = match self.resolve(&scope, &field.ty) {
            Ok(ty) => (ty, Vec::new()),
            Err(problem) => (Type::Error, vec![*problem]),
        };
        self.add_field(FieldInfo {
            name: field.name.name.clone(),
            class,
            ty,
            is_static: field.modifiers.is_static,
            is_final: field.modifiers.is_final,
            origin: FieldOrigin::Declared(field.clone()),
            span: field.name.span,
            problems,
        })
    }

    fn declared_method(&mut self, class: ClassIx, decl: &Rc<MethodDecl>) -> MethodIx {
        let mut scope = self.scope_of(class);
        let type_params = self.method_vars(&mut scope, &decl.type_params);
        let mut problems = Vec::new();
        let mut resolve = |table: &mut Self, ty: &TypeRef| match table.resolve(&scope, ty) {
            Ok(ty) => ty,
            Err(problem) => {
                problems.push(*problem);
                Type::Error
            }
        };
        let params = decl.params.iter().map(|p| resolve(self, &p.ty)).collect();
        let ret = resolve(self, &decl.return_ty);
        let m = &decl.modifiers;
        self.add_method(MethodInfo {
            name: decl.name.name.clone(),
            class,
            decl: Some(decl.clone()),
            type_params,
            params,
            ret,
            varargs: decl.varargs,
            is_static: m.is_static,
            is_abstract: m.is_abstract,
            is_private: m.is_private,
            is_constructor: decl.is_constructor,
            is_final: m.is_final,
            span: decl.span,
            name_span: decl.name.span,
            problems,
        })
    }

    /// Declares the type parameters of a method and adds them to the scope.
    fn method_vars(&mut self, scope: &mut TypeScope, params: &[TypeParam]) -> Vec<VarIx> {
        let vars: Vec<VarIx> = params.iter().map(|p| self.new_var(p.name.name.clone())).collect();
        scope.type_vars.extend(params.iter().zip(&vars).map(|(p, v)| (p.name.name.clone(), *v)));
        for (param, var) in params.iter().zip(&vars) {
            self.resolve_bounds(scope, *var, param);
        }
        vars
    }

    /// The scope of a method's body: its type parameters are visible.
    pub fn method_scope(&self, method: MethodIx) -> TypeScope {
        let info = self.method(method);
        let mut scope = self.scope_of(info.class);
        if let Some(decl) = &info.decl {
            scope.type_vars =
                decl.type_params.iter().map(|p| p.name.name.clone()).zip(info.type_params.iter().copied()).collect();
        }
        scope
    }
}
