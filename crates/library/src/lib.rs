//! Sources of library classes, found by name in folders and archives (`--source-path`), and then in an installed JDK.

use source::Diagnostic;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use zip::ZipArchive;

/// Which files of a package declare classes other than that of their name: by the name of the class.
type Beside = HashMap<String, String>;

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
    /// By the number of the root (of the JDK, the number after the last) and the package.
    beside: Mutex<HashMap<(usize, String), Beside>>,
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
        if problems.is_empty() { Ok(Library { roots, ..Library::default() }) } else { Err(problems) }
    }

    /// File name and text of a top-level class. In a JDK, only of one that has a file of its name.
    pub fn find(&self, class: &str) -> Option<(String, String)> {
        let path = format!("{}.java", class.replace('.', "/"));
        let mut roots = self.roots.iter().enumerate();
        let found = roots.find_map(|(number, root)| {
            root.find(&path).or_else(|| if root.is_jdk() { None } else { self.in_other_file(number, root, class) })
        });
        found.or_else(|| self.in_jdk(class)?.find(&path))
    }

    /// The same of a class of a JDK that is beside another in its file: to be asked for last, since hundreds of files are read to find it. No such
    /// class has the name of one in `java.lang` or in a package that files beside it import.
    pub fn beside(&self, class: &str) -> Option<(String, String)> {
        if !is_like_a_class(class) {
            return None;
        }
        let mut roots = self.roots.iter().chain(self.in_jdk(class)).enumerate().filter(|(_, root)| root.is_jdk());
        roots.find_map(|(number, root)| self.in_other_file(number, root, class))
    }

    /// All files of the package are read, once.
    fn in_other_file(&self, number: usize, root: &Root, class: &str) -> Option<(String, String)> {
        let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
        let mut known = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        let beside = known.entry((number, package.to_string())).or_insert_with(|| root.beside(package));
        root.find(beside.get(name)?)
    }

    /// Names of variables and packages open no archive.
    fn in_jdk(&self, class: &str) -> Option<&Root> {
        let is_of_jdk =
            ["java.", "javax.", "jdk.", "sun.", "com.sun."].iter().any(|package| class.starts_with(package));
        if !is_of_jdk || !is_like_a_class(class) {
            return None;
        }
        self.jdk.get_or_init(|| src_zips().iter().find_map(|path| Root::open(path).ok())).as_ref()
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

/// As all classes of a JDK are named. Every name that means nothing else is asked for, also those of variables and packages.
fn is_like_a_class(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_uppercase()))
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

    fn is_jdk(&self) -> bool {
        matches!(self, Root::Archive(of) if of.entries.contains_key("java/lang/Object.java"))
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

    /// The files of a package, as paths within the root.
    fn files(&self, folder: &str) -> Vec<String> {
        let join = |name: &str| if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") };
        let mut files: Vec<String> = match self {
            Root::Folder(root) => {
                let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().filter_map(Result::ok);
                let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
                names.filter(|name| name.ends_with(".java")).map(|name| join(&name)).collect()
            }
            Root::Archive(of) => {
                let is_there = |path: &&String| path.rsplit_once('/').map_or("", |(folder, _)| folder) == folder;
                of.entries.keys().filter(is_there).cloned().collect()
            }
        };
        files.sort();
        files
    }

    fn beside(&self, package: &str) -> Beside {
        let mut beside = Beside::default();
        for path in self.files(&package.replace('.', "/")) {
            let Some((_, text)) = self.find(&path) else { continue };
            for class in declared(&text) {
                beside.entry(class).or_insert_with(|| path.clone());
            }
        }
        beside
    }
}

/// The top-level classes of a file: names after `class`, `interface`, `enum` or `record`, outside of all braces, comments and texts.
fn declared(text: &str) -> Vec<String> {
    let (mut classes, mut depth, mut is_named) = (Vec::new(), 0_usize, false);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' if rest.starts_with("\"\"\"") => rest[3..].find("\"\"\"").map_or(rest.len(), |end| end + 6),
            '"' | '\'' => quoted(rest, first),
            '{' | '(' => {
                (depth, is_named) = (depth + 1, false);
                1
            }
            '}' | ')' => {
                depth = depth.saturating_sub(1);
                1
            }
            c if is_part(c) => {
                let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
                let word = &rest[..length];
                if is_named {
                    classes.push(word.to_string());
                }
                is_named = depth == 0 && ["class", "interface", "enum", "record"].contains(&word);
                length
            }
            c => {
                is_named &= c.is_whitespace();
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    classes
}

/// How long a text or a character is that begins here.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}
