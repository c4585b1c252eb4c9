//! What is written in the boxes of a drawn state: names, fields, elements, and what they were before.

use super::forest::{Forest, target};
use super::svg::{COLUMN, LINE, width};
use super::text::brief;
use verdict::heap::{Snapshot, SnapshotField, SnapshotObject, SnapshotValue};

/// From the top of an array to its cells.
pub const CELL_TOP: f64 = 30.0;
const MOST_FIELDS: usize = 12;
const MOST_CELLS: usize = 16;
const WIDEST: usize = 30;

/// The other state of a counterexample: the one before says what was changed, the one after what is lost.
pub enum Compare<'a> {
    Alone,
    Before { after: &'a Snapshot },
    After { before: &'a Snapshot },
}

/// What is written in a box.
pub struct Contents {
    pub title: String,
    pub rows: Vec<Row>,
    /// Of an array: index, value.
    pub cells: Vec<(String, Row)>,
    pub is_array: bool,
}

pub struct Row {
    pub text: String,
    pub full: String,
    pub is_changed: bool,
}

impl Row {
    fn new(text: String, is_changed: bool) -> Row {
        Row { text: brief(&text, WIDEST), full: text, is_changed }
    }
}

impl Contents {
    pub fn size(&self) -> [f64; 2] {
        let titled = width(&self.title) + 16.0;
        if self.is_array {
            let cells: f64 = self.cells.iter().map(cell_width).sum();
            return [titled.max(cells + 12.0).max(40.0), CELL_TOP + 2.0 * LINE + 4.0];
        }
        let widest = self.rows.iter().map(|r| width(&r.text) + 16.0).fold(titled, f64::max);
        let rows = self.rows.len() as f64 * LINE;
        [widest.max(48.0), 24.0 + if self.rows.is_empty() { 0.0 } else { rows + 6.0 }]
    }
}

pub fn cell_width((index, row): &(String, Row)) -> f64 {
    width(&row.text).max(width(index)).max(COLUMN * 2.0) + 8.0
}

/// A state, what it is compared with, and where its objects are.
pub struct Writer<'a> {
    pub snapshot: &'a Snapshot,
    pub compare: &'a Compare<'a>,
    pub forest: &'a Forest,
}

impl Writer<'_> {
    pub fn contents(&self, index: usize) -> Contents {
        let object = &self.snapshot.objects[index];
        let class = object.class.rsplit('.').next().unwrap_or(&object.class);
        let title = if class.is_empty() { object.name.clone() } else { format!("{}: {class}", object.name) };
        let title = brief(&title, WIDEST + 10);
        let (mut rows, mut cells) = (Vec::new(), Vec::new());
        if object.is_array {
            for field in object.fields.iter().take(MOST_CELLS) {
                let text = self.value(&field.value);
                let mut row = Row::new(text, field.is_changed);
                row.full = self.with_old(object, field, row.full);
                cells.push((field.name.clone(), row));
            }
            if object.fields.len() > MOST_CELLS {
                cells.push(("…".into(), Row::new(format!("{} in all", object.fields.len()), false)));
            }
            return Contents { title, rows, cells, is_array: true };
        }
        let is_below = |f: usize| self.forest.children[index].iter().any(|c| c.field == f && c.object.is_some());
        let shown = |f: &usize| {
            let field = &object.fields[*f];
            let is_usual = field.is_tree && field.value == SnapshotValue::Null;
            !is_below(*f) && (field.is_changed || !is_usual)
        };
        let all: Vec<usize> = (0..object.fields.len()).filter(shown).collect();
        // What changed is never left out.
        let is_row = |(k, f): &(usize, &usize)| *k < MOST_FIELDS || object.fields[**f].is_changed;
        for (_, &f) in all.iter().enumerate().filter(is_row) {
            let field = &object.fields[f];
            let sign = if target(&field.value).is_some() { "→" } else { "=" };
            let text = format!("{} {sign} {}", field.name, self.value(&field.value));
            rows.push(Row::new(self.with_old(object, field, text), field.is_changed));
        }
        if rows.len() < all.len() {
            rows.push(Row::new(format!("… {} more fields", all.len() - rows.len()), false));
        }
        Contents { title, rows, cells, is_array: false }
    }

    fn value(&self, value: &SnapshotValue) -> String {
        match value {
            SnapshotValue::Null => "null".to_string(),
            SnapshotValue::Text(text) => text.clone(),
            SnapshotValue::Object(index) => self.snapshot.objects[*index].name.clone(),
        }
    }

    /// The name of a field that is an edge, and what it was; then all of it.
    pub fn edge_label(&self, from: usize, field: usize) -> (String, String) {
        let object = &self.snapshot.objects[from];
        let full = self.with_old(object, &object.fields[field], object.fields[field].name.clone());
        (brief(&full, 20), full)
    }

    /// A changed field says what it was.
    pub fn with_old(&self, object: &SnapshotObject, field: &SnapshotField, text: String) -> String {
        let Compare::After { before } = self.compare else { return text };
        let old = before.objects.iter().find(|o| o.name == object.name).and_then(|o| {
            let old = o.fields.iter().find(|f| f.name == field.name)?;
            Some(match &old.value {
                SnapshotValue::Null => "null".to_string(),
                SnapshotValue::Text(text) => text.clone(),
                SnapshotValue::Object(index) => before.objects[*index].name.clone(),
            })
        });
        match old {
            Some(old) if field.is_changed => format!("{text} (was {old})"),
            _ => text,
        }
    }
}
