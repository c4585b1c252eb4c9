//! A labelled block by itself (dissertation, 8.1): checked from every value of the fields and of the variables that it uses, within bounds; no
//! invariant is assumed, since within a method none need hold. What the block takes for granted it says by `GlassBox.assume`.
//!
//! The block becomes the body of a method that is added to its class; its statements keep their places in the source.

use super::against::methods;
use super::made::parse_members;
use crate::resolve::*;
use crate::syntax::ast::{
    ArmBody, BinaryOp, ClassDecl, Expr, ExprKind, Ident, Member, MethodDecl, Name, Prim, Stmt, StmtKind, TypeRef,
    TypeRefKind,
};
use source::{Diagnostic, Span};
use std::rc::Rc;

/// The method that was made of a block, and an invariant that always holds.
#[derive(Clone, Debug)]
pub struct Made {
    pub class: ClassIx,
    pub method: String,
    pub invariant: String,
    pub label: String,
    /// Of the label.
    pub span: Span,
    /// `check, a block of find(int)`
    pub name: String,
}

/// A variable that the block may see, and its declaration as a parameter.
#[derive(Clone)]
struct Variable {
    name: Name,
    declared: String,
    /// Where its type is left out.
    unknown: Option<Span>,
}

struct Found {
    class: ClassIx,
    method: Rc<MethodDecl>,
    label: Ident,
    block: Stmt,
    scope: Vec<Variable>,
}

pub fn extend(table: &mut Table, wanted: &str) -> Option<Made> {
    let mut search = Search { table, wanted, found: Vec::new(), labels: Vec::new() };
    for class in search.table.input_classes() {
        let decl = search.table.class(class).decl.clone();
        search.class(class, &decl);
    }
    let Search { mut found, labels, .. } = search;
    let second = if found.len() > 1 { found.pop() } else { None };
    match (found.pop(), second) {
        (Some(found), None) => made(table, found),
        (Some(first), Some(second)) => {
            let message = format!("--block: there are several blocks with the label `{wanted}`");
            let problem = Diagnostic::error("unknown-block", second.label.span, message);
            table.diagnostics.push(problem.related(first.label.span, "another one").help("give them different labels"));
            None
        }
        (None, _) => {
            if let Some(span) = somewhere(table, wanted) {
                let message = format!("the block `{wanted}` is not among the statements of a method");
                let help = "a block in a lambda, in a `case` of a `switch` with a value or in an initialiser has no method of its own: move it into one";
                table.diagnostics.push(Diagnostic::error("unknown-block", span, message).help(help));
                return None;
            }
            let message = format!("--block: there is no block with the label `{wanted}`");
            let help = did_you_mean(wanted, labels.iter().map(|l| &**l));
            let help = help.unwrap_or("write `check: { … }` in a method, and --block check".to_string());
            table.diagnostics.push(Diagnostic::error("unknown-block", None, message).help(help));
            None
        }
    }
}

/// Where the text of an input has a label like this one in front of a block, whatever it is within.
fn somewhere(table: &mut Table, wanted: &str) -> Option<Span> {
    for class in table.input_classes() {
        let span = table.class(class).decl.span;
        let text = table.sources.text(span);
        for (at, _) in text.match_indices(wanted) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let rest = text[at + wanted.len()..].trim_start();
            let is_label = rest.strip_prefix(':').is_some_and(|rest| rest.trim_start().starts_with('{'));
            if is_label && !text[..at].ends_with(is_part) {
                let start = span.start as usize + at;
                return Some(Span::new(span.file, start, start + wanted.len()));
            }
        }
    }
    None
}

struct Search<'t, 's, 'w> {
    table: &'t mut Table<'s>,
    wanted: &'w str,
    found: Vec<Found>,
    labels: Vec<Name>,
}

impl Search<'_, '_, '_> {
    /// In front of a name, also where the brackets are after it, or dots stand for them.
    fn ty(&self, ty: &TypeRef) -> String {
        match &ty.kind {
            TypeRefKind::Array(element) => format!("{}[]", self.ty(element)),
            _ => self.table.sources.text(ty.span).to_string(),
        }
    }

    /// What a condition that holds has a name for: `o instanceof Integer i`.
    fn bindings(&self, condition: &Expr, scope: &mut Vec<Variable>) {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::AndThen, a, b) => [a, b].into_iter().for_each(|part| self.bindings(part, scope)),
            ExprKind::InstanceOf(_, ty, Some(name)) => {
                let declared = format!("@glassbox.NonNull {} {}", self.ty(ty), name.name);
                scope.push(Variable { name: name.name.clone(), declared, unknown: None });
            }
            _ => {}
        }
    }

    fn class(&mut self, class: ClassIx, decl: &ClassDecl) {
        for method in methods(decl) {
            let Some(body) = &method.body else { continue };
            let mut scope = Vec::new();
            for param in &method.params {
                let annotations = param.modifiers.annotations.iter();
                let before: String = annotations.map(|a| self.table.sources.text(a.span).to_string() + " ").collect();
                let declared = format!("{before}{} {}", self.ty(&param.ty), param.name.name);
                scope.push(Variable { name: param.name.name.clone(), declared, unknown: None });
            }
            self.block(class, method, body, &mut scope);
        }
    }

    fn block(&mut self, class: ClassIx, method: &Rc<MethodDecl>, stmts: &[Stmt], scope: &mut Vec<Variable>) {
        let outer = scope.len();
        for stmt in stmts {
            self.stmt(class, method, stmt, scope);
        }
        scope.truncate(outer);
    }

    fn stmt(&mut self, class: ClassIx, method: &Rc<MethodDecl>, stmt: &Stmt, scope: &mut Vec<Variable>) {
        let outer = scope.len();
        match &stmt.kind {
            StmtKind::Local { ty, declarators, .. } => {
                // Annotations are before the type.
                let before = Span { end: ty.span.start, ..stmt.span };
                let before = self.table.sources.text(before).replace("final ", " ");
                for declarator in declarators {
                    let (ty, name) = (&declarator.ty, &declarator.name.name);
                    let unknown = matches!(ty.kind, TypeRefKind::Var).then_some(declarator.name.span);
                    let declared = format!("{before} {} {name}", self.ty(ty));
                    scope.push(Variable { name: name.clone(), declared, unknown });
                }
                return;
            }
            StmtKind::Labelled(label, body) => {
                if let StmtKind::Block(_) = body.kind {
                    self.labels.push(label.name.clone());
                }
                if *label.name == *self.wanted {
                    self.found.push(Found {
                        class,
                        method: method.clone(),
                        label: label.clone(),
                        block: stmt.clone(),
                        scope: scope.clone(),
                    });
                }
                self.stmt(class, method, body, scope);
            }
            StmtKind::If(condition, then, otherwise) => {
                self.bindings(condition, scope);
                self.stmt(class, method, then, scope);
                scope.truncate(outer);
                if let Some(otherwise) = otherwise {
                    self.stmt(class, method, otherwise, scope);
                }
            }
            StmtKind::While(condition, body) => {
                self.bindings(condition, scope);
                self.stmt(class, method, body, scope);
            }
            StmtKind::Do(body, _) => self.stmt(class, method, body, scope),
            StmtKind::For { init, body, .. } => {
                for stmt in init {
                    self.stmt(class, method, stmt, scope);
                }
                self.stmt(class, method, body, scope);
            }
            StmtKind::ForEach { ty, name, body, .. } => {
                let unknown = matches!(ty.kind, TypeRefKind::Var).then_some(name.span);
                let declared = format!("{} {}", self.table.sources.text(ty.span), name.name);
                scope.push(Variable { name: name.name.clone(), declared, unknown });
                self.stmt(class, method, body, scope);
            }
            StmtKind::Try { body, catches, finally } => {
                self.block(class, method, body, scope);
                for catch in catches {
                    let declared = match &catch.types[..] {
                        [only] => format!("{} {}", self.table.sources.text(only.span), catch.name.name),
                        _ => format!("Throwable {}", catch.name.name),
                    };
                    scope.push(Variable { name: catch.name.name.clone(), declared, unknown: None });
                    self.block(class, method, &catch.body, scope);
                    scope.pop();
                }
                self.block(class, method, finally.as_deref().unwrap_or_default(), scope);
            }
            StmtKind::Synchronized(_, body) | StmtKind::Block(body) => self.block(class, method, body, scope),
            StmtKind::Switch(switch) => {
                for arm in &switch.arms {
                    if let ArmBody::Block(body) = &arm.body {
                        self.block(class, method, body, scope);
                    }
                }
            }
            _ => {}
        }
        scope.truncate(outer);
    }
}

/// The method for a block, added to its class.
fn made(table: &mut Table, found: Found) -> Option<Made> {
    let Found { class, method, label, block, scope } = found;
    if !matches!(&block.kind, StmtKind::Labelled(_, body) if matches!(body.kind, StmtKind::Block(_))) {
        let message = format!("`{}` is not a block: only a labelled block can be checked by itself", label.name);
        let problem = Diagnostic::error("unknown-block", label.span, message);
        table.diagnostics.push(problem.help(format!("write `{}: {{ … }}`", label.name)));
        return None;
    }
    let text = table.sources.text(block.span).to_string();
    let used = names(&text);
    // An inner variable hides none in Java, so a name means one thing.
    let used: Vec<&Variable> = scope.iter().filter(|v| used.contains(&&*v.name)).collect();
    if let Some((variable, span)) = used.iter().find_map(|v| Some((v, v.unknown?))) {
        let message = format!("the block `{}` uses `{}`, whose type is left out", label.name, variable.name);
        table
            .diagnostics
            .push(Diagnostic::error("unknown-block", span, message).help("write its type instead of `var`"));
        return None;
    }
    let parameters: Vec<&str> = used.iter().map(|v| v.declared.trim()).collect();
    let returned = table.sources.text(method.return_ty.span).to_string();
    let (returned, value) = match &method.return_ty.kind {
        _ if method.is_constructor => ("void".to_string(), None),
        TypeRefKind::Void => (returned, None),
        TypeRefKind::Prim(Prim::Bool) => (returned, Some("false")),
        TypeRefKind::Prim(_) => (returned, Some("0")),
        _ => (returned, Some("null")),
    };
    let is_static = if method.modifiers.is_static { "static " } else { "" };
    let (name, invariant) = (format!("{}$block", label.name), "any$block".to_string());
    let end = value.map_or(String::new(), |value| format!("return {value};"));
    let text = format!(
        "{is_static}{returned} {name}({}) {{ {end} }}\n@Declarative boolean {invariant}() {{ return true; }}\n",
        parameters.join(", ")
    );
    let members = parse_members(table, class, &text)?;
    let members: Vec<Member> = members
        .into_iter()
        .map(|member| match member {
            Member::Method(made) if *made.name.name == *name => {
                let mut made = MethodDecl::clone(&made);
                made.throws.clone_from(&method.throws);
                made.type_params.clone_from(&method.type_params);
                let may = method.modifiers.annotations.iter().filter(|a| &*a.name.name == "MayThrow");
                made.modifiers.annotations.extend(may.cloned());
                let rest = made.body.take().unwrap_or_default();
                let mut block = block.clone();
                Leaving { block: &label, labels: Vec::new(), is_in_loop: false, is_in_switch: false }.stmt(&mut block);
                made.body = Some(std::iter::once(block).chain(rest).collect());
                Member::Method(Rc::new(made))
            }
            member => member,
        })
        .collect();
    table.add_members(class, &members);
    let shown = format!("{}, a block of {}", label.name, method.name.name);
    Some(Made { class, method: name, invariant, label: label.name.to_string(), span: label.span, name: shown })
}

/// Makes the end of the block of what leaves it: `break` and `continue` of a loop around it.
struct Leaving<'b> {
    block: &'b Ident,
    /// Those within.
    labels: Vec<Name>,
    is_in_loop: bool,
    is_in_switch: bool,
}

impl Leaving<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        let leaves = match &stmt.kind {
            StmtKind::Break(Some(label)) | StmtKind::Continue(Some(label)) => !self.labels.contains(&label.name),
            StmtKind::Break(None) => !self.is_in_loop && !self.is_in_switch,
            StmtKind::Continue(None) => !self.is_in_loop,
            _ => false,
        };
        if leaves {
            stmt.kind = StmtKind::Break(Some(self.block.clone()));
        }
        match &mut stmt.kind {
            StmtKind::Labelled(label, body) => {
                self.labels.push(label.name.clone());
                self.stmt(body);
                self.labels.pop();
            }
            StmtKind::If(_, then, otherwise) => {
                self.stmt(then);
                otherwise.iter_mut().for_each(|s| self.stmt(s));
            }
            StmtKind::While(_, body)
            | StmtKind::Do(body, _)
            | StmtKind::For { body, .. }
            | StmtKind::ForEach { body, .. } => {
                let around = std::mem::replace(&mut self.is_in_loop, true);
                self.stmt(body);
                self.is_in_loop = around;
            }
            StmtKind::Try { body, catches, finally } => {
                let catches = catches.iter_mut().flat_map(|c| &mut c.body);
                body.iter_mut().chain(catches).chain(finally.iter_mut().flatten()).for_each(|s| self.stmt(s));
            }
            StmtKind::Synchronized(_, body) | StmtKind::Block(body) => body.iter_mut().for_each(|s| self.stmt(s)),
            StmtKind::Switch(switch) => {
                let around = std::mem::replace(&mut self.is_in_switch, true);
                for arm in &mut switch.arms {
                    if let ArmBody::Block(body) = &mut arm.body {
                        body.iter_mut().for_each(|s| self.stmt(s));
                    }
                }
                self.is_in_switch = around;
            }
            _ => {}
        }
    }
}

/// The names in a piece of source, but for members of something.
fn names(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut rest = text;
    let mut after_dot = false;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |at| at + 2),
            '"' | '\'' => {
                let mut end = c.len_utf8();
                while let Some(d) = rest[end..].chars().next() {
                    end += d.len_utf8();
                    if d == '\\' {
                        end += rest[end..].chars().next().map_or(0, char::len_utf8);
                    } else if d == c {
                        break;
                    }
                }
                end
            }
            c if is_part(c) => {
                let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
                if !after_dot {
                    all.push(&rest[..end]);
                }
                end
            }
            c => c.len_utf8(),
        };
        after_dot = c == '.' || after_dot && c.is_whitespace();
        rest = &rest[skipped..];
    }
    all
}
