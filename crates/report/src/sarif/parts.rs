//! Parts of a SARIF log that need no other part: rules, places, the invocation, properties.

use serde_json::{Map, Value, json};
use source::{SourceMap, Span};
use verdict::{Assumption, Example, Failure, Item, Reason, Report, Subject};

/// What shows a failure, as properties of its results.
pub fn evidence(failure: &Failure) -> Map<String, Value> {
    let mut all = Map::new();
    let mut add = |key: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            all.insert(key.to_string(), value.into());
        }
    };
    add("replay", failure.replay.as_deref());
    match &failure.example {
        Some(Example::Heap(heap)) => {
            add("call", Some(&heap.call));
            add("outcome", Some(&heap.outcome));
        }
        Some(Example::Input(input)) => add("call", Some(&input.call)),
        Some(Example::Program(program)) => {
            let parts: Map<String, Value> =
                program.parts.iter().map(|p| (p.name.clone(), p.text.as_str().into())).collect();
            add("failure", Some(&program.failure));
            all.insert("parts".into(), Value::Object(parts));
        }
        Some(Example::Sets(_)) | None => {}
    }
    if let Some(size) = failure.size {
        all.insert("size".into(), size.into());
    }
    all
}

pub fn rule(id: &str) -> Value {
    let words = id.replace('-', " ");
    let mut letters = words.chars();
    let text: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect();
    json!({ "id": id, "shortDescription": { "text": text } })
}

pub fn summary(subject: &Subject, item: &Item) -> Value {
    let scope = if item.scope.is_empty() { &subject.scope } else { &item.scope };
    json!({
        "subjectKind": subject.kind.name(),
        "subject": subject.name,
        "size": subject.size,
        "itemKind": item.kind.name(),
        "item": item.name,
        "verdict": item.verdict.name(),
        "scope": scope,
        "restsOn": item.rests_on.iter().map(assumption).collect::<Vec<_>>(),
    })
}

pub fn assumption(assumption: &Assumption) -> Value {
    json!({ "kind": assumption.kind.name(), "name": assumption.name, "message": assumption.message })
}

pub fn invocation(report: &Report) -> Value {
    let status = report.exit_status();
    let description = match status {
        0 => "everything is as it should be",
        1 => "something is violated, or not as expected",
        2 => "bad input",
        _ => "unknown, or nothing was checked",
    };
    let internal = report.items().flat_map(|(_, i)| &i.reasons).filter(|r| matches!(r, Reason::Internal(_)));
    let notifications: Vec<Value> =
        internal.map(|r| json!({ "level": "error", "message": { "text": r.message() } })).collect();
    json!({
        "executionSuccessful": report.errors.is_empty() && notifications.is_empty(),
        "exitCode": status,
        "exitCodeDescription": description,
        "toolExecutionNotifications": notifications,
    })
}

pub fn physical(sources: &SourceMap, span: Span) -> Value {
    let (start, end) = (sources.start(span), sources.line_column(span.file, span.end));
    json!({
        "artifactLocation": { "uri": uri(&sources.file(span.file).name) },
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    })
}

/// A path as a URI reference: relative paths stay relative, for a host that knows where the repository is.
fn uri(name: &str) -> String {
    let path = name.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let is_absolute = path.starts_with('/');
    let is_drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    let mut text = match (is_absolute, is_drive) {
        (true, _) => "file://".to_string(),
        (_, true) => "file:///".to_string(),
        _ => String::new(),
    };
    for (i, byte) in path.bytes().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(byte as char),
            b':' if is_drive && i == 1 => text.push(':'),
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_become_uris() {
        assert_eq!(uri("./src/A B.java"), "src/A%20B.java");
        assert_eq!(uri("/tmp/ä.lang"), "file:///tmp/%C3%A4.lang");
        assert_eq!(uri("C:\\x\\y.fl"), "file:///C:/x/y.fl");
        assert_eq!(uri("<script>:1"), "%3Cscript%3E%3A1");
    }
}
