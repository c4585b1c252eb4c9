//! Numbers of states: exact as long as they fit, and their order of magnitude beyond.

#[derive(Clone, Copy, Debug)]
pub struct Amount {
    pub exact: Option<u128>,
    /// The natural logarithm.
    pub ln: f64,
}

impl Amount {
    pub const ZERO: Amount = Amount { exact: Some(0), ln: f64::NEG_INFINITY };

    pub fn of(number: u128) -> Amount {
        Amount { exact: Some(number), ln: (number as f64).ln() }
    }

    pub fn times(self, other: Amount) -> Amount {
        let exact = self.exact.zip(other.exact).and_then(|(a, b)| a.checked_mul(b));
        Amount { exact, ln: self.ln + other.ln }
    }

    pub fn plus(self, other: Amount) -> Amount {
        let exact = self.exact.zip(other.exact).and_then(|(a, b)| a.checked_add(b));
        Amount { exact, ln: sum(&[self.ln, other.ln]) }
    }
}

/// The logarithm of the sum of numbers given by their logarithms.
pub fn sum(lns: &[f64]) -> f64 {
    let greatest = lns.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    greatest + lns.iter().map(|ln| (ln - greatest).exp()).sum::<f64>().ln()
}
