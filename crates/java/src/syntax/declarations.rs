//! Files, classes and their members, modifiers and annotations.

use super::ast::*;
use super::{Reader, child_of_kind, children, fields, has_token};
use source::{Diagnostic, Span};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn unit(&mut self, node: Node) -> Unit {
        let mut unit = Unit { package: String::new(), imports: Vec::new(), classes: Vec::new(), made: Vec::new() };
        for child in children(node) {
            match child.kind() {
                "package_declaration" => {
                    if let Some(name) = children(child).into_iter().rfind(|c| !c.kind().ends_with("annotation")) {
                        unit.package = self.path(name);
                    }
                }
                "import_declaration" => {
                    let parts = children(child);
                    let Some(&name) = parts.first() else { continue };
                    unit.imports.push(Import {
                        path: self.path(name),
                        is_static: has_token(child, "static"),
                        wildcard: parts.iter().any(|p| p.kind() == "asterisk"),
                    });
                }
                "module_declaration" => {}
                "class_declaration"
                | "interface_declaration"
                | "enum_declaration"
                | "record_declaration"
                | "annotation_type_declaration" => unit.classes.push(Rc::new(self.class(child))),
                "local_variable_declaration" | "method_declaration" | "field_declaration" => {
                    let message = "fields and methods outside of a class (Java 25) are not supported";
                    let d = Diagnostic::error("syntax-error", self.span(child), message);
                    self.diagnostics.push(d.help("put them into a class"));
                }
                _ => self.unexpected(child),
            }
        }
        unit.made = std::mem::take(&mut self.made);
        unit
    }

    /// A dotted name without white space.
    fn path(&self, node: Node) -> String {
        self.text(node).chars().filter(|c| !c.is_whitespace()).collect()
    }

    pub(super) fn class(&mut self, node: Node) -> ClassDecl {
        let kind = match node.kind() {
            "interface_declaration" => DeclKind::Interface,
            "enum_declaration" => DeclKind::Enum,
            "record_declaration" => DeclKind::Record,
            "annotation_type_declaration" => DeclKind::Annotation,
            _ => DeclKind::Class,
        };
        let superclass = node.child_by_field_name("superclass").and_then(|s| children(s).first().copied());
        let interfaces = match child_of_kind(node, "extends_interfaces") {
            Some(list) => Some(list),
            None => node.child_by_field_name("interfaces"),
        };
        let mut decl = ClassDecl {
            name: self.field_ident(node, "name"),
            kind,
            modifiers: self.modifiers(node),
            type_params: self.type_params(node.child_by_field_name("type_parameters")),
            superclass: superclass.map(|s| self.ty(s)),
            interfaces: self.type_list(interfaces),
            constants: Vec::new(),
            members: Vec::new(),
            span: self.span(node),
        };
        let components = match node.child_by_field_name("parameters") {
            Some(list) => self.params(list),
            None => (Vec::new(), false),
        };
        let body = self.field(node, "body");
        self.body(body, &mut decl);
        if kind == DeclKind::Record {
            super::records::add_members(&mut decl, components);
        }
        decl
    }

    pub(super) fn anonymous(&mut self, body: Node) -> ClassDecl {
        let span = self.span(body);
        let mut decl = ClassDecl {
            name: Ident { name: "".into(), span: Span { end: span.start, ..span } },
            kind: DeclKind::Class,
            modifiers: Modifiers::default(),
            type_params: Vec::new(),
            superclass: None,
            interfaces: Vec::new(),
            constants: Vec::new(),
            members: Vec::new(),
            span,
        };
        self.body(body, &mut decl);
        decl
    }

    fn body(&mut self, body: Node, decl: &mut ClassDecl) {
        for child in children(body) {
            match child.kind() {
                "enum_constant" => {
                    let arguments = child.child_by_field_name("arguments").map(|a| self.exprs(a)).unwrap_or_default();
                    let body = child.child_by_field_name("body").map(|b| Rc::new(self.anonymous(b)));
                    let name = self.field_ident(child, "name");
                    decl.constants.push(EnumConstant { name, arguments, body, span: self.span(child) });
                }
                "enum_body_declarations" => self.body(child, decl),
                "field_declaration" | "constant_declaration" => self.fields(child, decl),
                "method_declaration" => {
                    let method = self.method(child, decl.kind);
                    decl.members.push(Member::Method(Rc::new(method)));
                }
                "constructor_declaration" | "compact_constructor_declaration" => {
                    let method = self.constructor(child);
                    decl.members.push(Member::Method(Rc::new(method)));
                }
                "annotation_type_element_declaration" => {}
                "block" => {
                    let body = Rc::new(self.block(child));
                    decl.members.push(Member::Initialiser { is_static: false, body });
                }
                "static_initializer" => {
                    let block = child_of_kind(child, "block").map(|b| self.block(b)).unwrap_or_default();
                    decl.members.push(Member::Initialiser { is_static: true, body: Rc::new(block) });
                }
                "class_declaration"
                | "interface_declaration"
                | "enum_declaration"
                | "record_declaration"
                | "annotation_type_declaration" => {
                    let class = self.class(child);
                    decl.members.push(Member::Class(Rc::new(class)));
                }
                _ => self.unexpected(child),
            }
        }
    }

    fn fields(&mut self, node: Node, decl: &mut ClassDecl) {
        let mut modifiers = self.modifiers(node);
        if matches!(decl.kind, DeclKind::Interface | DeclKind::Annotation) {
            modifiers.is_static = true;
            modifiers.is_final = true;
            modifiers.is_public = true;
        }
        let modifiers = Rc::new(modifiers);
        let ty = self.field(node, "type");
        let ty = self.ty(ty);
        for declarator in fields(node, "declarator") {
            let name = self.field_ident(declarator, "name");
            let ty = self.array_of(ty.clone(), declarator.child_by_field_name("dimensions"));
            let init = declarator.child_by_field_name("value").map(|v| self.expr(v));
            let span = self.span(declarator);
            decl.members.push(Member::Field(Rc::new(FieldDecl { name, ty, modifiers: modifiers.clone(), init, span })));
        }
    }

    fn method(&mut self, node: Node, owner: DeclKind) -> MethodDecl {
        let mut modifiers = self.modifiers(node);
        let body = node.child_by_field_name("body").map(|b| self.block(b));
        if owner == DeclKind::Interface {
            modifiers.is_public = !modifiers.is_private;
            modifiers.is_abstract = body.is_none();
        }
        let ty = self.field(node, "type");
        let ty = self.ty(ty);
        let parameters = self.field(node, "parameters");
        let (params, varargs) = self.params(parameters);
        MethodDecl {
            name: self.field_ident(node, "name"),
            modifiers,
            type_params: self.type_params(node.child_by_field_name("type_parameters")),
            return_ty: self.array_of(ty, node.child_by_field_name("dimensions")),
            params,
            varargs,
            throws: self.type_list(child_of_kind(node, "throws")),
            body,
            is_constructor: false,
            span: self.span(node),
        }
    }

    fn constructor(&mut self, node: Node) -> MethodDecl {
        let name = self.field_ident(node, "name");
        let (params, varargs) = match node.child_by_field_name("parameters") {
            Some(list) => self.params(list),
            None => (Vec::new(), false),
        };
        let body = self.field(node, "body");
        MethodDecl {
            modifiers: self.modifiers(node),
            type_params: self.type_params(node.child_by_field_name("type_parameters")),
            return_ty: TypeRef { kind: TypeRefKind::Void, span: name.span },
            name,
            params,
            varargs,
            throws: self.type_list(child_of_kind(node, "throws")),
            body: Some(self.block(body)),
            // A compact one is told by the missing parameter list; `record_members` completes it.
            is_constructor: node.kind() == "constructor_declaration",
            span: self.span(node),
        }
    }

    pub(super) fn params(&mut self, node: Node) -> (Vec<Param>, bool) {
        let mut params = Vec::new();
        let mut varargs = false;
        for child in children(node) {
            match child.kind() {
                "formal_parameter" => {
                    let ty = self.field(child, "type");
                    let ty = self.ty(ty);
                    let ty = self.array_of(ty, child.child_by_field_name("dimensions"));
                    let modifiers = self.modifiers(child);
                    params.push(Param { name: self.field_ident(child, "name"), ty, modifiers });
                }
                "spread_parameter" => {
                    varargs = true;
                    let modifiers = self.modifiers(child);
                    let parts = children(child);
                    let ty = parts.iter().find(|p| p.kind() != "modifiers" && !p.kind().ends_with("annotation"));
                    let declarator = parts.iter().find(|p| p.kind() == "variable_declarator");
                    if let (Some(&ty), Some(&declarator)) = (ty, declarator) {
                        let ty = self.ty(ty);
                        let span = ty.span;
                        let ty = TypeRef { kind: TypeRefKind::Array(Box::new(ty)), span };
                        params.push(Param { name: self.field_ident(declarator, "name"), ty, modifiers });
                    }
                }
                _ => {}
            }
        }
        (params, varargs)
    }

    fn modifiers(&mut self, node: Node) -> Modifiers {
        let mut modifiers = Modifiers::default();
        let Some(node) = child_of_kind(node, "modifiers") else { return modifiers };
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.children(&mut cursor).collect();
        for part in parts {
            match part.kind() {
                "public" => modifiers.is_public = true,
                "private" => modifiers.is_private = true,
                "protected" => modifiers.is_protected = true,
                "static" => modifiers.is_static = true,
                "final" => modifiers.is_final = true,
                "abstract" => modifiers.is_abstract = true,
                "native" => modifiers.is_native = true,
                "default" => modifiers.is_default = true,
                "annotation" | "marker_annotation" => {
                    let annotation = self.annotation(part);
                    modifiers.annotations.push(annotation);
                }
                _ => {}
            }
        }
        modifiers
    }

    fn annotation(&mut self, node: Node) -> Annotation {
        let name = self.field(node, "name");
        let last = children(name).last().copied().filter(|_| name.kind() == "scoped_identifier").unwrap_or(name);
        let mut arguments = Vec::new();
        let list = node.child_by_field_name("arguments");
        for child in list.map(|l| children(l)).unwrap_or_default() {
            if child.kind() == "element_value_pair" {
                let key = self.field_ident(child, "key");
                let value = self.field(child, "value");
                arguments.push((key, self.annotation_value(value)));
            } else {
                let key = Ident { name: "value".into(), span: self.span(child) };
                arguments.push((key, self.annotation_value(child)));
            }
        }
        Annotation { name: self.ident(last), arguments, span: self.span(node) }
    }

    fn annotation_value(&mut self, node: Node) -> AnnotationValue {
        let span = self.span(node);
        match node.kind() {
            "element_value_array_initializer" => {
                AnnotationValue::Array(children(node).into_iter().map(|c| self.annotation_value(c)).collect(), span)
            }
            "annotation" | "marker_annotation" => AnnotationValue::Annotation(span),
            _ => AnnotationValue::Expr(self.expr(node)),
        }
    }
}
