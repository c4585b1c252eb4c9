//! Where the text is wrong, rather than where the parser noticed.
//!
//! After a misspelt keyword or a missing bracket or semicolon the tree is broken in places that are far off, and in several. So small repairs
//! are tried: one is believed if the text then parses, or at least does beyond the line of the repair. What comes out are
//! diagnostics about the repairs; an error without one is reported as the parser sees it, and nothing after it.

use super::{KEYWORDS, MAX_ERRORS, error, first_error, parse_text};
use source::nearest;
use source::{Diagnostic, FileId, Span};

pub fn diagnose(text: &str, file: FileId) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut text = text.to_string();
    // Where something was replaced and how much longer it became, each in the text of its time.
    let mut edits: Vec<(usize, isize)> = Vec::new();
    while found.len() < MAX_ERRORS
        && let Some(tree) = parse_text(&text)
        && let Some(node) = first_error(&tree)
    {
        let original = |at: usize| {
            let back = |at: usize, &(p, longer): &(usize, isize)| match at > p {
                true => at.saturating_add_signed(-longer).max(p),
                false => at,
            };
            edits.iter().rev().fold(at, back)
        };
        let span = |start: usize, end: usize| Span::new(file, original(start), original(end));
        let scan = scan(&text);
        if let Some(open) = scan.open_string {
            let d = Diagnostic::error("syntax-error", span(open, open + 1), "this string does not end on its line");
            found.push(d.help("close it with a quotation mark"));
            return found;
        }
        let fixes = fixes(&text, &scan, node.is_missing(), node.start_byte(), node.end_byte());
        let works = fixes.into_iter().find_map(|fix| {
            let repaired = fix.apply(&text);
            let next = parse_text(&repaired).map(|t| first_error(&t).map(|n| n.start_byte()))?;
            next.is_none_or(|next| next > line_end(&repaired, fix.at.max(node.start_byte()))).then_some((fix, repaired))
        });
        let Some((fix, repaired)) = works else {
            let mut d = error(node, &text, file);
            d.span = Some(span(node.start_byte(), node.end_byte()));
            found.push(d);
            return found;
        };
        let (start, end) = fix.shown;
        let mut d = Diagnostic::error("syntax-error", span(start, end), fix.message);
        d.help = fix.help;
        found.push(d);
        edits.push((fix.at, fix.insert.len() as isize - fix.remove as isize));
        text = repaired;
    }
    found
}

struct Fix {
    at: usize,
    /// How many bytes give way to what is inserted.
    remove: usize,
    insert: &'static str,
    shown: (usize, usize),
    message: String,
    help: Option<String>,
}

impl Fix {
    fn semicolon(at: usize) -> Fix {
        let message = "syntax error: `;` is missing here".to_string();
        Fix { at, remove: 0, insert: ";", shown: (at, at), message, help: None }
    }

    fn keyword(at: usize, word: &str) -> Option<Fix> {
        let insert = nearest(word, KEYWORDS.split_whitespace())?;
        let message = format!("syntax error: `{word}` is not a keyword");
        let help = Some(format!("did you mean `{insert}`?"));
        Some(Fix { at, remove: word.len(), insert, shown: (at, at + word.len()), message, help })
    }

    /// What later versions of Java allow, as something that parses.
    fn newer(text: &str, at: usize, word: &str) -> Option<Fix> {
        let rest = text.get(at + word.len()..)?.trim_start();
        let (insert, what, help) = match word {
            "this" | "super" if rest.starts_with('(') => (
                "that",
                format!("statements before `{word}(…)` (Java 25) are not supported"),
                "make the call the first statement; a static method can compute or check what it is given",
            ),
            "module" if text[..at].trim_end().ends_with("import") => (
                "",
                "`import module` (Java 25) is not supported".to_string(),
                "import the packages, such as `import java.util.*;`",
            ),
            _ => return None,
        };
        let shown = (at, at + word.len());
        Some(Fix { at, remove: word.len(), insert, shown, message: what, help: Some(help.to_string()) })
    }

    fn apply(&self, text: &str) -> String {
        let (before, after) = text.split_at(self.at);
        format!("{before}{}{}", self.insert, after.get(self.remove..).unwrap_or(""))
    }
}

fn fixes(text: &str, scan: &Scan, is_missing: bool, start: usize, end: usize) -> Vec<Fix> {
    // A misspelt keyword is taken for a name, and what follows seems to be what is wrong.
    let newer = words(text, start).filter_map(|(at, word)| Fix::newer(text, at, word));
    let mut fixes: Vec<Fix> = newer.chain(words(text, start).filter_map(|(at, word)| Fix::keyword(at, word))).collect();
    for &(open, before) in &scan.unclosed {
        let message = "syntax error: this `{` is never closed".to_string();
        let help = Some("add a `}` where its block ends".to_string());
        fixes.push(Fix { at: before, remove: 0, insert: "}", shown: (open, open + 1), message, help });
    }
    for &at in &scan.surplus {
        let message = "syntax error: this `}` closes nothing".to_string();
        let help = Some("remove it, or add the `{` that it should close".to_string());
        fixes.push(Fix { at, remove: 1, insert: " ", shown: (at, at + 1), message, help });
    }
    // The parser's own repair is as good.
    if !is_missing {
        let line = line_end(text, start);
        let places = [end, line, start].map(|at| scan.tokens.partition_point(|&t| t <= at));
        let mut ends: Vec<usize> = places.iter().filter_map(|&i| scan.tokens.get(i.checked_sub(1)?).copied()).collect();
        ends.dedup();
        fixes.extend(ends.into_iter().map(Fix::semicolon));
    }
    fixes
}

/// The words of the line that a place is in.
fn words(text: &str, at: usize) -> impl Iterator<Item = (usize, &str)> {
    let start = text.bytes().take(at).rposition(|b| b == b'\n').map_or(0, |i| i + 1);
    let line = text.get(start..line_end(text, at)).unwrap_or("");
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    line.split(move |c| !is_word(c))
        .filter(|w| !w.is_empty())
        .map(move |w| (w.as_ptr().addr() - text.as_ptr().addr(), w))
}

/// By bytes: the place may stand within a character, as it was found in a slightly different text.
fn line_end(text: &str, at: usize) -> usize {
    text.bytes().skip(at).position(|b| b == b'\n').map_or(text.len(), |i| at + i)
}

#[derive(Default)]
struct Scan {
    /// Where runs of code without blanks end.
    tokens: Vec<usize>,
    /// Likely culprits first: an opening brace, and where the closing one could stand.
    unclosed: Vec<(usize, usize)>,
    surplus: Vec<usize>,
    open_string: Option<usize>,
}

/// Braces by their layout: a closing one at the start of its line is meant for an opening one whose line is indented as
/// much.
fn scan(text: &str) -> Scan {
    let mut scan = Scan::default();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut suspects: Vec<(usize, usize)> = Vec::new();
    let mut surplus: Vec<usize> = Vec::new();
    let mut at = 0;
    let bytes = text.as_bytes();
    let (mut indent, mut line) = (0, 0);
    let mut count: i64 = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let mut length = 1;
        match rest[0] {
            b'\n' => {
                line = at + 1;
                indent = bytes[line..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            }
            b'/' if rest.starts_with(b"//") => length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with(b"/*") => {
                length = rest.windows(2).skip(2).position(|w| w == b"*/").map_or(rest.len(), |i| i + 4);
            }
            b'"' if rest.starts_with(b"\"\"\"") => {
                length = rest.windows(3).skip(3).position(|w| w == b"\"\"\"").map_or(rest.len(), |i| i + 6);
            }
            quote @ (b'"' | b'\'') => match closing(rest, quote) {
                Some(end) => length = end + 1,
                None => scan.open_string = scan.open_string.or(Some(at)),
            },
            b'{' => {
                count += 1;
                // A block that starts on a later line, no further to the right, is not meant to be within.
                let around = open.last().filter(|(opened, its)| *opened < line && *its >= indent);
                suspects.extend(around.map(|&(opened, _)| (opened, line)));
                open.push((at, indent));
            }
            b'}' => {
                count -= 1;
                let is_first = at == line + indent;
                match open.pop() {
                    Some((opened, its)) if is_first && its > indent => suspects.push((opened, at)),
                    Some((_, its)) if is_first && its < indent => surplus.push(at),
                    Some(_) => {}
                    None => surplus.push(at),
                }
            }
            _ => {}
        }
        let is_comment = rest.starts_with(b"//") || rest.starts_with(b"/*");
        at += length;
        let is_blank = |b: u8| b.is_ascii_whitespace();
        if !is_comment && !is_blank(rest[0]) && text.is_char_boundary(at) {
            let ends = bytes.get(at).is_none_or(|&b| is_blank(b) || matches!(b, b'/' | b'}' | b')' | b';' | b'{'));
            if ends {
                scan.tokens.push(at);
            }
        }
    }
    match count {
        1.. => {
            suspects.truncate(3);
            suspects.extend(open.last().map(|&(opened, _)| (opened, text.len())));
            scan.unclosed = suspects;
        }
        ..0 => {
            surplus.truncate(3);
            scan.surplus = surplus;
        }
        0 => {}
    }
    scan
}

/// Where a string or character that starts the text ends, on the same line.
fn closing(text: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        match text[at] {
            b'\\' => at += 1,
            b if b == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}
