//! Nondeterministic languages: a well-typed state that is not final, and in which every choice is cut off, is stuck. Both engines, the loop of
//! the dissertation and a JVM say so.

use crate::jvm::Cases;
use crate::{items, java_file, object, run};
use serde_json::Value;

const SEARCHES: [&str; 4] =
    ["--engine glassbox", "--engine exhaustive", "--search models", "--engine glassbox --certify"];

fn first(arguments: &str) -> Value {
    items(&object(&run(&format!("{arguments} --json")))).into_iter().next().unwrap_or_default()
}

/// What every search says: the verdict, or the call of a counterexample.
fn check(name: &str, text: &str, expected: &str) {
    let file = java_file(name, text);
    for search in &SEARCHES[..2] {
        let item = first(&format!("{file} --size 2 {search}"));
        let failure = &item["failures"][0];
        let found = match failure["problems"][0]["id"].as_str() {
            Some("progress") => failure["example"]["call"].as_str().unwrap_or_default(),
            _ => item["verdict"].as_str().unwrap_or_default(),
        };
        assert_eq!(found, expected, "{name} by {search}: {item:#}");
        if expected.contains("..") {
            assert_eq!(failure["example"]["outcome"], "no choice is enabled", "{name} by {search}");
        }
    }
}

/// Counts down, as far as `STEP` lets it.
fn countdown(parameter: &str, step: &str) -> String {
    "public class Count implements NondeterministicLanguage {
    @Range(\"0..3\") int k;
    @Declarative public boolean wellTyped() { return 0 <= k && k <= 3; }
    @Declarative public boolean isFinalState() { return k == 0; }
    public void smallStep(PARAMETER int c) throws StuckException { STEP }
    private void only(boolean allowed) { GlassBox.assume(allowed); }
}"
    .replace("PARAMETER", parameter)
    .replace("STEP", step)
}

#[test]
fn a_state_without_a_choice_is_stuck() {
    let two = "@Range(\"0..1\")";
    let count = |step: &str, expected: &str| check("Count", &countdown(two, step), expected);
    count("GlassBox.assume(k == 1 || k == 3 && c == 0); k--;", "smallStep(0..1)");
    count("GlassBox.assume(k == 1 || k == 3 && c == 0 || k == 2 && c == 1); k--;", "verified");
    // Deep in calls, after a write, in one branch.
    count("only(k != 2); k--;", "smallStep(0..1)");
    count("only(k != 2 || c == 1); k--;", "verified");
    count("k--; only(c == k % 2 && k != 1);", "smallStep(0..1)");
    count("k--; only(c == k % 2);", "verified");
    count("if (c == 0) { only(k > 2); k--; } else { only(k < 2); k--; }", "smallStep(0..1)");
    count("if (c == 0) { only(k > 2); k--; } else { only(k < 3); k--; }", "verified");
    // Every run is cut off.
    count("GlassBox.assume(false);", "smallStep(0..1)");
    check("Count", &countdown("@Range(\"4..4\")", "GlassBox.assume(c == k); k--;"), "smallStep(4..4)");
}

/// A precondition that takes the choice cuts it off; one about the state leaves out states.
#[test]
fn preconditions_cut_off_choices() {
    let with = |guard: &str| countdown("@Range(\"0..1\")", &format!("k--; }} {guard} void none() {{"));
    let guarded =
        |cond: &str| with(&format!("@Pre(\"smallStep\") @Declarative boolean may(int c) {{ return {cond}; }}"));
    check("Count", &guarded("c == k - 1"), "smallStep(0..1)");
    check("Count", &guarded("c == k % 2"), "verified");
    check("Count", &guarded("c > 5"), "smallStep(0..1)");
    let about_the_state = "@Pre(\"smallStep\") @Declarative boolean is() { return k != 3; }
        @Pre(\"smallStep\") @Declarative boolean may(int c) { return c == k - 1; }";
    check("Count", &with(about_the_state), "verified");
}

/// Nothing says which choices there are: another one might be enabled.
#[test]
fn open_choices_are_reported() {
    for (parameter, is_reported) in [("", true), ("@Range(\"0..100000\")", true), ("@Range(\"0..1\")", false)] {
        let step = "GlassBox.assume(c == k % 2); k--;";
        let file = java_file("Count", &countdown(parameter, step));
        for search in &SEARCHES[..2] {
            let item = first(&format!("{file} --size 2 {search}"));
            assert_eq!(item["verdict"], "verified", "{item:#}");
            let left_out = item["left_out"].as_array().cloned().unwrap_or_default();
            let found = left_out.iter().any(|l| l["id"] == "no-choice");
            assert_eq!(found, is_reported, "{parameter} by {search}: {left_out:?}");
        }
    }
    let file = java_file("Count", &countdown("", "k--;"));
    assert_eq!(first(&format!("{file} --size 2"))["left_out"].as_array().map_or(0, Vec::len), 0);
}

/// Two threads and two locks; `ORDER` may say in which order locks are taken.
const LOCKS: &str = "public class Locks implements NondeterministicLanguage {
    static class I { boolean lock; @Range(\"0..1\") int o; @Tree I next; }
    @Tree I first, second;
    @NonNull @Owned @Length(\"2..2\") @Range(\"0..2\") int[] owner;
    @Declarative static boolean ok(I i, boolean h0, boolean h1) {
        if (i == null) return !h0 && !h1;
        boolean held = i.o == 0 ? h0 : h1;
        return held != i.lock && ORDER && ok(i.next, i.o == 0 ? i.lock : h0, i.o == 1 ? i.lock : h1);
    }
    @Declarative public boolean wellTyped() {
        return ok(first, owner[0] == 0, owner[1] == 0) && ok(second, owner[0] == 1, owner[1] == 1);
    }
    @Declarative public boolean isFinalState() { return first == null && second == null; }
    public void smallStep(@Range(\"0..1\") int who) throws StuckException {
        I i = who == 0 ? first : second;
        GlassBox.assume(i != null);
        if (i.lock) {
            GlassBox.assume(owner[i.o] == 2);
            owner[i.o] = who;
        } else {
            if (owner[i.o] != who) throw new StuckException();
            owner[i.o] = 2;
        }
        if (who == 0) first = i.next; else second = i.next;
    }
}";

#[test]
fn deadlocks() {
    let mut cases = Cases::in_folder("choices");
    for (order, expected) in [("true", "violated"), ("!(i.lock && i.o == 0 && h1)", "verified")] {
        let file = java_file("Locks", &LOCKS.replace("ORDER", order));
        for search in SEARCHES {
            let item = first(&format!("{file} --size 3 {search}"));
            assert_eq!(item["verdict"], expected, "{order} by {search}: {item:#}");
            if expected == "verified" {
                continue;
            }
            assert_eq!(item["failures"][0]["example"]["outcome"], "no choice is enabled", "{search}");
            if search == SEARCHES[0] {
                let folder = std::path::Path::new(&file).parent().map(|p| p.display().to_string());
                assert!(cases.add(&folder.unwrap_or_default(), "Locks", &item), "{item:#}");
            }
        }
    }
    // Two threads, and none of them goes on: a run on the JVM for each.
    crate::jvm::expect_all(&cases, 2);
}

/// A number in a counterexample that no formula speaks of got bits after the state was found: `kind` was null then.
#[test]
fn counterexamples_whose_numbers_get_bits_later() {
    let text = "abstract class Machine<N extends Machine.Exp> implements Language {
    interface Exp {}
    @Tree @NonNull N program;
    @Declarative abstract boolean isDone(N n);
    abstract N step(N n) throws StuckException;
    @Override @Declarative public final boolean isFinalState() { return isDone(program); }
    @Override public void smallStep() throws StuckException { program = step(program); }
}
public class Raising extends Machine<Raising.Node> {
    enum Type { INT, BOOL;
        @Declarative Type join(Type t) { return this == t ? this : null; } }
    enum Kind { NUM, BOOL, ADD, RAISE, TRY, VAR, IF }
    static class Node implements Machine.Exp {
        @NonNull Kind kind; @NonNull Type type;
        @Tree Node a, b, c;
        @Declarative boolean isValue() { return kind == Kind.NUM || kind == Kind.BOOL; }
        @Declarative boolean isThrown() { return kind == Kind.RAISE && a.kind == Kind.NUM; }
        @Declarative int arity() {
            return switch (kind) { case NUM, BOOL, VAR -> 0; case RAISE -> 1; case ADD, TRY -> 2; case IF -> 3; };
        }
        @Declarative boolean typed(boolean inHandler) {
            if ((a != null) != arity() >= 1 || (b != null) != arity() >= 2 || (c != null) != arity() >= 3) return false;
            return switch (kind) {
                case NUM -> type == Type.INT;
                case BOOL -> type == Type.BOOL;
                case VAR -> type == Type.INT && inHandler;
                case ADD -> type == Type.INT && a.typed(inHandler) && b.typed(inHandler);
                case RAISE -> a.typed(inHandler);
                case TRY -> a.typed(inHandler) && b.typed(true) && a.type == type && b.type == type;
                case IF -> a.typed(inHandler) && b.typed(inHandler) && c.typed(inHandler) && a.type == Type.BOOL
                    && b.type.join(c.type) == type;
            };
        }
    }
    @Declarative @Override public boolean wellTyped() { return program.typed(false); }
    @Declarative boolean isDone(Node n) { return n.isValue() || n.isThrown(); }
    Node step(Node n) throws StuckException {
        switch (n.kind) {
            case RAISE:
                if (n.a.isThrown()) return thrown(n, n.a);
                if (n.a.isValue()) throw new StuckException();
            case TRY:
                if (n.a.isThrown()) return n.b;
                if (n.a.isValue()) return n.a;
                { n.a = step(n.a); return n; }
            default: throw new StuckException();
        }
    }
    private static Node thrown(Node at, Node raise) { return raise; }
}";
    let file = java_file("Raising", text);
    for engine in ["glassbox", "exhaustive", "auto"] {
        let item = first(&format!("{file} --size 4 --shape any --engine {engine}"));
        assert_eq!(item["verdict"], "violated", "{engine}: {item:#}");
    }
}
