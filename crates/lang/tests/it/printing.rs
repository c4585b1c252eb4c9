//! What is printed is read back as the same tree: every tree of every sort of every definition here, up to some size.

use lang::term::{Term, TermId, Terms};
use lang::{Lang, ProdId, SortId, SortKind};
use source::FileId;
use std::collections::HashMap;

/// Variables that are bound above, per sort.
type Scope = Vec<(SortId, u32)>;

/// All trees of exactly so many nodes.
struct Trees<'a, 'l> {
    terms: &'a mut Terms<'l>,
    memo: HashMap<(SortId, u32, Scope), Vec<TermId>>,
}

/// Trees of one size are cut off here: longer lists take long and show little.
const MOST: usize = 300;

impl Trees<'_, '_> {
    fn of_size(&mut self, sort: SortId, size: u32, scope: &Scope) -> Vec<TermId> {
        let lang = self.terms.lang;
        let leaves: Option<Vec<Term>> = match lang.sort(sort).kind {
            SortKind::Var => {
                let bound = scope.iter().find(|(s, _)| *s == sort).map_or(0, |(_, n)| *n);
                Some((0..bound).map(|k| Term::Bound(sort, k)).collect())
            }
            SortKind::Atom => Some((0..2).map(|k| Term::Atom(sort, k)).collect()),
            SortKind::Loc => Some((0..2).map(|k| Term::Loc(sort, k)).collect()),
            SortKind::Int => Some([0, 7, -1].map(Term::Int).to_vec()),
            _ => None,
        };
        if let Some(leaves) = leaves {
            return if size == 0 { leaves.into_iter().map(|t| self.terms.intern(t)).collect() } else { Vec::new() };
        }
        if size == 0 {
            return Vec::new();
        }
        let key = (sort, size, scope.clone());
        if let Some(done) = self.memo.get(&key) {
            return done.clone();
        }
        let mut out = Vec::new();
        for prod in lang.prods_of(sort) {
            self.rows(prod, size - 1, scope, &mut Vec::new(), &mut out);
        }
        if let SortKind::Sub { .. } = lang.sort(sort).kind {
            out.retain(|t| self.terms.is_member(*t, sort));
        }
        // Some of every kind, not only the first.
        if out.len() > MOST {
            let step = out.len().div_ceil(MOST);
            out = out.into_iter().step_by(step).collect();
        }
        out.sort();
        out.dedup();
        self.memo.insert(key, out.clone());
        out
    }

    fn rows(&mut self, prod: ProdId, rest: u32, scope: &Scope, row: &mut Vec<TermId>, out: &mut Vec<TermId>) {
        if out.len() > 20 * MOST {
            return;
        }
        let lang = self.terms.lang;
        let production = lang.prod(prod);
        let arg = row.len();
        if arg == production.args.len() {
            if rest == 0 {
                let is_map = matches!(lang.sort(production.sort).kind, SortKind::Env { .. } | SortKind::Store { .. });
                out.push(match &row[..] {
                    [map, key, fields @ ..] if is_map => self.terms.extend(prod, *map, *key, fields),
                    _ => self.terms.make(prod, row.clone()),
                });
            }
            return;
        }
        let sort = production.args[arg];
        if production.is_binder(arg) {
            let binder = self.terms.intern(Term::Binder(sort));
            row.push(binder);
            self.rows(prod, rest, scope, row, out);
            row.pop();
            return;
        }
        let mut below = scope.clone();
        for binder in production.binders_over(arg) {
            let var = production.args[binder.var];
            match below.iter_mut().find(|(s, _)| *s == var) {
                Some((_, n)) => *n += 1,
                None => below.push((var, 1)),
            }
        }
        below.sort();
        for size in 0..=rest {
            for choice in self.of_size(sort, size, &below) {
                row.push(choice);
                self.rows(prod, rest - size, scope, row, out);
                row.pop();
            }
        }
    }
}

/// Prints and reads every tree up to `most` nodes; how many there were.
fn round_trips(lang: &Lang, most: u32) -> usize {
    let mut terms = Terms::new(lang);
    let mut count = 0;
    for sort in lang.sort_ids() {
        let is_printed = match lang.sort(sort).kind {
            SortKind::Grammar { .. } | SortKind::Store { .. } => true,
            // The entries of variables are open.
            SortKind::Env { .. } => true,
            _ => false,
        };
        if !is_printed {
            continue;
        }
        for size in 1..=most {
            let mut trees = Trees { terms: &mut terms, memo: HashMap::new() };
            for term in trees.of_size(sort, size, &Vec::new()) {
                let text = lang::print::term(&terms, term);
                match lang::syntax::read_term(&mut terms, &text, FileId(0), &[sort]) {
                    Ok((read_sort, read)) => {
                        let again = lang::print::term(&terms, read);
                        assert!(
                            read == term && read_sort == sort,
                            "{}: '{text}' ({:?}) is read as '{again}' ({:?})",
                            lang.name,
                            terms.get(term),
                            terms.get(read),
                        );
                    }
                    Err(diagnostic) => panic!("{}: '{text}' is not read: {diagnostic}", lang.name),
                }
                count += 1;
            }
        }
    }
    count
}

#[test]
fn printed_trees_are_read_back() {
    let mut count = 0;
    for (name, text) in crate::corpus::definitions() {
        let file = lang::syntax::parse(&text, FileId(0));
        assert!(!file.has_errors(), "{name}: {}", crate::corpus::messages(&file));
        // Extensions print in the same way, unless they add to the grammar.
        let mut seen: Vec<usize> = Vec::new();
        for lang in file.langs() {
            if seen.contains(&lang.prods.len()) && lang.extends.is_some() {
                continue;
            }
            seen.push(lang.prods.len());
            count += round_trips(lang, if name.ends_with("corners.lang") { 6 } else { 5 });
        }
    }
    assert!(count > 3000, "{count}");
}

/// Read and printed, these texts do not change: they look as on paper.
#[track_caller]
fn unchanged(language: &str, texts: &[&str]) {
    let files: Vec<_> =
        crate::corpus::definitions().into_iter().map(|(_, text)| lang::syntax::parse(&text, FileId(0))).collect();
    let lang = files.iter().flat_map(|f| f.langs()).find(|l| l.name == language).expect("a language of this name");
    let mut terms = Terms::new(lang);
    for text in texts {
        match lang::syntax::read_term(&mut terms, text, FileId(0), &[]) {
            Ok((_, term)) => assert_eq!(lang::print::term(&terms, term), *text),
            Err(diagnostic) => panic!("'{text}': {diagnostic}"),
        }
    }
}

#[test]
fn looks_as_on_paper() {
    unchanged(
        "arith",
        &["if iszero 0 then true else false", "pred (succ (pred 0))", "if true then if false then 0 else 0 else 0"],
    );
    unchanged(
        "stlc",
        &[
            "tl (cons 0 nil)",
            "λ x:Int. x",
            "(λ x:Int. x) 0",
            "(λ x:Int -> Int. x 0) (λ x:Int. x)",
            "λ x:(Int -> Int) -> List. λ x1:Int. x (λ x2:Int. x1)",
            "plus 0 (plus 1 2)",
        ],
    );
    unchanged(
        "imp",
        &[
            "skip ; skip ; x := 1",
            "(skip ; skip) ; skip",
            "⟨ skip ; skip, · ⟩",
            "⟨ while x <= 1 + 1 do x := x + 1, (·, x ↦ 0, x1 ↦ true) ⟩",
            "⟨ if not (x <= 1) then skip else skip, · ⟩",
            "1 + 2 + 3",
            "1 + (2 + -3)",
        ],
    );
    unchanged(
        "refs",
        &[
            "(λ x:Ref Unit. ! x) (ref unit)",
            "⟨ l := λ x:Unit -> Ref Unit. x, (·, l ↦ unit, l1 ↦ λ x:Unit. x) ⟩",
            "! ! l",
        ],
    );
    unchanged(
        "brackets",
        &[
            "(Λ X. x1) [List (∀ X. X -> X)]",
            "let x = 1 in x . fst",
            "⟨ ! 1 + - 2, (·, a ↦ 0, a1 ↦ a) ⟩",
            "[0, {1}]",
            "'end state'",
        ],
    );
    unchanged("conditionals", &["if tt then (if ff then skip else skip)", "if tt then (if ff then skip) else skip"]);
}

#[test]
fn rules_as_on_paper() {
    let (_, text) =
        crate::corpus::definitions().into_iter().find(|(name, _)| name == "definitions/refs.lang").expect("refs");
    let file = lang::syntax::parse(&text, FileId(0));
    let lang = file.langs().next().expect("no errors");
    let mut out = String::new();
    for rule in &lang.rules {
        let premises: Vec<String> =
            rule.premises.iter().map(|p| lang::print::premise(lang, &rule.metas, &p.premise)).collect();
        out.push_str(&format!("{}: {} / {}\n", rule.name, premises.join("   "), lang::print::conclusion(lang, rule)));
    }
    expect_test::expect![[r#"
        T-Unit:  / Γ | Σ ⊢ unit : Unit
        T-Var: x:T ∈ Γ / Γ | Σ ⊢ x : T
        T-Loc: l:T ∈ Σ / Γ | Σ ⊢ l : Ref T
        T-Abs: Γ, x:T1 | Σ ⊢ t : T2 / Γ | Σ ⊢ λ x:T1. t : T1 -> T2
        T-App: Γ | Σ ⊢ t1 : T1 -> T2   Γ | Σ ⊢ t2 : T1 / Γ | Σ ⊢ t1 t2 : T2
        T-Assign: Γ | Σ ⊢ t1 : Ref T   Γ | Σ ⊢ t2 : T / Γ | Σ ⊢ t1 := t2 : Unit
        T-Ref: Γ | Σ ⊢ t : T / Γ | Σ ⊢ ref t : Ref T
        T-Deref: Γ | Σ ⊢ t : Ref T / Γ | Σ ⊢ ! t : T
        Store: dom Σ = dom μ   forall l:T ∈ Σ. · | Σ ⊢ μ(l) : T / Σ ⊢ μ
        E-Beta:  / ⟨ (λ x:T. t) v, μ ⟩ --> ⟨ t[v/x], μ ⟩
        E-Deref:  / ⟨ ! l, μ ⟩ --> ⟨ μ(l), μ ⟩
        E-Assign:  / ⟨ l := v, μ ⟩ --> ⟨ unit, μ[l ↦ v] ⟩
        E-Ref: fresh l / ⟨ ref v, μ ⟩ --> ⟨ l, (μ, l ↦ v) ⟩
    "#]]
    .assert_eq(&out);
}
