//! Extensions, and what exists after a step: `language B extends A assuming A sound` inherits only what the full check also says, and a new
//! location's entry may depend on the judgment that a derivation uses, if it uses but one.

use crate::examples::{Said, agree, bounded, by_classes, by_enumeration, load, tally_of};
use crate::languages;
use lang::extension::inherits;
use lang::mutate::mutants;
use lang::{Bound, Lang};
use soundness::Tier;

const SMALL: &[(&str, Bound)] = &[("T", Bound::Depth(4)), ("l", Bound::Count(1))];

const FLAT: &[(&str, Bound)] = &[("T", Bound::Depth(2)), ("l", Bound::Count(1))];

fn base() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lang/nonnull-tainted.lang");
    let text = std::fs::read_to_string(path).expect("the example is there");
    text.split("-- A value of a nonnull type").next().expect("base").to_string()
}

/// One verdict and one size by all tiers and the enumerator.
fn check_extension(extension: &str, wanted: Said) {
    let all = languages(&format!("{}\n{extension}", base()));
    let lang = bounded(&all[1], 4, SMALL);
    let check = lang.checks.iter().find(|c| c.name == "preservation").expect("preservation");
    assert_eq!(by_classes(&lang, check, Tier::Zero), wanted, "{extension}");
    tally_of(|tally| agree(&lang, 4, tally));
}

/// `new null` has every Box type, and the new location only one of them: a rule that uses two types of its part breaks preservation.
#[test]
fn two_judgments_about_one_tree() {
    let text = |second: &str| {
        format!(
            "language twice extends base\n  add t ::= both t\n  add E ::= both E\n  add\n  Γ | Σ ⊢ t : T1   T1 ≠ T2   {second}\n  ------------------------ T-Both\n  Γ | Σ ⊢ both t : Unit\n"
        )
    };
    check_extension(&text("Γ | Σ ⊢ t : T2"), Said::Fails(3));
    check_extension(&text("T2 ~ T2"), Said::Holds);
}

/// What is evaluated may have no type at all: the store must be kept all the same.
#[test]
fn a_part_without_a_judgment() {
    check_extension(
        "language ignored extends base\n  add t ::= drop t\n  add E ::= drop E\n  add\n  Γ | Σ ⊢ drop t : Unit  [T-Drop]\n",
        Said::Fails(3),
    );
}

/// A class whose typing rules are all unchanged is not A's: the types have grown, so that A's verdict about it must not be reused.
#[test]
fn a_rule_left_as_it_is_may_break_the_extension() {
    let cast = base()
        .replace("| t . f | new t", "| t . f | cast t | new t")
        .replace("E . f | new E", "E . f | cast E | new E")
        .replace(
            "judgment Σ ⊢ μ",
            "  Γ | Σ ⊢ t : q1 Box T\n  ------------------------- T-Cast\n  Γ | Σ ⊢ cast t : q2 Box T\njudgment Σ ⊢ μ",
        );
    let cast = cast.replace("  fresh l\n", "  ⟨ cast v, μ ⟩ --> ⟨ v, μ ⟩  [E-Cast]\n\n  fresh l\n");
    let extension = "language strict extends base assuming base sound\n  add q ::= nonnull\n  replace\n  q = plain\n  ---------------------- T-Null\n  Γ | Σ ⊢ null : q Box T\n\n  l:T ∈ Σ   T ~ T\n  --------------------- T-Loc\n  Γ | Σ ⊢ l : q Box T\n\n  T1 ~ T   T1 = T   Γ | Σ ⊢ t : T1\n  ----------------------- T-Conv\n  Γ | Σ ⊢ t : T\n";
    let all = languages(&format!("{cast}\n{extension}"));
    assert!(inherits(&all[0], &all[1]).is_ok());
    for (lang, wanted) in [(&all[0], Said::Holds), (&all[1], Said::Fails(2))] {
        let lang = bounded(lang, 4, SMALL);
        let check = lang.checks.iter().find(|c| c.name == "preservation").expect("preservation");
        assert_eq!(by_classes(&lang, check, Tier::Zero), wanted, "{}", lang.name);
    }
}

/// The extensions, and every mutant of them that may still assume its base: progress holds by the full check, too, and the other checks are
/// decided alike by all tiers and the enumerator.
#[test]
fn what_is_inherited_holds() {
    let all = load("nonnull-tainted.lang");
    let mut inherited = 0;
    let mut compare = |lang: &Lang| {
        let may = inherits(&all[0], lang).is_ok();
        let lang = bounded(lang, 4, FLAT);
        let progress = lang.checks.iter().find(|c| c.name == "progress").expect("progress");
        if may {
            inherited += 1;
            let said = match by_classes(&lang, progress, Tier::Zero) {
                Said::Nothing(_) => by_enumeration(&lang, progress, 4),
                said => said,
            };
            // Nothing is typed: preservation is vacuous then, and says so.
            assert!(matches!(said, Said::Holds | Said::Vacuous), "{}: {said:?}", lang.name);
        }
        may
    };
    let extensions: Vec<&Lang> = all.iter().filter(|l| l.assumes_base).collect();
    assert_eq!(extensions.len(), 2);
    tally_of(|tally| {
        for extension in extensions {
            assert!(compare(extension));
            for (k, mutant) in mutants(extension).iter().enumerate() {
                if compare(&mutant.lang) && k % 3 == 0 {
                    agree(&bounded(&mutant.lang, 4, FLAT), 4, tally);
                }
            }
        }
    });
    assert!(inherited >= 20, "{inherited}");
}
