//! What is said of files that are wrong: each kind of mistake, with the place, the message and the advice.

mod abstraction;
mod code;
mod contract;
mod syntax;

use expect_test::Expect;

/// All messages about some files, each of which begins with a line `--- name`.
#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&crate::corpus::messages(text));
}

/// About the body of a procedure `M.p`, which is line 6.
#[track_caller]
fn code(body: &str, expected: Expect) {
    check(
        &format!(
            "--- m.fl
impl module M {{
    format T {{ f : int; b : bool; next : T; }}
    reference on : bool;
    reference items : T[];
    proc p(x : T; n : int; s : string; w : float) {{
        {body}
    }}
}}"
        ),
        expected,
    );
}

/// About members of a specification, from line 5 on, of an implementation, from line 4 on, and of an abstraction, from line 2 on.
#[track_caller]
fn module(specification: &str, implementation: &str, abstraction: &str, expected: Expect) {
    let (specification, code, abstraction) =
        (specification.trim(), implementation.trim(), abstraction.trim_matches('\n'));
    let mut text = format!(
        "--- m.sl
spec module M {{
    format T;
    specvar A, B : T set;
    specvar on : bool;
{specification}
}}
"
    );
    if !implementation.is_empty() {
        text += &format!(
            "--- m.fl
impl module M {{
    format T {{ f : int; b : bool; next : T; }}
    reference on : bool;
{code}
}}
"
        );
    }
    if !abstraction.is_empty() {
        text += &format!("--- m.al\nabst module M {{\n{abstraction}\n}}\n");
    }
    check(&text, expected);
}

#[track_caller]
fn spec(specification: &str, expected: Expect) {
    module(specification, "", "", expected);
}
