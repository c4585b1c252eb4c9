//! A JSON value as a drawing: printed over several lines, with the parts that are not in their type marked by the numbers of their messages.
//!
//! The text is never read into machine numbers: integers are shown as they are, however long. Where a value is long, parts without a mark
//! are folded.

use super::svg::{COLUMN, LINE, Svg, width};
use super::text::brief;
use verdict::Selector;

const MOST_LINES: usize = 120;
const WIDEST: usize = 72;
/// A collection that takes no more is on one line.
const ONE_LINE: usize = 48;
/// Nothing is looked for further inside.
const DEEPEST: usize = 100;

/// `marks`: paths into the value, by number.
pub fn draw(json: &str, marks: &[&[Selector]], label: &str) -> String {
    let value = Reader { text: json, at: 0 }.value(0);
    let is_long = value.lines() > MOST_LINES;
    let mut printer = Printer { marks, is_long, lines: Vec::new() };
    printer.value(&value, &mut Vec::new(), 0, String::new(), "");
    let mut svg = Svg::default();
    let most = 2 * MOST_LINES;
    for (k, line) in printer.lines.iter().take(most).enumerate() {
        let (x, y) = (line.indent as f64 * 2.0 * COLUMN, k as f64 * LINE);
        let text = brief_line(&line.text);
        if line.marks.is_empty() {
            svg.text("json", x, y + 12.0, &text, &line.text);
            continue;
        }
        svg.group("misfit", "", |svg| {
            svg.rect("wrong", [x - 3.0, y - 1.0, width(&text) + 6.0, LINE], 3.0);
            svg.text("json", x, y + 12.0, &text, &line.text);
            let mut at = x + width(&text) + 20.0;
            for mark in &line.marks {
                svg.circle("number", at, y + 7.5, 8.0);
                let number = (mark + 1).to_string();
                svg.middle("number-text", at, y + 11.5, &number, &number);
                at += 20.0;
            }
        });
    }
    if printer.lines.len() > most {
        let more = format!("… {} more lines", printer.lines.len() - most);
        svg.text("json faint", 0.0, most as f64 * LINE + 12.0, &more, &more);
    }
    svg.finish(label)
}

fn brief_line(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        text.to_string()
    } else {
        text.chars().take(WIDEST - 1).chain(['…']).collect()
    }
}

enum Json<'a> {
    /// As it is written.
    Atom(&'a str),
    List(Vec<Json<'a>>),
    /// Names as they are written, quoted.
    Object(Vec<(&'a str, Json<'a>)>),
}

/// Reads what is JSON; of anything else, the rest becomes one text.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied().unwrap_or(0)
    }

    fn value(&mut self, depth: usize) -> Json<'a> {
        let open = self.peek();
        if depth > DEEPEST || !matches!(open, b'[' | b'{') {
            return Json::Atom(if depth > DEEPEST { self.rest() } else { self.atom() });
        }
        let close = if open == b'[' { b']' } else { b'}' };
        self.at += 1;
        let (mut members, mut fields) = (Vec::new(), Vec::new());
        while !matches!(self.peek(), 0) && self.peek() != close {
            let start = self.at;
            if open == b'{' {
                let name = self.atom();
                if self.peek() == b':' {
                    self.at += 1;
                }
                fields.push((name, self.value(depth + 1)));
            } else {
                members.push(self.value(depth + 1));
            }
            if self.peek() == b',' {
                self.at += 1;
            }
            // What is not JSON must not stop us here.
            if self.at == start {
                members.push(Json::Atom(self.rest()));
            }
        }
        self.at = (self.at + 1).min(self.text.len());
        if open == b'[' { Json::List(members) } else { Json::Object(fields) }
    }

    /// A text in quotes, or everything up to the next sign.
    fn atom(&mut self) -> &'a str {
        let quoted = self.peek() == b'"';
        let start = self.at;
        let bytes = self.text.as_bytes();
        self.at += usize::from(quoted);
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'"' if quoted => {
                    self.at += 1;
                    break;
                }
                b'\\' if quoted => self.at += 1,
                b',' | b':' | b']' | b'}' | b'[' | b'{' if !quoted => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(bytes.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        self.text[start..self.at].trim_end()
    }

    fn rest(&mut self) -> &'a str {
        let start = std::mem::replace(&mut self.at, self.text.len());
        &self.text[start..]
    }
}

impl Json<'_> {
    fn lines(&self) -> usize {
        match self {
            Json::Atom(_) => 1,
            Json::List(all) => 2 + all.iter().map(Json::lines).sum::<usize>(),
            Json::Object(all) => 2 + all.iter().map(|(_, v)| v.lines()).sum::<usize>(),
        }
    }

    /// On one line, if it is short.
    fn short(&self, most: usize) -> Option<String> {
        let joined = |open: char, all: Vec<Option<String>>, close: char| {
            let all: Option<Vec<String>> = all.into_iter().collect();
            Some(format!("{open}{}{close}", all?.join(", "))).filter(|t| t.len() <= most)
        };
        match self {
            Json::Atom(text) => Some(text.to_string()),
            Json::List(all) if all.len() * 2 <= most => joined('[', all.iter().map(|v| v.short(most)).collect(), ']'),
            Json::Object(all) if all.len() * 4 <= most => {
                let field = |(name, value): &(&str, Json)| value.short(most).map(|v| format!("{name}: {v}"));
                joined('{', all.iter().map(field).collect(), '}')
            }
            _ => None,
        }
    }
}

struct Line {
    indent: usize,
    text: String,
    marks: Vec<usize>,
}

struct Printer<'a> {
    marks: &'a [&'a [Selector]],
    is_long: bool,
    lines: Vec<Line>,
}

impl Printer<'_> {
    /// `before` is what comes first on its line, `end` what comes last.
    fn value(&mut self, value: &Json, path: &mut Vec<Selector>, indent: usize, before: String, end: &str) {
        let here: Vec<usize> = (0..self.marks.len()).filter(|&k| self.marks[k] == &path[..]).collect();
        let is_inside = |mark: &&[Selector]| mark.len() > path.len() && mark.starts_with(path);
        let has_inside = self.marks.iter().any(is_inside);
        let short = value.short(ONE_LINE).filter(|_| !has_inside);
        let folded = match value {
            _ if has_inside || !self.is_long || path.is_empty() => None,
            Json::List(all) => Some(format!("[… {} members]", all.len())),
            Json::Object(all) => Some(format!("{{… {} fields}}", all.len())),
            Json::Atom(_) => None,
        };
        if let Some(text) = short.or(folded) {
            self.lines.push(Line { indent, text: format!("{before}{text}{end}"), marks: here });
            return;
        }
        let (open, close) = if matches!(value, Json::List(_)) { ('[', ']') } else { ('{', '}') };
        self.lines.push(Line { indent, text: format!("{before}{open}"), marks: here });
        let parts: Vec<(Selector, String, &Json)> = match value {
            Json::Atom(_) => Vec::new(),
            Json::List(all) => all.iter().enumerate().map(|(k, v)| (Selector::Member(k), String::new(), v)).collect(),
            Json::Object(all) => {
                let plain = |name: &str| serde_json::from_str(name).unwrap_or_else(|_| name.to_string());
                all.iter().map(|(n, v)| (Selector::Field(plain(n)), format!("{}: ", brief(n, 40)), v)).collect()
            }
        };
        let is_on_way: Vec<bool> = parts
            .iter()
            .map(|(part, ..)| self.marks.iter().any(|m| m.starts_with(path) && m.get(path.len()) == Some(part)))
            .collect();
        let mut left_out = 0;
        for (k, (part, name, inner)) in parts.iter().enumerate() {
            // The first ones, and those around a mark.
            let is_near = is_on_way[k.saturating_sub(2)..(k + 3).min(parts.len())].contains(&true);
            if self.is_long && has_inside && k >= 3 && !is_near {
                left_out += 1;
                continue;
            }
            self.more(&mut left_out, indent + 1);
            path.push(part.clone());
            self.value(inner, path, indent + 1, name.clone(), if k + 1 < parts.len() { "," } else { "" });
            path.pop();
        }
        self.more(&mut left_out, indent + 1);
        self.lines.push(Line { indent, text: format!("{close}{end}"), marks: Vec::new() });
    }

    fn more(&mut self, left_out: &mut usize, indent: usize) {
        if *left_out > 0 {
            self.lines.push(Line { indent, text: format!("… {left_out} more"), marks: Vec::new() });
            *left_out = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(json: &str, marks: &[&[Selector]]) -> String {
        let value = Reader { text: json, at: 0 }.value(0);
        let mut printer = Printer { marks, is_long: value.lines() > MOST_LINES, lines: Vec::new() };
        printer.value(&value, &mut Vec::new(), 0, String::new(), "");
        let line = |l: &Line| format!("{}{}{}\n", "  ".repeat(l.indent), l.text, "!".repeat(l.marks.len()));
        printer.lines.iter().map(line).collect()
    }

    #[test]
    fn marked_parts_are_on_lines_of_their_own() {
        let mark = [Selector::Field("a".into()), Selector::Member(1)];
        let json = r#"{"a": [1, 123456789012345678901234567890, "x,]"], "b": {"c": null}}"#;
        let expected = "{\n  \"a\": [\n    1,\n    123456789012345678901234567890,!\n    \"x,]\"\n  ],\n  \"b\": {\"c\": null}\n}\n";
        assert_eq!(printed(json, &[&mark]), expected);
        assert_eq!(printed("7", &[&[]]), "7!\n");
    }

    #[test]
    fn long_values_are_folded_around_the_marks() {
        let members: Vec<String> =
            (0..500).map(|k| format!("[{k}, {{\"long name of a field\": {k}}}, 1000000]")).collect();
        let mark = [Selector::Member(400), Selector::Member(0)];
        let text = printed(&format!("[{}]", members.join(",")), &[&mark]);
        let around = "  … 395 more\n  [398, {\"long name of a field\": 398}, 1000000],\n";
        assert!(text.contains(around) && text.contains("    400,!\n") && text.ends_with("  … 97 more\n]\n"), "{text}");
    }

    #[test]
    fn what_is_not_json_is_shown_as_it_is() {
        for text in ["", "{", "[1,", "\"a", "{]", "]", "[}", "{:", "nope é", "\"\\", "{\"a\" 1 2}", &"[".repeat(5000)]
        {
            let _ = draw(text, &[], "a value");
        }
        assert_eq!(printed("nope é", &[]), "nope é\n");
    }
}
