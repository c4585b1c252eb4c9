//! Random statements in declarative code: branches, switches that fall through or match nothing, loops with `break` and `continue`, early
//! returns, each with expressions that may throw on some side only. The invariant calls them, so that a state on which they
//! throw or never end is invalid; the operation does too, and runs the same statements as ordinary code. Compared: the glass box, the
//! loop over models, and the exhaustive engine.

use super::java_declarative::attempt_on;
use crate::{Found, Kind};
use work::Chance;

pub fn kind() -> Kind {
    Kind {
        name: "java-statements",
        about: "random statements that may throw, in declarative code and in operations, by three engines",
        ci: 20,
        attempt,
    }
}

fn attempt(seed: u64) -> Found {
    attempt_on(&class(&mut Chance::new(seed)))
}

struct Maker<'c> {
    chance: &'c mut Chance,
    text: String,
    /// Of names of loop variables.
    loops: usize,
}

/// Some throw where `c` is null, or `k` is zero, or `r` is 1, or beyond the row.
const NUMBERS: [&str; 12] =
    ["r", "k", "1", "2", "c.v", "c.next.v", "4 / k", "6 / (r - 1)", "row[k]", "row[r]", "(k > 0 ? c.v : r)", "k * r"];

const CONDITIONS: [&str; 12] = [
    "k == 0",
    "k > 0",
    "r > 1",
    "r % 2 == 0",
    "c == null",
    "c != null && c.v == 1",
    "c.v == 0",
    "c == null || c.next == c",
    "row[k] == 1",
    "k < 2 && 2 / k == 1",
    "c.next != null",
    "(k == 1 ? c.v == 1 : r == 0)",
];

impl Maker<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        self.text += &"    ".repeat(depth + 2);
        self.text += line;
        self.text.push('\n');
    }

    fn number(&mut self) -> &'static str {
        NUMBERS[self.chance.below(NUMBERS.len())]
    }

    fn condition(&mut self) -> &'static str {
        CONDITIONS[self.chance.below(CONDITIONS.len())]
    }

    fn block(&mut self, depth: usize, in_loop: bool) {
        for _ in 0..1 + self.chance.below(2) {
            self.statement(depth, in_loop);
        }
    }

    fn statement(&mut self, depth: usize, in_loop: bool) {
        let kinds = match depth {
            // A loop in a loop that does not end takes very long to give up.
            0..3 if in_loop => 9,
            0..3 => 11,
            _ => 5,
        };
        match self.chance.below(kinds) {
            0 | 1 => {
                let line = format!("r = {};", self.number());
                self.line(depth, &line);
            }
            2 => {
                let step =
                    *self.chance.pick(&["c = c.next;", "r++;", "c = null;", "k--;", "if (c != null) c = c.next;"]);
                self.line(depth, step);
            }
            3 => {
                let leave = match self.chance.below(if in_loop { 3 } else { 1 }) {
                    0 => format!("return {};", self.number()),
                    1 => "break;".to_string(),
                    _ => "continue;".to_string(),
                };
                let line = format!("if ({}) {leave}", self.condition());
                self.line(depth, &line);
            }
            4 => {
                let line = format!("assert {};", self.condition());
                self.line(depth, &line);
            }
            5 | 6 => {
                let line = format!("if ({}) {{", self.condition());
                self.line(depth, &line);
                self.block(depth + 1, in_loop);
                if self.chance.one_in(3) {
                    self.line(depth, "}");
                } else {
                    self.line(depth, "} else {");
                    self.block(depth + 1, in_loop);
                    self.line(depth, "}");
                }
            }
            7 | 8 => self.switch(depth, in_loop),
            9 => {
                let name = format!("i{}", self.loops);
                self.loops += 1;
                let line = format!("for (int {name} = 0; {name} < 2; {name}++) {{");
                self.line(depth, &line);
                self.block(depth + 1, true);
                self.line(depth, "}");
            }
            _ => {
                self.line(depth, "while (c != null) {");
                self.block(depth + 1, true);
                self.line(depth + 1, "c = c.next;");
                self.line(depth, "}");
            }
        }
    }

    fn switch(&mut self, depth: usize, in_loop: bool) {
        let line = format!("switch ({}) {{", self.number());
        self.line(depth, &line);
        let default = self.chance.below(6);
        for case in 0..3 {
            let label = if case == default { "default:".to_string() } else { format!("case {case}:") };
            self.line(depth, &label);
            self.block(depth + 1, in_loop);
            if self.chance.one_in(2) {
                self.line(depth + 1, "break;");
            }
        }
        self.line(depth, "}");
    }
}

/// A class, a statement per line.
fn class(chance: &mut Chance) -> String {
    let mut maker = Maker { chance, text: String::new(), loops: 0 };
    for _ in 0..2 + maker.chance.below(2) {
        maker.statement(0, false);
    }
    let (body, chance) = (maker.text, maker.chance);
    let valid = *chance.pick(&["<= 1", "!= 1", ">= 0", "== k", "!= 0"]);
    let asked = *chance.pick(&["!= 2", ">= 0", "< 2", "== g(k, d)", "!= k"]);
    // In a circle many loops never end.
    let tree = if chance.one_in(5) { "" } else { "@Tree " };
    let called = *chance.pick(&["g", "h"]);
    let with = *chance.pick(&["k, d", "j, d", "k, null", "j, d == null ? null : d.next"]);
    format!(
        "import glassbox.*;
class C {{
    static class Cell {{ @Range(\"0..1\") int v; {tree}Cell next; }}
    @Range(\"-1..2\") int k;
    {tree}Cell d;
    @Length(\"2..2\") @Range(\"0..1\") int[] row;
    @Declarative int g(int k, Cell c) {{
        int r = 0;
{body}        return r;
    }}
    int h(int k, Cell c) {{
        int r = 0;
{body}        return r;
    }}
    @Declarative boolean repOk() {{ return g(k, d) {valid}; }}
    @Check void op(@Range(\"0..2\") int j) {{ assert {called}({with}) {asked}; }}
}}
"
    )
}
