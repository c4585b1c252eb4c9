//! A state as a drawing: objects as boxes with their fields, references as edges, arrays as rows of cells. What an operation changed, made
//! or no longer reaches is marked.

use super::boxes::{CELL_TOP, Compare, Contents, Writer, cell_width};
use super::forest::{Forest, Place, between, target};
use super::svg::{LINE, Svg, width};
use super::text::{brief, esc};
use std::fmt::Write;
use verdict::heap::{Snapshot, SnapshotObject};

/// More curves across a drawing hide it; the fields say in words where they lead.
const MOST_CURVES: usize = 14;

pub fn draw(snapshot: &Snapshot, compare: &Compare, label: &str) -> String {
    if snapshot.objects.is_empty() {
        return "<p class=\"faint\">No object exists yet.</p>\n".to_string();
    }
    let forest = Forest::of(snapshot);
    let writer = Writer { snapshot, compare, forest: &forest };
    let boxes: Vec<Contents> = (0..snapshot.objects.len()).map(|i| writer.contents(i)).collect();
    let sizes: Vec<[f64; 2]> = boxes.iter().map(Contents::size).collect();
    let labels = |from: usize, field: usize| width(&writer.edge_label(from, field).0);
    let places = forest.places(&sizes, &labels);
    let drawing = Drawing { snapshot, compare, forest: &forest, writer, boxes, places };
    let mut svg = Svg::default();
    let curves = drawing.curves(&mut svg);
    drawing.edges(&mut svg);
    for (i, contents) in drawing.boxes.iter().enumerate() {
        if drawing.forest.is_placed[i] {
            drawing.object(&mut svg, i, contents);
        }
    }
    let mut text = svg.finish(label);
    let mut notes = Vec::new();
    if drawing.forest.left_out() > 0 {
        notes.push(format!("{} more objects are not drawn", drawing.forest.left_out()));
    }
    if curves > MOST_CURVES {
        notes.push(format!("{curves} references across the drawing are given in the fields only"));
    }
    if let Compare::After { before } = compare {
        let is_there = |o: &SnapshotObject| snapshot.objects.iter().any(|a| a.name == o.name);
        let lost: Vec<&str> = before.objects.iter().filter(|o| !is_there(o)).map(|o| o.name.as_str()).collect();
        if !lost.is_empty() {
            notes.push(format!("no longer reached: {}", brief(&lost.join(", "), 200)));
        }
    }
    for note in notes {
        let _ = writeln!(text, "<p class=\"faint\">{}</p>", esc(&note));
    }
    text
}

struct Drawing<'a> {
    snapshot: &'a Snapshot,
    compare: &'a Compare<'a>,
    forest: &'a Forest,
    writer: Writer<'a>,
    boxes: Vec<Contents>,
    places: Vec<Place>,
}

impl Drawing<'_> {
    fn object(&self, svg: &mut Svg, index: usize, contents: &Contents) {
        let object = &self.snapshot.objects[index];
        let is_changed = object.fields.iter().any(|f| f.is_changed);
        let is_lost = match self.compare {
            Compare::Before { after } => !after.objects.iter().any(|o| o.name == object.name),
            _ => false,
        };
        let state = match (object.is_new, is_changed, is_lost) {
            (true, ..) => " new",
            (_, true, _) => " changed",
            (.., true) => " lost",
            _ => "",
        };
        let place @ [x, y, w, _] = self.places[index];
        svg.group(&format!("object{state}"), &object.name, |svg| {
            svg.rect("box", place, 6.0);
            let word = if object.is_new { "new" } else { "" };
            svg.text("title", x + 8.0, y + 16.0, &contents.title, &format!("{}: {}", object.name, object.class));
            if !word.is_empty() {
                svg.rect("badge", [x + w - 20.0, y - 8.0, 32.0, 15.0], 7.0);
                svg.middle("badge-text", x + w - 4.0, y + 3.5, word, word);
            }
            if contents.is_array {
                let mut left = x + 6.0;
                for cell in &contents.cells {
                    let (wide, row) = (cell_width(cell), &cell.1);
                    let class = if row.is_changed { "cell is-changed" } else { "cell" };
                    svg.middle("index", left + wide / 2.0, y + CELL_TOP, &cell.0, &cell.0);
                    svg.rect(class, [left, y + CELL_TOP + 5.0, wide, LINE + 4.0], 0.0);
                    let class = if row.is_changed { "field is-changed" } else { "field" };
                    svg.middle(class, left + wide / 2.0, y + CELL_TOP + 5.0 + LINE - 1.0, &row.text, &row.full);
                    left += wide;
                }
            } else if !contents.rows.is_empty() {
                svg.line("rule", [x, y + 23.0, x + w, y + 23.0]);
            }
            for (k, row) in contents.rows.iter().enumerate() {
                let down = y + 24.0 + k as f64 * LINE;
                if row.is_changed {
                    svg.rect("row is-changed", [x + 3.0, down + 2.0, w - 6.0, LINE], 3.0);
                }
                let class = if row.is_changed { "field is-changed" } else { "field" };
                svg.text(class, x + 8.0, down + 14.0, &row.text, &row.full);
            }
        });
    }

    /// To what is below, with the name of the field.
    fn edges(&self, svg: &mut Svg) {
        for (from, children) in self.forest.children.iter().enumerate() {
            let object = &self.snapshot.objects[from];
            let [x, y, w, h] = self.places[from];
            for (k, child) in children.iter().enumerate() {
                let field = &object.fields[child.field];
                let class = if field.is_changed { "edge is-changed" } else { "edge" };
                let Some(to) = child.object else {
                    // A short stub to the side where it would be.
                    let side = if k == 0 { -14.0 } else { 4.0 + 10.0 * k as f64 };
                    let (sx, sy) = (x + w / 2.0, y + h);
                    svg.line("stub", [sx, sy, sx + side, sy + 14.0]);
                    svg.circle("stub", sx + side, sy + 16.0, 2.5);
                    continue;
                };
                let [tx, ty, tw, th] = self.places[to];
                let line @ [x1, y1, x2, y2] = if self.forest.is_chain {
                    [x + w, y + h / 2.0, tx - 3.0, ty + th / 2.0]
                } else {
                    let start = if object.is_array { self.cell_middle(from, child.field) } else { x + w / 2.0 };
                    [start, y + h, tx + tw / 2.0, ty - 3.0]
                };
                svg.line(class, line);
                arrow(svg, class, line);
                if !object.is_array {
                    let (label, full) = self.writer.edge_label(from, child.field);
                    let class = if field.is_changed { "edge-label is-changed" } else { "edge-label" };
                    // Nearer to its end, where siblings are apart.
                    let part = if self.forest.is_chain { 0.5 } else { 0.6 };
                    let (mx, my) = (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part);
                    let up = if self.forest.is_chain { -5.0 } else { 4.0 };
                    svg.middle(class, mx, my + up, &label, &full);
                }
            }
        }
    }

    fn cell_middle(&self, array: usize, field: usize) -> f64 {
        let mut left = self.places[array][0] + 6.0;
        for (k, cell) in self.boxes[array].cells.iter().enumerate() {
            if k == field {
                return left + cell_width(cell) / 2.0;
            }
            left += cell_width(cell);
        }
        left
    }

    /// References that are not part of the forest, if they are few; how many there are.
    fn curves(&self, svg: &mut Svg) -> usize {
        let mut all = Vec::new();
        for (from, object) in self.snapshot.objects.iter().enumerate() {
            for (f, field) in object.fields.iter().enumerate() {
                let is_below = self.forest.children[from].iter().any(|c| c.field == f && c.object.is_some());
                if let Some(to) = target(&field.value).filter(|_| !is_below)
                    && self.forest.is_placed[from]
                    && self.forest.is_placed[to]
                {
                    all.push((from, to, field.is_changed));
                }
            }
        }
        if all.len() <= MOST_CURVES {
            for &(from, to, is_changed) in &all {
                let class = if is_changed { "curve is-changed" } else { "curve" };
                self.curve(svg, class, from, to);
            }
        }
        all.len()
    }

    fn curve(&self, svg: &mut Svg, class: &str, from: usize, to: usize) {
        let a @ [x, y, w, h] = self.places[from];
        if from == to {
            let (x, y) = (x + w, y + h / 2.0);
            svg.path(class, &format!("M{x:.1} {:.1}c26 -14 26 24 4 18", y - 8.0));
            svg.reach(x + 28.0, y);
            return arrow(svg, class, [x + 12.0, y + 11.0, x + 3.0, y + 9.0]);
        }
        // Along a chain, over the boxes that are between.
        let [tx, ty, tw, _] = self.places[to];
        if self.forest.is_chain && (tx - x - w > 150.0 || x - tx - tw > 150.0) {
            let (x1, x2) = (x + w * 0.6, tx + tw * 0.4);
            let (cx, cy) = ((x1 + x2) / 2.0, y.min(ty) - 24.0 - (x2 - x1).abs() * 0.06);
            svg.path(class, &format!("M{x1:.1} {y:.1}Q{cx:.1} {cy:.1} {x2:.1} {ty:.1}"));
            svg.reach(cx, (y + ty + 2.0 * cy) / 4.0);
            return arrow(svg, class, [cx, cy, x2, ty]);
        }
        let [x1, y1, x2, y2] = between(a, self.places[to]);
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = dx.hypot(dy).max(1.0);
        let bend = (length * 0.22).clamp(14.0, 60.0);
        let (cx, cy) = ((x1 + x2) / 2.0 + dy / length * bend, (y1 + y2) / 2.0 - dx / length * bend);
        svg.path(class, &format!("M{x1:.1} {y1:.1}Q{cx:.1} {cy:.1} {x2:.1} {y2:.1}"));
        svg.reach((x1 + x2 + 2.0 * cx) / 4.0, (y1 + y2 + 2.0 * cy) / 4.0);
        arrow(svg, class, [cx, cy, x2, y2]);
    }
}

/// At the end of a line.
fn arrow(svg: &mut Svg, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length * 7.0, dy / length * 7.0);
    let (bx, by) = (x2 - ux, y2 - uy);
    let (px, py) = (-uy * 0.5, ux * 0.5);
    let d = format!("M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z", bx + px, by + py, bx - px, by - py);
    svg.path(&format!("{class} tip"), &d);
}
