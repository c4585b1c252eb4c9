//! What the parser expects at each place of the grammar, and what to do where something else is found.

use super::lexer::Kind;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expected {
    Declaration,
    ModuleName,
    ModuleOpen,
    TypeName,
    TypeColon,
    TypeEnd,
    FunctionName,
    ParametersOpen,
    Parameter,
    ParameterColon,
    ParametersClose,
    ResultColon,
    BodyOpen,
    BodyClose,
    Type,
    EndOfType,
    TypeClose,
    RefinedColon,
    RefinedWhere,
    FieldColon,
    FieldEnd,
    FieldsOrExpression,
    MembersClose,
    SingletonClose,
    Expression,
    Operand,
    ExpressionClose,
    Variable,
    LetEquals,
    LetIn,
    FromIn,
    Accumulate,
    Select,
    SelectOfChosen,
    OtherCase,
    Function,
    ArgumentsOpen,
    ArgumentsClose,
    Label,
    LabelArrow,
    EntityClose,
    CollectionClose,
}

use Expected as E;

impl Expected {
    /// The symbol or word of the language, where it is one, and more in words.
    fn parts(self) -> (Option<&'static str>, &'static str) {
        let token = |token, place| (Some(token), place);
        match self {
            E::Declaration => (None, "a declaration"),
            E::ModuleName => (None, "the name of the module"),
            E::ModuleOpen => token("{", "after the name of the module"),
            E::TypeName => (None, "the name of the type"),
            E::TypeColon => token(":", "after the name of the type"),
            E::TypeEnd => token(";", "after the type"),
            E::FunctionName => (None, "the name of a function"),
            E::ParametersOpen => token("(", "after the name of the function"),
            E::Parameter => (None, "a parameter"),
            E::ParameterColon => token(":", "and the type of the parameter"),
            E::ParametersClose => token(")", "after the parameters"),
            E::ResultColon => token(":", "and the type of the result"),
            E::BodyOpen => token("{", "before the body of the function"),
            E::BodyClose => token("}", "after the body of the function"),
            E::Type => (None, "a type"),
            E::EndOfType => (None, "the end of the type"),
            E::TypeClose => token(")", "after the type"),
            E::RefinedColon => token(":", "after the variable"),
            E::RefinedWhere => token("where", "after the type of the variable"),
            E::FieldColon => token(":", "after the label"),
            E::FieldEnd => token(";", "or `}` after the type of the field"),
            E::FieldsOrExpression => (None, "the fields of an entity, or an expression"),
            E::MembersClose => token("}", "after the type of the collection"),
            E::SingletonClose => token("}", "after the expression of a singleton type"),
            E::Expression => (None, "an expression"),
            E::Operand => (None, "an operand"),
            E::ExpressionClose => token(")", "after the expression"),
            E::Variable => (None, "a variable"),
            E::LetEquals => token("=", "after the variable"),
            E::LetIn => token("in", "and an expression after `let`"),
            E::FromIn => token("in", "after the variable"),
            E::Accumulate => token("accumulate", "after the first value of the accumulator"),
            E::Select => token("select", "(or `let … accumulate`) after `from`"),
            E::SelectOfChosen => token("select", "after the condition of `from`"),
            E::OtherCase => token(":", "and the other case of `?`"),
            E::Function => (None, "a function"),
            E::ArgumentsOpen => token("(", "after the function"),
            E::ArgumentsClose => token(")", "or `,` after an argument"),
            E::Label => (None, "a label"),
            E::LabelArrow => token("=>", "after the label"),
            E::EntityClose => token("}", "or `,` after a field of an entity"),
            E::CollectionClose => token("}", "or `,` after a member of a collection"),
        }
    }

    pub fn token(self) -> Option<&'static str> {
        self.parts().0
    }

    /// As it follows "expected".
    pub fn text(self) -> String {
        match self.parts() {
            (Some(token), place) => format!("`{token}` {place}"),
            (None, what) => what.to_string(),
        }
    }

    /// What to do where this is found in its place, after that.
    pub fn advice(self, found: &Kind, before: Option<&Kind>) -> &'static str {
        let is_name_before = |name: &str| matches!(before, Some(Kind::Name(n)) if n == name);
        match (self, found) {
            (E::ParameterColon, _) => "every parameter has a type: f(x: Integer, y: Any) : T { e }",
            (E::ResultColon, _) => "every function has a type for its result: f(x: Integer) : T { e }",
            (E::BodyOpen, _) => "the body of a function is an expression in braces: { e }",
            (E::ModuleName | E::ModuleOpen, _) => "a module is written `module Name { … }`",
            (E::TypeName | E::TypeColon, _) => "a type is declared as `type Name : T;`",
            (E::OtherCase, _) => "a condition has two cases: c ? a : b",
            (E::LetIn, _) => "write `let x = e in e'`",
            (E::SelectOfChosen, Kind::Keyword("let")) => {
                "`where` goes with `select`: an accumulate leaves members out by `let y = e accumulate p ? e' : y`"
            }
            (E::Accumulate | E::Select | E::SelectOfChosen, _) => {
                "write `from x in c select e`, `from x in c where p select e` or `from x in c let y = e accumulate e'`"
            }
            (E::FromIn, _) => "write `from x in c select e`",
            (E::RefinedWhere, _) => "write `(x: T where e)`, or the type alone in parentheses",
            (E::Label, Kind::Number(_)) => {
                "in an entity every part has a label: {a => 1}; collections have no positions"
            }
            (E::Expression, Kind::Symbol(")")) => "remove the comma, or write an expression after it",
            (E::Expression, Kind::Symbol("}")) => "an expression is missing here; there is no empty body",
            (E::ArgumentsClose | E::ExpressionClose | E::ParametersClose | E::TypeClose, Kind::Symbol("}")) => {
                "a parenthesis is not closed"
            }
            (E::ParametersClose, Kind::Symbol(":")) => "close the parameters with `)` before the type of the result",
            (_, Kind::Symbol("=")) => "equality is written `==`; a field of an entity `label => value`",
            (_, Kind::Symbol("&")) => "in an expression, write `&&`",
            (_, Kind::Symbol("|")) => "in an expression, write `||`; a singleton type holds one expression",
            (E::TypeEnd | E::FieldEnd, Kind::Symbol("," | "}")) => {
                "fields of a type are separated by `;`: {a: Integer; b: Text;}"
            }
            (E::LabelArrow, Kind::Symbol(",")) => "either all parts of the braces have a label, or none",
            (
                E::LabelArrow
                | E::EntityClose
                | E::CollectionClose
                | E::MembersClose
                | E::SingletonClose
                | E::BodyClose
                | E::FieldEnd,
                Kind::Symbol(":"),
            ) => "a field of an entity is written `label => value`; put an ascription in parentheses: (e : T)",
            (_, Kind::Symbol(":")) => "put an ascription in parentheses: (e : T)",
            (_, Kind::Symbol("*" | "?")) => "after `in`, put such a type in parentheses: x in (Integer*)",
            (_, Kind::Symbol("=>")) => "all parts of an entity have a label: {a => 1, b => 2}",
            (E::Type, Kind::Symbol("}")) => "an empty entity type is not needed: every entity is in `!(Any*) & …`",
            (_, Kind::Symbol(";")) => "expressions do not end with `;`; only type declarations and fields of types do",
            (_, Kind::Name(n)) if n == "then" || n == "else" => "a condition is written `c ? a : b`",
            (_, Kind::Name(n)) if n == "and" || n == "or" || n == "not" => "write `&&`, `||` and `!`",
            (_, Kind::Name(n)) if n == "return" => "the body of a function is an expression; there is no `return`",
            _ if is_name_before("if") => "a condition is written `c ? a : b`",
            _ if is_name_before("return") => "the body of a function is an expression; there is no `return`",
            (_, Kind::Keyword("in")) => {
                "an `in` ends the expression after `let x =`; put a type test there in parentheses"
            }
            (_, Kind::Keyword("where")) => "put the type before `where` in parentheses: (x: T where e)",
            (_, Kind::End) => "a bracket may not be closed",
            (E::TypeEnd | E::FieldEnd, _) => "a type declaration ends with `;`",
            (E::Declaration, _) => "a type is `type Name : T;`, a function `name(x: T) : U { e }`",
            _ => "look for a bracket, comma or operator too many or too few",
        }
    }
}
