//! How states of a class are shown: by its method with `@Show`, else by its `toString`.

use super::Picker;
use super::against::lineage;
use crate::lower::Show;
use crate::resolve::*;
use source::Diagnostic;

impl Picker<'_> {
    pub fn find_show(&mut self, class: ClassIx) {
        let string = self.low.table.known_type("java.lang.String");
        let mut found: Option<Show> = None;
        for (c, _) in lineage(&mut self.low.table, class) {
            for &method in &self.low.table.members(c).methods.clone() {
                let info = self.low.table.method(method).clone();
                let is_fit = info.params.is_empty() && !info.is_static && !info.is_abstract && info.ret == string;
                let is_marked = self.has(method, "Show");
                if is_marked && !is_fit {
                    let message = format!("`{}` cannot show a state", info.name);
                    let help = "`@Show` marks a method of an object that has no parameters and returns a String";
                    self.low.error(Diagnostic::error("bad-show", info.span, message).help(help));
                    return;
                }
                let is_better = found.is_none_or(|f| is_marked && !f.is_marked);
                if is_better && is_fit && (is_marked || self.with_to_string && &*info.name == "toString") {
                    found = Some(Show { class: self.low.class_id(class), method, is_marked });
                }
            }
        }
        self.low.shows.extend(found);
    }
}
