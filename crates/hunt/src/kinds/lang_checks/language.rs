//! Small languages made at random: what examples never vary is varied here, above all the shapes of checks.

use crate::chance::Chance;

pub struct Made {
    pub text: String,
    /// Per check, the names of its inputs.
    pub inputs: Vec<Vec<&'static str>>,
}

struct Maker<'c> {
    chance: &'c mut Chance,
    /// `let x : T = t1 in t2`, and environments.
    has_let: bool,
    is_annotated: bool,
    has_binary: bool,
    has_numbers: bool,
    /// `L T`
    has_lists: bool,
    has_fun: bool,
    has_big_step: bool,
    has_reduction: bool,
    rules: u32,
}

pub fn make(seed: u64) -> Made {
    let mut chance = Chance::new(seed);
    let has_let = chance.one_in(3);
    let has_reduction = !chance.one_in(7);
    let mut maker = Maker {
        has_let,
        is_annotated: chance.one_in(2),
        has_binary: !has_let && chance.one_in(3),
        has_numbers: chance.one_in(4),
        has_lists: chance.one_in(3),
        has_fun: chance.one_in(3),
        has_big_step: chance.one_in(3) || !has_reduction,
        has_reduction,
        rules: 0,
        chance: &mut chance,
    };
    maker.language()
}

impl Maker<'_> {
    fn language(&mut self) -> Made {
        let mut text = String::from("language made\n");
        if self.has_let {
            text.push_str("var x\n");
        }
        text.push_str("syntax\n");
        let mut alts = vec!["a", "b", "f t"];
        if self.chance.one_in(2) {
            alts.push("g t");
        }
        if self.has_binary {
            alts.push("h t t end");
        }
        if self.has_numbers {
            alts.push("num n");
        }
        if self.has_let {
            alts.push(if self.is_annotated {
                "let x : T = t1 in t2 {bind x in t2}"
            } else {
                "let x = t1 in t2 {bind x in t2}"
            });
            alts.push("x");
        }
        let has_g = alts.contains(&"g t");
        text.push_str(&format!("  t ::= {}\n", alts.join(" | ")));
        let values = *self.chance.pick(&["a", "a | f v", "a | b", "b | f a", "a | f t"]);
        text.push_str(&format!("  v ⊆ t ::= {values}\n"));
        if self.has_numbers {
            text.push_str("  n ::= z | s n\n");
        }
        text.push_str(if self.has_lists { "  T ::= A | B | L T\n" } else { "  T ::= A | B\n" });
        let contexts = self.has_reduction && self.chance.one_in(3);
        if contexts {
            let more = if self.has_binary { " | h E t end" } else { "" };
            text.push_str(&format!("  E ::= [] | f E{more}\n"));
        }
        if self.has_let {
            text.push_str("env Γ ::= · | Γ, x:T\n");
        }
        if self.has_fun {
            text.push_str("fun dup(t) : t\n  dup(a) = f a\n");
            let step = *self.chance.pick(&["f (f dup(t))", "dup(t)", "f t"]);
            text.push_str(&format!("  dup(f t) = {step}\n"));
            if self.chance.one_in(2) {
                text.push_str("  dup(b) = f (f (f b))\n");
            }
        }
        if self.has_numbers {
            text.push_str("judgment n up n'\n  z up s z  [U-z]\n\n  n up n2\n  ---------------- U-s\n");
            let after = *self.chance.pick(&["s (s n2)", "n2", "s n2"]);
            text.push_str(&format!("  s n up {after}\n"));
        }
        self.typing(&mut text, has_g);
        if self.has_big_step {
            self.big_step(&mut text, has_g);
        }
        if self.has_reduction {
            self.reduction(&mut text, contexts, has_g);
        }
        let bound = match self.chance.below(6) {
            0 => format!("t: {} nodes", 1 + self.chance.below(6)),
            1 => format!("t: height {}", 1 + self.chance.below(2)),
            _ => format!("t: size {}", 1 + self.chance.below(if self.has_let { 5 } else { 4 })),
        };
        let numbers = if self.has_numbers { format!("   n: size {}", 1 + self.chance.below(3)) } else { String::new() };
        let types = match self.chance.below(3) {
            0 => "T: size 1".to_string(),
            1 => "T: size 2".to_string(),
            _ => format!("T: depth {}", 1 + self.chance.below(2)),
        };
        text.push_str(&format!("bounds {bound}   {types}{numbers}\n"));
        let mut inputs = Vec::new();
        for k in 0..3 {
            let (check, of) = self.check();
            text.push_str(&format!("check c{k} : {check}\n"));
            inputs.push(of);
        }
        Made { text, inputs }
    }

    fn name(&mut self) -> String {
        self.rules += 1;
        format!("R{}", self.rules)
    }

    /// An axiom, or a rule with premises.
    fn rule(&mut self, text: &mut String, premises: &[String], conclusion: &str) {
        let name = self.name();
        if premises.is_empty() {
            text.push_str(&format!("  {conclusion}  [{name}]\n"));
        } else {
            text.push_str(&format!(
                "\n  {}\n  ------------------------------ {name}\n  {conclusion}\n\n",
                premises.join("   ")
            ));
        }
    }

    fn ctx(&self) -> &'static str {
        if self.has_let { "Γ ⊢ " } else { "⊢ " }
    }

    fn top(&self) -> &'static str {
        if self.has_let { "· ⊢ " } else { "⊢ " }
    }

    fn constant(&mut self) -> &'static str {
        let lists: &[&'static str] = if self.has_lists { &["A", "B", "L A", "L (L A)"] } else { &["A", "B"] };
        let k = self.chance.below(lists.len());
        lists[k]
    }

    /// The type of a premise, and one made of it.
    fn types(&mut self) -> (&'static str, &'static str) {
        let lists: &[(&'static str, &'static str)] = if self.has_lists {
            &[("T", "T"), ("T", "L T"), ("L T", "T"), ("A", "B"), ("T", "A"), ("L T", "L T"), ("A", "L A")]
        } else {
            &[("T", "T"), ("A", "B"), ("T", "A"), ("B", "B"), ("A", "A")]
        };
        *self.chance.pick(lists)
    }

    fn typing(&mut self, text: &mut String, has_g: bool) {
        let ctx = self.ctx();
        text.push_str(if self.has_let { "judgment Γ ⊢ t : T\n" } else { "judgment ⊢ t : T\n" });
        for c in ["a", "b"] {
            for _ in 0..if self.chance.one_in(8) { 2 } else { 1 } {
                // A type that is left free, if the bound has all there are.
                let ty = if !self.has_lists && self.chance.one_in(10) { "T" } else { self.constant() };
                self.rule(text, &[], &format!("{ctx}{c} : {ty}"));
            }
        }
        let unary: &[&str] = if has_g { &["f", "g"] } else { &["f"] };
        for p in unary {
            if self.chance.one_in(8) {
                continue;
            }
            let (from, to) = self.types();
            match self.chance.below(8) {
                0 => {
                    let ty = self.constant();
                    self.rule(text, &[], &format!("{ctx}{p} t : {ty}"));
                }
                1 => {
                    let ty = self.constant();
                    self.rule(text, &[], &format!("{ctx}{p} v : {ty}"));
                }
                2 => self.rule(text, &[format!("{ctx}t : {from}"), "t is v".into()], &format!("{ctx}{p} t : {to}")),
                3 => self.rule(text, &[format!("{ctx}t : {from}")], &format!("{ctx}{p} (f t) : {to}")),
                _ => self.rule(text, &[format!("{ctx}t : {from}")], &format!("{ctx}{p} t : {to}")),
            }
        }
        if self.has_binary {
            let (from, to) = self.types();
            let second = if self.chance.one_in(3) { vec![] } else { vec![format!("{ctx}t2 : {from}")] };
            let premises = [vec![format!("{ctx}t1 : {from}")], second].concat();
            self.rule(text, &premises, &format!("{ctx}h t1 t2 end : {to}"));
        }
        if self.has_numbers {
            let ty = self.constant();
            match self.chance.below(4) {
                0 => self.rule(text, &[], &format!("{ctx}num z : {ty}")),
                1 => self.rule(text, &["n up s n2".into()], &format!("{ctx}num n : {ty}")),
                2 => self.rule(text, &[], &format!("{ctx}num (s n) : {ty}")),
                _ => self.rule(text, &[], &format!("{ctx}num n : {ty}")),
            }
        }
        if self.has_let {
            let subject = if self.is_annotated { "let x : T1 = t1 in t2" } else { "let x = t1 in t2" };
            let first = format!("{ctx}t1 : T1");
            let entry = if self.chance.one_in(6) { self.constant() } else { "T1" };
            let second = format!("Γ, x:{entry} ⊢ t2 : T2");
            let result = if self.chance.one_in(6) { self.constant() } else { "T2" };
            let is_short = self.is_annotated && self.chance.one_in(4);
            let premises = if is_short { vec![second] } else { vec![first, second] };
            self.rule(text, &premises, &format!("{ctx}{subject} : {result}"));
            self.rule(text, &["x:T ∈ Γ".into()], "Γ ⊢ x : T");
            if self.chance.one_in(6) {
                self.rule(text, &["x:T ∈ Γ".into()], "Γ ⊢ b : T");
            }
        }
    }

    fn big_step(&mut self, text: &mut String, has_g: bool) {
        text.push_str("judgment t ⇓ v\n");
        self.rule(text, &[], "v ⇓ v");
        let made = *self.chance.pick(&["v", "a", "v2"]);
        if made == "v2" {
            self.rule(text, &["t ⇓ v".into(), "v2 = v".into()], "f t ⇓ v2");
        } else {
            self.rule(text, &["t ⇓ v".into()], &format!("f t ⇓ {made}"));
        }
        if has_g {
            self.rule(text, &["t ⇓ v".into()], "g t ⇓ v");
        }
        if self.chance.one_in(2) {
            self.rule(text, &[], "b ⇓ a");
        }
    }

    fn reduction(&mut self, text: &mut String, contexts: bool, has_g: bool) {
        text.push_str(if contexts { "reduction t --> t'  in E\n" } else { "reduction t --> t'\n" });
        let top = self.top();
        for _ in 0..1 + self.chance.below(3) {
            let mut lefts: Vec<(&str, &str)> =
                vec![("f a", ""), ("f t1", "t1"), ("f v", "v"), ("b", ""), ("f (f t1)", "t1"), ("a", "")];
            if has_g {
                lefts.extend([("g t1", "t1"), ("g (f t1)", "t1"), ("g b", "")]);
            }
            if self.has_binary {
                lefts.extend([("h t1 t2 end", "t1"), ("h v t1 end", "t1"), ("h t1 t1 end", "t1")]);
            }
            let (left, part) = *self.chance.pick(&lefts);
            let mut rights = vec!["a".to_string(), "b".into(), "f a".into(), "f (f (f b))".into(), "error".into()];
            if !part.is_empty() {
                rights =
                    [rights, vec![part.into(), part.into(), format!("f {part}"), format!("f (f {part})")]].concat();
                if self.has_fun {
                    rights.push(format!("dup({part})"));
                }
            }
            let right = self.chance.pick(&rights).clone();
            let mut premises = Vec::new();
            if !part.is_empty() && self.chance.one_in(3) {
                let ty = self.constant();
                premises.push(match self.chance.below(4) {
                    0 => format!("{part} is v"),
                    1 => format!("{part} is not v"),
                    2 => format!("{top}{part} : {ty}"),
                    _ => format!("{part} ≠ a"),
                });
            }
            self.rule(text, &premises, &format!("{left} --> {right}"));
        }
        if self.has_numbers {
            self.rule(text, &["n up n2".into()], "num n --> num n2");
        }
        if self.has_let {
            let subject = if self.is_annotated { "let x : T = t1 in t2" } else { "let x = t1 in t2" };
            let by = if self.chance.one_in(4) { "a" } else { "t1" };
            self.rule(text, &[], &format!("{subject} --> t2[{by}/x]"));
        }
        if !contexts && self.chance.one_in(2) {
            self.rule(text, &["t1 --> t2".into()], "f t1 --> f t2");
        }
        if !contexts && self.chance.one_in(5) {
            self.rule(text, &["t1 --> t2".into()], "f t1 --> t2");
        }
    }

    /// A check, and its inputs.
    fn check(&mut self) -> (String, Vec<&'static str>) {
        let top = self.top();
        let ty = self.constant();
        let mut shapes: Vec<(String, Vec<&'static str>, Vec<&'static str>, bool)> = vec![
            // Premises, inputs, programs that the conclusion may speak of, whether there is a type T.
            (format!("{top}t : T"), vec!["t"], vec!["t"], true),
            (format!("{top}t : T, {top}t : T1"), vec!["t"], vec!["t"], true),
            (format!("{top}t : {ty}"), vec!["t"], vec!["t"], false),
        ];
        if self.has_reduction {
            shapes.extend([
                (format!("{top}t : T, t --> t1"), vec!["t"], vec!["t", "t1"], true),
                ("t --> t1".into(), vec!["t"], vec!["t", "t1"], false),
                (format!("{top}t : T, t --> t1, t --> t2"), vec!["t"], vec!["t", "t1", "t2"], true),
                ("t --> t1, t --> t2".into(), vec!["t"], vec!["t", "t1", "t2"], false),
                (format!("{top}t : T, t --> t1, t1 --> t2"), vec!["t"], vec!["t", "t1", "t2"], true),
                (format!("t --> t1, {top}t1 : T"), vec!["t"], vec!["t", "t1"], true),
                (format!("{top}t1 : T, t --> t1"), vec!["t"], vec!["t", "t1"], true),
                ("t --> t1, t1 = f t2".into(), vec!["t"], vec!["t", "t1", "t2"], false),
                (format!("{top}t : T, t --> t1, t1 ≠ t"), vec!["t"], vec!["t", "t1"], true),
                ("t --> t1, t1 is v".into(), vec!["t"], vec!["t", "t1"], false),
                (format!("{top}t : T, t steps"), vec!["t"], vec!["t"], true),
                (format!("t --> t1, t2 = t1, {top}t2 : T"), vec!["t"], vec!["t", "t1", "t2"], true),
                (format!("{top}t : T, t --> t1, not {top}t1 : T"), vec!["t"], vec!["t", "t1"], true),
            ]);
        }
        if self.has_fun {
            shapes.extend([
                (format!("{top}t : T, t1 = dup(t)"), vec!["t"], vec!["t", "t1"], true),
                (format!("dup(t) = t1, {top}t1 : T"), vec!["t"], vec!["t", "t1"], true),
                ("dup(t) = f t1".into(), vec!["t"], vec!["t", "t1"], false),
            ]);
        }
        if self.has_big_step {
            shapes.extend([
                (format!("t ⇓ v, {top}t : T"), vec!["t"], vec!["t", "v"], true),
                (format!("{top}v : T, t ⇓ v"), vec!["t"], vec!["t", "v"], true),
                ("t ⇓ v, t ⇓ v1".into(), vec!["t"], vec!["v", "v1", "t"], false),
            ]);
        }
        let (premises, inputs, programs, has_type) = self.chance.pick(&shapes).clone();
        let mut conclusions = Vec::new();
        let mut exists = false;
        for _ in 0..1 + self.chance.below(2) {
            let mut parts = Vec::new();
            for _ in 0..1 + usize::from(self.chance.one_in(4)) {
                let program = *self.chance.pick(&programs);
                let other = *self.chance.pick(&programs);
                let ty = self.constant();
                parts.push(match self.chance.below(10) {
                    0 | 1 => format!("{program} is v"),
                    2 | 3 if program != other => format!("{program} = {other}"),
                    4 => format!("{program} ≠ {}", self.chance.pick(&["a", "f a", "b", "f (f a)"])),
                    5 if self.has_reduction => format!("{program} steps"),
                    6 if has_type && premises.contains("T1") => "T = T1".into(),
                    7 if conclusions.is_empty() && !exists => {
                        exists = true;
                        format!("{top}{program} : T'")
                    }
                    8 => format!("{top}{program} : {ty}"),
                    _ if has_type => format!("{top}{program} : T"),
                    _ => format!("{program} is v"),
                });
            }
            conclusions.push(parts.join(", "));
        }
        let exists = if exists { "exists T'. " } else { "" };
        (format!("{premises} => {exists}{}", conclusions.join("  or  ")), inputs)
    }
}
