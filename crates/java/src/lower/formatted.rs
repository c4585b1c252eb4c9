//! `String.format`, `formatted` and `printf` with a format that is a constant: the text is built as by `+`, so what is formatted is asked for
//! its `toString` and the contents of the text are not modelled. Formats that would throw, or that ask for more than a text or a whole number,
//! are none of ours.

use super::body::{Body, Val, expr, sequence, stmt};
use crate::resolve::*;
use ir::{ExprKind, StmtKind, Ty};
use source::Span;

impl Body<'_, '_> {
    /// What is given to a format, with the text of each object in its place: only code knows that.
    pub(super) fn with_texts(&mut self, given: &[ir::Expr]) -> Vec<ir::Expr> {
        let mut given = given.to_vec();
        if let Some(ir::Expr { kind: ExprKind::ArrayLiteral(arguments), .. }) = given.last_mut() {
            for argument in arguments {
                if let Ty::Class(class) = argument.ty {
                    let ty = Type::class(self.low.class_ix(class));
                    *argument = self.text_of(Val { expr: argument.clone(), ty });
                }
            }
        }
        given
    }

    /// What a call of one of them gives; None if it is not of that sort.
    pub(super) fn formatted(
        &mut self,
        info: &MethodInfo,
        receiver: &Option<Val>,
        given: &[ir::Expr],
        span: Span,
    ) -> Option<Val> {
        let (format, arguments) = match (&*info.name, given) {
            ("formatted", [arguments]) => (&receiver.as_ref()?.expr, arguments),
            (_, [format, arguments]) => (format, arguments),
            _ => return None,
        };
        let ExprKind::String(format) = format.kind else { return None };
        let ExprKind::ArrayLiteral(arguments) = &arguments.kind else { return None };
        let conversions = conversions(&self.low.program.strings[format.index()])?;
        if conversions.len() > arguments.len() {
            return None;
        }
        let mut parts = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            let class = match argument.ty {
                Ty::Class(class) => Some(class),
                _ => None,
            };
            let name = class.map_or("", |class| self.low.program.class(class).name.as_str());
            let is_fit = match conversions.get(number) {
                Some('d' | 'x' | 'X' | 'o') => matches!(name, "Integer" | "Long" | "Short" | "Byte"),
                Some('c') => name == "Character",
                Some('b') => name == "Boolean",
                _ => true,
            };
            if !is_fit {
                return None;
            }
            // Without a conversion it is not looked at.
            let is_text = matches!(conversions.get(number), Some('s' | 'S'));
            parts.push(match class.filter(|_| is_text) {
                Some(class) => {
                    let ty = Type::class(self.low.class_ix(class));
                    self.text_of(Val { expr: argument.clone(), ty })
                }
                None => unboxed(argument).clone(),
            });
        }
        let ty = self.low.table.known_type("java.lang.String");
        let ir_ty = self.low.ir_type(&ty);
        let text = expr(ExprKind::Concat(parts), ir_ty, span);
        if self.low.table.class(info.class).name == "String" {
            return Some(Val { expr: text, ty });
        }
        // Printed to nowhere.
        let Val { expr: stream, ty } = receiver.clone()?;
        let mut block = Vec::new();
        let stream = self.bind(stream, &mut block);
        block.push(stmt(StmtKind::Expr(text), span));
        Some(Val { expr: sequence(block, stream), ty })
    }
}

/// A number as it is, if it is put into a box only here.
fn unboxed(e: &ir::Expr) -> &ir::Expr {
    match &e.kind {
        ExprKind::New(_, _, given) if given.len() == 1 && !given[0].ty.is_reference() => &given[0],
        _ => e,
    }
}

/// What a format asks for, one after the other; None for one that is not understood.
fn conversions(format: &str) -> Option<Vec<char>> {
    let mut found = Vec::new();
    let mut rest = format.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let mut next = rest.next()?;
        // Flags and widths of whole numbers, and of texts.
        while next == '-' || next.is_ascii_digit() {
            next = rest.next()?;
        }
        match next {
            '%' | 'n' => {}
            's' | 'S' | 'd' | 'x' | 'X' | 'o' | 'c' | 'b' => found.push(next),
            _ => return None,
        }
    }
    Some(found)
}
