//! Types as they are written.

use super::ast::*;
use super::{Reader, children};
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn ty(&mut self, node: Node) -> TypeRef {
        let span = self.span(node);
        let kind = match node.kind() {
            "void_type" => TypeRefKind::Void,
            "boolean_type" => TypeRefKind::Prim(Prim::Bool),
            "integral_type" | "floating_point_type" => TypeRefKind::Prim(match self.text(node) {
                "byte" => Prim::Byte,
                "short" => Prim::Short,
                "char" => Prim::Char,
                "long" => Prim::Long,
                "float" => Prim::Float,
                "double" => Prim::Double,
                _ => Prim::Int,
            }),
            "type_identifier" | "identifier" if self.text(node) == "var" => TypeRefKind::Var,
            "type_identifier"
            | "identifier"
            | "scoped_type_identifier"
            | "generic_type"
            | "scoped_identifier"
            | "field_access" => {
                let mut parts = Vec::new();
                self.type_parts(node, &mut parts);
                TypeRefKind::Named(parts)
            }
            "array_type" => {
                let element = self.field(node, "element");
                let element = self.ty(element);
                let dimensions = node.child_by_field_name("dimensions");
                return self.array_of(element, dimensions);
            }
            "annotated_type" => match children(node).into_iter().rfind(|c| !c.kind().ends_with("annotation")) {
                Some(inner) => return self.ty(inner),
                None => {
                    self.unexpected(node);
                    TypeRefKind::Void
                }
            },
            "wildcard" => {
                let is_super = children(node).iter().any(|c| c.kind() == "super");
                let bound =
                    children(node).into_iter().rfind(|c| c.kind() != "super" && !c.kind().ends_with("annotation"));
                TypeRefKind::Wildcard(bound.map(|b| (is_super, Box::new(self.ty(b)))))
            }
            _ => {
                self.unexpected(node);
                TypeRefKind::Void
            }
        };
        TypeRef { kind, span }
    }

    fn type_parts(&mut self, node: Node, parts: &mut Vec<(Ident, Option<Vec<TypeRef>>)>) {
        match node.kind() {
            "type_identifier" | "identifier" => parts.push((self.ident(node), None)),
            "generic_type" => {
                for child in children(node) {
                    if child.kind() == "type_arguments" {
                        let arguments = self.type_arguments(child);
                        if let Some(last) = parts.last_mut() {
                            last.1 = Some(arguments);
                        }
                    } else {
                        self.type_parts(child, parts);
                    }
                }
            }
            _ if node.kind().ends_with("annotation") => {}
            _ => {
                for child in children(node) {
                    self.type_parts(child, parts);
                }
            }
        }
    }

    pub(super) fn type_arguments(&mut self, node: Node) -> Vec<TypeRef> {
        children(node).into_iter().map(|c| self.ty(c)).collect()
    }

    /// `dimensions` is a node of brackets, `[][]`.
    pub(super) fn array_of(&mut self, element: TypeRef, dimensions: Option<Node>) -> TypeRef {
        let count = dimensions.map_or(0, |d| self.text(d).matches('[').count());
        let end = dimensions.map(|d| self.span(d));
        (0..count).fold(element, |ty, _| {
            let span = end.map_or(ty.span, |e| ty.span.to(e));
            TypeRef { kind: TypeRefKind::Array(Box::new(ty)), span }
        })
    }

    pub(super) fn type_list(&mut self, node: Option<Node>) -> Vec<TypeRef> {
        let Some(node) = node else { return Vec::new() };
        let list = super::child_of_kind(node, "type_list").unwrap_or(node);
        children(list).into_iter().map(|c| self.ty(c)).collect()
    }

    pub(super) fn type_params(&mut self, node: Option<Node>) -> Vec<TypeParam> {
        let Some(node) = node else { return Vec::new() };
        let mut params = Vec::new();
        for param in children(node) {
            let mut name = None;
            let mut bounds = Vec::new();
            for child in children(param) {
                match child.kind() {
                    "type_identifier" | "identifier" => name = Some(self.ident(child)),
                    "type_bound" => bounds = self.type_list(Some(child)),
                    _ => {}
                }
            }
            match name {
                Some(name) => params.push(TypeParam { name, bounds }),
                None => self.unexpected(param),
            }
        }
        params
    }
}
