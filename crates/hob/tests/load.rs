//! What programs the samples are.

mod corpus;

use corpus::{SAMPLES, load, render};

#[test]
fn the_samples_are_programs() {
    let (map, loaded) = load(&SAMPLES);
    assert_eq!(render(&map, &loaded.diagnostics), "");
}
