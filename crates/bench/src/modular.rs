//! Modules against abstractions (Table 6.2), and clients with the module replaced (Table 6.3). One thread; each row is the sum over all
//! operations. An abstraction by itself is checked up to size 3, as the command does it.

use crate::measure::{Engine, Measured, Subject};
use crate::{Name, SECONDS};

struct Module {
    name: Name,
    title: &'static str,
    files: &'static [&'static str],
    class: &'static str,
    /// Size and seconds.
    paper: &'static [(i64, f64)],
}

const TABLE_6_2: &[Module] = &[
    Module {
        name: Name::TreeMap,
        title: "TreeMap",
        files: &["map-tree/TreeMap.java"],
        class: "TreeMap",
        paper: &[(1, 0.188), (3, 0.392), (7, 0.985), (15, 4.571), (31, 40.405), (63, 787.411)],
    },
    Module {
        name: Name::TreeSet,
        title: "TreeSet",
        files: &["clients/set-of-tree/TreeSet.java", "map-tree/TreeMap.java"],
        class: "TreeSet",
        paper: &[(1, 0.195), (3, 0.393), (7, 0.961), (15, 4.481), (31, 39.789), (63, 796.955)],
    },
    Module {
        name: Name::HashMap,
        title: "HashMap",
        files: &["map-hash/HashMap.java"],
        class: "HashMap",
        paper: &[(1, 0.176), (4, 0.305), (8, 0.599), (16, 2.879), (32, 75.139), (64, 2004.723)],
    },
    Module {
        name: Name::HashSet,
        title: "HashSet",
        files: &["clients/set-of-hash/HashSet.java", "map-hash/HashMap.java"],
        class: "HashSet",
        paper: &[(1, 0.171), (4, 0.299), (8, 0.579), (16, 2.816), (32, 68.011), (64, 2543.034)],
    },
];

struct Client {
    name: Name,
    title: &'static str,
    files: &'static [&'static str],
    class: &'static str,
    replace: (&'static str, &'static str),
    /// Size, seconds with the module, seconds with its abstraction.
    paper: &'static [(i64, Option<f64>, f64)],
}

const TABLE_6_3: &[Client] = &[
    Client {
        name: Name::TreeSet,
        title: "TreeSet",
        files: &["clients/set-of-tree/TreeSet.java", "map-tree/TreeMap.java"],
        class: "TreeSet",
        replace: ("TreeMap", "AbsIntMap"),
        paper: &[
            (1, Some(0.195), 0.122),
            (3, Some(0.393), 0.167),
            (7, Some(0.961), 0.251),
            (15, Some(4.481), 0.429),
            (31, Some(39.789), 0.991),
            (63, Some(796.955), 3.388),
            (127, None, 16.690),
            (255, None, 184.827),
            (511, None, 425.328),
        ],
    },
    Client {
        name: Name::HashSet,
        title: "HashSet",
        files: &["clients/set-of-hash/HashSet.java", "map-hash/HashMap.java"],
        class: "HashSet",
        replace: ("HashMap", "AbsIntMap"),
        paper: &[
            (1, Some(0.171), 0.106),
            (4, Some(0.299), 0.169),
            (7, Some(0.478), 0.238),
            (16, Some(2.816), 0.451),
            (32, Some(68.011), 0.989),
            (64, Some(2543.034), 3.464),
            (128, None, 17.071),
            (256, None, 91.629),
            (512, None, 754.426),
        ],
    },
    Client {
        name: Name::IntCounter,
        title: "IntCounter",
        files: &["clients/int-counter/IntCounter.java", "map-tree/TreeMap.java"],
        class: "IntCounter",
        replace: ("TreeMap", "AbsIntMap"),
        paper: &[
            (1, Some(0.198), 0.113),
            (3, Some(0.469), 0.164),
            (7, Some(1.182), 0.267),
            (15, Some(5.591), 0.539),
            (31, Some(41.500), 1.867),
            (63, Some(632.488), 10.794),
            (127, None, 93.276),
            (255, None, 946.091),
        ],
    },
    Client {
        name: Name::DualCache,
        title: "DualCache",
        files: &["clients/dual-cache/DualCache.java", "map-tree/TreeMap.java"],
        class: "DualCache",
        replace: ("TreeMap", "AbsIntMap"),
        paper: &[
            (1, Some(0.203), 0.222),
            (3, Some(0.503), 0.327),
            (7, Some(1.207), 0.529),
            (15, Some(5.765), 1.015),
            (31, Some(53.434), 4.057),
            (63, Some(723.267), 26.192),
            (127, None, 215.521),
            (255, None, 2180.506),
        ],
    },
];

/// Rows up to this size with `--quick`.
const QUICK: i64 = 16;

pub fn table_6_2(is_quick: bool, only: Option<Name>, limit: f64) -> Result<(), String> {
    println!("module against its abstraction; seconds\n");
    println!("module          n  dissertation    states    seconds  growth   ratio");
    for module in TABLE_6_2.iter().filter(|m| only.is_none_or(|o| o == m.name)) {
        let subject = Subject::load_class(module.files, module.class, &[])?;
        let mut last = None;
        for &(n, paper) in module.paper.iter().filter(|(n, _)| !is_quick || *n <= QUICK) {
            let ours = subject.measure(n, Engine::GlassBox, Some(limit.max(SECONDS)))?;
            let growth = growth(&mut last, n, &ours);
            let ratio = if ours.is_over { format!("{:.1}", paper / ours.seconds) } else { String::new() };
            println!("{:<10} {n:>6} {paper:>13.3} {} {growth:>7} {ratio:>7}", module.title, columns(&ours));
            if !ours.is_over {
                break;
            }
        }
        println!();
    }
    Ok(())
}

pub fn table_6_3(is_quick: bool, only: Option<Name>, limit: f64) -> Result<(), String> {
    println!("clients with their modules, and with abstractions in their places; seconds\n");
    println!("                 dissertation                    glassbox, original          replaced");
    println!(
        "client          n   original  replaced  ratio     states    seconds    states    seconds  growth   ratio"
    );
    for client in TABLE_6_3.iter().filter(|c| only.is_none_or(|o| o == c.name)) {
        let original = Subject::load_class(client.files, client.class, &[])?;
        let pair = (client.replace.0.to_string(), client.replace.1.to_string());
        let replaced = Subject::load_class(client.files, client.class, &[pair])?;
        let (mut last, mut is_tried) = (None, true);
        for &(n, with, without) in client.paper.iter().filter(|(n, ..)| !is_quick || *n <= QUICK) {
            let ours = match with.is_some() && is_tried {
                true => Some(original.measure(n, Engine::GlassBox, Some(limit.max(SECONDS)))?),
                false => None,
            };
            is_tried &= ours.as_ref().is_none_or(|o| o.is_over);
            let less = replaced.measure(n, Engine::GlassBox, Some(limit.max(SECONDS)))?;
            let growth = growth(&mut last, n, &less);
            let times = |a: Option<f64>, b: f64| a.map_or(String::new(), |a| format!("{:.0}", a / b));
            let seconds = ours.as_ref().filter(|o| o.is_over && less.is_over).map(|o| o.seconds);
            println!(
                "{:<10} {n:>6} {:>10} {without:>9.3} {:>6}  {} {} {growth:>7} {:>7}",
                client.title,
                with.map_or("-".to_string(), |s| format!("{s:.3}")),
                times(with, without),
                ours.as_ref().map_or(format!("{:>9} {:>10}", "-", "-"), columns),
                columns(&less),
                seconds.map_or(String::new(), |s| format!("{:.1}", s / less.seconds)),
            );
            if !less.is_over {
                break;
            }
        }
        println!();
    }
    Ok(())
}

fn columns(measured: &Measured) -> String {
    let seconds =
        if measured.is_over { format!("{:.3}", measured.seconds) } else { format!("> {:.0}", measured.seconds) };
    format!("{:>9} {seconds:>10}", measured.states)
}

/// The exponent between this row and the one before.
fn growth(last: &mut Option<(i64, f64)>, n: i64, measured: &Measured) -> String {
    let before = last.replace((n, measured.seconds));
    match before {
        Some((m, seconds)) if seconds >= 0.01 && measured.is_over => {
            format!("n^{:.1}", (measured.seconds / seconds).ln() / (n as f64 / m as f64).ln())
        }
        _ => String::new(),
    }
}
