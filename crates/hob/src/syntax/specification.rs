//! Specification modules (`.sl`), scopes (`.scope`, also in `.sl`) and defaults (docs/hob.md, "Specification").
//!
//! The paper's `type t;`, `set S;`, `set S : T;` and `predvar b;` are read as well, and the clauses of a procedure in any order.

use super::ast::{Default, Files, Ident, Invariant, Predicate, ProcSpec, Scope};
use super::ast::{SpecBody, SpecMembers, SpecModule, SpecVariable, SpecVariableKind};
use super::lexer::Kind;
use super::parser::{Mistake, Parsed, Parser};
use source::Diagnostic;

const TOP: [&str; 3] = ["spec", "scope", "default"];
const MEMBERS: [&str; 11] =
    ["format", "type", "specvar", "set", "predvar", "default", "public", "invariant", "predicate", "private", "proc"];
const SCOPE_MEMBERS: [&str; 5] = ["modules", "exports", "public", "invariant", "default"];
const MODULE: &str = "a specification is written `spec module M { … }`";
const SCOPE: &str = "a scope is written `scope C { modules M, N; exports M; invariant B; }`";

/// All that stands in the file, added to the others.
pub(super) fn file(parser: &mut Parser, files: &mut Files) {
    while !parser.at_end() {
        let start = parser.position();
        parser.set_depth(0);
        let read = match parser.kind() {
            Kind::Word("spec") => parser.spec_module().map(|m| files.specs.push(m)),
            Kind::Word("scope") => parser.scope().map(|s| files.scopes.push(s)),
            Kind::Word("default") => parser.default().map(|d| files.defaults.push(d)),
            Kind::Word("impl" | "abst") => {
                let help = "implementations belong in a `.fl` file, abstractions in a `.al` file";
                Err(parser.unexpected("`spec module`, `scope` or `default`", help))
            }
            _ => Err(parser.unexpected("`spec module`, `scope` or `default`", MODULE)),
        };
        if read.is_err() {
            if parser.position() == start {
                parser.advance();
            }
            parser.skip_to_word(&TOP);
        }
    }
}

impl Parser<'_, '_> {
    fn spec_module(&mut self) -> Parsed<SpecModule> {
        let start = self.span();
        self.advance();
        self.expect_word("module", "after `spec`", MODULE)?;
        let name = self.ident("the name of the module", MODULE)?;
        if self.accept("=") {
            let body = SpecBody::Instance(self.instance()?);
            return Ok(SpecModule { name, body, span: self.since(start) });
        }
        let open = self.span();
        self.expect("{", "before the members of the module", MODULE)?;
        let level = self.level();
        let mut members = SpecMembers::default();
        while !self.is("}") && !self.at_end() && !self.is_word("spec") {
            let before = self.position();
            self.set_depth(0);
            if let Err(Mistake) = self.spec_member(&mut members) {
                if self.position() == before {
                    self.advance();
                }
                self.skip_to_member(&MEMBERS, level);
            }
        }
        self.close(open, "`}` after the members of the module")?;
        Ok(SpecModule { name, body: SpecBody::Members(members), span: self.since(start) })
    }

    fn spec_member(&mut self, members: &mut SpecMembers) -> Parsed<()> {
        let Kind::Word(word) = self.kind() else {
            return Err(self.unexpected("`specvar`, `proc` or another member", MODULE));
        };
        match word {
            "format" | "type" => {
                self.advance();
                members.formats.extend(self.idents("the name of a type", "write `format T;`")?);
                self.expect(";", "after the types", "write `format T;`")
            }
            "specvar" | "set" | "predvar" => self.variables(members),
            "default" => self.default().map(|d| members.defaults.push(d)),
            "public" | "invariant" => self.spec_invariant().map(|i| members.invariants.push(i)),
            "predicate" => self.predicate().map(|p| members.predicates.push(p)),
            "private" | "proc" => self.proc_spec().map(|p| members.procs.push(p)),
            _ => {
                let help = "members are `format`, `specvar`, `default`, `invariant`, `predicate` and `proc`";
                Err(self.unexpected("`specvar`, `proc` or another member", help))
            }
        }
    }

    /// `specvar A, B : T set;`, `specvar A : T;`, `specvar b : bool;`, `specvar r : (A * B) set;`, `set S : T;`, `predvar b;`.
    fn variables(&mut self, members: &mut SpecMembers) -> Parsed<()> {
        let help = "write `specvar S : T set;` or `specvar b : bool;`";
        let is_set = self.is_word("set");
        let is_specvar = self.is_word("specvar");
        self.advance();
        let names = self.idents("the name of a set or Boolean", help)?;
        let kind = if is_specvar {
            self.expect(":", "after the names", help)?;
            if self.accept_word("bool") || self.accept_word("boolean") {
                SpecVariableKind::Bool
            } else if self.accept("(") {
                let mut elements = vec![self.ident("the type of the first elements", help)?];
                while self.accept("*") {
                    elements.push(self.ident("the type of the next elements", help)?);
                }
                self.expect(")", "after the types of the elements", help)?;
                self.accept_word("set");
                SpecVariableKind::Relation(elements)
            } else {
                let elements = self.ident("the type of the elements, or `bool`", help)?;
                self.accept_word("set");
                SpecVariableKind::Set(Some(elements))
            }
        } else if is_set {
            let elements = if self.accept(":") { Some(self.ident("the type of the elements", help)?) } else { None };
            self.accept_word("set");
            SpecVariableKind::Set(elements)
        } else {
            if self.accept(":") {
                self.expect_word("bool", "after `:`", help)?;
            }
            SpecVariableKind::Bool
        };
        self.expect(";", "after the declaration", help)?;
        members.variables.extend(names.into_iter().map(|name| SpecVariable { name, kind: kind.clone() }));
        Ok(())
    }

    fn default(&mut self) -> Parsed<Default> {
        let help = "a default is written `default d : pointcut = B;`";
        self.advance();
        let name = self.ident("the name of the default", help)?;
        let mut parameters = Vec::new();
        if self.accept("(") {
            parameters = self.idents("the name of a formal", "write `default d(x) = B;`")?;
            self.expect(")", "after the formals", help)?;
        }
        let pointcut = if self.accept(":") { Some(self.pointcut()?) } else { None };
        self.expect("=", "before the formula of the default", help)?;
        let formula = self.formula()?;
        self.expect(";", "after the default", "an operator is missing, or the `;`")?;
        Ok(Default { name, parameters, pointcut, formula })
    }

    fn spec_invariant(&mut self) -> Parsed<Invariant> {
        let start = self.span();
        let public = self.accept_word("public");
        self.expect_word("invariant", "after `public`", "write `public invariant B;`")?;
        let formula = self.formula()?;
        self.expect(";", "after the invariant", "an operator is missing, or the `;`")?;
        Ok(Invariant { public, formula, span: self.since(start) })
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        let help = "a predicate is written `predicate @p(S, x) = B;`";
        self.advance();
        self.expect("@", "before the name of the predicate", help)?;
        let name = self.ident("the name of the predicate", help)?;
        self.expect("(", "after the name of the predicate", help)?;
        let mut parameters = Vec::new();
        if !self.accept(")") {
            parameters = self.idents("the name of a parameter", help)?;
            self.expect(")", "after the parameters", help)?;
        }
        self.expect("=", "before the formula of the predicate", help)?;
        let formula = self.formula()?;
        self.expect(";", "after the predicate", "an operator is missing, or the `;`")?;
        Ok(Predicate { name, parameters, formula })
    }

    fn proc_spec(&mut self) -> Parsed<ProcSpec> {
        let help = "a procedure is written `proc p(x : T) returns r : U requires B modifies S ensures B;`";
        let start = self.span();
        let private = self.accept_word("private");
        self.expect_word("proc", "after `private`", help)?;
        let name = self.ident("the name of the procedure", help)?;
        let formals = self.formals()?;
        let returns = self.returns()?;
        let mut spec = ProcSpec {
            private,
            name,
            formals,
            returns,
            suspends: Vec::new(),
            requires: None,
            modifies: Vec::new(),
            calls: Vec::new(),
            ensures: None,
            span: start,
        };
        let mut seen: Vec<&str> = Vec::new();
        while let Kind::Word(word @ ("suspends" | "requires" | "modifies" | "calls" | "ensures")) = self.kind() {
            if seen.contains(&word) {
                return Err(self.error_here(
                    format!("a second `{word}` of the same procedure"),
                    "write one of them; conditions are joined by `&`, names by commas",
                ));
            }
            seen.push(word);
            self.advance();
            match word {
                "suspends" => spec.suspends = self.names("the name of a default", "write `suspends d, e`")?,
                "requires" => spec.requires = Some(self.formula()?),
                "modifies" => {
                    spec.modifies = self.names("a set or Boolean that changes", "write `modifies S, M.T`")?;
                }
                "calls" => spec.calls = self.idents("the name of a module", "write `calls M, N`")?,
                _ => spec.ensures = Some(self.formula()?),
            }
        }
        if spec.ensures.is_none() && self.is(";") {
            let name = &spec.name;
            let message = format!("procedure `{}` has no `ensures`", name.text);
            let problem = Diagnostic::error("missing-ensures", name.span, message);
            self.diagnostics
                .push(problem.help("write `ensures true` if it promises nothing but what it leaves as it is"));
        }
        let help = "an operator is missing, or the `;`; clauses are suspends, requires, modifies, calls, ensures";
        self.expect(";", "after the procedure", help)?;
        spec.span = self.since(start);
        Ok(spec)
    }

    fn scope(&mut self) -> Parsed<Scope> {
        let start = self.span();
        self.advance();
        let name = self.ident("the name of the scope", SCOPE)?;
        let open = self.span();
        self.expect("{", "before the members of the scope", SCOPE)?;
        let level = self.level();
        let (mut modules, mut exports): (Vec<Ident>, Vec<Ident>) = (Vec::new(), Vec::new());
        let (mut invariants, mut defaults) = (Vec::new(), Vec::new());
        while !self.is("}") && !self.at_end() && !self.is_word("scope") {
            let before = self.position();
            self.set_depth(0);
            let read = match self.kind() {
                Kind::Word("modules" | "module") => self.modules_of_scope().map(|m| modules.extend(m)),
                Kind::Word("exports" | "export") => self.modules_of_scope().map(|m| exports.extend(m)),
                Kind::Word("public" | "invariant") => self.spec_invariant().map(|i| invariants.push(i)),
                Kind::Word("default") => self.default().map(|d| defaults.push(d)),
                _ => Err(self.unexpected("`modules`, `exports`, `invariant` or `default`", SCOPE)),
            };
            if read.is_err() {
                if self.position() == before {
                    self.advance();
                }
                self.skip_to_member(&SCOPE_MEMBERS, level);
            }
        }
        self.close(open, "`}` after the members of the scope")?;
        Ok(Scope { name, modules, exports, invariants, defaults, span: self.since(start) })
    }

    fn modules_of_scope(&mut self) -> Parsed<Vec<Ident>> {
        self.advance();
        let modules = self.idents("the name of a module", SCOPE)?;
        self.expect(";", "after the modules", SCOPE)?;
        Ok(modules)
    }
}
