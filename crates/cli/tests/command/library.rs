//! Library classes are read from `--source-path`: folders, and archives of sources.

use crate::{root, run};
use std::io::Write;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const STAIRS: &str = "crates/cli/tests/library/Stairs.java";

#[test]
fn a_library_class_has_to_be_found() {
    let ran = run(STAIRS);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("`Step` is not known here"), "{}", ran.stderr);
}

#[test]
fn a_folder_of_sources() {
    let ran = run(&format!("{STAIRS} --source-path crates/cli/tests/library"));
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_archive_of_sources() {
    let path = std::env::temp_dir().join(format!("glassbox-{}.zip", std::process::id()));
    let text = std::fs::read(root().join("crates/cli/tests/library/acme/Step.java")).expect("a source");
    let mut archive = ZipWriter::new(std::fs::File::create(&path).expect("a file can be made"));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    archive.start_file("some.module/acme/Step.java", options).expect("an entry can be made");
    archive.write_all(&text).expect("an entry can be written");
    archive.finish().expect("the archive can be written");
    let ran = run(&format!("{STAIRS} --source-path {}", path.display()));
    std::fs::remove_file(&path).expect("the file can be removed");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn implementers_behind_a_library_class() {
    const HOUSE: &str = "crates/cli/tests/library/House.java";
    const LIBRARY: [&str; 2] = [
        "--source-path crates/cli/tests/library",
        "crates/cli/tests/library/acme/Meter.java crates/cli/tests/library/acme/AbstractMeter.java",
    ];
    for engine in ["glassbox", "exhaustive"] {
        for library in LIBRARY {
            let ran = run(&format!("{HOUSE} {library} --engine {engine}"));
            assert_eq!(ran.status, 1, "{engine}, {library}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stdout.contains("✗ read()"), "{}", ran.stdout);
            assert!(ran.stdout.contains("✓ readEither()"), "{}", ran.stdout);
            // Were it dropped, nothing could be read.
            let ran = run(&format!("crates/cli/tests/library/Flat.java {library} --engine {engine}"));
            assert_eq!(ran.status, 0, "{engine}, {library}: {}{}", ran.stdout, ran.stderr);
            assert!(!ran.stderr.contains("no class among the inputs implements"), "{}", ran.stderr);
        }
    }
}
