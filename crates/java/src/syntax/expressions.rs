//! Expressions.

use super::ast::*;
use super::operators::binary_op;
use super::{Reader, children, fields, has_token};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn expr(&mut self, node: Node) -> Expr {
        let span = self.span(node);
        let kind = match node.kind() {
            "parenthesized_expression" => match children(node).first() {
                Some(&inner) => return Expr { span, ..self.expr(inner) },
                None => self.no_expr(node),
            },
            "identifier" | "underscore_pattern" => ExprKind::Name(self.text(node).into()),
            "this" => ExprKind::This,
            "super" => ExprKind::Super(None),
            "true" => ExprKind::Literal(Literal::Bool(true)),
            "false" => ExprKind::Literal(Literal::Bool(false)),
            "null_literal" => ExprKind::Literal(Literal::Null),
            "decimal_integer_literal" | "hex_integer_literal" | "octal_integer_literal" | "binary_integer_literal" => {
                ExprKind::Literal(self.integer(node, false))
            }
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                let text = self.text(node).replace('_', "");
                let is_float = text.ends_with(['f', 'F']);
                // Hexadecimal ones are not read: their value is like any that is not known.
                let value = text.trim_end_matches(['f', 'F', 'd', 'D']).parse::<f64>().ok();
                match value {
                    // A float is rounded once, from its decimal digits.
                    Some(_) if is_float => {
                        let single = text.trim_end_matches(['f', 'F']).parse::<f32>().unwrap_or_default();
                        ExprKind::Literal(Literal::Float(f64::from(single)))
                    }
                    Some(value) => ExprKind::Literal(Literal::Double(value)),
                    None => ExprKind::Unsupported("a hexadecimal floating-point literal", "write it in decimal"),
                }
            }
            "character_literal" => ExprKind::Literal(self.character(node)),
            "string_literal" => ExprKind::Literal(self.string(node)),
            "class_literal" => match children(node).first() {
                Some(&ty) => ExprKind::ClassLiteral(self.ty(ty)),
                None => self.no_expr(node),
            },
            "scoped_identifier" => {
                let scope = self.field_expr(node, "scope");
                ExprKind::Field(scope, self.field_ident(node, "name"))
            }
            "field_access" => self.field_access(node),
            "array_access" => {
                let array = self.field_expr(node, "array");
                ExprKind::Index(array, self.field_expr(node, "index"))
            }
            "method_invocation" => self.call(node),
            "method_reference" => self.method_reference(node),
            "object_creation_expression" => self.creation(node),
            "array_creation_expression" => self.array_creation(node),
            "array_initializer" => ExprKind::ArrayInit(self.exprs(node)),
            "unary_expression"
            | "binary_expression"
            | "update_expression"
            | "cast_expression"
            | "instanceof_expression" => return self.operators(node),
            "assignment_expression" => {
                let left = self.field_expr(node, "left");
                let operator = self.field(node, "operator");
                let op = binary_op(self.text(operator).trim_end_matches('='));
                ExprKind::Assign(op, left, self.field_expr(node, "right"))
            }
            "ternary_expression" => {
                let condition = self.field_expr(node, "condition");
                let then = self.field_expr(node, "consequence");
                ExprKind::Conditional(condition, then, self.field_expr(node, "alternative"))
            }
            "lambda_expression" => self.lambda(node),
            "switch_expression" => ExprKind::Switch(self.switch(node)),
            "template_expression" => ExprKind::Unsupported("a string template", "use plain string constants"),
            _ => self.no_expr(node),
        };
        Expr { kind, span }
    }

    pub(super) fn no_expr(&mut self, node: Node) -> ExprKind {
        self.unexpected(node);
        ExprKind::Literal(Literal::Null)
    }

    pub(super) fn placeholder(&mut self, node: Node) -> Expr {
        let kind = self.no_expr(node);
        Expr { kind, span: self.span(node) }
    }

    pub(super) fn field_expr(&mut self, node: Node, name: &str) -> Box<Expr> {
        match node.child_by_field_name(name) {
            Some(child) => Box::new(self.expr(child)),
            None => Box::new(self.placeholder(node)),
        }
    }

    pub(super) fn exprs(&mut self, node: Node) -> Vec<Expr> {
        children(node).into_iter().map(|c| self.expr(c)).collect()
    }

    fn field_access(&mut self, node: Node) -> ExprKind {
        let object = self.field_expr(node, "object");
        let field = self.field(node, "field");
        let through_super = children(node).iter().skip(1).any(|c| c.kind() == "super");
        if field.kind() == "this" {
            return ExprKind::QualifiedThis(object);
        }
        let object = if through_super {
            let span = object.span;
            Box::new(Expr { kind: ExprKind::Super(Some(object)), span })
        } else {
            object
        };
        ExprKind::Field(object, self.ident(field))
    }

    fn call(&mut self, node: Node) -> ExprKind {
        let name = self.field_ident(node, "name");
        let mut target = node.child_by_field_name("object").map(|o| Box::new(self.expr(o)));
        let object_end = node.child_by_field_name("object").map_or(0, |o| o.end_byte());
        if children(node).iter().any(|c| c.kind() == "super" && c.start_byte() >= object_end && object_end > 0)
            && let Some(object) = target.take()
        {
            let span = object.span;
            target = Some(Box::new(Expr { kind: ExprKind::Super(Some(object)), span }));
        }
        let type_args = node.child_by_field_name("type_arguments").map(|t| self.type_arguments(t)).unwrap_or_default();
        let arguments = self.field(node, "arguments");
        let arguments = self.exprs(arguments);
        ExprKind::Call { target, type_args, name, arguments }
    }

    fn method_reference(&mut self, node: Node) -> ExprKind {
        let parts = children(node);
        let Some(&first) = parts.first() else { return self.no_expr(node) };
        let target = match first.kind() {
            "generic_type"
            | "array_type"
            | "scoped_type_identifier"
            | "integral_type"
            | "boolean_type"
            | "floating_point_type"
            | "annotated_type"
            | "void_type" => RefTarget::Type(self.ty(first)),
            "type_identifier" => {
                let name = ExprKind::Name(self.text(first).into());
                RefTarget::Expr(Box::new(Expr { kind: name, span: self.span(first) }))
            }
            _ => RefTarget::Expr(Box::new(self.expr(first))),
        };
        let name = match parts.last() {
            Some(last) if parts.len() > 1 && last.kind() == "identifier" => Some(self.ident(*last)),
            _ => None,
        };
        ExprKind::MethodRef(target, name)
    }

    fn creation(&mut self, node: Node) -> ExprKind {
        let ty_node = self.field(node, "type");
        let ty = self.ty(ty_node);
        let outer = children(node)
            .first()
            .filter(|c| {
                c.end_byte() < ty_node.start_byte() && has_token(node, ".") && !c.kind().ends_with("annotation")
            })
            .map(|&c| Box::new(self.expr(c)));
        let arguments = self.field(node, "arguments");
        let arguments = self.exprs(arguments);
        let body = super::child_of_kind(node, "class_body").map(|b| Rc::new(self.anonymous(b)));
        if body.is_none() {
            self.made.push((ty.clone(), arguments.len()));
        }
        ExprKind::New { outer, ty, arguments, body }
    }

    fn array_creation(&mut self, node: Node) -> ExprKind {
        let element = self.field(node, "type");
        let mut ty = self.ty(element);
        let mut lengths = Vec::new();
        for dimension in fields(node, "dimensions") {
            if dimension.kind() == "dimensions_expr" {
                let length = children(dimension).into_iter().rfind(|c| !c.kind().ends_with("annotation"));
                lengths.push(match length {
                    Some(length) => self.expr(length),
                    None => self.placeholder(dimension),
                });
                ty = TypeRef { span: ty.span, kind: TypeRefKind::Array(Box::new(ty)) };
            } else {
                ty = self.array_of(ty, Some(dimension));
            }
        }
        let init = node.child_by_field_name("value").map(|v| Box::new(self.expr(v)));
        ExprKind::NewArray { ty, lengths, init }
    }

    fn lambda(&mut self, node: Node) -> ExprKind {
        let parameters = self.field(node, "parameters");
        let params = match parameters.kind() {
            "formal_parameters" => {
                let (params, _) = self.params(parameters);
                let ty = |p: &Param| match p.ty.kind {
                    TypeRefKind::Var => None,
                    _ => Some(p.ty.clone()),
                };
                params.iter().map(|p| (p.name.clone(), ty(p))).collect()
            }
            "inferred_parameters" => children(parameters).into_iter().map(|p| (self.ident(p), None)).collect(),
            _ => vec![(self.ident(parameters), None)],
        };
        let body = self.field(node, "body");
        let body = match body.kind() {
            "block" => LambdaBody::Block(self.block(body)),
            _ => LambdaBody::Expr(self.expr(body)),
        };
        ExprKind::Lambda(Rc::new(Lambda { params, body }))
    }
}
