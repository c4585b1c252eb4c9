//! Sources of library classes, found by name in folders and archives (`--source-path`), and then in an installed JDK.

use source::Diagnostic;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use zip::ZipArchive;

/// One `--source-path`.
enum Root {
    Folder(PathBuf),
    Archive(Box<Archive>),
}

struct Archive {
    name: String,
    archive: Mutex<ZipArchive<BufReader<File>>>,
    /// By path within its module: a JDK's src.zip has a folder per module.
    entries: HashMap<String, String>,
}

/// Where library classes are looked up, in the order given.
#[derive(Default)]
pub struct Library {
    roots: Vec<Root>,
    /// The sources of an installed JDK, looked for when a class of the JDK is asked for and nowhere else.
    jdk: OnceLock<Option<Root>>,
}

impl Library {
    pub fn open(paths: &[PathBuf]) -> Result<Library, Vec<Diagnostic>> {
        let (mut roots, mut problems) = (Vec::new(), Vec::new());
        for path in paths {
            match Root::open(path) {
                Ok(root) => roots.push(root),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(Library { roots, jdk: OnceLock::new() }) } else { Err(problems) }
    }

    /// File name and text of a top-level class.
    pub fn find(&self, class: &str) -> Option<(String, String)> {
        let path = format!("{}.java", class.replace('.', "/"));
        self.roots.iter().find_map(|root| root.find(&path)).or_else(|| self.in_jdk(class, &path))
    }

    /// Every name that means nothing else is asked for in `java.lang`: those of variables and packages open no archive.
    fn in_jdk(&self, class: &str, path: &str) -> Option<(String, String)> {
        let is_of_jdk =
            ["java.", "javax.", "jdk.", "sun.", "com.sun."].iter().any(|package| class.starts_with(package));
        let is_class = class.rsplit('.').next().is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
        if !is_of_jdk || !is_class {
            return None;
        }
        self.jdk.get_or_init(|| src_zips().iter().find_map(|path| Root::open(path).ok())).as_ref()?.find(path)
    }

    /// For a message: where a class was looked for.
    pub fn places(&self) -> String {
        let mut places: Vec<String> = self.roots.iter().map(Root::name).collect();
        places.extend(src_zips().first().map(|path| path.display().to_string()));
        match places.is_empty() {
            true => "there is no `--source-path`, and no JDK with its sources (Debian: openjdk-17-source)".to_string(),
            false => format!("it was looked for in {}", places.join(", ")),
        }
    }
}

/// The sources of installed JDKs: that of JAVA_HOME first, then JDK 17, which the specifications are for.
pub fn src_zips() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").into_iter().map(PathBuf::from).collect();
    let mut installed: Vec<PathBuf> = ["/usr/lib/jvm", "/Library/Java/JavaVirtualMachines"]
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())))
        .map(|path| if path.join("Contents/Home").is_dir() { path.join("Contents/Home") } else { path })
        .collect();
    installed.sort_by_key(|path| (!is_17(path), path.clone()));
    homes.extend(installed);
    let zips = homes.iter().flat_map(|home| [home.join("lib/src.zip"), home.join("src.zip")]);
    zips.filter(|zip| zip.is_file()).collect()
}

/// Whether this is the folder of a JDK 17.
pub fn is_17(home: &Path) -> bool {
    std::fs::read_to_string(home.join("release")).is_ok_and(|text| text.contains("JAVA_VERSION=\"17"))
}

impl Root {
    fn open(path: &Path) -> Result<Root, Diagnostic> {
        let name = path.display().to_string();
        let problem = |what: String| {
            Diagnostic::error("bad-source-path", None, format!("--source-path `{name}`: {what}"))
                .help("give a folder, or a .jar or .zip of sources")
        };
        if path.is_dir() {
            return Ok(Root::Folder(path.to_path_buf()));
        }
        let file = File::open(path).map_err(|e| problem(e.to_string()))?;
        let archive = ZipArchive::new(BufReader::new(file)).map_err(|e| problem(e.to_string()))?;
        let names = archive.file_names().filter_map(Result::ok).filter(|name| name.ends_with(".java"));
        let entries = names.flat_map(|name| {
            let within = name.split_once('/').map(|(_, path)| path.to_string());
            [Some(name.to_string()), within].into_iter().flatten().map(move |path| (path, name.to_string()))
        });
        let entries = entries.collect();
        Ok(Root::Archive(Box::new(Archive { name, archive: Mutex::new(archive), entries })))
    }

    fn name(&self) -> String {
        match self {
            Root::Folder(folder) => folder.display().to_string(),
            Root::Archive(archive) => archive.name.clone(),
        }
    }

    fn find(&self, path: &str) -> Option<(String, String)> {
        match self {
            Root::Folder(folder) => {
                let file = folder.join(path);
                Some((file.display().to_string(), std::fs::read_to_string(&file).ok()?))
            }
            Root::Archive(of) => {
                let entry = of.entries.get(path)?;
                let mut archive = of.archive.lock().unwrap_or_else(PoisonError::into_inner);
                let mut text = String::new();
                archive.by_name(entry).ok()?.read_to_string(&mut text).ok()?;
                Some((format!("{}!/{entry}", of.name), text))
            }
        }
    }
}
