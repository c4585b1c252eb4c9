//! Forms as read, shown with every parenthesis: for messages about ambiguity.

use super::forms::Ast;
use super::grammar::Grammar;
use crate::definition::*;

impl Grammar {
    pub fn show(&self, ast: &Ast) -> String {
        match ast {
            Ast::Paren(inner) => self.show(inner),
            Ast::Meta { name, .. } => name.clone(),
            Ast::Node(prod, args) => {
                let production = self.lang.prod(*prod);
                let mut text = String::new();
                for piece in &production.pieces {
                    let next = match piece {
                        Piece::Token(t) => t.clone(),
                        Piece::Arg(k) => self.show(&args[*k]),
                    };
                    if !text.is_empty() {
                        text.push(' ');
                    }
                    text.push_str(&next);
                }
                if production.pieces.len() > 1 { format!("({text})") } else { text }
            }
            Ast::Any(_) => "_".to_string(),
            Ast::Hole(_) => "[]".to_string(),
            Ast::Error => "error".to_string(),
            Ast::Int(n) => n.to_string(),
            Ast::Atom(sort, k) => format!("'{}{k}'", self.lang.sort(*sort).name),
            Ast::Subst { body, pairs } => {
                let pairs: Vec<String> =
                    pairs.iter().map(|(by, x)| format!("{}/{}", self.show(by), self.show(x))).collect();
                format!("{}[{}]", self.show(body), pairs.join(", "))
            }
            Ast::Lookup { store, key } => format!("{}({})", self.show(store), self.show(key)),
            Ast::Update { store, key, value } => {
                format!("{}[{} ↦ {}]", self.show(store), self.show(key), self.show(value))
            }
            Ast::Call(fun, args) => {
                let args: Vec<String> = args.iter().map(|a| self.show(a)).collect();
                format!("{}({})", self.lang.fun(*fun).name, args.join(", "))
            }
            Ast::Arith(op, a, b) => {
                let op = match op {
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                };
                format!("({} {op} {})", self.show(a), self.show(b))
            }
        }
    }
}
