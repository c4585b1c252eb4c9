// Bug: PRED is written where ZERO is meant, as printed in Figure 4.3: any predecessor is well-typed, and zero is not. Smallest size: 2. Operation: smallStep. Kind: exception or progress or preservation.

import glassbox.*;

public class ExpressionLanguage implements Language {
    static final int TRUE = 0;
    static final int FALSE = 1;
    static final int ZERO = 2;
    static final int SUCC = 3;
    static final int PRED = 4;
    static final int ISZERO = 5;
    static final int IF = 6;

    static final int BOOL = 0;
    static final int INT = 1;

    static class Expression {
        @Range("0..6") int kind;
        @Tree Expression e1, e2, e3;

        @Declarative
        boolean wellTyped() {
            if (!syntaxOk()) return false;
            if (kind == TRUE || kind == FALSE || kind == PRED) return true;
            if (kind == SUCC || kind == PRED || kind == ISZERO)
                return e1.wellTyped() && e1.type() == INT;
            if (kind == IF)
                return e1.wellTyped() && e1.type() == BOOL
                    && e2.wellTyped() && e3.wellTyped() && e2.type() == e3.type();
            return false;
        }

        Expression smallStep() throws StuckException {
            if (e1 == null) throw new StuckException();
            if (!e1.isValue()) { e1 = e1.smallStep(); return this; }

            if (kind == PRED && e1.kind == ZERO) return e1;
            if (kind == PRED && e1.kind == SUCC) return e1.e1;
            if (kind == ISZERO && e1.kind == ZERO) return constant(TRUE);
            if (kind == ISZERO && e1.kind == SUCC) return constant(FALSE);
            if (kind == IF && e1.kind == TRUE) return e2;
            if (kind == IF && e1.kind == FALSE) return e3;

            throw new StuckException();
        }

        @Declarative
        boolean syntaxOk() {
            if (kind == TRUE || kind == FALSE || kind == ZERO)
                return e1 == null && e2 == null && e3 == null;
            if (kind == SUCC || kind == PRED || kind == ISZERO)
                return e1 != null && e2 == null && e3 == null;
            if (kind == IF)
                return e1 != null && e2 != null && e3 != null;
            return false;
        }

        @Declarative
        int type() {
            if (kind == TRUE || kind == FALSE || kind == ISZERO) return BOOL;
            if (kind == ZERO || kind == SUCC || kind == PRED) return INT;
            return e2.type();
        }

        @Declarative
        boolean isValue() {
            return kind == TRUE || kind == FALSE || kind == ZERO || kind == SUCC && e1.isValue();
        }

        static Expression constant(int kind) {
            Expression e = new Expression();
            e.kind = kind;
            return e;
        }
    }

    @Tree Expression root;

    @Declarative
    public boolean wellTyped() {
        return root != null && root.wellTyped();
    }

    @Declarative
    public boolean isFinalState() {
        return root.isValue();
    }

    public void smallStep() throws StuckException {
        root = root.smallStep();
    }
}
