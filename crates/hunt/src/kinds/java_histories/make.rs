//! A class `A` with what belongs to it, and a `Driver` with histories of calls. One member per line, so that a disagreement
//! shrinks.

use work::Chance;

/// Between the class and its driver.
pub const MARK: &str = "// driver";

pub struct Made {
    pub class: String,
    pub driver: String,
    /// What the numbers in the driver stand for.
    pub callees: Vec<Callee>,
}

/// As the report names it.
pub struct Callee {
    pub class: String,
    pub name: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Param {
    None,
    Int,
    Other,
    Inner,
}

#[derive(Clone)]
struct Method {
    name: String,
    access: &'static str,
    param: Param,
    throws: &'static str,
    /// None if abstract.
    body: Option<String>,
}

struct Maker {
    chance: Chance,
    has_inner: bool,
    statics: Statics,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Statics {
    None,
    Plain,
    Varying,
    Array,
}

const OWN: &str = " throws Own";
const WIDE: &str = " throws Exception";
const UNCHECKED: &str = " throws RuntimeException";
const NAMED: &str = " throws IllegalStateException";

pub fn make(seed: u64) -> Made {
    let mut chance = Chance::new(seed);
    let statics = *chance.pick(&[Statics::None, Statics::Plain, Statics::Varying, Statics::Array, Statics::None]);
    let has_inner = chance.one_in(3);
    let mut maker = Maker { chance, has_inner, statics };
    let is_abstract = maker.chance.one_in(6);
    let has_subclass = is_abstract || maker.chance.one_in(2);
    let methods = maker.methods(is_abstract);
    let overriding = if has_subclass { maker.overriding(&methods) } else { Vec::new() };
    let has_reset = maker.chance.one_in(6);
    let constructor = *maker.chance.pick(&[
        "",
        "",
        "public A() { n = 1; }",
        "A() { if (n < 0) n = 0; }",
        "public A() throws Exception { int[] z = null; if (n == 1) z[0] = 1; }",
    ]);
    let class = maker.class(is_abstract, has_subclass, constructor, &methods, &overriding, has_reset);
    let receivers: Vec<&str> = match (is_abstract, has_subclass) {
        (true, _) => vec!["A.B"],
        (false, true) => vec!["A", "A.B"],
        _ => vec!["A"],
    };
    let may_throw = constructor.contains("throws");
    let (driver, callees) = maker.driver(&receivers, may_throw, &methods, has_reset);
    Made { class, driver, callees }
}

impl Maker {
    fn methods(&mut self, is_abstract: bool) -> Vec<Method> {
        let mut methods: Vec<Method> = Vec::new();
        let count = 2 + self.chance.below(3);
        // From the last one back: each calls later ones only.
        for index in (0..count).rev() {
            let access = *self.chance.pick(&["public ", "public ", "", "protected ", "private "]);
            let params = [Param::None, Param::None, Param::Int, Param::Other, Param::Inner];
            let param = *self.chance.pick(if self.has_inner { &params } else { &params[..4] });
            let throws = *self.chance.pick(&["", "", "", WIDE, UNCHECKED, OWN, NAMED]);
            let body = match is_abstract && access != "private " && self.chance.one_in(3) {
                true => None,
                false => Some(self.body(param, throws, &methods)),
            };
            methods.insert(0, Method { name: format!("m{index}"), access, param, throws, body });
        }
        methods
    }

    fn body(&mut self, param: Param, throws: &str, later: &[Method]) -> String {
        let count = 1 + self.chance.below(3);
        let statements: Vec<String> = (0..count).map(|_| self.statement(param, throws, later)).collect();
        statements.join(" ")
    }

    fn statement(&mut self, param: Param, throws: &str, later: &[Method]) -> String {
        let mut choices: Vec<String> =
            ["if (n > 0) n = n - 1;", "if (n < 2) n++;", "n = 1;", "if (n == 2) n = 0;"].map(String::from).to_vec();
        if self.chance.one_in(4) {
            choices.push("n = n - 1;".to_string());
            choices.push("assert n < 2;".to_string());
        }
        match self.statics {
            Statics::None => {}
            Statics::Array => {
                choices.extend(["t[0] = n;", "t[1]++;", "assert t[0] == 0;", "n = t[0];"].map(String::from))
            }
            _ => {
                choices.extend(["s = s + 1;", "if (s < 2) s++;", "assert s < 2;", "n = s;", "s = n;"].map(String::from))
            }
        }
        match param {
            Param::None => {}
            Param::Int => choices.extend(["n = x;", "if (x < n) n = x;"].map(String::from)),
            Param::Other => {
                choices.push("if (o != null && o.n >= 0 && o.n < 3) n = o.n;".to_string());
                choices.push("if (o != null && o != this) o.n = n;".to_string());
            }
            Param::Inner => {
                choices.push("if (i != null) assert i.get() == n;".to_string());
                choices.push("if (i != null && i.get() == 1) n = 1;".to_string());
            }
        }
        if [OWN, WIDE].contains(&throws) {
            choices.push("if (n == 1) throw new Own();".to_string());
        }
        if !throws.is_empty() {
            choices.push("if (n == 2) throw new IllegalStateException();".to_string());
            choices.push("int[] z = null; if (n == 2) z[0] = 1;".to_string());
        }
        let is_quiet = |m: &&Method| m.param == Param::None && ![OWN, WIDE].contains(&m.throws);
        choices.extend(later.iter().filter(is_quiet).map(|m| format!("{}();", m.name)));
        let chosen = self.chance.pick(&choices).clone();
        // A second local of the name would not compile.
        if chosen.starts_with("int[]") { format!("{{ {chosen} }}") } else { chosen }
    }

    fn overriding(&mut self, methods: &[Method]) -> Vec<Method> {
        let mut found: Vec<Method> = Vec::new();
        for (index, method) in methods.iter().enumerate() {
            if method.access != "private " && (method.body.is_none() || self.chance.one_in(3)) {
                let later: Vec<Method> =
                    methods[index + 1..].iter().filter(|m| m.access != "private ").cloned().collect();
                let body = self.body(method.param, method.throws, &later);
                found.push(Method { body: Some(body), ..method.clone() });
            }
        }
        found
    }

    fn class(
        &mut self,
        is_abstract: bool,
        has_subclass: bool,
        constructor: &str,
        methods: &[Method],
        overriding: &[Method],
        has_reset: bool,
    ) -> String {
        let mut lines = vec!["import glassbox.*;".to_string()];
        lines.push(format!("public {}class A {{", if is_abstract { "abstract " } else { "" }));
        lines.push(self.chance.pick(&["int n;", "int n;", "int n = 1;", "int n = 3 - 4;"]).to_string());
        lines.extend(match self.statics {
            Statics::None => None,
            Statics::Plain => Some("static int s;".to_string()),
            Statics::Varying => Some("@Varies static int s;".to_string()),
            Statics::Array => Some("static final int[] t = new int[2];".to_string()),
        });
        lines.push("@Declarative boolean repOk() { return n >= 0; }".to_string());
        if !constructor.is_empty() {
            lines.push(constructor.to_string());
        }
        lines.extend(methods.iter().map(Method::text));
        if has_reset {
            lines.push("static void reset(A a) { a.n = -1; }".to_string());
        }
        if self.has_inner {
            lines.push("class In { int get() { return n; } void down() { n--; } }".to_string());
        }
        if has_subclass {
            lines.push("static class B extends A {".to_string());
            if constructor.contains("throws") {
                lines.push("public B() throws Exception { }".to_string());
            }
            lines.extend(overriding.iter().map(Method::text));
            lines.push("}".to_string());
        }
        lines.push("static class Own extends Exception { }".to_string());
        lines.push("}".to_string());
        lines.join("\n") + "\n"
    }

    fn driver(
        &mut self,
        receivers: &[&str],
        constructor_throws: bool,
        methods: &[Method],
        has_reset: bool,
    ) -> (String, Vec<Callee>) {
        let mut callees: Vec<Callee> = Vec::new();
        let mut number = |class: &str, name: String| {
            callees.push(Callee { class: class.to_string(), name });
            callees.len() - 1
        };
        let mut lines = vec!["class Driver {".to_string(), "static int at;".to_string()];
        lines.push("@Declarative boolean repOk() { return true; }".to_string());
        let mut within = "a.n >= 0 && a.n < 3 && b.n >= 0 && b.n < 3".to_string();
        if self.statics == Statics::Varying {
            within += " && A.s >= 0 && A.s < 3";
        }
        let open: Vec<&Method> = methods.iter().filter(|m| m.access != "private ").collect();
        for history in 0..12 {
            lines.push(format!("@Check static void h{history}() throws Exception {{"));
            let of_a = *self.chance.pick(receivers);
            let of_b = *self.chance.pick(receivers);
            for (variable, of) in [("a", of_a), ("b", of_b)] {
                let simple = of.rsplit('.').next().unwrap_or(of);
                let at = number(of, format!("{simple}()"));
                let end = if constructor_throws {
                    guarded("return;", WIDE, &format!("{variable} = new {of}();"))
                } else {
                    format!("{variable} = new {of}();")
                };
                lines.push(format!("A {variable} = null; at = {at}; {end} assert {variable}.repOk();"));
            }
            if self.has_inner {
                lines.push("A.In i = a.new In();".to_string());
                lines.push("A.In j = b.new In();".to_string());
            }
            let calls = 1 + self.chance.below(6);
            for _ in 0..calls {
                let (variable, of) = *self.chance.pick(&[("a", of_a), ("b", of_b)]);
                let before = format!("if (!({within})) return;");
                let after = format!("assert {variable}.n >= 0;");
                if has_reset && self.chance.one_in(8) {
                    let at = number("A", "reset(A)".to_string());
                    lines.push(format!("{before} at = {at}; A.reset({variable}); {after}"));
                    continue;
                }
                if self.has_inner && self.chance.one_in(8) {
                    let at = number(of, "down()".to_string());
                    let inner = if variable == "a" { "i" } else { "j" };
                    lines.push(format!("{before} at = {at}; {inner}.down(); {after}"));
                    continue;
                }
                let Some(method) = (!open.is_empty()).then(|| *self.chance.pick(&open)) else { continue };
                let argument = match method.param {
                    Param::None => "".to_string(),
                    Param::Int => self.chance.below(3).to_string(),
                    Param::Other => self.chance.pick(&["null", "a", "b"]).to_string(),
                    Param::Inner => self.chance.pick(&["null", "i", "j"]).to_string(),
                };
                let at = number(of, method.signature());
                let call = format!("{variable}.{}({argument});", method.name);
                let call = guarded("", method.throws, &call);
                lines.push(format!("{before} at = {at}; {call} {after}"));
            }
            lines.push("}".to_string());
        }
        lines.push("}".to_string());
        (lines.join("\n") + "\n", callees)
    }
}

/// A call, with what it may throw caught.
fn guarded(then: &str, throws: &str, call: &str) -> String {
    match throws {
        OWN => format!("try {{ {call} }} catch (A.Own e) {{ {then} }}"),
        WIDE => format!("try {{ {call} }} catch (RuntimeException e) {{ throw e; }} catch (Exception e) {{ {then} }}"),
        NAMED => format!("try {{ {call} }} catch (IllegalStateException e) {{ {then} }}"),
        _ => call.to_string(),
    }
}

impl Method {
    fn signature(&self) -> String {
        let param = match self.param {
            Param::None => "",
            Param::Int => "int",
            Param::Other => "A",
            Param::Inner => "A.In",
        };
        format!("{}({param})", self.name)
    }

    fn text(&self) -> String {
        let param = match self.param {
            Param::None => "",
            Param::Int => "int x",
            Param::Other => "A o",
            Param::Inner => "In i",
        };
        let (access, name, throws) = (self.access, &self.name, self.throws);
        match &self.body {
            Some(body) => format!("{access}void {name}({param}){throws} {{ {body} }}"),
            None => format!("{access}abstract void {name}({param}){throws};"),
        }
    }
}
