//! Java text to syntax: tree-sitter's concrete tree is turned at once into the [typed syntax](ast).
//!
//! What goes in: one file. What comes out: a [`Unit`], or diagnostics (`syntax-error`, `nesting-too-deep`), several at a
//! time. Never panics: every ERROR and MISSING node of the tree becomes a diagnostic, and the recursion is bounded.

pub mod ast;
mod declarations;
mod expressions;
mod literals;
mod operators;
mod records;
mod repair;
mod resources;
mod statements;
mod types;

use ast::{Ident, Unit};
use source::{Diagnostic, FileId, SourceMap, Span};
use tree_sitter::{Node, Parser, Tree};

/// Deeper nesting is refused: every later stage recurses over the tree.
const MAX_DEPTH: usize = 300;

/// How many syntax errors of one file are shown.
const MAX_ERRORS: usize = 5;

/// What may be meant by a name that stands where none may.
pub const KEYWORDS: &str = "abstract assert boolean break byte case catch char class continue default do else enum \
    extends final finally for if implements import instanceof int interface long new package private protected public \
    record return short static super switch synchronized throw throws try void while";

pub fn parse(sources: &SourceMap, file: FileId) -> Result<Unit, Vec<Diagnostic>> {
    let text = &sources.file(file).text;
    let Some(tree) = parse_text(text) else {
        let at = Span::new(file, 0, 0);
        return Err(vec![Diagnostic::error("syntax-error", at, "this file could not be parsed at all")]);
    };
    if tree.root_node().has_error() {
        let errors = repair::diagnose(text, file);
        if !errors.is_empty() {
            return Err(errors);
        }
    }
    if let Some(too_deep) = too_deep(&tree, file) {
        return Err(vec![too_deep]);
    }
    let mut reader = Reader { text, file, diagnostics: Vec::new(), made: Vec::new() };
    let unit = reader.unit(tree.root_node());
    if reader.diagnostics.is_empty() { Ok(unit) } else { Err(reader.diagnostics) }
}

fn parse_text(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_java::LANGUAGE.into()).ok()?;
    parser.parse(text, None)
}

fn first_error(tree: &Tree) -> Option<Node<'_>> {
    let is_wrong = |node: Node, _| node.is_error() || node.is_missing();
    find(tree, is_wrong, |node, _| node.has_error())
}

fn too_deep(tree: &Tree, file: FileId) -> Option<Diagnostic> {
    let node = find(tree, |_, depth| depth == MAX_DEPTH, |_, _| true)?;
    let at = Span::new(file, node.start_byte(), node.end_byte());
    let message = format!("more than {MAX_DEPTH} levels of nesting");
    Some(Diagnostic::error("nesting-too-deep", at, message).help("split the expression or the block"))
}

/// The first node of a kind. Walks with a cursor, not by recursion: mangled input may nest without bound.
fn find<'t>(
    tree: &'t Tree,
    is_it: impl Fn(Node, usize) -> bool,
    descend: impl Fn(Node, usize) -> bool,
) -> Option<Node<'t>> {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        if is_it(node, depth) {
            return Some(node);
        }
        if descend(node, depth) && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return None;
            }
            depth -= 1;
        }
    }
}

fn error(node: Node, text: &str, file: FileId) -> Diagnostic {
    let at = Span::new(file, node.start_byte(), node.end_byte());
    if node.is_missing() {
        return Diagnostic::error("syntax-error", at, format!("syntax error: `{}` is missing here", node.kind()));
    }
    let wrong = text.get(node.start_byte()..node.end_byte()).unwrap_or("").trim();
    let first: String = wrong.split_whitespace().next().unwrap_or("").chars().take(30).collect();
    let message =
        if first.is_empty() { "syntax error".to_string() } else { format!("syntax error at or after `{first}`") };
    Diagnostic::error("syntax-error", at, message).help("look for a bracket, comma or operator too many or too few")
}

/// Reads one concrete tree.
struct Reader<'a> {
    text: &'a str,
    file: FileId,
    diagnostics: Vec<Diagnostic>,
    made: Vec<(ast::TypeRef, usize)>,
}

impl<'a> Reader<'a> {
    fn span(&self, node: Node) -> Span {
        Span::new(self.file, node.start_byte(), node.end_byte())
    }

    fn text(&self, node: Node) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn ident(&self, node: Node) -> Ident {
        Ident { name: self.text(node).into(), span: self.span(node) }
    }

    /// A child that the grammar promises; if it is not there the node itself stands in, and a diagnostic tells.
    fn field<'t>(&mut self, node: Node<'t>, name: &str) -> Node<'t> {
        match node.child_by_field_name(name) {
            Some(child) => child,
            None => {
                self.unexpected(node);
                node
            }
        }
    }

    fn field_ident(&mut self, node: Node, name: &str) -> Ident {
        let child = self.field(node, name);
        self.ident(child)
    }

    fn unexpected(&mut self, node: Node) {
        let message = format!("syntax error: unexpected {}", node.kind().replace('_', " "));
        self.diagnostics.push(Diagnostic::error("syntax-error", self.span(node), message));
    }
}

/// Named children without comments.
fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|c| !c.is_extra()).collect()
}

fn child_of_kind<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    children(node).into_iter().find(|c| c.kind() == kind)
}

/// Children of one grammar field.
fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(|c| c.is_named()).collect()
}

/// Whether a keyword or sign stands directly in the node.
fn has_token(node: Node, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|c| !c.is_named() && c.kind() == token)
}
