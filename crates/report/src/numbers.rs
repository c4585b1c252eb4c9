//! Counts and times as a person reads them.

use verdict::Covered;

/// `22`, `12,345`, `1.2e9`
pub fn count(n: u128) -> String {
    if n >= 10_000_000 {
        return power((n as f64).log10());
    }
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1.2e9`, from the decimal logarithm.
pub fn power(log10: f64) -> String {
    if log10 < 7.0 {
        return count(10f64.powf(log10).round() as u128);
    }
    let (mut exponent, mut digits) = (log10.floor(), 10f64.powf(log10 - log10.floor()));
    if digits >= 9.95 {
        (exponent, digits) = (exponent + 1.0, 1.0);
    }
    format!("{digits:.1}e{exponent}")
}

/// `1 state`, `22 states`
pub fn plural(n: u128, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

pub fn covered(covered: &Covered) -> Option<String> {
    match (covered.states, covered.log10) {
        (Some(states), _) => Some(plural(states, "state")),
        (None, Some(log10)) => {
            let how = if covered.is_least { "at least" } else { "about" };
            Some(format!("{how} {} states", power(log10)))
        }
        (None, None) => None,
    }
}

pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{:.0} ms", s * 1000.0),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_readable() {
        assert_eq!(count(22), "22");
        assert_eq!(count(12_345), "12,345");
        assert_eq!(count(1_234_567_890), "1.2e9");
        assert_eq!(power(9.999), "1.0e10");
        assert_eq!(power(2.0), "100");
        assert_eq!(plural(1, "state"), "1 state");
    }
}
