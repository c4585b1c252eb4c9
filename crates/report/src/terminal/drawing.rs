//! A state as a drawing: the tree edges as a tree, other references by name, arrays as rows.
//!
//! Invariant: an object is drawn once; an edge to one that was drawn before is marked, so shared and cyclic states end.

use crate::paint::Paint;
use verdict::heap::{Snapshot, SnapshotField, SnapshotObject, SnapshotValue};

/// More lines than that say nothing at a glance.
const MOST_LINES: usize = 80;
const MOST_ELEMENTS: usize = 24;

/// A drawn line, and what is in front of it: `+` new, `~` changed.
pub struct Line {
    pub mark: char,
    pub text: String,
}

pub struct Drawing<'a> {
    snapshot: &'a Snapshot,
    before: Option<&'a Snapshot>,
    paint: Paint,
    drawn: Vec<bool>,
    /// Whether there are several classes to tell apart.
    with_classes: bool,
    lines: Vec<Line>,
}

/// `before` is what the marks compare with.
pub fn draw(snapshot: &Snapshot, before: Option<&Snapshot>, paint: Paint) -> Vec<Line> {
    let mut classes: Vec<&str> =
        snapshot.objects.iter().skip(1).filter(|o| !o.is_array).map(|o| o.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    let drawn = vec![false; snapshot.objects.len()];
    let mut drawing = Drawing { snapshot, before, paint, drawn, with_classes: classes.len() > 1, lines: Vec::new() };
    for index in drawing.roots() {
        if !drawing.drawn[index] {
            drawing.object(index, "", "", "");
        }
    }
    let mut lines = drawing.lines;
    if lines.len() > MOST_LINES {
        let rest = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(Line { mark: ' ', text: format!("… {rest} more lines") });
    }
    lines
}

/// What the state before had and this one does not reach any more.
pub fn lost(before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let is_there = |o: &SnapshotObject| after.objects.iter().any(|a| a.name == o.name);
    before.objects.iter().filter(|o| !o.is_array && !is_there(o)).map(|o| o.name.clone()).collect()
}

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

impl<'a> Drawing<'a> {
    /// First the checked object, then what no tree edge leads to, then the rest; arrays are part of their owners.
    fn roots(&self) -> Vec<usize> {
        let objects = &self.snapshot.objects;
        let mut is_child = vec![false; objects.len()];
        for field in objects.iter().flat_map(|o| &o.fields).filter(|f| f.is_tree) {
            if let SnapshotValue::Object(target) = field.value {
                is_child[target] = true;
            }
        }
        let mut roots: Vec<usize> = (0..objects.len()).filter(|&i| !objects[i].is_array).collect();
        roots.sort_by_key(|&i| (i != 0, is_child[i]));
        roots
    }

    /// `edge` is how it was reached; the prefixes are for its own line and for what hangs below it.
    fn object(&mut self, index: usize, edge: &str, own: &str, below: &str) {
        let object: &'a SnapshotObject = &self.snapshot.objects[index];
        if self.drawn[index] {
            let text = format!("{own}{edge}{}", self.paint.bad(&format!("↺ {} again", object.name)));
            self.lines.push(Line { mark: ' ', text });
            return;
        }
        self.drawn[index] = true;
        let mut children: Vec<(String, usize)> = Vec::new();
        let mut parts = Vec::new();
        let mut is_changed = false;
        for field in &object.fields {
            is_changed |= field.is_changed;
            match field.value {
                SnapshotValue::Object(target) if field.is_tree => {
                    self.edge(object, field, target, &mut children, &mut parts, &mut is_changed);
                }
                SnapshotValue::Null if field.is_tree && !field.is_changed => {}
                _ => {
                    let text = format!("{}={}", field.name, self.value(&field.value));
                    is_changed |= self.is_array_changed(&field.value);
                    parts.push(self.with_old(object, field, text));
                }
            }
        }
        let mark = if object.is_new {
            '+'
        } else if is_changed {
            '~'
        } else {
            ' '
        };
        let name = match mark {
            '+' => self.paint.good(&object.name),
            '~' => self.paint.warn(&object.name),
            _ => self.paint.strong(&object.name),
        };
        let class = match self.with_classes || index == 0 {
            true => format!(": {}", simple(&object.class)),
            false => String::new(),
        };
        let fields = if parts.is_empty() { String::new() } else { format!("  {}", parts.join(" ")) };
        self.lines.push(Line { mark, text: format!("{own}{edge}{name}{class}{fields}") });
        let last = children.len().saturating_sub(1);
        let widest = children.iter().map(|(edge, _)| edge.chars().count()).max().unwrap_or(0);
        for (i, (edge, child)) in children.into_iter().enumerate() {
            let (branch, stem) = if i == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let edge = format!("{edge:widest$} ");
            let shown = self.paint.faint(&edge);
            if self.lines.len() > MOST_LINES + 1 {
                return;
            }
            self.object(child, &shown, &format!("{below}{branch}"), &format!("{below}{stem}"));
        }
    }

    /// A tree edge: to one child, or through an array to several.
    fn edge(
        &self,
        object: &SnapshotObject,
        field: &SnapshotField,
        target: usize,
        children: &mut Vec<(String, usize)>,
        parts: &mut Vec<String>,
        is_changed: &mut bool,
    ) {
        let array = &self.snapshot.objects[target];
        if !array.is_array {
            children.push((format!("{}:", field.name), target));
            if field.is_changed {
                parts.push(self.with_old(object, field, format!("{}→{}", field.name, array.name)));
            }
            return;
        }
        parts.push(self.with_old(object, field, format!("{}=[{} elements]", field.name, array.fields.len())));
        for element in &array.fields {
            let place = format!("{}[{}]", field.name, element.name);
            *is_changed |= element.is_changed;
            match element.value {
                SnapshotValue::Object(child) => children.push((format!("{place}:"), child)),
                _ if element.is_changed => parts.push(self.with_old(array, element, format!("{place}=null"))),
                _ => {}
            }
        }
    }

    fn is_array_changed(&self, value: &SnapshotValue) -> bool {
        match *value {
            SnapshotValue::Object(index) if self.snapshot.objects[index].is_array => {
                self.snapshot.objects[index].fields.iter().any(|f| f.is_changed)
            }
            _ => false,
        }
    }

    fn value(&mut self, value: &SnapshotValue) -> String {
        match value {
            SnapshotValue::Null => "null".to_string(),
            SnapshotValue::Text(text) => text.clone(),
            SnapshotValue::Object(index) if self.snapshot.objects[*index].is_array => self.row(*index),
            SnapshotValue::Object(index) => self.snapshot.objects[*index].name.clone(),
        }
    }

    /// An array with its elements; where it is met again, its name.
    fn row(&mut self, index: usize) -> String {
        let array: &'a SnapshotObject = &self.snapshot.objects[index];
        if std::mem::replace(&mut self.drawn[index], true) {
            return array.name.clone();
        }
        let mut elements: Vec<String> = Vec::new();
        for field in array.fields.iter().take(MOST_ELEMENTS) {
            let text = self.value(&field.value);
            elements.push(self.with_old(array, field, text));
        }
        if array.fields.len() > MOST_ELEMENTS {
            elements.push(format!("… {} in all", array.fields.len()));
        }
        format!("[{}]", elements.join(", "))
    }

    /// A changed field says what it was.
    fn with_old(&self, object: &SnapshotObject, field: &SnapshotField, text: String) -> String {
        if !field.is_changed {
            return text;
        }
        let old = self.before.and_then(|before| {
            let object = before.objects.iter().find(|o| o.name == object.name)?;
            let value = &object.fields.iter().find(|f| f.name == field.name)?.value;
            Some(old_value(before, value, &text))
        });
        let shown = self.paint.warn(&text);
        old.map_or(shown.clone(), |old| format!("{shown}{}", self.paint.faint(&format!(" (was {old})"))))
    }
}

/// What a field was that is now drawn as this text: of an array its elements, since that is how it was drawn.
fn old_value(before: &Snapshot, value: &SnapshotValue, now: &str) -> String {
    let named = |value: &SnapshotValue| match value {
        SnapshotValue::Null => "null".to_string(),
        SnapshotValue::Text(text) => text.clone(),
        SnapshotValue::Object(index) => before.objects[*index].name.clone(),
    };
    let array = match value {
        SnapshotValue::Object(index) => Some(&before.objects[*index]),
        SnapshotValue::Null | SnapshotValue::Text(_) => None,
    };
    let Some(array) = array.filter(|o| o.is_array && o.fields.len() <= MOST_ELEMENTS) else { return named(value) };
    let elements: Vec<String> = array.fields.iter().map(|f| named(&f.value)).collect();
    let row = format!("[{}]", elements.join(", "));
    if now.ends_with(&row) { "another array".to_string() } else { row }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SnapshotValue::{Null, Object, Text};

    fn field(name: &str, value: SnapshotValue, is_tree: bool) -> SnapshotField {
        SnapshotField { name: name.to_string(), value, is_tree, is_changed: false }
    }

    fn object(name: &str, is_array: bool, fields: Vec<SnapshotField>) -> SnapshotObject {
        SnapshotObject { name: name.to_string(), class: "C".to_string(), fields, is_array, is_new: false }
    }

    fn drawn(objects: Vec<SnapshotObject>) -> String {
        let lines = draw(&Snapshot { text: None, objects }, None, Paint { color: false });
        lines.iter().map(|l| format!("{} {}\n", l.mark, l.text)).collect()
    }

    #[test]
    fn trees_arrays_and_other_references() {
        let root = vec![field("root", Object(1), true), field("items", Object(2), false)];
        let node =
            vec![field("key", Text("3".into()), false), field("left", Null, true), field("up", Object(0), false)];
        let array = vec![field("0", Null, false), field("1", Object(1), false)];
        let objects = vec![object("this", false, root), object("n0", false, node), object("items", true, array)];
        assert_eq!(drawn(objects), "  this: C  items=[null, n0]\n  └─ root: n0  key=3 up=this\n");
    }

    #[test]
    fn a_shared_array_is_drawn_once() {
        let root = vec![field("a", Object(1), false), field("b", Object(1), false)];
        let array = vec![field("0", Text("7".into()), false), field("1", Object(1), false)];
        assert_eq!(drawn(vec![object("this", false, root), object("a", true, array)]), "  this: C  a=[7, a] b=a\n");
    }

    #[test]
    fn cycles_end() {
        let root = vec![field("a", Object(1), true), field("b", Object(1), true)];
        let node = vec![field("next", Object(1), true)];
        let text = drawn(vec![object("this", false, root), object("n0", false, node)]);
        assert_eq!(text, "  this: C\n  ├─ a: n0\n  │  └─ next: ↺ n0 again\n  └─ b: ↺ n0 again\n");
    }

    #[test]
    fn an_array_in_the_place_of_another() {
        let array = |name: &str, all: &[&str]| {
            let elements = all.iter().enumerate().map(|(i, e)| field(&i.to_string(), Text((*e).into()), false));
            object(name, true, elements.collect())
        };
        let shown = |old: &[&str]| {
            let before = vec![object("this", false, vec![field("a", Object(1), false)]), array("a#1", old)];
            let changed = SnapshotField { is_changed: true, ..field("a", Object(1), false) };
            let after = vec![object("this", false, vec![changed]), array("a#2", &["1"])];
            let [before, after] = [before, after].map(|objects| Snapshot { text: None, objects });
            draw(&after, Some(&before), Paint { color: false })[0].text.clone()
        };
        assert_eq!(shown(&["1", "2"]), "this: C  a=[1] (was [1, 2])");
        assert_eq!(shown(&["1"]), "this: C  a=[1] (was another array)");
    }

    #[test]
    fn what_changed_says_what_it_was() {
        let before = vec![object("this", false, vec![field("x", Text("1".into()), false)])];
        let mut changed = field("x", Text("2".into()), false);
        changed.is_changed = true;
        let after = Snapshot { text: None, objects: vec![object("this", false, vec![changed])] };
        let before = Snapshot { text: None, objects: before };
        let lines = draw(&after, Some(&before), Paint { color: false });
        assert_eq!((lines[0].mark, lines[0].text.as_str()), ('~', "this: C  x=2 (was 1)"));
    }
}
