//! X1: functions recurse on a part of one argument (docs/lang.md, "Functions"), also through each other.
//!
//! A warning, since numbers may count down and a run that does not end is noticed: nothing here says that a function does not end.

use crate::definition::*;
use source::Diagnostic;

/// A call within a circle of functions: from which, in which equation, of which.
struct Call<'a> {
    from: usize,
    equation: &'a Equation,
    to: usize,
    args: &'a [Form],
}

pub fn check(lang: &Lang, diagnostics: &mut Vec<Diagnostic>) {
    let mut all = Vec::new();
    for (from, fun) in lang.funs.iter().enumerate() {
        for equation in &fun.equations {
            calls(&equation.right, &mut |to, args| all.push(Call { from, equation, to, args }));
            for condition in &equation.conditions {
                condition
                    .premise
                    .each_form(&mut |f| calls(f, &mut |to, args| all.push(Call { from, equation, to, args })));
            }
        }
    }
    let n = lang.funs.len();
    let mut reaches = vec![vec![false; n]; n];
    all.iter().for_each(|c| reaches[c.from][c.to] = true);
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
            }
        }
    }
    let mut told = vec![false; n];
    for first in 0..n {
        if !reaches[first][first] || told[first] {
            continue;
        }
        let circle: Vec<usize> = (0..n).filter(|k| reaches[first][*k] && reaches[*k][first]).collect();
        circle.iter().for_each(|k| told[*k] = true);
        let within: Vec<&Call> = all.iter().filter(|c| circle.contains(&c.from) && circle.contains(&c.to)).collect();
        if !some_choice(lang, &circle, &within, &mut vec![0; n], 0) {
            // The call that is on no part of anything, if there is one.
            let is_smaller = |c: &Call| c.args.iter().any(|a| c.equation.left.iter().any(|l| is_part(l, a)));
            let culprit = within.iter().find(|c| !is_smaller(c)).or(within.first());
            let span = culprit.map_or(lang.funs[first].span, |c| c.equation.span);
            let name = &lang.funs[culprit.map_or(first, |c| c.from)].name;
            let message = format!("{name} does not recurse on a part of one argument: nothing shows that it ends");
            diagnostics.push(
                Diagnostic::warning("X1", span, message)
                    .help("let the same argument of each call be a part of the one on the left"),
            );
        }
    }
}

/// Whether one argument can be chosen per function so that each call is on a part of it.
fn some_choice(lang: &Lang, circle: &[usize], calls: &[&Call], chosen: &mut Vec<usize>, at: usize) -> bool {
    let Some(&fun) = circle.get(at) else {
        return calls.iter().all(|c| match (c.equation.left.get(chosen[c.from]), c.args.get(chosen[c.to])) {
            (Some(left), Some(arg)) => is_part(left, arg),
            _ => false,
        });
    };
    (0..lang.funs[fun].params.len()).any(|k| {
        chosen[fun] = k;
        some_choice(lang, circle, calls, chosen, at + 1)
    })
}

/// Whether a metavariable, or a form, stands strictly inside of another.
fn is_part(whole: &Form, part: &Form) -> bool {
    let mut found = false;
    whole.each_child(&mut |child| found |= child == part || is_part(child, part));
    found
}

fn calls<'a>(form: &'a Form, f: &mut dyn FnMut(usize, &'a [Form])) {
    if let Form::Call(fun, args) = form {
        f(fun.index(), args);
    }
    form.each_child(&mut |child| calls(child, f));
}
