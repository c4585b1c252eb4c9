//! Theorem 2 of the paper, tested: on every function of the suite the procedure that it is translated to ends as the function does, run
//! with contracts: with the same value, and with Error if and only if it does. The same choices give the same order of accumulates.

use crate::corpus::{self, program};
use dminor::bemol::{self, Assertion, Command, Ended, Expr, Formula, Machine, Reading, Sort};
use dminor::generate::Generator;
use dminor::interp::{Chooser, Everywhere, First, Interp, Options, Random, Stop};
use dminor::program::{FunId, Op, VarId};
use dminor::{Program, Value};
use std::collections::BTreeSet;

/// Inputs for each function and reading, every fourth of them any values at all; fewer where a large program has a seeded mistake, for
/// most of its functions are those of the correct one.
const INPUTS: u64 = 36;
const FEWER: u64 = 8;

const READINGS: [Reading; 4] = [
    Reading { strict_type_tests: false, strict_ops: false },
    Reading { strict_type_tests: true, strict_ops: false },
    Reading { strict_type_tests: false, strict_ops: true },
    Reading { strict_type_tests: true, strict_ops: true },
];

/// A value, Error, or nothing at all.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Value(Value),
    Error,
}

fn in_dminor(
    program: &Program,
    reading: Reading,
    id: FunId,
    arguments: &[Value],
    chooser: &mut dyn Chooser,
) -> Option<Outcome> {
    let Reading { strict_type_tests, strict_ops } = reading;
    let options = Options { strict_type_tests, strict_ops, contracts: true, fuel: Some(4_000), ..Options::default() };
    match Interp::new(program, &options, chooser).call(id, arguments) {
        Ok(value) => Some(Outcome::Value(value)),
        Err(stop) => match *stop {
            Stop::Error(_) => Some(Outcome::Error),
            Stop::Limit(..) => None,
        },
    }
}

fn in_bemol(
    program: &bemol::Program<'_>,
    id: FunId,
    arguments: &[Value],
    chooser: &mut dyn Chooser,
) -> Option<Outcome> {
    match Machine::new(program, chooser, 80_000).call(id, arguments) {
        Ok(value) => Some(Outcome::Value(value)),
        Err(Ended::Error { .. }) => Some(Outcome::Error),
        Err(Ended::Limit) => None,
        // The translation asserts whatever an expression needs.
        Err(Ended::Diverges) => panic!("an expression is bottom: {}", program.procedures[id.0 as usize].function.name),
    }
}

fn shown(arguments: &[Value]) -> String {
    arguments.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    values: usize,
    errors: usize,
    inconclusive: usize,
}

impl Tally {
    fn compare(&mut self, dminor: Option<Outcome>, bemol: Option<Outcome>) -> Result<(), String> {
        match (dminor, bemol) {
            (Some(a), Some(b)) if a == b => {
                let count = if a == Outcome::Error { &mut self.errors } else { &mut self.values };
                *count += 1;
                Ok(())
            }
            (Some(a), Some(b)) => Err(format!("Dminor {a:?}, Bemol {b:?}")),
            _ => {
                self.inconclusive += 1;
                Ok(())
            }
        }
    }
}

/// Accumulates in types are run by Dminor with choices; formulas need none. Then only the canonical order can be compared.
fn orders(program: &Program, seed: u64) -> Vec<Box<dyn Fn() -> Box<dyn Chooser>>> {
    let mut orders: Vec<Box<dyn Fn() -> Box<dyn Chooser>>> = vec![Box::new(|| Box::new(First))];
    if program.obligations.is_empty() {
        orders.push(Box::new(move || Box::new(Random::new(seed))));
        orders.push(Box::new(move || Box::new(Random::new(seed + 1_000_003))));
    }
    orders
}

fn compare_all(kind: &str) -> (Tally, Vec<String>) {
    let mut tally = Tally::default();
    let mut problems = Vec::new();
    for (path, text) in corpus::suite(kind) {
        let program = program(&text);
        let name = path.file_stem().expect("a name").to_string_lossy().to_string();
        let inputs = if kind == "reject" && program.functions.len() > 5 { FEWER } else { INPUTS };
        for (turn, reading) in READINGS.into_iter().enumerate() {
            let translated = bemol::translate(&program, reading);
            for (k, function) in program.functions.iter().enumerate() {
                let id = FunId(k as u32);
                let mut generator = Generator::new(&program, (4 * k + turn) as u64);
                for seed in 0..inputs {
                    let arguments = if seed % 4 == 3 {
                        Some(function.parameters.iter().map(|_| generator.any(2)).collect())
                    } else {
                        generator.arguments(id)
                    };
                    let Some(arguments): Option<Vec<Value>> = arguments else { continue };
                    for order in orders(&program, seed) {
                        let dminor = in_dminor(&program, reading, id, &arguments, &mut *order());
                        let bemol = in_bemol(&translated, id, &arguments, &mut *order());
                        if let Err(difference) = tally.compare(dminor, bemol) {
                            let call = format!("{}({})", function.name, shown(&arguments));
                            problems.push(format!("{name}: {call}, {reading:?}: {difference}"));
                        }
                    }
                }
            }
        }
    }
    (tally, problems)
}

#[test]
fn correct_functions_end_alike() {
    let (tally, problems) = work::on_large_stack(|| compare_all("ok"));
    assert!(problems.is_empty(), "{} differences\n{}", problems.len(), problems[..problems.len().min(10)].join("\n"));
    assert!(tally.values > 10_000 && tally.errors > 2_500, "{tally:?}");
    assert!(tally.inconclusive * 10 < tally.values, "{tally:?}");
}

#[test]
fn wrong_functions_end_alike() {
    let (tally, problems) = work::on_large_stack(|| compare_all("reject"));
    assert!(problems.is_empty(), "{} differences\n{}", problems.len(), problems[..problems.len().min(10)].join("\n"));
    assert!(tally.values > 10_000 && tally.errors > 2_500, "{tally:?}");
    assert!(tally.inconclusive * 10 < tally.values, "{tally:?}");
}

/// What all orders of accumulates lead to, if that can be found out.
fn outcomes(mut run: impl FnMut(&mut dyn Chooser) -> Option<Outcome>) -> Option<BTreeSet<Outcome>> {
    let mut everywhere = Everywhere::default();
    let mut all = BTreeSet::new();
    for _ in 0..200 {
        all.insert(run(&mut everywhere)?);
        if !everywhere.advance() {
            return Some(all);
        }
    }
    None
}

/// Over all orders, also where types contain accumulates: the same set of outcomes.
#[test]
fn all_orders_end_alike() {
    work::on_large_stack(|| {
        let mut compared = 0;
        for (path, text) in corpus::suite("ok").into_iter().chain(corpus::suite("reject")) {
            let program = program(&text);
            let translated = bemol::translate(&program, Reading::default());
            for k in 0..program.functions.len() {
                let id = FunId(k as u32);
                let mut generator = Generator::new(&program, 77 + k as u64);
                for _ in 0..8 {
                    let Some(arguments) = generator.arguments(id) else { continue };
                    let reading = Reading::default();
                    let dminor = outcomes(|c| in_dminor(&program, reading, id, &arguments, c));
                    let bemol = outcomes(|c| in_bemol(&translated, id, &arguments, c));
                    if let (Some(dminor), Some(bemol)) = (dminor, bemol) {
                        assert_eq!(dminor, bemol, "{}: {}", path.display(), shown(&arguments));
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 1_000, "{compared}");
    });
}

/// The semantics of commands that the translation does not show by itself: backup restores, bottom diverges, asserts are Errors.
#[test]
fn commands() {
    let text = "f(x: Integer) : Any { x }";
    let program = program(text);
    let (x, ret) = (program.functions[0].parameters[0].0, VarId(program.variables.len() as u32));
    let run = |body: Command<'_>| {
        let mut translated = bemol::translate(&program, Reading::default());
        translated.procedures[0].body = body;
        Machine::new(&translated, &mut First, 1_000).call(FunId(0), &[corpus::value("5")])
    };
    let assign = |variable, value: &str| Command::Assign(variable, Expr::Value(corpus::value(value)));
    let result = |from| Command::Assign(ret, Expr::Var(from));
    let backup = |keep, command| Command::Backup(keep, Box::new(command));
    let (restored, kept) = (backup(ret, assign(x, "7")), backup(x, assign(x, "7")));
    assert_eq!(run(Command::Seq(vec![restored, result(x)])), Ok(corpus::value("5")));
    assert_eq!(run(Command::Seq(vec![kept, result(x)])), Ok(corpus::value("7")));
    assert_eq!(run(Command::Skip), Ok(Value::Null), "the state is total");
    let sum = Expr::Op(Op::Add, vec![Expr::Var(x), Expr::Value(Value::Null)]);
    assert_eq!(run(Command::Assign(ret, sum)), Err(Ended::Diverges));
    assert_eq!(run(Command::Pick { item: ret, from: x, is_seen: true }), Err(Ended::Diverges));
    let span = program.functions[0].name_span;
    let no = Assertion { formula: Formula::Sort(Sort::Logical, x), span, otherwise: "no" };
    assert_eq!(run(Command::Assert(no)), Err(Ended::Error { span, otherwise: "no" }));
    let forever = Expr::Value(Value::Logical(true));
    let body = Box::new(Command::Skip);
    assert_eq!(run(Command::While { condition: forever, invariants: Vec::new(), body }), Err(Ended::Limit));
}

#[test]
fn printed() {
    let text = "
        type NullableInteger : (x: Any where x in Integer || x == null);
        removeNulls(c: NullableInteger*) : (x: Integer* where x.Count <= c.Count) {
          from x in c let y = {} : Integer* invariant y.Count + rest.Count <= c.Count accumulate x != null ? x :: y : y
        }
        half(n: Integer) : Integer { n / 2 }
        all(c: Integer*) : Integer* { from x in c where x > 0 select half(x) }";
    let mut map = source::SourceMap::default();
    let id = map.add("test.dm", text);
    let program = dminor::load(text, id).program.expect("a program");
    expect_test::expect![[r#"
        type NullableInteger : (x: Any where ((x in (Integer)) || (x == null)))

        procedure removeNulls(c)
          requires c testable as NullableInteger*
          requires c in NullableInteger*
          ensures ret testable as (x'2: Integer* where ((x'2.Count) <= (c.Count)))
          ensures ret in (x'2: Integer* where ((x'2.Count) <= (c.Count)))
        {
          backup ret in {
            z1 := c
            assert z1 in Any* // line 4: `from` goes through what is not a collection
            backup y in {
              y := {}
            }
            rest := z1
            assert y in Integer* // line 4: the accumulator is not in its type
            assert holds (((y.Count) + (rest.Count)) <= (c.Count)) // line 4: the invariant does not hold
            while !is_empty rest
              inv rest in Any*
              inv rest within z1
              inv y in Integer*
              inv holds (((y.Count) + (rest.Count)) <= (c.Count))
            do {
              x'3 := pick rest
              rest := rest \ {x'3}
              backup y in {
                backup z2 in {
                  z3 := x'3
                  z4 := null
                  z2 := z3 != z4
                }
                assert z2 in Logical // line 4: the condition is not a logical
                if z2 then {
                  backup y in {
                    z5 := x'3
                    z6 := y
                    assert z6 in Any* // line 4: the operand is not a collection
                    y := z5 :: z6
                  }
                } else {
                  y := y
                }
              }
              assert y in Integer* // line 4: the accumulator is not in its type
              assert holds (((y.Count) + (rest.Count)) <= (c.Count)) // line 4: the invariant does not hold
            }
            ret := y
          }
        }

        procedure half(n)
          requires n in Integer
          ensures ret in Integer
        {
          backup ret in {
            z7 := n
            z8 := 2
            assert z7 in Integer // line 6: the operand is not an integer
            assert z8 in Integer // line 6: the operand is not an integer
            assert z8 != 0 // line 6: the divisor is 0
            ret := z7 / z8
          }
        }

        procedure all(c'2)
          requires c'2 in Integer*
          ensures ret in Integer*
        {
          backup ret in {
            z9 := c'2
            assert z9 in Any* // line 7: `from` goes through what is not a collection
            z10 := z9
            z11 := {}
            while !is_empty z10
              inv z10 in Any*
              inv z10 within z9
              inv z11 in Any*
              inv z11.Count + z10.Count <= z9.Count
              free inv z11 comes from (from x'4 in z9 where (x'4 > 0) select half(x'4))
            do {
              x'4 := pick z10
              z10 := z10 \ {x'4}
              backup z13 in {
                z14 := x'4
                z15 := 0
                assert z14 in Integer // line 7: the operand is not an integer
                assert z15 in Integer // line 7: the operand is not an integer
                z13 := z14 > z15
              }
              assert z13 in Logical // line 7: the condition is not a logical
              if z13 then {
                backup z12 in {
                  z16 := x'4
                  z12 := call half(z16) // line 7
                }
                z11 := z12 :: z11
              }
            }
            ret := z11
          }
        }
    "#]]
    .assert_eq(&bemol::print(&program, Reading::default(), &map));
}
