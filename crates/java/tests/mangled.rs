//! No input makes the front-end panic: mangled versions of real sources, cut at random by a fixed generator.

use source::SourceMap;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

const SEEDS: &[&str] = &[
    include_str!("semantics/Arithmetic.java"),
    include_str!("semantics/Control.java"),
    include_str!("semantics/Classes.java"),
    include_str!("semantics/More.java"),
];

/// Words, signs and white space.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last_is_word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if is_word && last_is_word => last.push(c),
            _ => tokens.push(c.to_string()),
        }
        last_is_word = is_word;
    }
    tokens
}

fn load(text: String) -> bool {
    let mut sources = SourceMap::default();
    let file = sources.add("Mangled.java", text.clone());
    let inputs = java::Inputs {
        sources: &mut sources,
        files: vec![file],
        library: &java::no_library,
        class: None,
        method: None,
    };
    match java::load(inputs) {
        Ok(loaded) => {
            let problems = ir::wellformed::problems(&loaded.program);
            assert!(problems.is_empty(), "{problems:#?} in\n{text}");
            true
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            false
        }
    }
}

/// One line of the source is mangled at a time, so that much of it gets past the parser.
#[test]
fn mangled_tokens_never_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut loaded = 0;
    for round in 0..100 {
        let all = tokens(SEEDS[round % SEEDS.len()]);
        let mut mangled = all.clone();
        for _ in 0..1 + random.below(3) {
            let (i, j) = (random.below(mangled.len()), random.below(all.len()));
            match random.below(4) {
                0 => drop(mangled.remove(i)),
                1 => mangled.insert(i, all[j].clone()),
                2 => mangled[i] = all[j].clone(),
                _ => {
                    let j = random.below(mangled.len());
                    mangled.swap(i, j);
                }
            }
        }
        loaded += usize::from(load(mangled.concat()));
    }
    assert!(loaded > 0, "nothing got through");
}

/// Words are only replaced by words, so most of them parse: names and types go wrong instead.
#[test]
fn mangled_words_never_panic() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..150 {
        let mut mangled = tokens(SEEDS[round % SEEDS.len()]);
        let is_word = |t: &String| t.chars().next().is_some_and(char::is_alphabetic);
        let words: Vec<usize> = (0..mangled.len()).filter(|i| is_word(&mangled[*i])).collect();
        for _ in 0..1 + random.below(4) {
            let (i, j) = (words[random.below(words.len())], words[random.below(words.len())]);
            mangled[i] = mangled[j].clone();
        }
        load(mangled.concat());
    }
}

#[test]
fn mangled_bytes_never_panic() {
    let mut random = Random(0xdead_beef_1234_5678);
    for round in 0..40 {
        let mut bytes = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
        for _ in 0..1 + random.below(5) {
            let i = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[i] = random.below(256) as u8,
                1 => bytes.truncate(i.max(1)),
                _ => bytes.insert(i, random.below(256) as u8),
            }
        }
        load(String::from_utf8_lossy(&bytes).into_owned());
    }
}

#[test]
fn odd_texts_never_panic() {
    let deep = ["(", "{", "[", "a.b(", "x -> ", "new A<", "if(1)", "!"]
        .map(|s| format!("class A {{ int x = {}", s.repeat(5000)));
    for text in ["", "\u{feff}", "\0", "class", "class A", "é", "/*", "\"", "'", "@", "class A { int x = '\\u00'; }"] {
        load(text.to_string());
    }
    for text in deep {
        load(text);
    }
    let sum = format!(
        "class A {{ int x = 1{}; @Declarative boolean repOk() {{ return x > 0; }} void f() {{ }} }}",
        " + 1".repeat(5000)
    );
    load(sum);
}
