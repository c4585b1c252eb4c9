//! Statements.

use super::{Generator, Label, T, Variable};
use std::fmt::Write;

impl Generator {
    fn block(&mut self, depth: usize, head: &str, tail: &str) {
        let variables = self.variables.len();
        self.line(head);
        self.indent += 1;
        let count = 1 + self.below(2);
        for _ in 0..count {
            self.statement(depth);
        }
        for variable in self.variables.split_off(variables) {
            if variable.ty != T::Bool {
                self.line(&format!("sl = sl * 31 + {};", variable.name));
            }
        }
        self.indent -= 1;
        self.line(tail);
    }

    /// Something that fails half of the time, and how much of it was evaluated until then.
    fn risk(&mut self) {
        let int = self.effect_of(|t| !matches!(t, T::Bool | T::Long), 1);
        let effect = self.effect_of(|t| !matches!(t, T::Bool | T::Long), 1);
        let risky = match self.below(9) {
            0 => format!("a[({int}) & 7] = {effect}"),
            1 => format!("a[({int}) & 7] += {effect}"),
            2 => format!("none[({int}) & 7] = {effect}"),
            3 => format!("none[({int}) & 7] -= {effect}"),
            4 => format!("as[({int}) & 3] = {effect} > 0 ? new B(1) : new C(2)"),
            5 => format!("si = ((C) make({int})).m({effect})"),
            6 => format!("make({int}).f = {effect}"),
            7 => format!("m = new long[({int}) % 9][({effect}) % 9 + 3]; m = new long[2][3]"),
            _ => format!("si = {effect} / (({int}) & 1)"),
        };
        let e = self.fresh("e");
        self.line(&format!("try {{ {risky}; }} catch (RuntimeException {e}) {{ sl = sl * 7 + si; }}"));
    }

    pub(super) fn statement(&mut self, depth: usize) {
        let choice = if depth == 0 { self.below(8) } else { self.below(21) };
        match choice {
            0 | 1 => {
                let ty = self.pick(&[T::Bool, T::Byte, T::Short, T::Char, T::Int, T::Long]);
                self.declare(ty, 2);
            }
            2..=4 => {
                let text = self.side_effect(2);
                self.line(&format!("{text};"));
            }
            5 => {
                let text = self.assignment(T::Bool, 2);
                self.line(&format!("{text};"));
            }
            6 => {
                let line = match self.below(4) {
                    0 => format!("o = make({});", self.expr(T::Int, 2)),
                    1 => format!("k = {} ? K.P : K.R;", self.expr(T::Bool, 2)),
                    2 => format!("cs[{}] = {};", self.index(4), self.expr(T::Char, 2)),
                    _ => format!("System.arraycopy(a, {}, shared, {}, {});", self.small(), self.small(), self.small()),
                };
                self.line(&line);
            }
            7 => self.risk(),
            8 | 20 => {
                let condition = self.expr(T::Bool, 2);
                self.block(depth - 1, &format!("if ({condition}) {{"), "}");
                if self.chance(50) {
                    self.block(depth - 1, "else {", "}");
                }
            }
            9..=11 => self.loop_statement(depth - 1),
            12 | 13 => self.switch(depth - 1),
            14 | 15 => self.try_statement(depth - 1),
            16 => self.jump(),
            17 => {
                let label = self.fresh("l");
                self.labels.push(Label { name: label.clone(), is_loop: false });
                self.block(depth - 1, &format!("{label}: {{"), "}");
                self.labels.pop();
            }
            18 => {
                let condition = self.expr(T::Bool, 2);
                let exception = match self.below(4) {
                    0 => format!("new Failure({})", self.expr(T::Int, 1)),
                    1 => "new SubFailure(4)".into(),
                    2 => "new IllegalStateException()".into(),
                    _ => "new ArithmeticException()".into(),
                };
                self.line(&format!("if ({condition}) {{ throw {exception}; }}"));
            }
            _ => {
                let condition = self.expr(T::Bool, 2);
                let value = self.expr(T::Long, 2);
                self.line(&format!("if ({condition}) {{ return {value}; }}"));
            }
        }
    }

    /// Loops nest three deep at most and run a few times each.
    fn loop_statement(&mut self, depth: usize) {
        if self.loops >= 3 {
            return;
        }
        self.loops += 1;
        let counter = self.fresh("i");
        let limit = 1 + self.below(5);
        let label = self.fresh("l");
        let named = self.chance(60);
        let prefix = if named { format!("{label}: ") } else { String::new() };
        if named {
            self.labels.push(Label { name: label, is_loop: true });
        }
        let variables = self.variables.len();
        let variable = |name: &str| Variable { name: name.into(), ty: T::Int, is_counter: true };
        match self.below(4) {
            0 => {
                self.variables.push(variable(&counter));
                let update = if self.chance(30) { format!(", {}", self.side_effect(1)) } else { String::new() };
                let head = format!("{prefix}for (int {counter} = 0; {counter} < {limit}; {counter}++{update}) {{");
                self.block(depth, &head, "}");
            }
            1 => {
                self.line(&format!("int {counter} = {limit};"));
                self.variables.push(variable(&counter));
                let extra = if self.chance(40) { format!(" && {}", self.expr(T::Bool, 2)) } else { String::new() };
                self.block(depth, &format!("{prefix}while ({counter}-- > 0{extra}) {{"), "}");
            }
            2 => {
                self.line(&format!("int {counter} = 0;"));
                self.variables.push(variable(&counter));
                self.block(depth, &format!("{prefix}do {{"), &format!("}} while (++{counter} < {limit});"));
            }
            _ => {
                self.variables.push(variable(&counter));
                self.block(depth, &format!("{prefix}for (int {counter} : a) {{"), "}");
            }
        }
        self.variables.truncate(variables);
        if named {
            self.labels.pop();
        }
        self.loops -= 1;
    }

    fn jump(&mut self) {
        if self.labels.is_empty() {
            return;
        }
        let index = self.below(self.labels.len());
        let label = self.labels[index].clone();
        let word = if label.is_loop && self.chance(50) { "continue" } else { "break" };
        let condition = self.expr(T::Bool, 2);
        self.line(&format!("if ({condition}) {{ {word} {}; }}", label.name));
    }

    fn switch(&mut self, depth: usize) {
        let (on, cases): (String, Vec<String>) = match self.below(4) {
            0 => ("k".into(), ["P", "Q", "R"].map(String::from).into()),
            1 => (self.expr(T::Char, 2), (0..4).map(|i| format!("'{}'", (b'w' + i) as char)).collect()),
            2 => (format!("(byte) ({})", self.expr(T::Int, 2)), [-128, 0, 1, 127].map(|i: i32| i.to_string()).into()),
            _ => (format!("({}) & 3", self.expr(T::Int, 2)), [0, 1, 2, 3].map(|i: i32| i.to_string()).into()),
        };
        let count = 1 + self.below(cases.len());
        if self.chance(30) {
            // A switch expression, which has to have a default.
            let ty = self.pick(&[T::Int, T::Long, T::Bool]);
            let name = self.fresh("v");
            let mut text = format!("{} {name} = switch ({on}) {{ ", ty.name());
            for case in &cases[..count] {
                let _ = write!(text, "case {case} -> {}; ", self.expr(ty, 2));
            }
            let _ = write!(text, "default -> {{ {}; yield {}; }} }};", self.side_effect(2), self.expr(ty, 1));
            self.line(&text);
            self.variables.push(Variable { name, ty, is_counter: false });
            return;
        }
        self.line(&format!("switch ({on}) {{"));
        self.indent += 1;
        let default = self.below(count + 2);
        for (index, case) in cases[..count].iter().enumerate() {
            if default == index {
                self.block(depth.min(1), "default: {", "}");
            }
            self.block(depth, &format!("case {case}: {{"), "}");
            if self.chance(50) {
                self.line("break;");
            }
        }
        if default == count {
            self.block(depth.min(1), "default: {", "}");
        }
        self.indent -= 1;
        self.line("}");
    }

    fn try_statement(&mut self, depth: usize) {
        self.block(depth, "try {", "");
        if self.chance(30) {
            let (condition, value) = (self.expr(T::Bool, 1), self.expr(T::Long, 1));
            self.line(&format!("if ({condition}) {{ return {value}; }}"));
        }
        self.line("}");
        let catches = [
            "ArithmeticException",
            "SubFailure",
            "Failure",
            "NullPointerException | ArrayIndexOutOfBoundsException",
            "RuntimeException",
        ];
        // In this order none hides a later one.
        let chosen: Vec<&str> = catches.into_iter().filter(|_| self.chance(35)).collect();
        for catch in &chosen {
            let e = self.fresh("e");
            self.block(depth, &format!("catch ({catch} {e}) {{"), "}");
            if catch.ends_with("Failure") && self.chance(50) {
                // Reopen the handler: use what was caught.
                let trimmed = self.out.trim_end().len() - 1;
                self.out.truncate(trimmed);
                self.line(&format!("    si += {e}.code; }}"));
            }
        }
        if chosen.is_empty() || self.chance(40) {
            let call = format!("sl += twice({}); }}", self.next);
            self.block(depth, "finally {", &call);
        }
    }
}
