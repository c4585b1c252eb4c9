//! `try` with resources, written out as the nested `try` statements it stands for (JLS 14.20.3.1). What a failing `close`
//! throws beside an earlier exception is dropped: nothing can ask for suppressed exceptions here.

use super::ast::*;
use super::{Reader, child_of_kind, children};
use tree_sitter::Node;

// No program text can clash with names that are no identifiers.
const PRIMARY: &str = "#primary";
const THROWN: &str = "#thrown";
const RESOURCE: &str = "#resource";

impl Reader<'_> {
    /// The body of the statement, which closes the resources of `node` at its end.
    pub(super) fn with_resources(&mut self, node: Node, body: Block) -> Block {
        let resources = child_of_kind(node, "resource_specification").map(|r| children(r)).unwrap_or_default();
        let resources: Vec<Declarator> = resources.into_iter().map(|r| self.resource(r)).collect();
        resources.into_iter().rev().fold(body, closing)
    }

    /// A variable that is only named is copied: it is final in any case.
    fn resource(&mut self, node: Node) -> Declarator {
        let span = self.span(node);
        let Some(value) = node.child_by_field_name("value") else {
            let init = children(node).first().map(|e| self.expr(*e));
            let name = Ident { name: RESOURCE.into(), span };
            return Declarator { name, ty: TypeRef { kind: TypeRefKind::Var, span }, init };
        };
        let ty = self.field(node, "type");
        Declarator { name: self.field_ident(node, "name"), ty: self.ty(ty), init: Some(self.expr(value)) }
    }
}

fn closing(body: Block, resource: Declarator) -> Block {
    let span = resource.name.span;
    let expr = |kind| Expr { kind, span };
    let stmt = |kind| Stmt { kind, span };
    let ident = |name: &str| Ident { name: name.into(), span };
    let name = |name: &str| expr(ExprKind::Name(name.into()));
    let null = || expr(ExprKind::Literal(Literal::Null));
    let is_set = |variable: &str| expr(ExprKind::Binary(BinaryOp::Ne, Box::new(name(variable)), Box::new(null())));
    let parts = ["java", "lang", "Throwable"].map(|part| (ident(part), None));
    let throwable = TypeRef { kind: TypeRefKind::Named(parts.into()), span };
    let catch = |body| Catch { types: vec![throwable.clone()], name: ident(THROWN), body };
    let local = |d: Declarator| stmt(StmtKind::Local { is_final: false, ty: d.ty.clone(), declarators: vec![d] });

    let target = Some(Box::new(name(&resource.name.name)));
    let close = ExprKind::Call { target, type_args: Vec::new(), name: ident("close"), arguments: Vec::new() };
    let close = stmt(StmtKind::Expr(expr(close)));
    let quietly = StmtKind::Try { body: vec![close.clone()], catches: vec![catch(Vec::new())], finally: None };
    let either = stmt(StmtKind::If(is_set(PRIMARY), Box::new(stmt(quietly)), Some(Box::new(close))));
    let finally = stmt(StmtKind::If(is_set(&resource.name.name), Box::new(either), None));
    let keep = expr(ExprKind::Assign(None, Box::new(name(PRIMARY)), Box::new(name(THROWN))));
    let rethrow = vec![stmt(StmtKind::Expr(keep)), stmt(StmtKind::Throw(name(THROWN)))];
    let primary = Declarator { name: ident(PRIMARY), ty: throwable.clone(), init: Some(null()) };
    let guarded = StmtKind::Try { body, catches: vec![catch(rethrow)], finally: Some(vec![finally]) };
    vec![stmt(StmtKind::Block(vec![local(resource), local(primary), stmt(guarded)]))]
}
