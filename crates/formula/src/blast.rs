//! Terms as bits, for the exact solver only (docs/engine.md, "Keys as an order"): two's complement, least significant first, the last bit
//! is the sign. Built as if nothing were known. A variable's bits come with the side condition that it lies in its range.

use crate::graph::{Graph, Lit, Node};
use crate::linear::Linear;
use crate::term::{IntOp, IntTy, Term, TermId};

type Bits = Vec<Lit>;

/// Bits of two's complement that hold both numbers.
fn width(lo: i128, hi: i128) -> usize {
    let bits = |v: i128| 129 - if v < 0 { (!v).leading_zeros() } else { v.leading_zeros() } as usize;
    bits(lo).max(bits(hi))
}

fn sign(bits: &[Lit]) -> Lit {
    bits.last().copied().unwrap_or(Lit::FALSE)
}

fn constant(value: i128, width: usize) -> Bits {
    (0..width).map(|i| Lit::constant(value >> i.min(127) & 1 == 1)).collect()
}

/// Sign-extended or cut to the width.
fn resize(bits: &[Lit], width: usize) -> Bits {
    (0..width).map(|i| bits.get(i).copied().unwrap_or(sign(bits))).collect()
}

impl Graph {
    /// A formula over Boolean variables that is equivalent to a comparison, given the [side conditions](Graph::range_conditions).
    pub fn definition(&mut self, id: crate::NodeId) -> Lit {
        if let Some(&lit) = self.definitions.get(&id) {
            return lit;
        }
        let node = self.node(id);
        let lit = self.blank(|g| match node {
            Node::True | Node::Var | Node::And(..) => Lit::new(id, true),
            Node::AtMost(term, most) => {
                let bits = g.bits(term);
                g.le_bits(&bits, &constant(most.into(), 65))
            }
            Node::Difference(d) => {
                let (x, y) = (g.bits(d.x), g.bits(d.y));
                let w = x.len().max(y.len()).max(width(d.most.into(), d.most.into())) + 1;
                let right = g.add_bits(&resize(&y, w), &constant(d.most.into(), w), Lit::FALSE);
                g.le_bits(&x, &right)
            }
            Node::LinearLe(linear) => {
                let bits = g.linear_bits(&g.linear(linear).clone());
                let zero = constant(0, 1);
                g.le_bits(&bits, &zero)
            }
            Node::LinearEq(linear) => {
                let bits = g.linear_bits(&g.linear(linear).clone());
                !g.or_all(bits)
            }
        });
        self.definitions.insert(id, lit);
        lit
    }

    /// Conditions on the bits of all variables blasted so far, oldest first: to be asserted in every solver, whether or not it
    /// has met the variable, because evaluation reads the bits.
    pub fn range_conditions(&self) -> &[Lit] {
        &self.range_conditions
    }

    pub fn is_blasted(&self, term: TermId) -> bool {
        self.blasted.contains_key(&term)
    }

    /// The bits of a variable, if it was blasted.
    pub(crate) fn variable_bits(&self, term: TermId) -> Option<&[Lit]> {
        self.blasted.get(&term).map(|b| &b[..])
    }

    pub(crate) fn le_by_bits(&mut self, a: TermId, b: TermId) -> Lit {
        let (x, y) = (self.bits(a), self.bits(b));
        self.le_bits(&x, &y)
    }

    pub(crate) fn eq_by_bits(&mut self, a: TermId, b: TermId) -> Lit {
        let (x, y) = (self.bits(a), self.bits(b));
        let w = x.len().max(y.len());
        let (x, y) = (resize(&x, w), resize(&y, w));
        let mut all = Lit::TRUE;
        for i in 0..w {
            let same = self.iff(x[i], y[i]);
            all = self.and(all, same);
        }
        all
    }

    pub(crate) fn bits(&mut self, term: TermId) -> Bits {
        if let Some(bits) = self.blasted.get(&term) {
            return bits.clone();
        }
        let (lo, hi) = self.interval(term);
        let w = width(lo.into(), hi.into());
        let bits = match self.term(term) {
            Term::Const(value) => constant(value.into(), w),
            Term::Var(_) => {
                let mut bits: Bits = (0..w).map(|_| self.var()).collect();
                for (i, bit) in bits.iter().enumerate() {
                    self.bit_of.insert(bit.node(), (term, i as u32));
                }
                if lo >= 0 {
                    bits[w - 1] = Lit::FALSE;
                }
                let least = self.le_bits(&constant(lo.into(), w), &bits);
                let most = self.le_bits(&bits, &constant(hi.into(), w));
                self.range_conditions.extend([least, most].into_iter().filter(|&l| l != Lit::TRUE));
                bits
            }
            Term::Ite(c, a, b) => {
                let (a, b) = (self.bits(a), self.bits(b));
                self.mux(c, &resize(&a, w), &resize(&b, w))
            }
            Term::Sum(id) => resize(&self.linear_bits(&self.linear(id).clone()), w),
            Term::Wrap(ty, a) => {
                let a = self.bits(a);
                let mut low = resize(&a, ty.bits());
                if ty == IntTy::U16 {
                    low.push(Lit::FALSE);
                }
                resize(&low, w)
            }
            Term::Op(op, ty, a, b) => {
                let (a, b) = (self.bits(a), self.bits(b));
                let full = self.op_bits(op, ty, &a, &b, w);
                resize(&full, w)
            }
        };
        self.blasted.insert(term, bits.clone());
        bits
    }

    fn linear_bits(&mut self, linear: &Linear) -> Bits {
        let (lo, hi) = self.linear_interval(linear);
        // Modulo 2^w throughout: only the result must fit.
        let w = width(lo, hi);
        let mut sum = constant(linear.constant.into(), w);
        for &(term, coefficient) in &linear.terms {
            let bits = resize(&self.bits(term), w);
            for shift in 0..u64::BITS as usize {
                if coefficient.unsigned_abs() >> shift & 1 == 0 {
                    continue;
                }
                let shifted: Bits = (0..w).map(|i| if i < shift { Lit::FALSE } else { bits[i - shift] }).collect();
                sum = if coefficient > 0 {
                    self.add_bits(&sum, &shifted, Lit::FALSE)
                } else {
                    let inverted: Bits = shifted.iter().map(|&b| !b).collect();
                    self.add_bits(&sum, &inverted, Lit::TRUE)
                };
            }
        }
        sum
    }

    fn mux(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Bits {
        a.iter().zip(b).map(|(&a, &b)| self.select(c, a, b)).collect()
    }

    fn add_bits(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Bits {
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            let (both, through) = (self.and(x, y), self.and(half, carry));
            carry = self.or(both, through);
        }
        sum
    }

    fn negate_bits(&mut self, a: &[Lit]) -> Bits {
        let inverted: Bits = a.iter().map(|&b| !b).collect();
        self.add_bits(&inverted, &constant(0, a.len()), Lit::TRUE)
    }

    /// a <= b, signed.
    fn le_bits(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let w = a.len().max(b.len());
        let (mut a, mut b) = (resize(a, w), resize(b, w));
        // With the sign bits inverted, the order is that of unsigned numbers.
        a[w - 1] = !a[w - 1];
        b[w - 1] = !b[w - 1];
        let mut le = Lit::TRUE;
        for i in 0..w {
            let (less, same) = (self.and(!a[i], b[i]), self.iff(a[i], b[i]));
            let keep = self.and(same, le);
            le = self.or(less, keep);
        }
        le
    }

    /// The operator's result, right in its lowest `needed` bits at least.
    fn op_bits(&mut self, op: IntOp, ty: IntTy, a: &[Lit], b: &[Lit], needed: usize) -> Bits {
        let w = ty.bits();
        match op {
            IntOp::Add => self.add_bits(&resize(a, w), &resize(b, w), Lit::FALSE),
            IntOp::Sub => {
                let inverted: Bits = resize(b, w).iter().map(|&b| !b).collect();
                self.add_bits(&resize(a, w), &inverted, Lit::TRUE)
            }
            IntOp::Mul => {
                let w = needed.min(w);
                let (a, b) = (resize(a, w), resize(b, w));
                let mut sum = constant(0, w);
                for (shift, &bit) in b.iter().enumerate() {
                    let mut part = Vec::with_capacity(w);
                    for i in 0..w {
                        part.push(if i < shift { Lit::FALSE } else { self.and(bit, a[i - shift]) });
                    }
                    sum = self.add_bits(&sum, &part, Lit::FALSE);
                }
                sum
            }
            IntOp::Div | IntOp::Rem => {
                // MIN / -1 wraps: computed one bit wider, then cut to the type by the caller's width.
                let wide = (a.len().max(b.len()) + 1).min(w + 1);
                let (quotient, remainder) = self.divide(&resize(a, wide), &resize(b, wide));
                let result = if op == IntOp::Div { quotient } else { remainder };
                // By zero it is zero, as for the evaluator: where the value matters the divisor is another.
                let is_zero = b.iter().fold(Lit::TRUE, |zero, &bit| self.and(zero, !bit));
                let result: Bits = result.iter().map(|&bit| self.and(bit, !is_zero)).collect();
                resize(&result, w.min(result.len()))
            }
            IntOp::And => self.zip_bits(a, b, Graph::and),
            IntOp::Or => self.zip_bits(a, b, Graph::or),
            IntOp::Xor => self.zip_bits(a, b, Graph::xor),
            IntOp::Shl | IntOp::Shr | IntOp::UShr => {
                let mut bits = resize(a, w);
                let stages = if w == 64 { 6 } else { 5 };
                for (stage, &bit) in resize(b, stages).iter().enumerate() {
                    let distance = 1 << stage;
                    let fill = if op == IntOp::Shr { sign(&bits) } else { Lit::FALSE };
                    let shifted: Bits = (0..w)
                        .map(|i| match op {
                            IntOp::Shl if i < distance => Lit::FALSE,
                            IntOp::Shl => bits[i - distance],
                            _ => bits.get(i + distance).copied().unwrap_or(fill),
                        })
                        .collect();
                    bits = self.mux(bit, &shifted, &bits);
                }
                bits
            }
        }
    }

    fn zip_bits(&mut self, a: &[Lit], b: &[Lit], f: impl Fn(&mut Graph, Lit, Lit) -> Lit) -> Bits {
        let w = a.len().max(b.len());
        let (a, b) = (resize(a, w), resize(b, w));
        a.iter().zip(&b).map(|(&a, &b)| f(self, a, b)).collect()
    }

    /// Truncating division by restoring subtraction on magnitudes.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let w = a.len();
        let (sign_a, sign_b) = (sign(a), sign(b));
        let (minus_a, minus_b) = (self.negate_bits(a), self.negate_bits(b));
        let (dividend, divisor) = (self.mux(sign_a, &minus_a, a), self.mux(sign_b, &minus_b, b));
        // One more bit: the partial remainder is shifted before it is compared.
        let mut divisor = divisor;
        divisor.push(Lit::FALSE);
        let mut remainder = constant(0, w + 1);
        let mut quotient = constant(0, w);
        for i in (0..w).rev() {
            remainder.rotate_right(1);
            remainder[0] = dividend[i];
            let fits = self.le_bits(&divisor, &remainder);
            let inverted: Bits = divisor.iter().map(|&b| !b).collect();
            let reduced = self.add_bits(&remainder, &inverted, Lit::TRUE);
            remainder = self.mux(fits, &reduced, &remainder);
            quotient[i] = fits;
        }
        remainder.truncate(w);
        let negative = self.xor(sign_a, sign_b);
        let (minus_q, minus_r) = (self.negate_bits(&quotient), self.negate_bits(&remainder));
        (self.mux(negative, &minus_q, &quotient), self.mux(sign_a, &minus_r, &remainder))
    }
}
