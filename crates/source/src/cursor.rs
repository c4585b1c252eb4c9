//! Where a reader is in a list of tokens, and how deep in what it reads: what parsers by recursive descent have in common.
//!
//! Invariant: the last token is the end of the text, and is never passed.

use crate::Span;

pub trait Token {
    fn span(&self) -> Span;
}

pub struct Cursor<T> {
    tokens: Vec<T>,
    at: usize,
    depth: usize,
    links: usize,
}

impl<T: Token> Cursor<T> {
    pub fn new(tokens: Vec<T>) -> Cursor<T> {
        Cursor { tokens, at: 0, depth: 0, links: 0 }
    }

    /// The token that comes after `k` others.
    pub fn token(&self, k: usize) -> Option<&T> {
        self.tokens.get(self.at + k)
    }

    /// The token that is next to be read.
    pub fn token_mut(&mut self) -> Option<&mut T> {
        self.tokens.get_mut(self.at)
    }

    /// All of them, read or not.
    pub fn tokens(&self) -> &[T] {
        &self.tokens
    }

    /// The last token that was read.
    pub fn last(&self) -> Option<&T> {
        self.at.checked_sub(1).and_then(|k| self.tokens.get(k))
    }

    pub fn span(&self) -> Span {
        self.token(0).or(self.tokens.last()).map_or(Span::default(), Token::span)
    }

    /// Of the last token that was read; of the next one, if none was.
    pub fn last_span(&self) -> Span {
        self.last().map_or(self.span(), Token::span)
    }

    /// From there to the last token that was read.
    pub fn since(&self, start: Span) -> Span {
        let last = self.last_span();
        if last.start < start.start { start } else { start.to(last) }
    }

    /// How many tokens were read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Leaves out all the rest.
    pub fn finish(&mut self) {
        self.at = self.tokens.len().saturating_sub(1);
    }

    pub fn advance(&mut self) {
        self.advance_if(true);
    }

    /// Reads the next token if the condition holds; whether it does.
    pub fn advance_if(&mut self, condition: bool) -> bool {
        if condition && self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        condition
    }

    /// Goes one level deeper; how deep that is. The twin is [`Cursor::leave`].
    pub fn enter(&mut self) -> usize {
        self.depth += 1;
        self.depth
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The nesting to go back to after a mistake.
    pub fn depth(&self) -> usize {
        self.depth
    }

    pub fn set_depth(&mut self, depth: usize) {
        self.depth = depth;
    }

    /// A statement, formula or declaration begins, whose operators are counted.
    pub fn fresh_links(&mut self) {
        self.links = 0;
    }

    /// One more operator; how many that are.
    pub fn link(&mut self) -> usize {
        self.links += 1;
        self.links
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    impl Token for Span {
        fn span(&self) -> Span {
            *self
        }
    }

    #[test]
    fn the_end_is_never_passed() {
        let span = |start| Span::new(FileId(0), start, start + 1);
        let mut cursor = Cursor::new(vec![span(0), span(2), span(4)]);
        assert_eq!((cursor.last(), cursor.last_span(), cursor.token(2)), (None, span(0), Some(&span(4))));
        assert!(!cursor.advance_if(false) && cursor.advance_if(true));
        assert_eq!((cursor.position(), cursor.span(), cursor.last_span()), (1, span(2), span(0)));
        cursor.advance();
        cursor.advance();
        assert_eq!((cursor.position(), cursor.span(), cursor.since(span(0))), (2, span(4), Span::new(FileId(0), 0, 3)));
        assert_eq!(cursor.tokens().len(), 3);
        // What begins after the last token that was read is only itself.
        assert_eq!(cursor.since(span(4)), span(4));
        let mut rest = Cursor::new(vec![span(0), span(2), span(4)]);
        rest.finish();
        assert_eq!((rest.position(), rest.token_mut()), (2, Some(&mut span(4))));
        let empty: Cursor<Span> = Cursor::new(Vec::new());
        assert_eq!((empty.span(), empty.last_span()), (Span::default(), Span::default()));
    }

    #[test]
    fn nesting_is_counted() {
        let mut cursor: Cursor<Span> = Cursor::new(Vec::new());
        assert_eq!((cursor.enter(), cursor.enter(), cursor.link(), cursor.link()), (1, 2, 1, 2));
        cursor.leave();
        let depth = cursor.depth();
        cursor.enter();
        cursor.set_depth(depth);
        cursor.fresh_links();
        assert_eq!((cursor.depth(), cursor.link()), (1, 1));
    }
}
