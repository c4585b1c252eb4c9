//! Languages of terms with types: constants, one or two functions, numbers, `let`, `fun`s, subsumption, big steps and small ones.

use super::shapes::Speech;
use super::{Made, Writer};

struct Maker {
    w: Writer,
    /// `let x : T = t1 in t2`, and environments.
    has_let: bool,
    is_annotated: bool,
    /// The check is about programs with free variables.
    is_open: bool,
    has_binary: bool,
    has_second: bool,
    /// `n ::= z | s n`, a sort of its own.
    has_numbers: bool,
    /// `int i`
    has_integers: bool,
    /// `L T`
    has_lists: bool,
    has_fun: bool,
    /// `fun up(T) : T`
    has_type_fun: bool,
    has_subsumption: bool,
    has_big_step: bool,
    has_reduction: bool,
}

pub fn make(mut w: Writer) -> Made {
    let has_let = w.one_in(3);
    let has_reduction = !w.one_in(7);
    let has_lists = w.one_in(3);
    let maker = Maker {
        has_let,
        is_annotated: w.one_in(2),
        is_open: has_let && w.one_in(4),
        has_binary: !has_let && w.one_in(3),
        has_second: w.one_in(2),
        has_numbers: w.one_in(4),
        has_integers: w.one_in(5),
        has_lists,
        has_fun: w.one_in(3),
        has_type_fun: w.one_in(6),
        has_subsumption: !has_lists && w.one_in(4),
        has_big_step: w.one_in(3) || !has_reduction,
        has_reduction,
        w,
    };
    maker.language()
}

impl Maker {
    fn language(mut self) -> Made {
        if self.has_let {
            self.w.line("var x");
        }
        if self.has_integers {
            self.w.line("int i");
        }
        self.w.line("syntax");
        let mut alts = vec!["a", "b", "f t"];
        if self.has_second {
            alts.push("g t");
        }
        if self.has_binary {
            alts.push("h t t end");
        }
        if self.has_numbers {
            alts.push("num n");
        }
        if self.has_integers {
            alts.push("lit i");
        }
        if self.has_let {
            let annotated = "let x : T = t1 in t2 {bind x in t2}";
            alts.push(if self.is_annotated { annotated } else { "let x = t1 in t2 {bind x in t2}" });
            alts.push("x");
        }
        self.w.line(format!("  t ::= {}", alts.join(" | ")));
        let mut values = self.w.pick(&["a", "a | f v", "a | b", "b | f a", "a | f t"]).to_string();
        if self.has_integers {
            values += self.w.pick(&["", " | lit i", " | lit 0"]);
        }
        self.w.line(format!("  v ⊆ t ::= {values}"));
        if self.has_numbers {
            self.w.line("  n ::= z | s n");
        }
        let types = if self.has_lists { "A | B | L T" } else { self.w.pick(&["A | B", "A | B", "A | B | C"]) };
        self.w.line(format!("  T ::= {types}"));
        let contexts = self.has_reduction && self.w.one_in(3);
        if contexts {
            let binary = self.w.pick(&[" | h E t end", " | h E t end | h v E end", " | h E t end | h t E end"]);
            let more = if self.has_binary { binary } else { "" };
            let under = if self.has_let && !self.is_annotated && self.w.one_in(3) { " | let x = E in t" } else { "" };
            self.w.line(format!("  E ::= [] | f E{more}{under}"));
        }
        if self.has_let {
            self.w.line("env Γ ::= · | Γ, x:T");
        }
        self.functions();
        if self.has_numbers {
            self.w.line("judgment n up n'\n  z up s z  [U-z]\n\n  n up n2\n  ---------------- U-s");
            let after = self.w.pick(&["s (s n2)", "n2", "s n2"]);
            self.w.line(format!("  s n up {after}"));
        }
        self.typing();
        if self.has_big_step {
            self.big_step();
        }
        if self.has_reduction {
            self.reduction(contexts);
        }
        self.check()
    }

    fn functions(&mut self) {
        if self.has_fun {
            self.w.line("fun dup(t) : t");
            if self.w.one_in(4) {
                self.w.line("  dup(t) = t  if t is v");
            }
            self.w.line("  dup(a) = f a");
            let step = self.w.pick(&["f (f dup(t))", "dup(t)", "f t", "f (f t)"]);
            self.w.line(format!("  dup(f t) = {step}"));
            if self.w.one_in(2) {
                let last = self.w.pick(&["dup(b) = f (f (f b))", "dup(t) = t", "dup(t) = f t", "dup(b) = a"]);
                self.w.line(format!("  {last}"));
            }
            if self.w.one_in(2) {
                let end = self.w.pick(&["t", "f t", "a"]);
                let step = self.w.pick(&["f put(t1, t2)", "put(t1, f t2)", "put(t1, t2)"]);
                self.w.line("fun put(t, t) : t");
                self.w.line(format!("  put(a, t) = {end}\n  put(f t1, t2) = {step}"));
            }
        }
        if self.has_type_fun {
            let (a, b) = (self.constant(), self.constant());
            self.w.line(format!("fun up(T) : T\n  up(A) = {a}\n  up(B) = {b}"));
            if self.has_lists {
                let step = self.w.pick(&["L (L T)", "T", "L up(T)"]);
                self.w.line(format!("  up(L T) = {step}"));
            } else if self.w.one_in(2) {
                self.w.line("  up(T) = T");
            }
        }
    }

    fn ctx(&self) -> &'static str {
        if self.has_let { "Γ ⊢ " } else { "⊢ " }
    }

    fn top(&self) -> &'static str {
        match (self.has_let, self.is_open) {
            (true, true) => "Γ ⊢ ",
            (true, false) => "· ⊢ ",
            (false, _) => "⊢ ",
        }
    }

    fn constants(&self) -> &'static [&'static str] {
        if self.has_lists { &["A", "B", "L A", "L (L A)"] } else { &["A", "B"] }
    }

    fn constant(&mut self) -> &'static str {
        self.w.pick(self.constants())
    }

    /// The type of a premise, and one made of it.
    fn types(&mut self) -> (&'static str, &'static str) {
        if self.has_type_fun && self.w.one_in(3) {
            return ("T", "up(T)");
        }
        let lists = [("T", "T"), ("T", "L T"), ("L T", "T"), ("A", "B"), ("T", "A"), ("L T", "L T"), ("A", "L A")];
        let flat = [("T", "T"), ("A", "B"), ("T", "A"), ("B", "B"), ("A", "A")];
        if self.has_lists { self.w.pick(&lists) } else { self.w.pick(&flat) }
    }

    fn typing(&mut self) {
        if self.has_subsumption {
            self.w.line("judgment T <: T'");
            let axioms =
                self.w.pick(&[&["A <: B"][..], &["T <: B"], &["A <: B", "B <: A"], &["T <: T", "A <: B"], &[]]);
            axioms.iter().for_each(|axiom| self.w.rule(&[], axiom));
            if axioms.is_empty() || self.w.one_in(2) {
                self.w.rule(&["T1 <: T2".into(), "T2 <: T3".into()], "T1 <: T3");
                self.w.rule(&[], "B <: A");
            }
        }
        let ctx = self.ctx();
        self.w.line(format!("judgment {ctx}t : T"));
        for c in ["a", "b"] {
            for _ in 0..if self.w.one_in(8) { 2 } else { 1 } {
                // A type that is left free, if the bound has all there are.
                let ty = if !self.has_lists && self.w.one_in(10) { "T" } else { self.constant() };
                self.w.rule(&[], format!("{ctx}{c} : {ty}"));
            }
        }
        let unary: &[&str] = if self.has_second { &["f", "g"] } else { &["f"] };
        for p in unary {
            if self.w.one_in(8) {
                continue;
            }
            let ((from, to), ty) = (self.types(), self.constant());
            let premise = format!("{ctx}t : {from}");
            match self.w.chance.below(9) {
                0 => self.w.rule(&[], format!("{ctx}{p} t : {ty}")),
                1 => self.w.rule(&[], format!("{ctx}{p} v : {ty}")),
                2 => self.w.rule(&[premise, "t is v".into()], format!("{ctx}{p} t : {to}")),
                3 => self.w.rule(&[premise], format!("{ctx}{p} (f t) : {to}")),
                4 if !to.contains('T') => {
                    self.w.rule(&[premise, format!("{from} ≠ {ty}")], format!("{ctx}{p} t : {to}"))
                }
                _ => self.w.rule(&[premise], format!("{ctx}{p} t : {to}")),
            }
        }
        if self.has_binary {
            let (from, to) = self.types();
            let second = if self.w.one_in(3) { vec![] } else { vec![format!("{ctx}t2 : {from}")] };
            let premises = [vec![format!("{ctx}t1 : {from}")], second].concat();
            self.w.rule(&premises, format!("{ctx}h t1 t2 end : {to}"));
        }
        if self.has_numbers {
            let ty = self.constant();
            match self.w.chance.below(4) {
                0 => self.w.rule(&[], format!("{ctx}num z : {ty}")),
                1 => self.w.rule(&["n up s n2".into()], format!("{ctx}num n : {ty}")),
                2 => self.w.rule(&[], format!("{ctx}num (s n) : {ty}")),
                _ => self.w.rule(&[], format!("{ctx}num n : {ty}")),
            }
        }
        if self.has_integers {
            let ty = self.constant();
            match self.w.chance.below(4) {
                0 => self.w.rule(&["where i <= 1".into()], format!("{ctx}lit i : {ty}")),
                1 => self.w.rule(&["where i2 = i * 2".into(), "where i2 < 3".into()], format!("{ctx}lit i : {ty}")),
                2 => self.w.rule(&[], format!("{ctx}lit 0 : {ty}")),
                _ => self.w.rule(&[], format!("{ctx}lit i : {ty}")),
            }
        }
        if self.has_let {
            let subject = if self.is_annotated { "let x : T1 = t1 in t2" } else { "let x = t1 in t2" };
            let first = format!("{ctx}t1 : T1");
            let entry = if self.w.one_in(6) { self.constant() } else { "T1" };
            let second = format!("Γ, x:{entry} ⊢ t2 : T2");
            let result = if self.w.one_in(6) { self.constant() } else { "T2" };
            let is_short = self.is_annotated && self.w.one_in(4);
            let premises = match is_short {
                true => vec![second],
                false if self.w.one_in(4) => vec![second, first],
                false => vec![first, second],
            };
            self.w.rule(&premises, format!("{ctx}{subject} : {result}"));
            self.w.rule(&["x:T ∈ Γ".into()], "Γ ⊢ x : T");
            match self.w.chance.below(12) {
                0 => self.w.rule(&["x:T ∈ Γ".into()], "Γ ⊢ b : T"),
                1 => self.w.rule(&["x:A ∈ Γ".into()], "Γ ⊢ f t : A"),
                2 => self.w.rule(&["x ∈ dom Γ".into()], "Γ ⊢ b : B"),
                3 => self.w.rule(&[], "Γ, x:A ⊢ a : B"),
                _ => {}
            }
        }
        if self.has_subsumption {
            let order = self.w.pick(&[["T <: T'", "t : T"], ["t : T", "T <: T'"]]);
            let order = order.map(|p| if p.starts_with('t') { format!("{ctx}{p}") } else { p.into() });
            self.w.rule(&order, format!("{ctx}t : T'"));
        }
    }

    fn big_step(&mut self) {
        self.w.line("judgment t ⇓ v");
        self.w.rule(&[], "v ⇓ v");
        let made = self.w.pick(&["v", "a", "v2"]);
        if made == "v2" {
            self.w.rule(&["t ⇓ v".into(), "v2 = v".into()], "f t ⇓ v2");
        } else {
            self.w.rule(&["t ⇓ v".into()], format!("f t ⇓ {made}"));
        }
        if self.has_second {
            self.w.rule(&["t ⇓ v".into()], "g t ⇓ v");
        }
        if self.w.one_in(2) {
            self.w.rule(&[], "b ⇓ a");
        }
        if self.has_binary {
            self.w.rule(&["t1 ⇓ v".into(), "t2 ⇓ v".into()], "h t1 t2 end ⇓ v");
        }
    }

    fn reduction(&mut self, contexts: bool) {
        self.w.line(if contexts { "reduction t --> t'  in E" } else { "reduction t --> t'" });
        let top = if self.has_let { "· ⊢ " } else { "⊢ " };
        for _ in 0..1 + self.w.chance.below(3) {
            let mut lefts: Vec<(&str, &str)> =
                vec![("f a", ""), ("f t1", "t1"), ("f v", "v"), ("b", ""), ("f (f t1)", "t1"), ("a", "")];
            if self.has_second {
                lefts.extend([("g t1", "t1"), ("g (f t1)", "t1"), ("g b", "")]);
            }
            if self.has_binary {
                lefts.extend([("h t1 t2 end", "t1"), ("h v t1 end", "t1"), ("h t1 t1 end", "t1")]);
            }
            let (left, part) = self.w.pick(&lefts);
            let mut rights = vec!["a".to_string(), "b".into(), "f a".into(), "f (f (f b))".into(), "error".into()];
            if !part.is_empty() {
                let more = [part.to_string(), part.into(), format!("f {part}"), format!("f (f {part})")];
                rights.extend(more);
                if self.has_fun {
                    rights.push(format!("dup({part})"));
                }
            }
            let right = self.w.pick(&rights);
            let mut premises = Vec::new();
            if !part.is_empty() && self.w.one_in(3) {
                let ty = self.constant();
                premises.push(match self.w.chance.below(6) {
                    0 => format!("{part} is v"),
                    1 => format!("{part} is not v"),
                    2 => format!("{top}{part} : {ty}"),
                    3 => format!("not {top}{part} : {ty}"),
                    4 if self.has_big_step => format!("{part} ⇓ a"),
                    _ => format!("{part} ≠ a"),
                });
            }
            self.w.rule(&premises, format!("{left} --> {right}"));
        }
        if self.has_numbers {
            self.w.rule(&["n up n2".into()], "num n --> num n2");
        }
        if self.has_integers {
            match self.w.chance.below(3) {
                0 => self.w.rule(&["where i2 = i + 1".into()], "lit i --> lit i2"),
                1 => self.w.rule(&["where i < 1".into()], "lit i --> b"),
                _ => self.w.rule(&["where i > 0".into(), "where i2 = i - 1".into()], "lit i --> f lit i2"),
            }
        }
        if self.has_let {
            let subject = if self.is_annotated { "let x : T = t1 in t2" } else { "let x = t1 in t2" };
            let by = if self.w.one_in(4) { "a" } else { "t1" };
            self.w.rule(&[], format!("{subject} --> t2[{by}/x]"));
        }
        if !contexts && self.w.one_in(2) {
            self.w.rule(&["t1 --> t2".into()], "f t1 --> f t2");
        }
        if !contexts && self.w.one_in(5) {
            self.w.rule(&["t1 --> t2".into()], "f t1 --> t2");
        }
    }

    fn bounds(&mut self) -> String {
        let mut all = vec![match self.w.chance.below(6) {
            0 => format!("t: {} nodes", 1 + self.w.chance.below(6)),
            1 => format!("t: height {}", 1 + self.w.chance.below(2)),
            _ => format!("t: size {}", 1 + self.w.chance.below(if self.has_let { 5 } else { 4 })),
        }];
        let k = 1 + self.w.chance.below(2);
        all.push(self.w.pick(&[
            "T: size 1".into(),
            "T: size 2".into(),
            format!("T: depth {k}"),
            format!("T: height {k}"),
        ]));
        if self.has_numbers {
            let k = 1 + self.w.chance.below(3);
            all.push(self.w.pick(&[format!("n: size {k}"), format!("n: depth {k}")]));
        }
        if self.has_integers {
            all.push(self.w.pick(&["i: 0..1", "i: -1..1", "i: 1..2", "i: 2", "i: 0..0"]).into());
        }
        if self.is_open {
            all.push(format!("Γ: {}", 1 + self.w.chance.below(2)));
        }
        all.join("   ")
    }

    fn check(mut self) -> Made {
        let top = self.top();
        let ty = self.constant();
        type Shape = (String, Vec<&'static str>, &'static [&'static str]);
        // Premises, programs that the conclusion may speak of, types that are there.
        let mut shapes: Vec<Shape> = vec![
            (format!("{top}t : T"), vec!["t"], &["T"]),
            (format!("{top}t : T, {top}t : T1"), vec!["t"], &["T", "T1"]),
            (format!("{top}t : {ty}"), vec!["t"], &[]),
            (format!("{top}t : T, t is not v"), vec!["t"], &["T"]),
            (format!("not {top}t : {ty}, {top}t : T"), vec!["t"], &["T"]),
            (format!("{top}f t1 : T"), vec!["t1"], &["T"]),
        ];
        if self.has_reduction {
            shapes.extend([
                (format!("{top}t : T, t --> t1"), vec!["t", "t1"], &["T"][..]),
                ("t --> t1".into(), vec!["t", "t1"], &[]),
                (format!("{top}t : T, t --> t1, t --> t2"), vec!["t", "t1", "t2"], &["T"]),
                ("t --> t1, t --> t2".into(), vec!["t", "t1", "t2"], &[]),
                (format!("{top}t : T, t --> t1, t1 --> t2"), vec!["t", "t1", "t2"], &["T"]),
                ("t --> t1, t1 --> t2, t2 --> t3".into(), vec!["t", "t1", "t2", "t3"], &[]),
                (format!("t --> t1, {top}t1 : T"), vec!["t", "t1"], &["T"]),
                (format!("{top}t1 : T, t --> t1"), vec!["t", "t1"], &["T"]),
                ("t --> t1, t1 = f t2".into(), vec!["t", "t1", "t2"], &[]),
                (format!("{top}t : T, t --> t1, t1 ≠ t"), vec!["t", "t1"], &["T"]),
                ("t --> t1, t1 is v".into(), vec!["t", "t1"], &[]),
                (format!("{top}t : T, t steps"), vec!["t"], &["T"]),
                (format!("{top}t : T, not t steps"), vec!["t"], &["T"]),
                (format!("t --> t1, t2 = t1, {top}t2 : T"), vec!["t", "t1", "t2"], &["T"]),
                (format!("{top}t : T, t --> t1, not {top}t1 : T"), vec!["t", "t1"], &["T"]),
                (format!("{top}t : T, t --> t1, {top}t1 : T1"), vec!["t", "t1"], &["T", "T1"]),
                (format!("{top}f t : T, f t --> t1"), vec!["t", "t1"], &["T"]),
            ]);
        }
        if self.has_fun {
            shapes.extend([
                (format!("{top}t : T, t1 = dup(t)"), vec!["t", "t1"], &["T"][..]),
                (format!("dup(t) = t1, {top}t1 : T"), vec!["t", "t1"], &["T"]),
                ("dup(t) = f t1".into(), vec!["t", "t1"], &[]),
                (format!("{top}dup(t) : T"), vec!["t"], &["T"]),
            ]);
        }
        if self.has_big_step {
            shapes.extend([
                (format!("t ⇓ v, {top}t : T"), vec!["t", "v"], &["T"][..]),
                (format!("{top}v : T, t ⇓ v"), vec!["t", "v"], &["T"]),
                ("t ⇓ v, t ⇓ v1".into(), vec!["v", "v1", "t"], &[]),
                (format!("t ⇓ v, not {top}t : {ty}"), vec!["v", "t"], &[]),
            ]);
        }
        let (premises, programs, types) = self.w.pick(&shapes);
        let input = if programs.contains(&"t") { "t" } else { "t1" };
        let mut inputs = vec![input];
        // The environment of a check is an input if a premise mentions it.
        let speaks = premises.contains("Γ");
        if self.is_open && speaks {
            inputs.insert(0, "Γ");
        }
        let others: Vec<String> = match self.has_fun && self.w.one_in(2) {
            true => vec![format!("{top}dup({input}) : {ty}"), format!("dup({input}) = {}", programs[0])],
            false => Vec::new(),
        };
        let others = if speaks || !self.is_open { others } else { Vec::new() };
        let top = if self.is_open && !speaks { "· ⊢ " } else { top };
        let speech = Speech {
            top,
            programs: &programs,
            values: &programs,
            states: if self.has_reduction { &programs } else { &[] },
            types,
            constants: self.constants(),
            closed: &["a", "f a", "b", "f (f a)"],
            others: &others,
        };
        let conclusion = self.w.conclusion(&speech);
        let bounds = self.bounds();
        self.w.check(&bounds, &premises, &conclusion, inputs)
    }
}
