//! Texts of a user on a page: nothing of them is ever markup.

/// Escaped, for contents and for quoted attributes alike. Control characters, which no page may hold, are shown as their pictures.
pub fn esc(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\u{7f}' => out.push('\u{2421}'),
            c if (c as u32) < 0x20 => out.push(char::from_u32(0x2400 + c as u32).expect("a picture of each")),
            '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            // They reorder what is around them: a line would not read as it runs.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A sentence, with what is in backquotes as code.
pub fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // An odd number of backquotes encloses nothing.
    if pieces.len().is_multiple_of(2) {
        return esc(text);
    }
    let piece = |(i, piece): (usize, &&str)| match i % 2 {
        0 => esc(piece),
        _ => format!("<code>{}</code>", esc(piece)),
    };
    pieces.iter().enumerate().map(piece).collect()
}

/// At most so many characters, on one line.
pub fn brief(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    if text.chars().count() <= most { text } else { text.chars().take(most - 1).chain(['…']).collect() }
}

/// Columns that a text takes in a font of one width: East Asian characters and symbols beyond take two.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if (c as u32) < 0x2e80 { 1 } else { 2 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(esc("<a href='x'>&\"\u{0}\u{1b}"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{2400}\u{241b}");
        assert_eq!(prose("`<b>` holds"), "<code>&lt;b&gt;</code> holds");
        assert_eq!(prose("a ` alone"), "a ` alone");
        assert_eq!(esc("a\u{202e}b"), "a\u{fffd}b");
    }

    #[test]
    fn long_texts_end_in_dots() {
        assert_eq!((brief("a \n b", 9), brief("abcdef", 4)), ("a b".to_string(), "abc…".to_string()));
    }
}
