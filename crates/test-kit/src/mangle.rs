//! Texts that are nearly right: what is found in the files of users, and what a parser has to survive.

use work::Chance;

/// One to four changes to lines, tokens or characters. The pieces are what may be put in.
pub fn mangle(text: &str, pieces: &[&str], chance: &mut Chance) -> String {
    let mut text = text.to_string();
    for _ in 0..=chance.below(4) {
        let mut parts: Vec<String> = match chance.below(3) {
            0 => text.split_inclusive('\n').map(str::to_string).collect(),
            1 => tokens(&text),
            _ => text.chars().map(String::from).collect(),
        };
        let n = parts.len();
        let (i, j) = (chance.below(n), chance.below(n));
        match chance.below(8) {
            _ if n == 0 => parts.push((*chance.pick(pieces)).to_string()),
            0 => drop(parts.remove(i)),
            1 => parts.insert(i, parts[j].clone()),
            2 => parts.swap(i, j),
            3 => parts.insert(i, (*chance.pick(pieces)).to_string()),
            4 => parts[i] = (*chance.pick(pieces)).to_string(),
            5 => parts.truncate(i),
            6 => drop(parts.drain(i..(i + chance.below(12)).min(n))),
            _ => {
                let row = parts[i..(i + chance.below(6)).min(n)].concat().repeat(2);
                parts.insert(i, row);
            }
        }
        text = parts.concat();
    }
    text
}

/// One to four words are replaced by other words of the text, so that most of it is read and only the meaning is wrong.
pub fn mix_words(text: &str, chance: &mut Chance) -> String {
    let mut parts = tokens(text);
    let is_word = |part: &String| part.starts_with(char::is_alphabetic);
    let words: Vec<usize> = (0..parts.len()).filter(|i| is_word(&parts[*i])).collect();
    if !words.is_empty() {
        for _ in 0..=chance.below(4) {
            let (to, from) = (*chance.pick(&words), *chance.pick(&words));
            parts[to] = parts[from].clone();
        }
    }
    parts.concat()
}

/// Words, white space, and runs of other characters.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut kind = None;
    for c in text.chars() {
        let this = (c.is_alphanumeric() || c == '_', c.is_whitespace());
        match tokens.last_mut() {
            Some(last) if kind == Some(this) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
        kind = Some(this);
    }
    tokens
}
