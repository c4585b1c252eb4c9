//! Random classes: trees, objects that point anywhere, arrays, recursion that may not end. Whatever they mean, the engines
//! agree on it.

use crate::engines::{Answer, Engine, Subject, load};
use crate::mutants::agree;
use ir::interp::Linked;
use work::Chance;

/// How many are made; a tenth of them at least must be verified, and a tenth violated.
const CLASSES: u64 = 110;

struct Random(Chance);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// What may be named where an expression stands.
#[derive(Clone)]
struct Scope {
    ints: Vec<&'static str>,
    objects: Vec<&'static str>,
}

impl Random {
    fn object(&mut self, scope: &Scope) -> &'static str {
        self.one(&scope.objects)
    }

    fn int(&mut self, scope: &Scope, depth: u32) -> String {
        match self.below(8) {
            3 if depth > 0 => {
                let op = self.one(&["+", "-", "*", "&", "^"]);
                format!("({} {op} {})", self.int(scope, depth - 1), self.int(scope, depth - 1))
            }
            4 if depth > 0 => {
                let o = self.object(scope);
                format!("({o} == null ? {} : {o}.v)", self.below(3))
            }
            5 if depth > 0 => format!("count({}, {})", self.object(scope), 1 + self.below(3)),
            6 if depth > 0 => format!("(xs.length > {} ? xs[0] : 1)", self.below(2)),
            7 if depth > 0 => {
                let (c, a, b) = (self.bool(scope, depth - 1), self.int(scope, depth - 1), self.int(scope, depth - 1));
                format!("({c} ? {a} : {b})")
            }
            _ if self.below(3) == 0 => self.below(3).to_string(),
            _ => self.one(&scope.ints).to_string(),
        }
    }

    fn bool(&mut self, scope: &Scope, depth: u32) -> String {
        let (o, p) = (self.object(scope), self.object(scope));
        let same = self.one(&["==", "!="]);
        match self.below(10) {
            2 | 3 if depth > 0 => {
                let op = self.one(&["&&", "||"]);
                format!("({} {op} {})", self.bool(scope, depth - 1), self.bool(scope, depth - 1))
            }
            4 if depth > 0 => format!("!({})", self.bool(scope, depth - 1)),
            5 => format!("({o} == null || {o}.{} {same} {p})", self.one(&["next", "link"])),
            6 => format!("ends({o})"),
            7 => format!("(last({o}) {same} {p})"),
            8 => format!("GlassBox.forall(0, xs.length, i -> xs[i] {} a)", self.one(&["<", "<=", "!="])),
            9 => format!("{o} {same} {p}"),
            _ => {
                let op = self.one(&["<", "<=", "==", "!="]);
                format!("{} {op} {}", self.int(scope, depth.min(1)), self.int(scope, depth.min(1)))
            }
        }
    }

    fn statement(&mut self, scope: &Scope, depth: u32) -> String {
        let (o, p) = (self.object(scope), self.object(scope));
        let within = Scope { objects: [&scope.objects[..], &["n"]].concat(), ..scope.clone() };
        match self.below(12) {
            0 => format!("a = {};", self.int(scope, 1)),
            1 => format!("f = {};", self.bool(scope, 1)),
            2 => format!("{} = {o};", self.one(&["s", "t"])),
            3 => format!("if ({o} != null) {o}.v = {};", self.int(scope, 1)),
            4 => format!("if ({o} != null) {o}.link = {p};"),
            5 => format!("if (xs.length > {}) xs[0] = {};", self.below(2), self.int(scope, 1)),
            6 if depth > 0 => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.bool(scope, 1),
                self.statement(scope, depth - 1),
                self.statement(scope, depth - 1)
            ),
            7 if depth > 0 && !scope.objects.contains(&"n") => {
                format!("for (Node n = head; n != null; n = n.next) {{ {} }}", self.statement(&within, depth - 1))
            }
            8 => "head = new Node(x, head);".to_string(),
            9 => "if (head != null) head = head.next;".to_string(),
            10 => format!("assert {};", self.bool(scope, 2)),
            _ => format!("a {};", self.one(&["++", "--", "+= x"])),
        }
    }

    /// `tree` decides whether nodes hang in a tree or are a pool of objects that point anywhere.
    fn class(&mut self, tree: bool) -> String {
        let state = Scope { ints: vec!["a"], objects: vec!["head", "s", "t"] };
        let run = Scope { ints: vec!["a", "x"], ..state.clone() };
        let after = Scope { ints: vec!["a", "x", "before.a"], objects: vec!["head", "s", "before.head", "before.s"] };
        let invariant = (0..1 + self.below(2)).map(|_| self.bool(&state, 2)).collect::<Vec<_>>().join(" && ");
        let body = (0..1 + self.below(4)).map(|_| self.statement(&run, 2)).collect::<Vec<_>>().join("\n    ");
        let post = match self.below(2) {
            0 => String::new(),
            _ => format!(
                "@Declarative @Post(\"op\") boolean after(C before, int x) {{ return {} || before.s == null; }}",
                self.bool(&after, 1)
            ),
        };
        let (edge, most) = if tree { ("@Tree", "") } else { ("", "@Max(\"n\")") };
        format!(
            "import glassbox.*;
public class C {{
  {most} static class Node {{
    @Range(\"0..1\") int v; {edge} Node next; Node link;
    Node(int v, Node next) {{ this.v = v; this.next = next; }}
  }}
  {edge} Node head; Node s; Node t;
  @Range(\"0..2\") int a; boolean f;
  @NonNull @Length(\"0..1\") @Range(\"0..1\") int[] xs;
  @Check void op(@Range(\"0..1\") int x) {{
    {body}
  }}
  @Declarative boolean repOk() {{ return {invariant}; }}
  @Declarative static boolean ends(Node n) {{ return n == null || ends(n.next); }}
  @Declarative static Node last(Node n) {{ return n == null || n.link == null ? n : last(n.link); }}
  @Declarative static int count(Node n, int most) {{ return n == null || most == 0 ? 0 : 1 + count(n.next, most - 1); }}
  {post}
}}"
        )
    }
}

#[test]
fn engines_agree_on_random_classes() {
    let (mut verified, mut violated) = (0, 0);
    for seed in 1..=CLASSES {
        let text = Random(Chance::new(seed)).class(seed % 2 == 0);
        let loaded = load(&text).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let linked = Linked::new(&loaded.program);
        let subject = Subject { steps: 20_000, ..Subject::new(&linked, 2) };
        let (checked, operation) = (&loaded.checked[0], &loaded.checked[0].operations[0]);
        let answers = Engine::ALL.map(|engine| subject.ask(engine, checked, operation));
        assert!(agree(&answers), "{text}\n{answers:?}");
        verified += u64::from(answers[0] == Answer::Verified);
        violated += u64::from(matches!(answers[0], Answer::Violated(_)));
    }
    assert!(verified * 10 > CLASSES && violated * 10 > CLASSES, "{verified} verified, {violated} violated");
}
