//! Resolved Java to the executable IR, only as far as it is reached.
//!
//! What goes in: the class table and the methods to start from. What comes out: an [`ir::Program`] with all that they
//! reach: bodies, fields, dispatch tables, static initialisers. Kept: Java's evaluation order and its implicit
//! conversions, each made explicit. What has no counterpart in the IR becomes an `Unsupported` expression, an error
//! only if a run gets there.

mod arguments;
mod assign;
mod body;
pub mod bounds;
mod by_class;
mod calls;
pub mod capture;
mod class_objects;
mod constants;
mod constructors;
mod convert;
mod creation;
mod dispatch;
mod expressions;
pub mod floating;
mod fold;
mod formatted;
mod held;
mod instances;
mod intrinsics;
mod lambda;
mod loops;
mod names;
mod operators;
mod patterns;
mod poly;
mod statements;
mod statics;
mod switch;
mod varying;

use crate::resolve::*;
use crate::syntax::ast::{Name, Prim};
use ir::{ArrayId, ClassId, FieldId, MethodId, Program, SelectorId, StringId, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

/// Some classes lead to half of the JDK (by a thread, a lock, a class loader). Runs rarely do: what is further away than so many methods is
/// an error only if one gets there. The specifications that come with the command need 200 at most.
const MOST_OF_LIBRARY: usize = 400;

/// What is still to be done.
enum Work {
    Class(ClassIx),
    Method(MethodIx),
    Statics(ClassIx),
}

#[derive(Clone)]
enum Constant {
    InProgress,
    Known(Option<ir::Expr>),
}

pub struct Lowering<'a> {
    pub table: Table<'a>,
    pub program: Program,
    class_ids: FxHashMap<ClassIx, ClassId>,
    /// By [`ClassId`].
    class_of: Vec<ClassIx>,
    method_ids: FxHashMap<MethodIx, MethodId>,
    /// By [`MethodId`]; None for a synthetic one.
    pub method_of: Vec<Option<MethodIx>>,
    field_ids: FxHashMap<FieldIx, FieldId>,
    selectors: FxHashMap<(Name, Vec<Ty>), SelectorId>,
    array_ids: FxHashMap<(Ty, Option<ir::float::Format>), ArrayId>,
    string_ids: FxHashMap<String, StringId>,
    /// Of library classes with a specification.
    invariants: FxHashMap<ClassId, MethodId>,
    work: Vec<Work>,
    /// Methods of the library that are still to be done, as far away from the operations as each other.
    far: Vec<MethodIx>,
    /// How many of the library are done.
    library_methods: usize,
    /// Methods called through dispatch, in the order they were found.
    virtuals: Vec<MethodIx>,
    virtual_set: FxHashSet<MethodIx>,
    /// Dispatch entries already made: (class, virtual method).
    dispatched: FxHashSet<(ClassId, MethodIx)>,
    /// By class: so many of the first methods called through dispatch have theirs.
    dispatched_to: Vec<usize>,
    /// Classes of which the code makes objects. One of the library that is not among them, nor part of states, has none.
    made: FxHashSet<ClassIx>,
    /// By the method they lead to, the selector they serve and the result they promise.
    bridges: FxHashMap<(MethodIx, SelectorId, Ty), MethodId>,
    statics: FxHashMap<ClassIx, Option<MethodId>>,
    constants: FxHashMap<FieldIx, Constant>,
    /// Static fields of library classes: whether their initialisers could be lowered.
    initialised: FxHashMap<FieldIx, bool>,
    /// The objects of varying static fields, by the class that declares them.
    static_states: FxHashMap<ClassIx, ir::StaticState>,
    /// Outer instances and captured variables, by class and name.
    synthetic: FxHashMap<(ClassIx, Name), FieldIx>,
    /// What may be called from outside, whether it is checked in this run or not.
    pub operations: Vec<MethodId>,
    /// Of an anonymous class's constructor: the superclass's that it passes its arguments to.
    super_constructors: FxHashMap<MethodIx, MethodIx>,
    /// Where the code says `new Integer(…)` and the like.
    pub new_boxes: Vec<Span>,
    /// Methods that give states of a class as text.
    pub shows: Vec<Show>,
    /// Whether what is lowered only shows states: what is in a string matters there.
    pub is_showing: bool,
    /// Whether `getClass()` is used for more than a comparison.
    asks_for_classes: bool,
    /// Whether all objects of classes are there.
    has_class_objects: bool,
}

#[derive(Clone, Copy)]
pub struct Show {
    pub class: ClassId,
    pub method: MethodIx,
    /// Not just any `toString`, which may do what is not supported.
    pub is_marked: bool,
}

impl<'a> Lowering<'a> {
    pub fn new(table: Table<'a>) -> Lowering<'a> {
        let none = ClassId(0);
        let known = ir::KnownClasses {
            object: none,
            string: none,
            throwable: none,
            null_pointer: none,
            index_out_of_bounds: none,
            arithmetic: none,
            class_cast: none,
            negative_array_size: none,
            array_store: none,
            stack_overflow: none,
            assertion: none,
            stuck: none,
        };
        let program = Program {
            classes: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            arrays: Vec::new(),
            strings: Vec::new(),
            static_initialisers: Vec::new(),
            static_state: Vec::new(),
            known,
            strings_of_shows: 0,
            float_arrays: Default::default(),
            identity: ir::Identity::default(),
            generics: Default::default(),
            class_objects: Vec::new(),
            named_classes: 0,
        };
        let mut lowering = Lowering {
            table,
            program,
            class_ids: FxHashMap::default(),
            class_of: Vec::new(),
            method_ids: FxHashMap::default(),
            method_of: Vec::new(),
            field_ids: FxHashMap::default(),
            selectors: FxHashMap::default(),
            array_ids: FxHashMap::default(),
            string_ids: FxHashMap::default(),
            work: Vec::new(),
            far: Vec::new(),
            invariants: FxHashMap::default(),
            library_methods: 0,
            virtuals: Vec::new(),
            virtual_set: FxHashSet::default(),
            dispatched: FxHashSet::default(),
            dispatched_to: Vec::new(),
            made: FxHashSet::default(),
            bridges: FxHashMap::default(),
            statics: FxHashMap::default(),
            constants: FxHashMap::default(),
            initialised: FxHashMap::default(),
            static_states: FxHashMap::default(),
            synthetic: FxHashMap::default(),
            operations: Vec::new(),
            super_constructors: FxHashMap::default(),
            new_boxes: Vec::new(),
            shows: Vec::new(),
            is_showing: false,
            asks_for_classes: false,
            has_class_objects: false,
        };
        let mut known = |name: &str| {
            let ix = lowering.table.known(name);
            lowering.class_id(ix)
        };
        let known = ir::KnownClasses {
            object: known("java.lang.Object"),
            string: known("java.lang.String"),
            throwable: known("java.lang.Throwable"),
            null_pointer: known("java.lang.NullPointerException"),
            index_out_of_bounds: known("java.lang.ArrayIndexOutOfBoundsException"),
            arithmetic: known("java.lang.ArithmeticException"),
            class_cast: known("java.lang.ClassCastException"),
            negative_array_size: known("java.lang.NegativeArraySizeException"),
            array_store: known("java.lang.ArrayStoreException"),
            stack_overflow: known("java.lang.StackOverflowError"),
            assertion: known("java.lang.AssertionError"),
            stuck: known("glassbox.StuckException"),
        };
        lowering.program.known = known;
        lowering
    }

    /// Lowers until nothing new is reached: of the library, what is near to the operations first.
    pub fn run(&mut self) {
        loop {
            while let Some(work) = self.work.pop() {
                match work {
                    Work::Class(ix) => self.fill_class(ix),
                    Work::Method(ix) => self.fill_method(ix),
                    Work::Statics(ix) => self.fill_statics(ix),
                }
            }
            self.add_input_subclasses();
            self.add_overriding();
            self.add_constructors();
            self.dispatch();
            if !self.work.is_empty() {
                continue;
            }
            let level = std::mem::take(&mut self.far);
            if level.is_empty() {
                return;
            }
            for method in level {
                self.library_methods += 1;
                match self.library_methods <= MOST_OF_LIBRARY {
                    true => self.fill_method(method),
                    false => self.leave_out(method),
                }
            }
        }
    }

    /// The order of initialisers and the purity of expressions can only be told when all is known.
    /// False if a state cannot be shown as its class would: all is to be done again without that.
    pub fn finish(&mut self, checked: &mut [ir::Checked]) -> bool {
        self.run();
        // What type arguments name may not have been reached before.
        self.narrow_all();
        self.run();
        self.read_library_invariants();
        self.narrow_all();
        self.check_type_arguments();
        self.finish_class_objects();
        let methods = self.program.methods.len();
        if !self.lower_shows(checked) {
            return false;
        }
        self.order_statics(checked);
        for class in &mut self.program.classes {
            if class.is_abstract || class.kind == ir::ClassKind::Interface {
                class.dispatch.clear();
            }
        }
        self.leave_out_initialisers();
        let bridges = self.bridges.values().copied().collect();
        ir::seen::mark(&mut self.program, &self.operations, &bridges);
        self.check_new_boxes(methods);
        self.finish_strings(checked);
        // Of those that compare strings, too.
        self.leave_out_initialisers();
        self.assume_valid_library(checked);
        self.assume_valid_arguments(checked);
        ir::purity::mark(&mut self.program);
        true
    }

    /// After all else: what a state looks like must not change which states there are. False if a `toString` does what is not supported.
    fn lower_shows(&mut self, checked: &mut [ir::Checked]) -> bool {
        let (constants, new_boxes) = (self.program.strings.len(), self.new_boxes.len());
        self.is_showing = true;
        for Show { class, method, is_marked } in std::mem::take(&mut self.shows) {
            let (problems, initialised) = (self.table.diagnostics.len(), self.statics.clone());
            let id = self.method_id(method);
            self.run();
            self.narrow_all();
            // What the library sets up for it would be in every state, and may not be supported.
            let is_new = |(class, method): (&ClassIx, &Option<MethodId>)| {
                method.is_some() && !initialised.contains_key(class) && self.is_library(*class)
            };
            if !is_marked && (self.table.diagnostics.len() > problems || self.statics.iter().any(is_new)) {
                return false;
            }
            checked.iter_mut().filter(|c| c.class == class).for_each(|c| c.show = Some(id));
        }
        self.program.strings_of_shows = self.program.strings.len() - constants;
        self.new_boxes.truncate(new_boxes);
        true
    }

    /// `new Integer(5)` is another object than any other box; it is taken for `valueOf(5)`, so nothing may tell: of so many methods.
    fn check_new_boxes(&mut self, methods: usize) {
        let made = std::mem::take(&mut self.new_boxes);
        let Some(at) = (!made.is_empty()).then(|| self.tells_boxes_apart(methods)).flatten() else { return };
        for span in made {
            let what = "`new` of a box class, in a program that may compare boxes by identity,";
            let problem = unsupported(span, what, "use `valueOf`, or just the value; or compare by `equals`");
            self.error(problem.related(at, "compared here"));
        }
    }

    /// Where the code may find out whether two boxes are one object.
    fn tells_boxes_apart(&self, methods: usize) -> Option<Span> {
        let program = &self.program;
        let is_box = |class: &ClassId| program.class(*class).kind == ir::ClassKind::Box;
        let boxes: Vec<ClassId> = (0..program.classes.len() as u32).map(ClassId).filter(is_box).collect();
        let may_be_box =
            |ty: Ty| matches!(ty, Ty::Class(class) if boxes.iter().any(|b| program.is_subclass(*b, class)));
        let mut found = None;
        for method in &program.methods[..methods] {
            // There `==` only hurries the comparison.
            let is_shortcut = program.hurries(method);
            if is_shortcut {
                continue;
            }
            ir::walk::block(method.body.as_deref().unwrap_or_default(), &mut |e| {
                let tells = match &e.kind {
                    ir::ExprKind::Same(a, b) => may_be_box(a.ty) && may_be_box(b.ty),
                    ir::ExprKind::Intrinsic(ir::Intrinsic::IdentityHash | ir::Intrinsic::IsSameObject, args) => {
                        args.iter().any(|a| may_be_box(a.ty))
                    }
                    _ => false,
                };
                if tells {
                    found.get_or_insert(e.span);
                }
            });
        }
        found
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        if !self.table.diagnostics.contains(&diagnostic) {
            self.table.diagnostics.push(diagnostic);
        }
    }

    /// Whether a class was read from the library: what is not known there matters only if a run gets to it.
    pub fn is_library(&self, ix: ClassIx) -> bool {
        let info = self.table.class(ix);
        info.unit.origin == Origin::Library && !self.table.spec_files.contains(&info.decl.name.span.file)
    }

    /// As [`Lowering::is_library`], for one of its methods: a specification beside the code may have added it.
    pub fn is_library_method(&self, mx: MethodIx) -> bool {
        let info = self.table.method(mx);
        self.is_library(info.class) && !self.table.spec_files.contains(&info.span.file)
    }

    /// Tells problems of a declaration, unless it is of the library: no run may need it.
    pub fn report(&mut self, class: ClassIx, problems: &[Diagnostic]) {
        if !self.is_library(class) {
            problems.iter().for_each(|p| self.error(p.clone()));
        }
    }

    /// If lowering a method of the inputs came to nothing worse than what is not supported: takes that back and gives the first. It matters only if
    /// a run gets there.
    fn unsupported_problem(&mut self, mark: usize) -> Option<Box<Diagnostic>> {
        if self.table.diagnostics[mark..].iter().any(|d| d.id != "unsupported") {
            return None;
        }
        self.table.diagnostics.split_off(mark).into_iter().next().map(Box::new)
    }

    /// If lowering a piece of library code had problems: takes them back and gives the first.
    fn library_problem(&mut self, is_library: bool, mark: usize) -> Option<Box<Diagnostic>> {
        if !is_library || self.table.diagnostics.len() <= mark {
            return None;
        }
        let first = self.table.diagnostics.split_off(mark).into_iter().next()?;
        Some(self.library_diagnostic(first))
    }

    /// What is wrong in library code, for a run that gets there.
    pub fn library_diagnostic(&self, problem: Diagnostic) -> Box<Diagnostic> {
        let help = "add what is missing with `--source-path`, avoid the call, or put a `@Model` in a specification of a class on the way";
        let message = format!("library code that is not supported: {}", problem.message);
        Box::new(Diagnostic::error("unsupported", problem.span, message).help(help))
    }

    pub fn class_ix(&self, id: ClassId) -> ClassIx {
        self.class_of[id.index()]
    }

    /// Makes a class part of the program.
    pub fn class_id(&mut self, ix: ClassIx) -> ClassId {
        if let Some(&id) = self.class_ids.get(&ix) {
            return id;
        }
        let id = ClassId(self.program.classes.len() as u32);
        self.class_ids.insert(ix, id);
        self.class_of.push(ix);
        let floats = [Prim::Float, Prim::Double];
        let unboxes = self.table.unboxed(&Type::class(ix)).is_some_and(|p| !floats.contains(&p));
        // The class of an enum constant is one too, but there is just that one object.
        let is_local = self.table.within_method(ix) && !self.is_enum_class(ix);
        let info = self.table.class(ix);
        // Its objects are made like constants of an enum: see `class_objects`.
        let is_class = info.name == "Class" && info.unit.origin == Origin::Prelude;
        let kind = match () {
            _ if info.is_interface() => ir::ClassKind::Interface,
            _ if info.is_enum() || is_class => ir::ClassKind::Enum,
            _ if unboxes => ir::ClassKind::Box,
            _ => ir::ClassKind::Class,
        };
        let is_abstract = info.decl.modifiers.is_abstract || info.is_interface() || !self.has_objects(ix);
        let info = self.table.class(ix);
        self.program.classes.push(ir::Class {
            name: info.name.clone(),
            superclass: None,
            interfaces: Vec::new(),
            kind,
            is_abstract,
            is_input: info.is_input(),
            is_local,
            is_apart: self.table.replaced.contains_key(&ix) || self.table.made.contains(&ix),
            is_built_in: info.unit.origin == Origin::Prelude,
            is_ready_made: info.unit.origin == Origin::Ready,
            is_of_library: info.is_specified && info.unit.origin == Origin::Library,
            fields: Vec::new(),
            dispatch: FxHashMap::default(),
            max: None,
            span: info.decl.span,
        });
        self.work.push(Work::Class(ix));
        id
    }

    /// Makes a class part of the program of which the code makes objects.
    pub fn made_class_id(&mut self, ix: ClassIx) -> ClassId {
        let had_objects = self.has_objects(ix);
        self.made.insert(ix);
        let id = self.class_id(ix);
        if !had_objects {
            self.program.classes[id.index()].is_abstract = false;
            self.work.push(Work::Class(ix));
        }
        id
    }

    /// Whether there may be objects of exactly this class. What leads on from one of the library that has none (its fields, what overrides
    /// `equals` there) is not read.
    fn has_objects(&self, ix: ClassIx) -> bool {
        let info = self.table.class(ix);
        !self.is_library(ix) || info.is_specified || info.is_enum() || self.made.contains(&ix)
    }

    /// The fields of a class that has objects, and of those above it.
    fn fill_fields(&mut self, ix: ClassIx) {
        let mut at = Some(ix);
        while let Some(ix) = at {
            let mut fields: Vec<FieldIx> = self.hidden_fields(ix);
            fields.extend(self.table.members(ix).fields.iter().filter(|f| !self.table.field(**f).is_static));
            let fields = fields.into_iter().filter_map(|f| self.field_id(f)).collect();
            let id = self.class_id(ix);
            self.program.classes[id.index()].fields = fields;
            at = match self.table.header(ix).superclass {
                Some(Type::Class(parent, _)) if self.is_library(parent) => Some(parent),
                _ => None,
            };
        }
    }

    fn fill_class(&mut self, ix: ClassIx) {
        let id = self.class_id(ix);
        let header = self.table.header(ix);
        self.report(ix, &header.problems);
        let class_of = |low: &mut Self, ty: &Type| match ty {
            Type::Class(c, _) => Some(low.class_id(*c)),
            _ => None,
        };
        let superclass = header.superclass.as_ref().and_then(|s| class_of(self, s));
        let interfaces = header.interfaces.iter().filter_map(|i| class_of(self, i)).collect();
        if self.has_objects(ix) {
            self.fill_fields(ix);
        }
        let info = self.table.class(ix);
        let (decl, is_enum, is_input) = (info.decl.clone(), info.is_enum(), info.is_input());
        let max = self.max_bound(&decl);
        let class = &mut self.program.classes[id.index()];
        class.superclass = superclass;
        class.interfaces = interfaces;
        class.max = max;
        if is_enum && decl.constants.iter().all(|c| c.body.is_some()) && !decl.constants.is_empty() {
            // Each constant has a class of its own; the enum itself has no objects.
            class.is_abstract = true;
        }
        if is_enum || is_input {
            self.static_initialiser(ix);
        }
    }

    /// None for a field of a floating-point type that [is not kept](Lowering::keeps_number), and for an instance field that is a
    /// constant: it is not part of a state, every read of it is the constant.
    pub fn field_id(&mut self, fx: FieldIx) -> Option<FieldId> {
        if let Some(&id) = self.field_ids.get(&fx) {
            return Some(id);
        }
        let info = self.table.field(fx).clone();
        if info.ty.is_floating() && !self.keeps_number(&info) || (!info.is_static && self.constant(fx).is_some()) {
            return None;
        }
        let varies = self.varies(fx);
        let class = if varies { self.static_state(info.class).class } else { self.class_id(info.class) };
        self.report(info.class, &info.problems);
        let ty = self.ir_type(&info.ty);
        let bound = self.field_bound(&info);
        let id = FieldId(self.program.fields.len() as u32);
        self.field_ids.insert(fx, id);
        self.program.fields.push(ir::Field {
            name: info.name.to_string(),
            class,
            ty,
            is_static: info.is_static && !varies,
            is_final: info.is_final,
            enum_constant: matches!(info.origin, FieldOrigin::EnumConstant),
            is_synthetic: matches!(info.origin, FieldOrigin::Synthetic),
            bound,
            span: info.span,
        });
        // Of a class that has objects, all are listed in order: see `fill_fields`.
        if varies || !info.is_static {
            self.program.classes[class.index()].fields.push(id);
        }
        Some(id)
    }

    /// Makes a method part of the program; its body follows.
    pub fn method_id(&mut self, mx: MethodIx) -> MethodId {
        if let Some(&id) = self.method_ids.get(&mx) {
            return id;
        }
        let id = self.new_method_id(mx);
        match self.is_library_method(mx) {
            true => self.far.push(mx),
            false => self.work.push(Work::Method(mx)),
        }
        id
    }

    /// If it is part of the program.
    pub fn lowered(&self, mx: MethodIx) -> Option<MethodId> {
        self.method_ids.get(&mx).copied()
    }

    /// As [`Lowering::method_id`], for a body that the caller provides.
    fn new_method_id(&mut self, mx: MethodIx) -> MethodId {
        let info = self.table.method(mx).clone();
        self.report(info.class, &info.problems);
        let class = self.class_id(info.class);
        let hidden = if info.is_constructor { self.hidden_params(info.class) } else { Vec::new() };
        let mut parameters: Vec<ir::Parameter> = Vec::new();
        for (name, ty) in hidden {
            let ty = self.ir_type(&ty);
            // `null.new Inner()` never gets to the constructor.
            let bound = ir::Bound { non_null: &*name == capture::OUTER, ..ir::Bound::default() };
            parameters.push(ir::Parameter { name: name.to_string(), ty, bound });
        }
        for (i, ty) in info.params.iter().enumerate() {
            let ir_ty = self.ir_type(ty);
            let (name, bound) = match info.decl.as_ref().and_then(|d| d.params.get(i)) {
                Some(p) => (p.name.name.to_string(), self.param_bound(info.class, p, ty)),
                None => (format!("p{i}"), ir::Bound::default()),
            };
            parameters.push(ir::Parameter { name, ty: ir_ty, bound });
        }
        let mut locals = Vec::new();
        if !info.is_static {
            locals.push(ir::Local { name: "this".into(), ty: Ty::Class(class) });
        }
        locals.extend(parameters.iter().map(|p| ir::Local { name: p.name.clone(), ty: p.ty }));
        let return_ty = self.ir_type(&info.ret);
        let selector = self.selector(mx);
        let is_declarative = self.is_declarative(mx);
        let name = if info.is_constructor && info.name.is_empty() {
            self.table.class(info.class).name.clone()
        } else {
            info.name.to_string()
        };
        let id = MethodId(self.program.methods.len() as u32);
        self.method_ids.insert(mx, id);
        self.method_of.push(Some(mx));
        self.program.methods.push(ir::Method {
            name,
            class,
            selector,
            is_static: info.is_static,
            is_constructor: info.is_constructor,
            is_declarative,
            is_implicit: info.is_constructor && info.decl.is_none(),
            return_ty,
            parameters,
            locals,
            body: None,
            span: info.span,
            name_span: info.name_span,
        });
        id
    }

    /// Adds a method that no Java method stands for.
    fn add_synthetic(&mut self, method: ir::Method) -> MethodId {
        self.method_of.push(None);
        self.program.methods.push(method);
        MethodId(self.program.methods.len() as u32 - 1)
    }

    pub fn is_declarative(&self, mx: MethodIx) -> bool {
        let info = self.table.method(mx);
        match &info.decl {
            Some(decl) => decl.modifiers.has("Declarative"),
            // A default constructor or a lambda: as what is around it; its body is checked when declarative code uses it.
            None => info.is_constructor || self.table.class(info.class).local.as_ref().is_some_and(|l| l.declarative),
        }
    }

    pub fn selector(&mut self, mx: MethodIx) -> SelectorId {
        let info = self.table.method(mx);
        let name = info.name.clone();
        let params = info.params.clone();
        let params: Vec<Ty> = params.iter().map(|p| self.ir_type(p)).collect();
        self.selector_of(name, params)
    }

    fn selector_of(&mut self, name: Name, params: Vec<Ty>) -> SelectorId {
        let next = SelectorId(self.selectors.len() as u32);
        *self.selectors.entry((name, params)).or_insert(next)
    }

    /// The erased type. A floating-point type has no counterpart: a value of it is passed on as some int, and whatever
    /// looks at it is unsupported.
    pub fn ir_type(&mut self, ty: &Type) -> Ty {
        match self.table.erasure(ty) {
            Type::Void => Ty::Void,
            Type::Prim(p) => prim_ty(p),
            Type::Null => Ty::Null,
            Type::Class(c, _) => Ty::Class(self.class_id(c)),
            Type::Array(e) => {
                let format = match *e {
                    Type::Prim(Prim::Float) => Some(ir::float::Format::Single),
                    Type::Prim(Prim::Double) => Some(ir::float::Format::Double),
                    _ => None,
                };
                let element = self.ir_type(&e);
                Ty::Array(self.array_id(element, format))
            }
            Type::Error | Type::Var(_) | Type::Wild(_) | Type::Both(_) => Ty::Class(self.program.known.object),
        }
    }

    fn array_id(&mut self, element: Ty, format: Option<ir::float::Format>) -> ArrayId {
        let next = ArrayId(self.program.arrays.len() as u32);
        let id = *self.array_ids.entry((element, format)).or_insert(next);
        if id == next {
            self.program.arrays.push(element);
            self.program.float_arrays.extend(format.map(|f| (id, f)));
        }
        id
    }

    pub fn string_id(&mut self, text: &str) -> StringId {
        if let Some(&id) = self.string_ids.get(text) {
            return id;
        }
        let id = StringId(self.program.strings.len() as u32);
        self.program.strings.push(text.to_string());
        self.string_ids.insert(text.to_string(), id);
        id
    }

    /// Whether a value of the one erased type may stand where the other is expected without a cast.
    pub fn is_ir_subtype(&mut self, ty: Ty, of: Ty) -> bool {
        match (ty, of) {
            _ if ty == of => true,
            (Ty::Null, _) => of.is_reference(),
            (Ty::Class(a), Ty::Class(b)) => {
                let (a, b) = (self.class_ix(a), self.class_ix(b));
                self.table.is_subclass(a, b)
            }
            (Ty::Array(_), Ty::Class(b)) => {
                let b = Type::class(self.class_ix(b));
                self.table.is_subtype(&Type::array(INT), &b)
            }
            (Ty::Array(a), Ty::Array(b)) => {
                let (a, b) = (self.program.element_ty(a), self.program.element_ty(b));
                a.is_reference() && b.is_reference() && self.is_ir_subtype(a, b)
            }
            _ => false,
        }
    }
}

pub fn prim_ty(prim: Prim) -> Ty {
    match prim {
        Prim::Bool => Ty::Bool,
        Prim::Byte => Ty::Byte,
        Prim::Short => Ty::Short,
        Prim::Char => Ty::Char,
        Prim::Long | Prim::Double => Ty::Long,
        Prim::Int | Prim::Float => Ty::Int,
    }
}

/// `unsupported`, with what to do instead.
pub fn unsupported(span: Span, what: &str, instead: &str) -> Diagnostic {
    Diagnostic::error("unsupported", span, format!("{what} is not supported")).help(instead)
}
