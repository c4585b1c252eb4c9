//! Which languages of which files are checked, with which bounds.

use super::Language;
use lang::extension;
use lang::syntax::{self, read_bounds};
use source::{Diagnostic, FileId, Severity, SourceMap};
use work::Stop;

/// What of the files is wanted.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Only this language.
    pub language: Option<String>,
    /// Only this check.
    pub check: Option<String>,
    /// Other bounds than the file's, as `t: size 12  T: depth 2`.
    pub bounds: Option<String>,
}

/// The languages, and what is to be said about them; with an error among that, nothing should be checked. Nothing if `stop` is due before.
pub fn load(
    files: &[FileId],
    sources: &mut SourceMap,
    choice: &Choice,
    stop: &Stop,
) -> (Vec<Language>, Vec<Diagnostic>) {
    let (mut languages, mut problems) = (Vec::new(), Vec::new());
    for id in files {
        // Without time for it, nothing is known of any of them.
        let Some(file) = syntax::parse_until(&sources.file(*id).text, *id, stop) else {
            return (Vec::new(), Vec::new());
        };
        problems.extend(file.diagnostics.iter().cloned());
        let name = sources.file(*id).name.clone();
        for lang in file.languages.iter().flatten() {
            if choice.language.as_ref().is_some_and(|n| *n != lang.name) {
                continue;
            }
            let mut base = lang.extends.filter(|_| lang.assumes_base).and_then(|k| file.languages[k].clone());
            if let Some(assumed) = &base
                && let Err(problem) = extension::inherits(assumed, lang)
            {
                problems.push(problem);
                base = None;
            }
            languages.push(Language { lang: lang.clone(), base, file: name.clone() });
        }
    }
    if !problems.iter().any(|p| p.severity == Severity::Error) {
        problems.extend(missing(&languages, choice));
        problems.extend(with_bounds(&mut languages, sources, choice));
    }
    (languages, problems)
}

fn missing(languages: &[Language], choice: &Choice) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    if let Some(name) = choice.language.as_ref().filter(|_| languages.is_empty()) {
        let message = format!("there is no language {name} here");
        problems.push(Diagnostic::error("N1", None, message).help("a language is named after the word 'language'"));
    }
    if let Some(name) = &choice.check
        && !languages.iter().any(|l| l.lang.checks.iter().any(|c| c.name == *name))
    {
        let mut names: Vec<&str> = languages.iter().flat_map(|l| &l.lang.checks).map(|c| c.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let message = format!("there is no check {name} here");
        problems.push(Diagnostic::error("N1", None, message).help(format!("there are: {}", names.join(", "))));
    }
    for language in languages.iter().filter(|l| l.lang.checks.is_empty()) {
        let message = format!("the language {} has no check: nothing would be checked", language.lang.name);
        let problem = Diagnostic::error("V1", language.lang.span, message);
        problems.push(problem.help("for instance: check progress : · ⊢ t : T => t is v or t steps"));
    }
    problems
}

/// They win over those of the file and of a check.
fn with_bounds(languages: &mut [Language], sources: &mut SourceMap, choice: &Choice) -> Option<Diagnostic> {
    let text = choice.bounds.as_ref()?;
    let id = sources.add("--bounds", text.clone());
    for language in languages {
        match read_bounds(&language.lang, text, id) {
            Ok(bounds) => {
                language.lang.bounds.extend(bounds.iter().copied());
                language.lang.checks.iter_mut().for_each(|c| c.bounds.extend(bounds.iter().copied()));
            }
            // The same text is wrong for every language, most likely: once is enough.
            Err(problem) => return Some(problem),
        }
    }
    None
}
