//! Arrays that cross the border of their module, each way with a twin that does not cross it.

use super::engine::load;

/// The procedures through which arrays of M escape, `!` where it is certain, `?` where it may be.
fn escapes(procs: &[&str]) -> String {
    let base =
        "impl module M { format E { own : E[]; } reference d : E[]; reference spare : E[]; reference grid : E[][];
         proc fill(e : E) { d = new E[1]; d[0] = e; e.own = new E[1]; grid = new E[1][1]; }";
    let mut specification = "spec module M { format E; specvar D, O, G : E set; \
                             proc fill(e : E) modifies D, O, G ensures true;"
        .to_string();
    for proc in procs {
        let head = proc.split('{').next().unwrap_or_default();
        specification += &format!("{head} modifies D, O, G ensures true;");
    }
    let program = load(&[
        format!(
            "{base} {} }}
             impl module N {{ proc take(a : E[]) {{ }} proc make() returns r : E[] {{ return new E[1]; }} }}",
            procs.join(" ")
        ),
        format!(
            "{specification} }}
             spec module N {{ format E; proc take(a : E[]) ensures true; proc make() returns r : E[] ensures true; }}"
        ),
        "abst module M { use plugin \"bounded\"; D = {x : E | \"exists i : int. d[i] = x\"}; O = {x : E | \"x.own[0] != null\"};
         G = {x : E | \"exists i : int. exists j : int. grid[i][j] = x\"}; }"
            .to_string(),
    ]);
    let module = program.module_named("M").expect("M");
    let found = hob::escapes(&program, module);
    let told = found.iter().map(|e| format!("{}{}", program.proc(e.proc).name, if e.is_certain { "!" } else { "?" }));
    told.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_way_out_and_in_is_seen() {
    let cases: &[(&[&str], &str)] = &[
        (&["proc p() returns r : E[] { return d; }"], "p!"),
        (&["proc p() returns r : E[] { return spare; }"], ""),
        (&["proc p() returns r : E[] { E[] t = d; return t; }"], "p?"),
        (&["proc p() returns r : E[] { E[] t = new E[1]; t[0] = d[0]; return t; }"], ""),
        (&["proc p() returns r : E[] { spare = d; return spare; }"], "p?"),
        (&["proc p(e : E) returns r : E[] { return e.own; }"], "p!"),
        (&["proc p() returns r : E[] { return grid[0]; }"], "p?"),
        (&["proc p() { N.take(d); }"], "p!"),
        (&["proc p() { N.take(spare); }"], ""),
        (&["proc p() { spare = d; N.take(spare); }"], "p?"),
        (&["proc p(a : E[][]) { a[0] = d; }"], "p?"),
        (&["proc p(a : E[][]) { a[0] = new E[1]; }"], ""),
        (&["proc p(a : E[]) { d = a; }"], "p!"),
        (&["proc p(a : E[]) { spare = a; }"], ""),
        (&["proc p(a : E[]) { spare = a; }", "proc q() { d = spare; }"], "q?"),
        (&["proc p(a : E[]; e : E) { e.own = a; }"], "p!"),
        (&["proc p(a : E[]) { grid[0] = a; }"], "p?"),
        (&["proc p() { d = N.make(); }"], "p?"),
        (&["proc p() { spare = N.make(); }"], ""),
        (&["private proc q() returns r : E[] { return d; }", "proc p() returns r : E[] { return q(); }"], "p?"),
        (&["private proc q() returns r : E[] { return d; }", "proc p() { E[] t = q(); }"], ""),
        (&["private proc q(a : E[]) { d = a; }", "proc p(a : E[]) { q(a); }"], "q?"),
        (&["private proc q(a : E[]) { d = a; }", "proc p() { q(new E[1]); }"], ""),
    ];
    let mut wrong = String::new();
    for (procs, expected) in cases {
        let found = escapes(procs);
        if found != *expected {
            wrong += &format!("{procs:?}: `{found}`, not `{expected}`\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
