//! Java text to syntax: tree-sitter's concrete tree is turned at once into the [typed syntax](ast).
//!
//! What goes in: one file. What comes out: a [`Unit`], or diagnostics (`syntax-error`, `nesting-too-deep`), several at a
//! time. Never panics: every ERROR and MISSING node of the tree becomes a diagnostic, and the recursion is bounded.

pub mod ast;
mod declarations;
mod expressions;
mod literals;
mod records;
mod statements;
mod types;

use ast::{Ident, Unit};
use source::{Diagnostic, FileId, SourceMap, Span};
use tree_sitter::{Node, Parser, Tree};

/// Deeper nesting is refused: every later stage recurses over the tree.
const MAX_DEPTH: usize = 300;

/// How many syntax errors of one file are shown.
const MAX_ERRORS: usize = 5;

pub fn parse(sources: &SourceMap, file: FileId) -> Result<Unit, Vec<Diagnostic>> {
    let text = &sources.file(file).text;
    let mut parser = Parser::new();
    let tree = match parser.set_language(&tree_sitter_java::LANGUAGE.into()) {
        Ok(()) => parser.parse(text, None),
        Err(_) => None,
    };
    let Some(tree) = tree else {
        let at = Span::new(file, 0, 0);
        return Err(vec![Diagnostic::error("syntax-error", at, "this file could not be parsed at all")]);
    };
    let errors = errors(&tree, text, file);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut reader = Reader { text, file, diagnostics: Vec::new() };
    let unit = reader.unit(tree.root_node());
    if reader.diagnostics.is_empty() { Ok(unit) } else { Err(reader.diagnostics) }
}

/// Walks with a cursor, not by recursion: mangled input may nest without bound.
fn errors(tree: &Tree, text: &str, file: FileId) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let mut descend = node.has_error() || depth < MAX_DEPTH;
        if node.is_error() || node.is_missing() {
            found.push(error(node, text, file));
            descend = false;
        } else if depth == MAX_DEPTH {
            let at = Span::new(file, node.start_byte(), node.end_byte());
            found.push(
                Diagnostic::error("nesting-too-deep", at, format!("more than {MAX_DEPTH} levels of nesting"))
                    .help("split the expression or the block"),
            );
            return found;
        }
        if found.len() >= MAX_ERRORS {
            return found;
        }
        if descend && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
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
    Diagnostic::error("syntax-error", at, message)
}

/// Reads one concrete tree.
struct Reader<'a> {
    text: &'a str,
    file: FileId,
    diagnostics: Vec<Diagnostic>,
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
