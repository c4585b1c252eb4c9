//! Words and symbols of formulas for other plugins. Isabelle's symbols (`\<forall>`) become their ASCII twins.

/// One token, and where it begins in the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Token<'t> {
    Word(&'t str),
    Int(i64),
    Symbol(&'static str),
}

const SYMBOLS: [&str; 36] = [
    "<-->", "-->", "<->", "<=>", "==>", "=>", "::", "~=", "!=", "<=", ">=", "~:", "&&", "||", "(", ")", "{", "}", "[",
    "]", "<", ">", "=", "&", "|", "~", "!", ".", ",", ":", ";", "+", "-", "*", "^", "?",
];

/// What Isabelle's symbols are here.
const ISABELLE: [(&str, Token); 16] = [
    ("forall", Token::Word("ALL")),
    ("exists", Token::Word("EX")),
    ("lambda", Token::Word("lambda")),
    ("and", Token::Symbol("&")),
    ("or", Token::Symbol("|")),
    ("not", Token::Symbol("~")),
    ("le", Token::Symbol("<=")),
    ("ge", Token::Symbol(">=")),
    ("noteq", Token::Symbol("~=")),
    ("longrightarrow", Token::Symbol("-->")),
    ("rightarrow", Token::Symbol("-->")),
    ("longleftrightarrow", Token::Symbol("<->")),
    ("in", Token::Symbol(":")),
    ("notin", Token::Symbol("~:")),
    ("lbrakk", Token::Symbol("(")),
    ("rbrakk", Token::Symbol(")")),
];

/// None: there is a character that no formula has.
pub fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if let Some(name) = rest.strip_prefix("\\<") {
            let end = name.find('>')?;
            found.push(ISABELLE.iter().find(|(n, _)| *n == &name[..end])?.1);
            rest = &name[end + 1..];
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            found.push(Token::Int(rest[..end].parse().ok()?));
            rest = &rest[end..];
        } else if first.is_ascii_alphabetic() || first == '_' || first == '$' {
            let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
            let end = rest.find(|c| !is_inner(c)).unwrap_or(rest.len());
            found.push(Token::Word(&rest[..end]));
            rest = &rest[end..];
        } else {
            let symbol = SYMBOLS.iter().find(|s| rest.starts_with(**s))?;
            found.push(Token::Symbol(symbol));
            rest = &rest[symbol.len()..];
        }
        rest = rest.trim_start();
    }
    Some(found)
}

/// A cursor over them.
pub struct Tokens<'t> {
    all: Vec<Token<'t>>,
    at: usize,
    depth: usize,
}

/// Formulas that are nested deeper are not read.
const DEEPEST: usize = 150;

impl<'t> Tokens<'t> {
    pub fn of(text: &'t str) -> Option<Tokens<'t>> {
        Some(Tokens { all: tokens(text)?, at: 0, depth: 0 })
    }

    pub fn peek(&self) -> Option<Token<'t>> {
        self.ahead(0)
    }

    pub fn ahead(&self, k: usize) -> Option<Token<'t>> {
        self.all.get(self.at + k).copied()
    }

    pub fn advance(&mut self) {
        self.at += 1;
    }

    pub fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(s)) if s == symbol)
    }

    pub fn accept(&mut self, symbol: &str) -> bool {
        let is_there = self.is(symbol);
        self.at += usize::from(is_there);
        is_there
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.at += usize::from(is_there);
        is_there
    }

    pub fn expect(&mut self, symbol: &str) -> Option<()> {
        self.accept(symbol).then_some(())
    }

    pub fn word(&mut self) -> Option<&'t str> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        self.at += 1;
        Some(word)
    }

    pub fn at_end(&self) -> bool {
        self.at >= self.all.len()
    }

    /// One level deeper, unless it is too deep; the twin is [`Tokens::leave`].
    pub fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= DEEPEST).then_some(())
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    pub fn place(&self) -> usize {
        self.at
    }

    pub fn back_to(&mut self, place: usize) {
        self.at = place;
    }
}
