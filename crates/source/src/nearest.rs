//! What may have been meant by a name that is not known.

/// The closest of the names, if one is close; of several, one that begins alike.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let most = match length {
        0..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    let first = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
    known
        .filter(|k| *k != name)
        .map(|k| (edit_distance(name, k), first(k) != first(name), k))
        .filter(|(d, _, k)| *d <= most && *d < length.max(k.chars().count()))
        .min()
        .map(|(_, _, k)| k)
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

/// Letters inserted, removed, replaced, or swapped with their neighbour, upper and lower case being the same.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found() {
        let near = |name| nearest(name, ["insert", "remove", "size", "x"].into_iter());
        assert_eq!(
            (near("inzert"), near("isnert"), near("REMOVE"), near("siz")),
            (Some("insert"), Some("insert"), Some("remove"), Some("size"))
        );
        assert_eq!((near("push"), near("y"), near("insert")), (None, None, None));
    }
}
