//! Statements.

use super::ast::*;
use super::{Reader, child_of_kind, children, fields, has_token};
use std::rc::Rc;
use tree_sitter::Node;

impl Reader<'_> {
    pub(super) fn block(&mut self, node: Node) -> Block {
        let mut cursor = node.walk();
        let nodes: Vec<Node> = node.named_children(&mut cursor).filter(|c| !c.is_extra()).collect();
        nodes.into_iter().map(|c| self.stmt(c)).collect()
    }

    pub(super) fn stmt(&mut self, node: Node) -> Stmt {
        let span = self.span(node);
        let first = children(node).first().copied();
        let kind = match node.kind() {
            ";" => StmtKind::Empty,
            "block" => StmtKind::Block(self.block(node)),
            "local_variable_declaration" => self.local(node),
            "class_declaration" | "interface_declaration" | "enum_declaration" | "record_declaration" => {
                StmtKind::Class(Rc::new(self.class(node)))
            }
            "expression_statement" => match first {
                Some(e) if e.kind() == "switch_expression" => StmtKind::Switch(self.switch(e)),
                Some(e) => StmtKind::Expr(self.expr(e)),
                None => StmtKind::Empty,
            },
            "switch_expression" => StmtKind::Switch(self.switch(node)),
            "if_statement" => {
                let condition = *self.field_expr(node, "condition");
                let then = self.field_stmt(node, "consequence");
                let otherwise = node.child_by_field_name("alternative").map(|a| Box::new(self.stmt(a)));
                StmtKind::If(condition, then, otherwise)
            }
            "while_statement" => {
                let condition = *self.field_expr(node, "condition");
                StmtKind::While(condition, self.field_stmt(node, "body"))
            }
            "do_statement" => {
                let body = self.field_stmt(node, "body");
                StmtKind::Do(body, *self.field_expr(node, "condition"))
            }
            "for_statement" => {
                let init = fields(node, "init").into_iter().map(|i| self.for_init(i)).collect();
                let condition = node.child_by_field_name("condition").map(|c| self.expr(c));
                let update = fields(node, "update").into_iter().map(|u| self.expr(u)).collect();
                StmtKind::For { init, condition, update, body: self.field_stmt(node, "body") }
            }
            "enhanced_for_statement" => {
                let ty = self.field(node, "type");
                let ty = self.ty(ty);
                let ty = self.array_of(ty, node.child_by_field_name("dimensions"));
                let name = self.field_ident(node, "name");
                let iterable = *self.field_expr(node, "value");
                StmtKind::ForEach { ty, name, iterable, body: self.field_stmt(node, "body") }
            }
            "labeled_statement" => match children(node).as_slice() {
                [label, body] => {
                    let label = self.ident(*label);
                    StmtKind::Labelled(label, Box::new(self.stmt(*body)))
                }
                _ => StmtKind::Empty,
            },
            "break_statement" => StmtKind::Break(first.map(|l| self.ident(l))),
            "continue_statement" => StmtKind::Continue(first.map(|l| self.ident(l))),
            "return_statement" => StmtKind::Return(first.map(|e| self.expr(e))),
            "yield_statement" | "throw_statement" | "synchronized_statement" => {
                let Some(first) = first else {
                    self.unexpected(node);
                    return Stmt { kind: StmtKind::Empty, span };
                };
                let value = self.expr(first);
                match node.kind() {
                    "yield_statement" => StmtKind::Yield(value),
                    "throw_statement" => StmtKind::Throw(value),
                    _ => {
                        let body = self.field(node, "body");
                        StmtKind::Synchronized(value, self.block(body))
                    }
                }
            }
            "assert_statement" => {
                let mut parts = self.exprs(node).into_iter();
                match parts.next() {
                    Some(condition) => StmtKind::Assert(condition, parts.next()),
                    None => StmtKind::Empty,
                }
            }
            "try_statement" | "try_with_resources_statement" => self.try_stmt(node),
            "explicit_constructor_invocation" => {
                let is_super = self.field(node, "constructor").kind() == "super";
                let outer = node.child_by_field_name("object").map(|o| self.expr(o));
                let arguments = self.field(node, "arguments");
                StmtKind::ConstructorCall { is_super, outer, arguments: self.exprs(arguments) }
            }
            _ => {
                self.unexpected(node);
                StmtKind::Empty
            }
        };
        Stmt { kind, span }
    }

    fn field_stmt(&mut self, node: Node, name: &str) -> Box<Stmt> {
        match node.child_by_field_name(name) {
            Some(child) => Box::new(self.stmt(child)),
            None => Box::new(Stmt { kind: StmtKind::Empty, span: self.span(node) }),
        }
    }

    fn for_init(&mut self, node: Node) -> Stmt {
        if node.kind() == "local_variable_declaration" {
            return self.stmt(node);
        }
        Stmt { kind: StmtKind::Expr(self.expr(node)), span: self.span(node) }
    }

    fn local(&mut self, node: Node) -> StmtKind {
        let is_final = child_of_kind(node, "modifiers").is_some_and(|m| has_token(m, "final"));
        let ty = self.field(node, "type");
        let ty = self.ty(ty);
        let mut declarators = Vec::new();
        for declarator in fields(node, "declarator") {
            let name = self.field_ident(declarator, "name");
            let ty = self.array_of(ty.clone(), declarator.child_by_field_name("dimensions"));
            let init = declarator.child_by_field_name("value").map(|v| self.expr(v));
            declarators.push(Declarator { name, ty, init });
        }
        StmtKind::Local { is_final, ty, declarators }
    }

    fn try_stmt(&mut self, node: Node) -> StmtKind {
        let body = self.field(node, "body");
        let body = self.block(body);
        let mut catches = Vec::new();
        let mut finally = None;
        for child in children(node) {
            match child.kind() {
                "catch_clause" => {
                    let Some(parameter) = child_of_kind(child, "catch_formal_parameter") else {
                        self.unexpected(child);
                        continue;
                    };
                    let types = child_of_kind(parameter, "catch_type").map(|t| children(t)).unwrap_or_default();
                    let types = types.into_iter().map(|t| self.ty(t)).collect();
                    let name = self.field_ident(parameter, "name");
                    let body = self.field(child, "body");
                    catches.push(Catch { types, name, body: self.block(body) });
                }
                "finally_clause" => finally = child_of_kind(child, "block").map(|b| self.block(b)),
                _ => {}
            }
        }
        if node.kind() == "try_statement" {
            return StmtKind::Try { body, catches, finally };
        }
        let body = self.with_resources(node, body);
        if catches.is_empty() && finally.is_none() {
            return StmtKind::Block(body);
        }
        StmtKind::Try { body, catches, finally }
    }

    pub(super) fn switch(&mut self, node: Node) -> Switch {
        let on = self.field_expr(node, "condition");
        let body = self.field(node, "body");
        let mut arms = Vec::new();
        for arm in children(body) {
            let is_arrow = arm.kind() == "switch_rule";
            let mut labels = Vec::new();
            let mut statements = Vec::new();
            let mut value = None;
            for child in children(arm) {
                match child.kind() {
                    "switch_label" => self.labels(child, &mut labels),
                    "expression_statement" if is_arrow => value = children(child).first().map(|e| self.expr(*e)),
                    "block" if is_arrow => statements = self.block(child),
                    _ => statements.push(self.stmt(child)),
                }
            }
            let body = value.map_or(ArmBody::Block(statements), ArmBody::Expr);
            arms.push(Arm { labels, is_arrow, body, span: self.span(arm) });
        }
        Switch { on, arms }
    }

    fn labels(&mut self, node: Node, labels: &mut Vec<CaseLabel>) {
        let parts = children(node);
        let guard = child_of_kind(node, "guard").and_then(|guard| children(guard).into_iter().next());
        if has_token(node, "default") {
            labels.push(CaseLabel::Default);
        }
        for part in parts {
            match part.kind() {
                "pattern" => {
                    let guard = guard.map(|guard| self.expr(guard));
                    labels.push(CaseLabel::Pattern(self.pattern(part), guard));
                }
                "guard" => {}
                // `case null, default`
                "identifier" if self.text(part) == "default" => labels.push(CaseLabel::Default),
                _ => labels.push(CaseLabel::Value(self.expr(part))),
            }
        }
    }

    pub(super) fn pattern(&mut self, node: Node) -> Pattern {
        let parts = children(node);
        let kind = match (node.kind(), &parts[..]) {
            ("type_pattern" | "record_pattern_component", [ty, name]) => match self.text(*name) {
                "_" if self.text(*ty) == "var" => PatternKind::Any,
                _ => PatternKind::Type(self.ty(*ty), self.ident(*name)),
            },
            ("record_pattern", [ty, body]) => {
                let parts = children(*body).into_iter().map(|part| self.pattern(part)).collect();
                PatternKind::Record(self.ty(*ty), parts)
            }
            ("pattern", [only]) => return self.pattern(*only),
            _ => PatternKind::Any,
        };
        Pattern { kind, span: self.span(node) }
    }
}
