//! Words and symbols of formulas for other plugins. Isabelle's symbols (`\<forall>`) become their ASCII twins.

/// One token, and where it begins in the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Token<'t> {
    Word(&'t str),
    Int(i64),
    Symbol(&'static str),
}

const SYMBOLS: [&str; 37] = [
    "<-->", "-->", "<->", "<=>", "==>", "=>", "::", "~=", "!=", "<=", ">=", "~:", "&&", "||", "(", ")", "{", "}", "[",
    "]", "<", ">", "=", "&", "|", "~", "!", ".", ",", ":", ";", "+", "-", "*", "^", "?", "%",
];

/// What Isabelle's symbols are here.
const ISABELLE: [(&str, Token); 19] = [
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
    ("Longrightarrow", Token::Symbol("==>")),
    ("equiv", Token::Symbol("<->")),
    ("longleftrightarrow", Token::Symbol("<->")),
    ("times", Token::Symbol("*")),
    ("in", Token::Symbol(":")),
    ("notin", Token::Symbol("~:")),
    ("lbrakk", Token::Symbol("(")),
    ("rbrakk", Token::Symbol(")")),
];

/// The first token of a text, and its length. None: there is a character that no formula has.
fn token(text: &str) -> Option<(Token<'_>, usize)> {
    let first = text.chars().next()?;
    if let Some(name) = text.strip_prefix("\\<") {
        let end = name.find('>')?;
        return Some((ISABELLE.iter().find(|(n, _)| *n == &name[..end])?.1, end + 3));
    }
    if first.is_ascii_digit() {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        return Some((Token::Int(text[..end].parse().ok()?), end));
    }
    if first.is_ascii_alphabetic() || first == '_' || first == '$' {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
        let end = text.find(|c| !is_inner(c)).unwrap_or(text.len());
        return Some((Token::Word(&text[..end]), end));
    }
    let symbol = SYMBOLS.iter().find(|s| text.starts_with(**s))?;
    Some((Token::Symbol(symbol), symbol.len()))
}

/// Where a text says something that is not read: as many of its bytes are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unread(pub usize);

/// A cursor over them.
pub struct Tokens<'t> {
    /// With the place where each begins.
    all: Vec<(Token<'t>, usize)>,
    at: usize,
    /// The greatest that it was.
    furthest: usize,
    depth: usize,
    end: usize,
}

/// Formulas that are nested deeper are not read.
const DEEPEST: usize = 150;

impl<'t> Tokens<'t> {
    pub fn of(text: &'t str) -> Result<Tokens<'t>, Unread> {
        let skip = |at: usize| at + text[at..].len() - text[at..].trim_start().len();
        let (mut all, mut at) = (Vec::new(), skip(0));
        while at < text.len() {
            let (token, length) = token(&text[at..]).ok_or(Unread(at))?;
            all.push((token, at));
            at = skip(at + length);
        }
        Ok(Tokens { all, at: 0, furthest: 0, depth: 0, end: text.trim_end().len() })
    }

    /// What was not read.
    pub fn unread(&self) -> Unread {
        Unread(self.all.get(self.furthest).map_or(self.end, |(_, at)| *at))
    }

    pub fn peek(&self) -> Option<Token<'t>> {
        self.ahead(0)
    }

    pub fn ahead(&self, k: usize) -> Option<Token<'t>> {
        self.all.get(self.at + k).map(|(token, _)| *token)
    }

    pub fn advance(&mut self) {
        self.at += 1;
        self.furthest = self.furthest.max(self.at);
    }

    pub fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token::Symbol(s)) if s == symbol)
    }

    pub fn accept(&mut self, symbol: &str) -> bool {
        let is_there = self.is(symbol);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        if is_there {
            self.advance();
        }
        is_there
    }

    pub fn expect(&mut self, symbol: &str) -> Option<()> {
        self.accept(symbol).then_some(())
    }

    pub fn word(&mut self) -> Option<&'t str> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        self.advance();
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
