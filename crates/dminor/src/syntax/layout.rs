//! Long types over several lines: fields, and the parts of unions and intersections, on lines of their own. The tree is the same.

use super::ast::{Type, TypeKind};
use super::print::{self, INTERSECTION, UNION, WHERE, label};

/// The type as text; it begins in this column, and lines should end before that one.
pub fn laid_out(ty: &Type, column: usize, width: usize) -> String {
    let mut layout = Layout { out: String::new(), column, width };
    layout.type_(ty, WHERE, 2);
    layout.out
}

struct Layout {
    out: String,
    column: usize,
    width: usize,
}

impl Layout {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.push_str(&" ".repeat(indent));
        self.column = indent;
    }

    /// Lines that follow begin at the indent.
    fn type_(&mut self, ty: &Type, least: u8, indent: usize) {
        let flat = print::type_at(ty, least);
        if self.column + flat.chars().count() < self.width {
            return self.text(&flat);
        }
        let binds = print::type_binds(ty);
        if binds < least {
            self.text("(");
            self.broken(ty, indent + 2);
            return self.text(")");
        }
        self.broken(ty, indent);
    }

    fn broken(&mut self, ty: &Type, indent: usize) {
        match &ty.kind {
            TypeKind::Entity(fields) => {
                self.text("{");
                for (name, of) in fields {
                    self.line(indent);
                    self.text(&format!("{}: ", label(&name.text)));
                    self.type_(of, WHERE, indent + 2);
                    self.text(";");
                }
                self.line(indent.saturating_sub(2));
                self.text("}");
            }
            TypeKind::And(..) => self.chain(ty, INTERSECTION, "& ", indent),
            TypeKind::Or(..) => self.chain(ty, UNION, "| ", indent),
            TypeKind::Refinement(None, base, condition) => {
                self.type_(base, WHERE, indent);
                self.line(indent);
                self.text(&format!("where {}", print::expression(condition)));
            }
            TypeKind::Refinement(Some(name), base, condition) => {
                self.text(&format!("({}: ", name.text));
                self.type_(base, UNION, indent + 2);
                self.line(indent);
                self.text(&format!("where {})", print::expression(condition)));
            }
            _ => self.text(&print::type_at(ty, WHERE)),
        }
    }

    /// The operands of a chain that leans to the left.
    fn chain(&mut self, ty: &Type, level: u8, sign: &str, indent: usize) {
        let mut operands = Vec::new();
        let mut rest = ty;
        while let (TypeKind::And(a, b), INTERSECTION) | (TypeKind::Or(a, b), UNION) = (&rest.kind, level) {
            operands.push(&**b);
            rest = a;
        }
        self.type_(rest, level, indent);
        for operand in operands.into_iter().rev() {
            self.line(indent);
            self.text(sign);
            self.type_(operand, level + 1, indent + 2);
        }
    }
}
