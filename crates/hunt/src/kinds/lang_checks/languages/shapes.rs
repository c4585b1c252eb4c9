//! Conclusions of checks: one to three alternatives, of one or two things each.

use super::Writer;

/// What a conclusion may speak of.
pub struct Speech<'s> {
    /// As in `· ⊢ `.
    pub top: &'s str,
    /// What may be judged to have a type.
    pub programs: &'s [&'s str],
    /// What may be a value, or be compared.
    pub values: &'s [&'s str],
    /// What takes steps, with its reduction.
    pub states: &'s [&'s str],
    /// The types that premises yield.
    pub types: &'s [&'s str],
    /// Types that may be written.
    pub constants: &'s [&'s str],
    /// Programs without metavariables.
    pub closed: &'s [&'s str],
    /// What else may be said.
    pub others: &'s [String],
}

impl Writer {
    pub fn conclusion(&mut self, speech: &Speech) -> String {
        let mut conclusions = Vec::new();
        let mut exists = false;
        for _ in 0..[1, 1, 2, 2, 3][self.chance.below(5)] {
            let mut parts = Vec::new();
            for _ in 0..1 + usize::from(self.one_in(4)) {
                parts.push(self.part(speech, &mut exists));
            }
            conclusions.push(parts.join(", "));
        }
        let exists = if exists { "exists T'. " } else { "" };
        format!("{exists}{}", conclusions.join("  or  "))
    }

    fn part(&mut self, speech: &Speech, exists: &mut bool) -> String {
        let top = speech.top;
        let values = speech.values;
        let program = self.pick(speech.programs);
        let (value, other) = (self.pick(values), self.pick(values));
        let constant = self.pick(speech.constants);
        match self.chance.below(14) {
            0 | 1 => format!("{value} is v"),
            2 => format!("{value} is not v"),
            3 | 4 if value != other => format!("{value} = {other}"),
            5 => format!("{value} ≠ {}", self.pick(speech.closed)),
            6 | 7 if !speech.states.is_empty() => format!("{} steps", self.pick(speech.states)),
            8 if speech.types.len() > 1 => format!("{} = {}", speech.types[0], speech.types[1]),
            9 if !*exists => {
                *exists = true;
                format!("{top}{program} : T'")
            }
            10 => format!("{top}{program} : {constant}"),
            11 => format!("not {top}{program} : {constant}"),
            12 if !speech.others.is_empty() => self.pick(speech.others),
            _ if !speech.types.is_empty() => format!("{top}{program} : {}", self.pick(speech.types)),
            _ => format!("{value} is v"),
        }
    }
}
