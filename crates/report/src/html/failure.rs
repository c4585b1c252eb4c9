//! One way to go wrong: what is wrong, the drawing of its kind, the way through the source, the command that shows it again.

use super::boxes::Compare;
use super::{derivation, heap, message, path, sets, text, value};
use source::SourceMap;
use std::fmt::Write;
use text::{esc, prose};
use verdict::heap::{HeapExample, Snapshot, SnapshotField, SnapshotObject, SnapshotValue};
use verdict::program::{Cause, ProgramExample, ProgramStep};
use verdict::{Example, Failure, InputExample, Selector};

/// `id` is its name on the page.
pub fn render(sources: &SourceMap, failure: &Failure, id: &str) -> String {
    let kind = match &failure.example {
        Some(Example::Heap(_)) => "heap",
        Some(Example::Program(_)) => "program",
        Some(Example::Input(_)) => "input",
        Some(Example::Sets(_)) => "sets",
        None => "place",
    };
    let mut out = format!("<article class=\"failure\" id=\"{id}\" data-kind=\"{kind}\">\n");
    for problem in &failure.problems {
        out.push_str(&message::render(sources, problem));
    }
    if let Some(size) = failure.size {
        let _ = writeln!(out, "<p class=\"faint\">Found at size {size}</p>");
    }
    match &failure.example {
        Some(Example::Heap(example)) => of_heap(&mut out, example),
        Some(Example::Program(example)) => {
            let is_said = failure.problems.first().is_some_and(|p| p.message == example.failure);
            if !is_said {
                let _ = writeln!(out, "<p class=\"said\">{}</p>", prose(&example.failure));
            }
            of_program(&mut out, example);
        }
        Some(Example::Input(example)) => of_input(&mut out, example),
        Some(Example::Sets(example)) => out.push_str(&sets::draw(example)),
        None => {}
    }
    out.push_str(&path::draw(sources, failure, id));
    let replay = failure.replay.as_deref().or(match &failure.example {
        Some(Example::Program(program)) => Some(program.replay.as_str()),
        _ => None,
    });
    if let Some(command) = replay.filter(|c| !c.is_empty()) {
        let _ = writeln!(
            out,
            "<div class=\"replay\"><span class=\"faint\">Replay:</span> <code id=\"{id}-replay\" tabindex=\"0\">{}</code>\
             <button type=\"button\" data-copy=\"{id}-replay\">Copy</button></div>",
            esc(command),
        );
    }
    out.push_str("</article>\n");
    out
}

fn of_heap(out: &mut String, example: &HeapExample) {
    out.push_str("<div class=\"states\">\n");
    let compare = example.after.as_ref().map_or(Compare::Alone, |after| Compare::Before { after });
    let count = |n: usize| if n == 1 { "1 object".to_string() } else { format!("{n} objects") };
    let label = format!("State before: {}", count(example.before.objects.len()));
    let drawn = heap::draw(&example.before, &compare, &label);
    let _ = write!(out, "<figure class=\"before\"><figcaption>Before</figcaption>{}{drawn}", shown(&example.before));
    for note in &example.notes {
        let _ = writeln!(out, "<p class=\"faint\">{}</p>", prose(note));
    }
    out.push_str("</figure>\n");
    let _ = writeln!(
        out,
        "<div class=\"call\"><code>{}</code><span aria-hidden=\"true\">⟶</span><span class=\"outcome\">{}</span></div>",
        esc(&example.call),
        prose(&example.outcome),
    );
    if let Some(after) = &example.after {
        let label = format!("State after: {}", count(after.objects.len()));
        let drawn = heap::draw(after, &Compare::After { before: &example.before }, &label);
        let text = shown(after);
        let _ = writeln!(out, "<figure class=\"after\"><figcaption>After</figcaption>{text}{drawn}</figure>");
    }
    out.push_str("</div>\n");
    if !example.pictures.is_empty() {
        out.push_str("<div class=\"states\">\n");
        for picture in &example.pictures {
            let label = format!("{}: {}", picture.title, count(picture.state.objects.len()));
            let drawn = heap::draw(&picture.state, &Compare::Alone, &label);
            let _ = writeln!(out, "<figure><figcaption>{}</figcaption>{drawn}</figure>", esc(&picture.title));
        }
        out.push_str("</div>\n");
    }
    if example.after.is_some() {
        out.push_str(
            "<p class=\"legend faint\"><span class=\"key changed\"></span> changed <span class=\"key new\"></span> new \
             <span class=\"key lost\"></span> no longer reached afterwards</p>\n",
        );
    }
}

/// As the class itself shows a state.
fn shown(state: &Snapshot) -> String {
    state.text.as_ref().map_or(String::new(), |text| format!("<pre class=\"program\">{}</pre>", esc(text)))
}

fn of_program(out: &mut String, example: &ProgramExample) {
    out.push_str("<dl class=\"parts\">\n");
    for part in &example.parts {
        let class = if part.is_program { " class=\"program\"" } else { "" };
        let _ = writeln!(
            out,
            "<div><dt><code>{}</code></dt><dd><code{class}>{}</code></dd></div>",
            esc(&part.name),
            esc(&part.text)
        );
    }
    out.push_str("</dl>\n");
    if example.sizes.len() > 1 {
        let sizes: Vec<String> = example.sizes.iter().map(|(name, size)| format!("{} {size}", esc(name))).collect();
        let _ = writeln!(out, "<p class=\"faint\">Sizes: {}</p>", sizes.join(", "));
    }
    for derived in &example.derivations {
        let _ = writeln!(out, "<figure><figcaption>Derivation</figcaption>{}</figure>", derivation::draw(derived));
    }
    if !example.steps.is_empty() {
        let drawn = heap::draw(&reductions(&example.steps), &Compare::Alone, "Steps from program to program");
        let _ = writeln!(out, "<figure><figcaption>Steps</figcaption>{drawn}<ol class=\"reductions\">");
        for step in &example.steps {
            let bindings: Vec<String> =
                step.bindings.iter().map(|(n, v)| format!("<code>{} = {}</code>", esc(n), esc(v))).collect();
            let _ = writeln!(
                out,
                "<li><code>{}</code> <span aria-label=\"steps to\">⟶</span> <code class=\"program\">{}</code>\
                 <div class=\"faint\">by rule {}{}{}</div></li>",
                esc(&step.before),
                esc(&step.after),
                esc(&step.rule),
                if bindings.is_empty() { "" } else { " with " },
                bindings.join(", "),
            );
        }
        out.push_str("</ol></figure>\n");
    }
    for line in &example.nearest {
        let _ = writeln!(out, "<p><span class=\"faint\">Nearest:</span> {}</p>", prose(line));
    }
    if let Some(cause) = &example.cause {
        of_cause(out, cause);
    }
}

/// Programs as objects, and the rules that lead from one to another as fields: they are drawn alike.
fn reductions(steps: &[ProgramStep]) -> Snapshot {
    let mut objects: Vec<SnapshotObject> = Vec::new();
    let mut index = |program: &str| {
        objects.iter().position(|o| o.name == program).unwrap_or_else(|| {
            let (name, class) = (program.to_string(), String::new());
            objects.push(SnapshotObject { name, class, fields: Vec::new(), is_array: false, is_new: false });
            objects.len() - 1
        })
    };
    let edges: Vec<(usize, usize)> = steps.iter().map(|s| (index(&s.before), index(&s.after))).collect();
    for (step, (from, to)) in steps.iter().zip(edges) {
        let value = SnapshotValue::Object(to);
        objects[from].fields.push(SnapshotField { name: step.rule.clone(), value, is_tree: true, is_changed: false });
    }
    Snapshot { text: None, objects }
}

fn of_cause(out: &mut String, cause: &Cause) {
    let _ = writeln!(
        out,
        "<p class=\"cause\"><span class=\"faint\">Closer to the cause:</span> <code>{}</code>, a {} of size {}; rule {} takes {} there, \
         for instance <code>{}</code></p>",
        esc(&cause.judgment),
        esc(&cause.sort),
        cause.size,
        esc(&cause.rule),
        esc(&cause.expected),
        esc(&cause.taken),
    );
    if !cause.others.is_empty() {
        let others: Vec<String> = cause.others.iter().map(|o| format!("<code>{}</code>", esc(o))).collect();
        let _ = writeln!(out, "<p class=\"faint\">The same part also has: {}</p>", others.join(", "));
    }
}

fn of_input(out: &mut String, example: &InputExample) {
    let _ = writeln!(out, "<div class=\"call\"><code>{}</code></div>\n<div class=\"states\">", esc(&example.call));
    for (k, argument) in example.arguments.iter().enumerate() {
        let title = if example.arguments.len() == 1 { "Input".to_string() } else { format!("Argument {}", k + 1) };
        let drawn = value::draw(argument, &[], &title);
        let _ = writeln!(out, "<figure><figcaption>{title}</figcaption>{drawn}</figure>");
    }
    if let Some(wrong) = &example.value {
        let marks: Vec<&[Selector]> = example.misfits.iter().map(|m| &m.path[..]).collect();
        let drawn = value::draw(&wrong.json, &marks, &wrong.what);
        let _ = writeln!(out, "<figure><figcaption>{}</figcaption>{drawn}</figure>", prose(&wrong.what));
    }
    out.push_str("</div>\n");
    if !example.misfits.is_empty() {
        out.push_str("<ol class=\"misfits\">\n");
        for misfit in &example.misfits {
            let _ = writeln!(out, "<li>{}</li>", prose(&misfit.message));
        }
        out.push_str("</ol>\n");
    }
    if !example.order.is_empty() {
        let order: Vec<String> = example.order.iter().map(usize::to_string).collect();
        let _ = writeln!(
            out,
            "<p class=\"faint\">Members of collections were taken in this order: {}</p>",
            order.join(", ")
        );
    }
}
