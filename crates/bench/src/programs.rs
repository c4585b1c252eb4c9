//! How many well-typed programs a row of Table 6.4 covers: counted exactly by a recursion over types and over the places of the complete
//! tree, from the last one to the root. Class tables, heaps and environments vary beside; programs are counted for one of them, which the
//! table names, so that there are more.

use crate::Name;
use num_bigint::BigUint;

/// By type, how many expressions there are at a place; nothing at a place that is not there.
type Counts = Vec<BigUint>;

/// None for a subject that is not a language.
pub fn count(name: Name, n: i64) -> Option<BigUint> {
    match name {
        Name::Expression => Some(total(n, 3, 2, expression)),
        Name::Imp => Some(at_root(n, 2, 4, |c| imp(c, n), &[STATEMENT])),
        Name::FeatherweightJava => Some(total(n, 4, 5, featherweight_java)),
        Name::MiniJava | Name::NonNullJava | Name::TaintedJava | Name::OwnershipJava => {
            Some(total(n, 3, 8, |c| mini_java(c, n)))
        }
        _ => None,
    }
}

/// `over 2^786`, or the number itself.
pub fn text(count: &BigUint) -> String {
    if count.bits() <= 20 { count.to_string() } else { format!("over 2^{}", count.bits() - 1) }
}

fn total(n: i64, fan_out: usize, types: usize, rules: impl Fn(&[&Counts]) -> Counts) -> BigUint {
    at_root(n, fan_out, types, rules, &(0..types).collect::<Vec<usize>>())
}

/// Field j of place p is place p * fan-out + j + 1.
fn at_root(n: i64, fan_out: usize, types: usize, rules: impl Fn(&[&Counts]) -> Counts, of: &[usize]) -> BigUint {
    let places = n.max(0) as usize;
    let nothing: Counts = vec![BigUint::ZERO; types];
    let mut counts: Vec<Counts> = vec![Vec::new(); places];
    for p in (0..places).rev() {
        let parts: Vec<&Counts> = (1..=fan_out).map(|j| counts.get(p * fan_out + j).unwrap_or(&nothing)).collect();
        counts[p] = rules(&parts);
    }
    counts.first().map_or(BigUint::ZERO, |root| of.iter().map(|t| &root[*t]).sum())
}

fn number(n: i64) -> BigUint {
    BigUint::from(n.max(0) as u64)
}

/// 0: Booleans, 1: numbers.
fn expression(parts: &[&Counts]) -> Counts {
    let [a, b, c] = parts else { return Vec::new() };
    vec![number(2) + &a[1] + &a[0] * &b[0] * &c[0], number(1) + number(2) * &a[1] + &a[0] * &b[1] * &c[1]]
}

const STATEMENT: usize = 0;

/// 0: statements, 1: numbers, 2: Booleans, 3: both branches of an `if`. With n literals; half of the n variables are integers.
fn imp(parts: &[&Counts], n: i64) -> Counts {
    let [l, r] = parts else { return Vec::new() };
    let (ints, bools) = (number(n - n / 2), number(n / 2));
    let assign = &ints * &l[1] + &bools * &l[2];
    let pairs = &l[0] * &r[0];
    let statement = number(1) + assign + &pairs + &l[2] * &r[3] + &l[2] * &r[0];
    let integer = number(n) + &ints + &l[1] * &r[1];
    let truth = number(2) + &bools + number(2) * &l[1] * &r[1] + number(2) * &l[2] * &r[2] + &l[2];
    vec![statement, integer, truth, pairs]
}

/// 0: Object, 1 to 4: the classes. None has fields or is below another one; each has `Object a(Object x)` and the same called b.
fn featherweight_java(parts: &[&Counts]) -> Counts {
    let [e1, e2, ..] = parts else { return Vec::new() };
    let all = |e: &Counts| e.iter().sum::<BigUint>();
    let made = number(1) + all(e1);
    let receivers: BigUint = e1[1..].iter().sum();
    let mut counts = vec![made.clone(); 5];
    counts[0] += number(2) * receivers * all(e2);
    counts
}

/// 0: Object, 1 to 4: the classes, 5: numbers, 6: Booleans, 7: null. Each class has a field `int f0`, `Object a(Object x)` and b; none is
/// below another one. An expression counts at its least type, and no object is named; in Ownership Java everything is the world's.
fn mini_java(parts: &[&Counts], n: i64) -> Counts {
    let [e1, e2, e3] = parts else { return Vec::new() };
    let all = |e: &Counts| e.iter().sum::<BigUint>();
    let references = |e: &Counts| e[..5].iter().sum::<BigUint>() + &e[7];
    let receivers: BigUint = e1[1..5].iter().sum();
    let (before, truth) = (all(e1), &e1[6]);
    // `e; e'` and `if` of the same type
    let mut counts: Counts = (0..8).map(|t| &before * &e2[t] + truth * &e2[t] * &e3[t]).collect();
    for class in &mut counts[..5] {
        *class += number(1) + references(e1); // new, and casts
    }
    let (mut branches, mut alike) = (references(e2) * references(e3), BigUint::ZERO);
    for t in 1..5 {
        let or_null = &e2[t] * &e3[7] + &e2[7] * &e3[t];
        counts[t] += truth * &or_null;
        alike += &e2[t] * &e3[t] + or_null;
    }
    // All other pairs have only Object in common; two of Object are in `counts` already.
    alike += &e2[0] * &e3[0] + &e2[7] * &e3[7];
    branches -= alike;
    counts[0] += truth * branches + number(2) * &receivers * references(e2);
    counts[5] += number(n) + &e1[5] * &e2[5] + &receivers + &receivers * &e2[5];
    let same = &e1[5] * &e2[5] + &e1[6] * &e2[6] + references(e1) * references(e2);
    counts[6] += number(2) + &e1[5] * &e2[5] + same + &e1[6] + &e1[6] * &e2[6];
    counts[7] += number(1);
    counts
}
