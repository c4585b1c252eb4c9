//! A disagreement made small: lines, blocks of lines between braces, and the two lines around a block are left out as long as it
//! remains one.

/// The shortest text found, by leaving out lines of `text`, for which `still` holds. `still(text)` must hold.
pub fn lines(text: &str, mut still: impl FnMut(&str) -> bool) -> String {
    let mut kept: Vec<&str> = text.lines().collect();
    loop {
        let before = kept.len();
        let mut chunk = (kept.len() / 2).max(1);
        loop {
            let mut at = 0;
            while at < kept.len() {
                let end = (at + chunk).min(kept.len());
                if is_balanced(&kept[at..end]) {
                    let without = [&kept[..at], &kept[end..]].concat();
                    if still(&joined(&without)) {
                        kept = without;
                        continue;
                    }
                }
                at += 1;
            }
            if chunk == 1 {
                break;
            }
            chunk /= 2;
        }
        let mut at = 0;
        while at < kept.len() {
            // What a block holds may do without the lines around it.
            let end = (at + 1..kept.len()).find(|&end| is_balanced(&kept[at..=end]));
            if let Some(end) = end.filter(|_| !is_balanced(&kept[at..=at])) {
                let without = [&kept[..at], &kept[at + 1..end], &kept[end + 1..]].concat();
                if still(&joined(&without)) {
                    kept = without;
                    continue;
                }
            }
            at += 1;
        }
        if kept.len() == before {
            return joined(&kept);
        }
    }
}

/// What opens here is closed here: anything else would not parse.
fn is_balanced(lines: &[&str]) -> bool {
    let mut depth = 0i64;
    for byte in lines.iter().flat_map(|l| l.bytes()) {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

fn joined(lines: &[&str]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}
