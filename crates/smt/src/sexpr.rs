//! What a solver answers, as a tree. Text that is not well formed gives none.

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexpr {
    Atom(String),
    /// A string literal, with its escapes undone.
    Text(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(atom) => Some(atom),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(parts) => Some(parts),
            _ => None,
        }
    }
}

/// More nesting than that is not taken apart.
const DEEPEST: usize = 2_000;

pub fn parse(text: &str) -> Option<Sexpr> {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    let mut stack: Vec<Vec<Sexpr>> = vec![Vec::new()];
    while at < chars.len() {
        let c = chars[at];
        match c {
            '(' => {
                if stack.len() > DEEPEST {
                    return None;
                }
                stack.push(Vec::new());
                at += 1;
            }
            ')' => {
                let done = stack.pop()?;
                stack.last_mut()?.push(Sexpr::List(done));
                at += 1;
            }
            '"' => {
                let mut text = String::new();
                at += 1;
                loop {
                    match chars.get(at)? {
                        '"' if chars.get(at + 1) == Some(&'"') => {
                            text.push('"');
                            at += 2;
                        }
                        '"' => break,
                        c => {
                            text.push(*c);
                            at += 1;
                        }
                    }
                }
                at += 1;
                stack.last_mut()?.push(Sexpr::Text(unescaped(&text)));
            }
            '|' => {
                let end = at + 1 + chars[at + 1..].iter().position(|c| *c == '|')?;
                stack.last_mut()?.push(Sexpr::Atom(chars[at + 1..end].iter().collect()));
                at = end + 1;
            }
            c if c.is_whitespace() => at += 1,
            _ => {
                let end = chars[at..].iter().position(|c| c.is_whitespace() || "()\"".contains(*c));
                let end = end.map_or(chars.len(), |n| at + n);
                stack.last_mut()?.push(Sexpr::Atom(chars[at..end].iter().collect()));
                at = end;
            }
        }
    }
    match (stack.pop(), stack.is_empty()) {
        (Some(mut parts), true) if parts.len() == 1 => parts.pop(),
        _ => None,
    }
}

/// `\u{61}`, `\u0061` and, of old versions, `\x61`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let code = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        let braced = tail.strip_prefix("u{").and_then(|t| t.split_once('}')).and_then(|(d, r)| Some((code(d)?, r)));
        let plain = || tail.strip_prefix('u').and_then(|t| Some((code(t.get(..4)?)?, t.get(4..)?)));
        let short = || tail.strip_prefix('x').and_then(|t| Some((code(t.get(..2)?)?, t.get(2..)?)));
        match braced.or_else(plain).or_else(short) {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.push('\\');
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}
