//! What may have been meant by a name that is not known.

/// The closest of the names, if one is close.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = match name.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let lower = name.to_ascii_lowercase();
    let distance =
        |k: &str| if k.eq_ignore_ascii_case(name) { 0 } else { crate::edit_distance(&lower, &k.to_ascii_lowercase()) };
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let d = distance(candidate);
        let is_better = best.is_none_or(|(least, other)| (d, candidate) < (least, other));
        if d <= most && d < candidate.chars().count() && is_better {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// Advice for an unknown name: the nearest one, or all of them if they are few.
pub fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str>, otherwise: &str) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if !known.is_empty() && known.len() <= 8 => format!("there are: {}", known.join(", ")),
        None => otherwise.to_string(),
    }
}
