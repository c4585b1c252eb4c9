//! Abstraction modules (`.al`; docs/hob.md, "Abstraction"): which plugin, what the sets are, which Booleans are variables.
//!
//! Sections of plugins that are not ours may say what we do not know: it is passed over, and the section says so.

use super::ast::{AbstBody, AbstModule, PluginUse, SetDefinition};
use super::lexer::Kind;
use super::parser::{Mistake, Parsed, Parser};
use source::Span;

const MODULE: &str = "an abstraction is written `abst module M { use plugin \"flags\"; S = { x : T | \"x.f = 1\" }; }`";
const SET: &str = "a set is `{ x : T | \"x.f = 1\" }`, a name, or several of them joined by `+` and `cap`";

pub(super) fn modules(parser: &mut Parser) -> Vec<AbstModule> {
    let mut modules = Vec::new();
    while !parser.at_end() {
        let start = parser.position();
        parser.set_depth(0);
        match parser.abst_module() {
            Ok(module) => modules.push(module),
            Err(Mistake) => {
                if parser.position() == start {
                    parser.advance();
                }
                parser.skip_to_word(&["abst"]);
            }
        }
    }
    modules
}

impl Parser<'_, '_> {
    fn abst_module(&mut self) -> Parsed<AbstModule> {
        let start = self.span();
        self.expect_word("abst", "before a module", MODULE)?;
        self.expect_word("module", "after `abst`", MODULE)?;
        let name = self.ident("the name of the module", MODULE)?;
        if self.accept("=") {
            let body = AbstBody::Instance(self.instance()?);
            return Ok(AbstModule { name, body, span: self.since(start) });
        }
        let open = self.span();
        self.expect("{", "before the members of the module", MODULE)?;
        let level = self.level();
        let mut plugins: Vec<PluginUse> = Vec::new();
        while !self.is("}") && !self.at_end() && !self.is_word("abst") {
            let before = self.position();
            self.set_depth(0);
            let read = if self.is_word("use") {
                self.use_plugin().map(|plugin| plugins.push(plugin))
            } else {
                match plugins.last_mut() {
                    Some(plugin) => self.item(plugin),
                    None => Err(self.unexpected("`use plugin`", MODULE)),
                }
            };
            if read.is_err() {
                self.skip_item(before, level);
            }
        }
        self.close(open, "`}` after the members of the module")?;
        Ok(AbstModule { name, body: AbstBody::Plugins(plugins), span: self.since(start) })
    }

    /// Behind the next `;`, or before the brace that closes what was open at that level.
    fn skip_item(&mut self, before: usize, level: u32) {
        if self.position() == before {
            self.advance();
        }
        while !(self.at_end() || self.is("}") && self.level() <= level) {
            let ends = self.is(";") && self.level() <= level;
            self.advance();
            if ends {
                return;
            }
        }
    }

    fn use_plugin(&mut self) -> Parsed<PluginUse> {
        let help = "write `use plugin \"flags\";`, or `use plugin \"flags\" for { … procs p, q; }`";
        let start: Span = self.span();
        self.advance();
        self.expect_word("plugin", "after `use`", help)?;
        let plugin = self.quoted("the name of the plugin in quotes", help)?;
        let span = self.since(start);
        let mut plugin = PluginUse {
            plugin,
            sets: Vec::new(),
            predvars: Vec::new(),
            invariants: Vec::new(),
            formats: Vec::new(),
            unread: None,
            procs: None,
            span,
        };
        if self.accept(";") {
            return Ok(plugin);
        }
        self.expect_word("for", "after the plugin", help)?;
        let open = self.span();
        self.expect("{", "after `for`", help)?;
        let level = self.level();
        while !self.is("}") && !self.at_end() {
            let before = self.position();
            let read = if self.is_word("procs") && !self.symbol_ahead(1, "=") {
                self.advance();
                let names = self.idents("the name of a procedure", "write `procs p, q;`");
                names.and_then(|names| {
                    plugin.procs.get_or_insert_with(Vec::new).extend(names);
                    self.expect(";", "after the procedures", help)
                })
            } else {
                self.item(&mut plugin)
            };
            if read.is_err() {
                self.skip_item(before, level);
            }
        }
        self.close(open, "`}` after the plugin")?;
        self.accept(";");
        plugin.procs.get_or_insert_with(Vec::new);
        Ok(plugin)
    }

    fn item(&mut self, plugin: &mut PluginUse) -> Parsed<()> {
        if matches!(plugin.plugin.text.as_str(), "flags" | "flag" | "bounded") {
            return self.known_item(plugin);
        }
        let (known, span) = (self.diagnostics.len(), self.span());
        let read = self.known_item(plugin);
        if read.is_err() {
            let problem = self.diagnostics.drain(known..).next();
            let reason = problem.map(|problem| (problem.span.unwrap_or(span), problem.message));
            plugin.unread.get_or_insert((span, reason));
        }
        read
    }

    /// `{ … }`, with whatever is in it.
    fn skip_braces(&mut self) {
        let level = self.level();
        self.advance();
        while !self.at_end() && self.level() > level {
            self.advance();
        }
    }

    fn known_item(&mut self, plugin: &mut PluginUse) -> Parsed<()> {
        let is_definition = self.symbol_ahead(1, "=");
        match self.kind() {
            Kind::Word("format") if !is_definition => {
                let format = self.format()?;
                self.accept(";");
                plugin.formats.push(format);
                Ok(())
            }
            // Hints of a shape analysis for one procedure: they mean nothing by themselves.
            Kind::Word("proc") if !is_definition => {
                self.advance();
                self.ident("the name of a procedure", MODULE)?;
                if !self.is("{") {
                    return Err(self.unexpected("`{`", MODULE));
                }
                self.skip_braces();
                self.accept(";");
                Ok(())
            }
            Kind::Word("predvar") if !is_definition => {
                self.advance();
                plugin.predvars.extend(self.idents("a Boolean", "write `predvar b;`")?);
                self.expect(";", "after the Boolean", "write `predvar b;`")
            }
            Kind::Word("invariant") if !is_definition => {
                self.advance();
                plugin.invariants.push(self.quoted("a formula in quotes", "write `invariant \"…\";`")?);
                self.expect(";", "after the invariant", "write `invariant \"…\";`")
            }
            _ => {
                let name = self.ident("a set to define, `predvar` or `invariant`", MODULE)?;
                self.expect("=", "after the name of the set", SET)?;
                self.fresh_links();
                let definition = self.union()?;
                self.expect(";", "after the definition", SET)?;
                plugin.sets.push((name, definition));
                Ok(())
            }
        }
    }

    fn union(&mut self) -> Parsed<SetDefinition> {
        let mut left = self.intersection()?;
        while self.accept("+") {
            self.link()?;
            left = SetDefinition::Union(Box::new(left), Box::new(self.intersection()?));
        }
        Ok(left)
    }

    fn intersection(&mut self) -> Parsed<SetDefinition> {
        let mut left = self.set_atom()?;
        while self.is_word("cap") || self.is_word("inter") {
            self.advance();
            self.link()?;
            left = SetDefinition::Intersection(Box::new(left), Box::new(self.set_atom()?));
        }
        Ok(left)
    }

    fn set_atom(&mut self) -> Parsed<SetDefinition> {
        match self.kind() {
            Kind::Symbol("(") => {
                self.enter()?;
                self.advance();
                let inner = self.union()?;
                self.expect(")", "after the set", SET)?;
                self.leave();
                Ok(inner)
            }
            Kind::Symbol("{") => {
                self.advance();
                let variable = self.ident("a variable", SET)?;
                self.expect(":", "after the variable", SET)?;
                let elements = self.ident("the type of the elements", SET)?;
                self.expect("|", "after the type", SET)?;
                let predicate = self.quoted("a condition in quotes", SET)?;
                self.expect("}", "after the condition", SET)?;
                Ok(SetDefinition::Comprehension { variable, elements, predicate })
            }
            Kind::Text(_) => Err(self.unexpected(
                "a set, or `predvar b;` for a Boolean",
                "a Boolean is a variable of the module: write `predvar b;`",
            )),
            _ => Ok(SetDefinition::Named(self.ident("a set", SET)?)),
        }
    }
}
