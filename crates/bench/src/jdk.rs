//! Classes of the JDK as shipped, against the specifications that come with the command: states run and seconds by size. One thread.
//! Beside TreeMap, our own of Table 6.1: the same operations of both in one run, with the same postconditions (`specs/TreeMap.java`; most of
//! the time goes into these).

use crate::Name;
use crate::measure::{Engine, Subject};
use crate::table::{Growth, seconds};

/// As far as a class gets: a row that takes longer is given up.
const SIZES: [i64; 5] = [3, 7, 15, 31, 63];
const SECONDS: f64 = 60.0;
/// What our own TreeMap has.
const SHARED: [&str; 6] = ["TreeMap", "isEmpty", "clear", "get", "put", "remove"];

pub fn table(is_quick: bool, only: Option<Name>) -> Result<(), String> {
    println!("class                       operations  start-up     n      states    seconds  growth");
    let is_wanted = |name: &str| only.is_none_or(|only| name == format!("java.util.{only:?}"));
    for name in java::specs::all().filter(|name| is_wanted(name)) {
        rows(name, false, is_quick)?;
        if Subject::load_spec(name, true)?.is_module() {
            rows(name, true, is_quick)?;
        }
    }
    if is_wanted("java.util.TreeMap") { beside_our_own(is_quick) } else { Ok(()) }
}

fn rows(name: &str, abstraction: bool, is_quick: bool) -> Result<(), String> {
    let loaded = Subject::load_spec(name, abstraction)?;
    let class = name.strip_prefix("java.util.").unwrap_or(name);
    let title = if abstraction { format!("{class}, abstract") } else { class.to_string() };
    let mut growth = Growth::default();
    let sizes: &[i64] = match class {
        // The bins of its start states have 8 entries at most.
        "HashMap.TreeNode" => &[7, 8],
        _ if is_quick => &SIZES[..2],
        _ => &SIZES,
    };
    for &n in sizes {
        let ours = loaded.measure(n, Engine::GlassBox, Some(SECONDS))?;
        let told = growth.row(n, &ours);
        println!(
            "{title:27} {:>10} {:>9.3} {n:>5}   {:>9} {:>10}  {told:>6}",
            loaded.operations(),
            loaded.start_up,
            ours.states,
            seconds(&ours)
        );
        if !ours.is_over {
            break;
        }
    }
    Ok(())
}

fn beside_our_own(is_quick: bool) -> Result<(), String> {
    let own = Subject::load_all(&["tree-map/TreeMap.java", "../../crates/bench/specs/TreeMap.java"])?;
    let shipped = Subject::load_spec("java.util.TreeMap", false)?;
    let is_shared = |name: &str| SHARED.contains(&name.split('(').next().unwrap_or(name));
    println!("\n{}: as shipped, and our own of Table 6.1 with the same postconditions", SHARED.join(", "));
    let sizes: &[i64] = if is_quick { &[7, 15] } else { &[31, 63] };
    for &n in sizes {
        let ours = own.measure_some(n, Engine::GlassBox, None, is_shared)?;
        let theirs = shipped.measure_some(n, Engine::GlassBox, None, is_shared)?;
        println!(
            "  TreeMap {n}: as shipped {:.3} s, {} states; our own {:.3} s, {} states: {:.2} times",
            theirs.seconds,
            theirs.states,
            ours.seconds,
            ours.states,
            theirs.seconds / ours.seconds
        );
    }
    Ok(())
}
