//! Forms to items, and items to one line: productions keep the spaces that their author wrote, and two symbols never run together.

use crate::definition::*;
use crate::syntax::forms::Ast;
use crate::syntax::lexer;
use rustc_hash::FxHashMap;
use source::FileId;
use std::rc::Rc;

/// A piece of text, by what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    /// Object syntax.
    Token(String),
    /// A word of the definition language: `where`, `dom`.
    Word(&'static str),
    /// A metavariable or a variable.
    Name(String),
    Number(String),
    /// Parentheses and the like, which belong to no grammar.
    Mark(&'static str),
    Space,
}

/// Whether there is a space before each piece.
type Gaps = Rc<Vec<bool>>;

pub(crate) struct Writer<'l> {
    lang: &'l Lang,
    gaps: FxHashMap<ProdId, Gaps>,
    pub items: Vec<Item>,
}

impl<'l> Writer<'l> {
    pub fn new(lang: &'l Lang) -> Writer<'l> {
        Writer { lang, gaps: FxHashMap::default(), items: Vec::new() }
    }

    fn space(&mut self) {
        if !matches!(self.items.last(), None | Some(Item::Space)) {
            self.items.push(Item::Space);
        }
    }

    /// A word of its own, with spaces around it.
    pub fn word(&mut self, word: &'static str) {
        self.space();
        self.items.push(Item::Word(word));
        self.space();
    }

    pub fn name(&mut self, name: &str) {
        self.items.push(Item::Name(name.to_string()));
    }

    /// A mark with a space after it.
    pub fn mark(&mut self, mark: &'static str) {
        self.items.push(Item::Mark(mark));
        self.space();
    }

    pub fn form(&mut self, ast: &Ast) {
        match ast {
            Ast::Meta { name, .. } => self.name(name),
            Ast::Paren(inner) => {
                self.items.push(Item::Mark("("));
                self.form(inner);
                self.items.push(Item::Mark(")"));
            }
            Ast::Node(prod, args) => {
                let production = self.lang.prod(*prod);
                let gaps = self
                    .gaps
                    .entry(*prod)
                    .or_insert_with(|| Rc::new(gaps(&production.text, &production.pieces)))
                    .clone();
                self.spaced(&production.pieces, args, &gaps);
            }
            Ast::Any(_) => self.items.push(Item::Mark("_")),
            Ast::Hole(_) => self.items.push(Item::Mark("[]")),
            Ast::Error => self.items.push(Item::Token("error".to_string())),
            Ast::Int(n) => self.items.push(Item::Number(n.to_string())),
            Ast::Atom(sort, k) => self.items.push(Item::Name(format!("'{}{k}'", self.lang.sort(*sort).name))),
            Ast::Subst { body, pairs } => {
                self.form(body);
                self.items.push(Item::Mark("["));
                for (k, (by, var)) in pairs.iter().enumerate() {
                    if k > 0 {
                        self.mark(",");
                    }
                    self.form(by);
                    self.items.push(Item::Mark("/"));
                    self.form(var);
                }
                self.items.push(Item::Mark("]"));
            }
            Ast::Lookup { store, key } => {
                self.form(store);
                self.items.push(Item::Mark("("));
                self.form(key);
                self.items.push(Item::Mark(")"));
            }
            Ast::Update { store, key, value } => {
                self.form(store);
                self.items.push(Item::Mark("["));
                self.form(key);
                self.word("↦");
                self.form(value);
                self.items.push(Item::Mark("]"));
            }
            Ast::Call(fun, args) => {
                self.items.push(Item::Token(self.lang.fun(*fun).name.clone()));
                self.items.push(Item::Mark("("));
                for (k, arg) in args.iter().enumerate() {
                    if k > 0 {
                        self.mark(",");
                    }
                    self.form(arg);
                }
                self.items.push(Item::Mark(")"));
            }
            Ast::Arith(op, a, b) => {
                self.form(a);
                self.word(match op {
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                });
                self.form(b);
            }
        }
    }

    /// Tokens and arguments of a shape, spaced as in its text.
    pub fn pieces(&mut self, text: &str, pieces: &[Piece], args: &[Rc<Ast>]) {
        self.spaced(pieces, args, &gaps(text, pieces));
    }

    /// `x:T`: the part of an extension from its key on.
    pub fn entry(&mut self, prod: ProdId, args: &[Rc<Ast>]) {
        let production = self.lang.prod(prod);
        let from = production.pieces.iter().position(|p| *p == Piece::Arg(1)).unwrap_or(0);
        let gaps = gaps(&production.text, &production.pieces);
        let pieces: Vec<Piece> = production.pieces[from..]
            .iter()
            .map(|p| if let Piece::Arg(k) = p { Piece::Arg(k.saturating_sub(1)) } else { p.clone() })
            .collect();
        let mut gaps = gaps[from..].to_vec();
        gaps[0] = false;
        self.spaced(&pieces, args, &gaps);
    }

    fn spaced(&mut self, pieces: &[Piece], args: &[Rc<Ast>], gaps: &[bool]) {
        for (piece, gap) in pieces.iter().zip(gaps) {
            if *gap {
                self.space();
            }
            match piece {
                Piece::Token(token) => self.items.push(Item::Token(token.clone())),
                Piece::Arg(k) => self.form(&args[*k]),
            }
        }
    }
}

/// Whether the author of a shape put a space before each of its pieces. Around a quoted token spaces are needed to write it at all:
/// there they are put as on paper.
fn gaps(text: &str, pieces: &[Piece]) -> Vec<bool> {
    spelling(text, pieces).into_iter().map(|(gap, _)| gap).collect()
}

/// Each piece as its author spelt it, and whether a space comes before it.
pub(crate) fn spelling<'t>(text: &'t str, pieces: &[Piece]) -> Vec<(bool, &'t str)> {
    let mut rest = text;
    let mut out = Vec::with_capacity(pieces.len());
    let mut before_quoted = false;
    for (k, piece) in pieces.iter().enumerate() {
        let trimmed = rest.trim_start();
        let mut gap = k > 0 && trimmed.len() < rest.len();
        let mut is_quoted = false;
        rest = match piece {
            Piece::Token(token) => {
                let quoted = trimmed
                    .strip_prefix('\'')
                    .and_then(|r| r.strip_prefix(token.as_str()))
                    .and_then(|r| r.strip_prefix('\''));
                is_quoted = quoted.is_some();
                quoted.or_else(|| trimmed.strip_prefix(token.as_str())).unwrap_or("")
            }
            Piece::Arg(_) => trimmed
                .trim_start_matches(|c: char| c.is_alphabetic() || c == '_')
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .trim_start_matches('\''),
        };
        if k > 0 && (is_quoted || before_quoted) {
            let opens = |p: &Piece| matches!(p, Piece::Token(t) if matches!(t.as_str(), "(" | "[" | "{"));
            let closes = |p: &Piece| matches!(p, Piece::Token(t) if matches!(t.as_str(), ")" | "]" | "}"));
            let is_sign = k == 1
                && matches!(&pieces[0], Piece::Token(t) if matches!(t.as_str(), "#" | "!" | "@" | "$" | "&" | "~"));
            gap = !(opens(&pieces[k - 1]) || closes(piece) || is_sign);
        }
        if matches!(piece, Piece::Token(t) if t == ",") {
            gap = false;
        }
        out.push((gap, &trimmed[..trimmed.len() - rest.len()]));
        before_quoted = is_quoted;
    }
    out
}

/// On one line, as it is read again.
pub(crate) fn text(items: &[Item]) -> String {
    let mut out = String::new();
    for item in items {
        let next = match item {
            Item::Space => {
                out.push(' ');
                continue;
            }
            Item::Token(token) if is_plain(token) => token.clone(),
            Item::Token(token) => format!("'{token}'"),
            Item::Name(text) | Item::Number(text) => text.clone(),
            Item::Mark(mark) | Item::Word(mark) => (*mark).to_string(),
        };
        if let (Some(a), Some(b)) = (out.chars().last(), next.chars().next())
            && run_together(a, b)
        {
            out.push(' ');
        }
        out.push_str(&next);
    }
    while out.ends_with(' ') {
        out.pop();
    }
    out
}

/// Whether two characters side by side could be one token.
fn run_together(a: char, b: char) -> bool {
    let is_word = |c: char| c.is_alphanumeric() && !matches!(c, 'λ' | 'Λ') || c == '_' || c == '\'';
    let is_alone = |c: char| c.is_whitespace() || matches!(c, 'λ' | 'Λ' | '(' | ')' | '[' | ']' | '{' | '}' | ',');
    let is_symbol = |c: char| !is_word(c) && !is_alone(c);
    let is_sign = a == '-' && b.is_ascii_digit();
    is_sign || (is_word(a) && is_word(b)) || (is_symbol(a) && is_symbol(b)) || (a == '[' && b == ']')
}

/// Whether a token is read as itself without quotes.
fn is_plain(token: &str) -> bool {
    let tokens = lexer::split(&lexer::tokens(token, 0, FileId(0)), &[token.to_string()]);
    matches!(&tokens[..], [only] if only.text == token && only.kind != lexer::Kind::Quoted)
}
