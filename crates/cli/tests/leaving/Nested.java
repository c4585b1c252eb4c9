import glassbox.*;

/** Expressions of two classes, of which one always has others below it: at the last places there is only the other. */
public class Nested {
    static abstract class Expression {}

    static class Leaf extends Expression {}

    static class Pair extends Expression {
        @Tree @NonNull Expression left, right;

        Pair(Expression left, Expression right) {
            this.left = left;
            this.right = right;
        }
    }

    @Tree @NonNull Expression root = new Leaf();

    @Declarative
    boolean repOk() {
        return true;
    }

    /** A tree that is as high as the bound allows grows beyond it, and no class is new. */
    void wrap() {
        root = new Pair(new Leaf(), root);
    }

    void turn() {
        if (root instanceof Pair && ((Pair) root).left instanceof Pair) {
            Pair below = (Pair) ((Pair) root).left;
            Expression left = below.left;
            below.left = below.right;
            below.right = ((Pair) root).right;
            ((Pair) root).left = left;
            ((Pair) root).right = below;
        }
    }
}
