//! Expressions of every type, with side effects in them.

use super::{Generator, INTEGRAL, T};

impl Generator {
    /// Something that may stand alone as a statement.
    pub(super) fn side_effect(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 | 1 => {
                let ty = self.pick(&INTEGRAL);
                self.assignment(ty, depth)
            }
            2 | 3 => self.compound(depth),
            4 => self.increment(),
            _ => match self.below(3) {
                0 => format!("twice({})", self.expr(T::Int, depth)),
                1 => format!("make({}).m({})", self.expr(T::Int, 1), self.expr(T::Int, 1)),
                _ => format!("recurse({})", self.small()),
            },
        }
    }

    pub(super) fn assignment(&mut self, ty: T, depth: usize) -> String {
        let value = self.expr(ty, depth);
        let target = self.target(Some(ty)).0;
        format!("{target} = {value}")
    }

    fn compound(&mut self, depth: usize) -> String {
        let op = self.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"]);
        let (target, _) = self.target(None);
        let ty = self.pick(&INTEGRAL);
        let value = self.expr(ty, depth);
        let guard = if matches!(op, "/" | "%") && self.chance(95) { " | 1" } else { "" };
        format!("{target} {op}= ({value}){guard}")
    }

    fn increment(&mut self) -> String {
        let target = self.target(None).0;
        let op = self.pick(&["++", "--"]);
        if self.chance(50) { format!("{target}{op}") } else { format!("{op}{target}") }
    }

    /// Something that can be assigned to; of that type, or of any integral one.
    fn target(&mut self, ty: Option<T>) -> (String, T) {
        let others: Vec<(String, T)> = match self.below(9) {
            0 => vec![(format!("a[{}]", self.index(4)), T::Int)],
            1 => vec![(format!("bs[{}]", self.index(4)), T::Byte)],
            2 => vec![(format!("cs[{}]", self.index(4)), T::Char)],
            3 => vec![(format!("m[{}][{}]", self.index(2), self.index(3)), T::Long)],
            4 => vec![("o.f".into(), T::Int), ("o.g".into(), T::Long)],
            5 => vec![("si".into(), T::Int), ("sl".into(), T::Long), ("sb".into(), T::Byte), ("sc".into(), T::Char)],
            _ => vec![],
        };
        let fits = |t: T| ty.map_or(t != T::Bool, |ty| ty == t);
        if let Some(other) = others.into_iter().find(|(_, t)| fits(*t)) {
            return other;
        }
        match self.variable(|v| !v.is_counter && fits(v.ty)) {
            Some(variable) => (variable.name, variable.ty),
            None => ("si".into(), T::Int),
        }
    }

    /// Mostly within bounds.
    pub(super) fn index(&mut self, length: usize) -> String {
        match self.below(12) {
            0 if self.chance(30) => format!("({}) & {}", self.expr(T::Int, 1), length),
            0..=5 => self.below(length).to_string(),
            _ if length == 3 => format!("(({}) & 0xff) % 3", self.expr(T::Int, 1)),
            _ => format!("({}) & {}", self.expr(T::Int, 1), length - 1),
        }
    }

    pub(super) fn small(&mut self) -> String {
        let n = self.below(7) as i64 - 1;
        n.to_string()
    }

    pub(super) fn expr(&mut self, ty: T, depth: usize) -> String {
        match ty {
            T::Bool => self.boolean(depth),
            T::Int => self.int(depth),
            T::Long => self.long(depth),
            T::Byte | T::Short | T::Char => {
                if self.chance(35)
                    && let Some(variable) = self.variable(|v| v.ty == ty)
                {
                    return variable.name;
                }
                if ty == T::Byte && self.chance(20) {
                    return format!("bs[{}]", self.index(4));
                }
                let from = self.pick(&[T::Int, T::Int, T::Long]);
                let value = self.expr(from, depth.saturating_sub(1));
                format!("({}) ({value})", ty.name())
            }
        }
    }

    fn literal(&mut self, ty: T) -> String {
        if self.chance(40) {
            return match ty {
                T::Long => format!("{}L", (self.random() as i64).wrapping_mul(65_537)),
                _ => format!("{}", self.random() as i32),
            };
        }
        if ty == T::Long {
            return self
                .pick(&["0L", "1L", "-1L", "3_000_000_000L", "Long.MAX_VALUE", "-9223372036854775808L", "0xffL", "33L"])
                .into();
        }
        let odd = ["0", "1", "-1", "'a'", "255", "0x80000000", "-2147483648", "2147483647", "0b101", "017", "31", "32"];
        if self.chance(50) { self.pick(&odd).into() } else { (self.below(200) as i64 - 100).to_string() }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(15) {
            return match self.variable(|v| !matches!(v.ty, T::Bool | T::Long)) {
                Some(variable) if self.chance(70) => variable.name,
                _ => self.literal(T::Int),
            };
        }
        let depth = depth - 1;
        let narrow = |generator: &mut Generator| {
            let ty = generator.pick(&[T::Int, T::Int, T::Int, T::Byte, T::Short, T::Char]);
            generator.expr(ty, depth)
        };
        match self.below(22) {
            0..=5 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {op} {})", narrow(self), narrow(self))
            }
            6 | 7 => {
                let op = self.pick(&["/", "%"]);
                let guard = if self.chance(95) { " | 1" } else { "" };
                format!("({} {op} ({}{guard}))", narrow(self), narrow(self))
            }
            8 | 9 => {
                let op = self.pick(&["<<", ">>", ">>>"]);
                let distance = self.pick(&[T::Int, T::Long, T::Byte]);
                format!("({} {op} {})", narrow(self), self.expr(distance, depth))
            }
            10 => format!("{}({})", self.pick(&["-", "~", "+"]), narrow(self)),
            11 => format!("(int) ({})", self.long(depth)),
            12 => format!("({} ? {} : {})", self.boolean(depth), narrow(self), narrow(self)),
            13 => self.effect_of(|t| !matches!(t, T::Bool | T::Long), depth),
            14 => format!("a[{}]", self.index(4)),
            15 => format!("twice({})", narrow(self)),
            16 => match self.below(4) {
                0 => "o.f".into(),
                1 => format!("o.m({})", narrow(self)),
                2 => format!("make({}).n({})", self.small(), self.long(depth)),
                _ => format!("recurse({})", self.small()),
            },
            17 => {
                let ty = self.pick(&INTEGRAL);
                format!("over({})", self.expr(ty, depth))
            }
            18 | 19 => format!("({})", self.row(|t| !matches!(t, T::Bool | T::Long))),
            20 => format!("sum({}, {})", narrow(self), narrow(self)),
            _ => format!("(box({}) + {})", narrow(self), narrow(self)),
        }
    }

    fn long(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(15) {
            return match self.variable(|v| v.ty != T::Bool) {
                Some(variable) if self.chance(70) => variable.name,
                _ => self.literal(T::Long),
            };
        }
        let depth = depth - 1;
        match self.below(13) {
            0..=3 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                let other = self.pick(&INTEGRAL);
                if self.chance(50) {
                    format!("({} {op} {})", self.long(depth), self.expr(other, depth))
                } else {
                    format!("({} {op} (long) {})", self.expr(other, depth), self.long(0))
                }
            }
            4 => {
                let op = self.pick(&["/", "%"]);
                let guard = if self.chance(95) { " | 1" } else { "" };
                format!("((long) {} {op} ({}{guard}))", self.long(0), self.long(depth))
            }
            5 | 6 => {
                let op = self.pick(&["<<", ">>", ">>>"]);
                let distance = self.pick(&[T::Int, T::Long]);
                format!("((long) {} {op} {})", self.long(0), self.expr(distance, depth))
            }
            7 => format!("{}((long) {})", self.pick(&["-", "~"]), self.long(0)),
            8 => format!("mix({}, {}, {})", self.int(depth), self.long(depth), self.expr(T::Byte, depth)),
            9 => format!("({} ? {} : {})", self.boolean(depth), self.int(depth), self.long(depth)),
            10 => self.effect_of(|t| t != T::Bool, depth),
            11 => format!("((long) {})", self.row(|t| t != T::Bool)),
            _ => format!("m[{}][{}]", self.index(2), self.index(3)),
        }
    }

    /// Operands and operators in a row: precedence alone tells what belongs together.
    fn row(&mut self, fits: impl Fn(T) -> bool + Copy) -> String {
        let mut text = self.operand(fits);
        for _ in 0..2 + self.below(4) {
            let op = self.pick(&["+", "-", "*", "+", "-", "*", "&", "|", "^", "<<", ">>", ">>>"]);
            text = format!("{text} {op} {}", self.operand(fits));
        }
        text
    }

    /// A row that a comparison may stand beside.
    fn sum(&mut self) -> String {
        let fits = |t: T| t != T::Bool;
        let (a, b, c) = (self.operand(fits), self.operand(fits), self.operand(fits));
        format!("{a} {} {b} {} {c}", self.pick(&["+", "-", "<<"]), self.pick(&["*", "-", "+"]))
    }

    /// A name in brackets before a sign looks like a cast.
    fn operand(&mut self, fits: impl Fn(T) -> bool) -> String {
        let Some(variable) = self.variable(|v| fits(v.ty)) else { return "(si)".into() };
        let name = variable.name;
        match self.below(12) {
            0..=3 => format!("({name})"),
            4 | 5 => name,
            6 if !variable.is_counter => format!("({name}){}", self.pick(&["++", "--"])),
            7 if !variable.is_counter => format!("{}{name}{}", self.pick(&["- ", "~", ""]), self.pick(&["++", "--"])),
            8 => format!("{}({name})", self.pick(&["- ", "~", "+ ", "(byte) ", "(int) -", "(char) "])),
            9 => "(shared.length)".into(),
            10 => "(Integer.MAX_VALUE)".into(),
            _ => self.below(9).to_string(),
        }
    }

    /// An assignment of whatever kind as a value, to a target whose type fits.
    pub(super) fn effect_of(&mut self, fits: impl Fn(T) -> bool, depth: usize) -> String {
        let Some(variable) = self.variable(|v| !v.is_counter && fits(v.ty)) else { return self.literal(T::Int) };
        let name = variable.name;
        match self.below(4) {
            0 => format!("({name} = {})", self.expr(variable.ty, depth)),
            1 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", ">>>"]);
                let ty = self.pick(&INTEGRAL);
                format!("({name} {op}= {})", self.expr(ty, depth))
            }
            2 => format!("{name}{}", self.pick(&["++", "--"])),
            // In brackets: a sign may stand before it.
            _ => format!("({}{name})", self.pick(&["++", "--"])),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(8) {
            return match self.variable(|v| v.ty == T::Bool) {
                Some(variable) if self.chance(80) => variable.name,
                _ => self.pick(&["true", "false"]).into(),
            };
        }
        let depth = depth - 1;
        match self.below(15) {
            0..=4 => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.pick(&INTEGRAL), self.pick(&INTEGRAL));
                format!("({} {op} {})", self.expr(a, depth), self.expr(b, depth))
            }
            5 | 6 => {
                let op = self.pick(&["&&", "||", "&", "|", "^", "==", "!="]);
                format!("({} {op} {})", self.boolean(depth), self.boolean(depth))
            }
            7 => format!("!({})", self.boolean(depth)),
            8 => format!("({} ? {} : {})", self.boolean(depth), self.boolean(depth), self.boolean(depth)),
            9 => format!("odd({})", self.long(depth)),
            10 => match self.below(5) {
                0 => "o instanceof C".into(),
                1 => "(o == null)".into(),
                2 => "(k == K.P)".into(),
                3 => "(o != null && o.next == o)".into(),
                _ => {
                    let b = self.fresh("b");
                    format!("(o instanceof B {b} && {b}.h > 10)")
                }
            },
            11 => {
                let edge = self.pick(&["126", "-130"]);
                let number = format!("{edge} + ({} & 3)", self.int(0));
                format!("(box({number}) == box({number}))")
            }
            12 => match self.variable(|v| v.ty == T::Bool && !v.is_counter) {
                Some(variable) => {
                    let op = self.pick(&["=", "&=", "|=", "^="]);
                    format!("({} {op} {})", variable.name, self.boolean(depth))
                }
                None => "true".into(),
            },
            13 => {
                let op = self.pick(&["<", "<=", ">", ">=", "=="]);
                let (a, b, c) = (self.sum(), self.sum(), self.boolean(depth));
                format!("({a} {op} {b} {} {c})", self.pick(&["&&", "||", "^", "!=", "&"]))
            }
            _ => format!("(boxLong({}) == {})", self.long(depth), self.int(depth)),
        }
    }
}
