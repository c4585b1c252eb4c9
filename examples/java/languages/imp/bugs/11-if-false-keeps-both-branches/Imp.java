// Bug: an if whose condition is false becomes the node for both branches. Smallest size: 7. Operation: smallStep. Kind: preservation.
// IMP (Winskel), the language of assignments and loops, with types: integer and Boolean variables. Tables 6.4 and 6.5
// of the dissertation. Every well-typed program that is not skip takes a step, and stays well-typed.
//
// s ::= skip | x := e | s; s | if e then s else s | while e do s           e ::= n | b | x | e op e | not e
//                                                                          op ::= + | < | == | and
//
// Typing, in an environment G from names to types (int, bool); T is either of the two:
//   n : int                      b : bool                      x : G(x), if x is declared
//   e1 + e2 : int                if e1 : int and e2 : int
//   e1 < e2 : bool               if e1 : int and e2 : int
//   e1 == e2 : bool              if e1 : T and e2 : T
//   e1 and e2 : bool, not e1 : bool    if e1 : bool and e2 : bool
//   x := e ok                    if G(x) = T and e : T
//   s1; s2 ok                    if s1 ok and s2 ok
//   if e then s1 else s2 ok      if e : bool, s1 ok and s2 ok
//   while e do s ok              if e : bool and s ok
//
// Steps, with a store S from names to values, which has cells for integers and cells for Booleans:
//   x -> S(x)        n1 + n2, n1 < n2, v1 == v2, b1 and b2, not b -> its value, if the operands are of the right sort
//   x := v -> skip, and S(x) is v, if v fits into the cell of x
//   skip; s -> s
//   if true then s1 else s2 -> s1                                if false then s1 else s2 -> s2
//   while e do s -> if e then (s; while e do s) else skip        with copies of e and s
//   within: s1 of s1; s2, e of x := e and of if e, the left operand, the right one if the left one is a value
//
// A program is a binary tree. The right child of an if is a node for both branches.

import glassbox.*;

public class Imp implements Language {
    enum Kind { SKIP, ASSIGN, SEQUENCE, IF, BRANCHES, WHILE, NUMBER, TRUTH, VARIABLE, PLUS, LESS, EQUAL, AND, NOT }

    static class Node {
        @NonNull Kind kind;
        @Range("0..n-1") int number;
        boolean truth;
        @Range("0..n-1") int name;
        @Tree Node left, right;

        @Declarative
        Node(Kind kind, int number, boolean truth, int name, Node left, Node right) {
            this.kind = kind;
            this.number = number;
            this.truth = truth;
            this.name = name;
            this.left = left;
            this.right = right;
        }

        @Declarative
        Node(Kind kind, Node left, Node right) {
            this(kind, 0, false, 0, left, right);
        }

        @Declarative
        static Node skip() {
            return new Node(Kind.SKIP, null, null);
        }

        @Declarative
        static Node number(int number) {
            return new Node(Kind.NUMBER, number, false, 0, null, null);
        }

        @Declarative
        static Node truth(boolean truth) {
            return new Node(Kind.TRUTH, 0, truth, 0, null, null);
        }

        // Declarative, so that loops with different bodies are run together (Figure 4.5).
        @Declarative
        Node copy() {
            return new Node(kind, number, truth, name,
                left == null ? null : left.copy(), right == null ? null : right.copy());
        }

        @Declarative
        boolean wellTyped(Imp p) {
            return isTyped(p) && (left == null || left.wellTyped(p)) && (right == null || right.wellTyped(p));
        }

        // The type of an expression can be told from its node alone, if what is below is well-typed. One implication
        // for each kind, since what does not hold of the children then says at once which kinds a node cannot have.
        @Declarative
        boolean isTyped(Imp p) {
            return GlassBox.implies(isLeaf(), left == null && right == null)
                && GlassBox.implies(kind == Kind.VARIABLE, p.isInt(name) || p.isBool(name))
                && GlassBox.implies(kind == Kind.PLUS, p.isInt(left) && p.isInt(right))
                && GlassBox.implies(kind == Kind.LESS, p.isInt(left) && p.isInt(right))
                && GlassBox.implies(kind == Kind.EQUAL,
                    p.isInt(left) && p.isInt(right) || p.isBool(left) && p.isBool(right))
                && GlassBox.implies(kind == Kind.AND, p.isBool(left) && p.isBool(right))
                && GlassBox.implies(kind == Kind.NOT, p.isBool(left) && right == null)
                && GlassBox.implies(kind == Kind.ASSIGN,
                    p.isInt(name) && p.isInt(left) || p.isBool(name) && p.isBool(left))
                && GlassBox.implies(kind == Kind.ASSIGN, right == null)
                && GlassBox.implies(kind == Kind.SEQUENCE, isStatement(left) && isStatement(right))
                && GlassBox.implies(kind == Kind.IF, p.isBool(left) && isBranches(right))
                && GlassBox.implies(kind == Kind.BRANCHES, isStatement(left) && isStatement(right))
                && GlassBox.implies(kind == Kind.WHILE, p.isBool(left) && isStatement(right));
        }

        @Declarative
        boolean isLeaf() {
            return kind == Kind.SKIP || isValue() || kind == Kind.VARIABLE;
        }

        @Declarative
        boolean isValue() {
            return kind == Kind.NUMBER || kind == Kind.TRUTH;
        }

        @Declarative
        boolean hasTwoOperands() {
            return kind == Kind.PLUS || kind == Kind.LESS || kind == Kind.EQUAL || kind == Kind.AND;
        }

        @Declarative
        static boolean isStatement(Node s) {
            return s != null && (s.kind == Kind.SKIP || s.kind == Kind.ASSIGN || s.kind == Kind.SEQUENCE
                || s.kind == Kind.IF || s.kind == Kind.WHILE);
        }

        @Declarative
        static boolean isBranches(Node s) {
            return s != null && s.kind == Kind.BRANCHES;
        }

        // Where the next step is: one condition each, so that assignments and ifs, or all operators, are run together.

        @Declarative
        boolean isForExpression() {
            return (kind == Kind.ASSIGN || kind == Kind.IF) && !left.isValue();
        }

        @Declarative
        boolean isForLeft() {
            return (kind == Kind.NOT || hasTwoOperands()) && !left.isValue();
        }

        @Declarative
        boolean isForRight() {
            return hasTwoOperands() && !right.isValue();
        }

        // Tests of the kind one by one, each of one thing: what cannot be is then seen without a solver.

        /** A step of this statement; what it becomes. */
        Node step(Imp p) throws StuckException {
            if (isForExpression()) {
                left = left.evaluate(p);
                return this;
            }
            if (kind == Kind.ASSIGN) {
                p.assign(name, left);
                return skip();
            }
            if (kind == Kind.SEQUENCE) {
                if (left.kind == Kind.SKIP) return right;
                left = left.step(p);
                return this;
            }
            if (kind == Kind.IF) {
                if (left.kind != Kind.TRUTH) throw new StuckException();
                return left.truth ? right.left : right;
            }
            if (kind != Kind.WHILE) throw new StuckException();
            Node more = new Node(Kind.SEQUENCE, right.copy(), this);
            return new Node(Kind.IF, left.copy(), new Node(Kind.BRANCHES, more, skip()));
        }

        /** A step of this expression; what it becomes. */
        Node evaluate(Imp p) throws StuckException {
            if (isForLeft()) {
                left = left.evaluate(p);
                return this;
            }
            if (isForRight()) {
                right = right.evaluate(p);
                return this;
            }
            if (kind == Kind.VARIABLE) return p.value(name);
            if (kind == Kind.PLUS) {
                expect(Kind.NUMBER, Kind.NUMBER);
                return number(left.number + right.number);
            }
            if (kind == Kind.LESS) {
                expect(Kind.NUMBER, Kind.NUMBER);
                return truth(left.number < right.number);
            }
            if (kind == Kind.EQUAL) {
                if (left.kind == Kind.NUMBER) {
                    expect(Kind.NUMBER, Kind.NUMBER);
                    return truth(left.number == right.number);
                }
                expect(Kind.TRUTH, Kind.TRUTH);
                return truth(left.truth == right.truth);
            }
            if (kind == Kind.AND) {
                expect(Kind.TRUTH, Kind.TRUTH);
                return truth(left.truth && right.truth);
            }
            if (kind != Kind.NOT) throw new StuckException();
            if (left.kind != Kind.TRUTH) throw new StuckException();
            return truth(!left.truth);
        }

        private void expect(Kind l, Kind r) throws StuckException {
            if (left.kind != l) throw new StuckException();
            if (right.kind != r) throw new StuckException();
        }
    }

    @NonNull @Tree Node program;

    // The environment: of the declared variables the first ones are integers, the others Booleans. Up to the names,
    // every environment is like this.
    @Range("0..n") int ints;
    @Range("0..n") int declared;

    // The store; a variable uses the cell of its type.
    @NonNull @Owned @Length("n..n") int[] numbers;
    @NonNull @Owned @Length("n..n") boolean[] truths;

    @Declarative
    boolean isInt(int x) {
        return x < ints && x < declared;
    }

    @Declarative
    boolean isBool(int x) {
        return ints <= x && x < declared;
    }

    @Declarative
    boolean isInt(Node e) {
        return e != null
            && (e.kind == Kind.NUMBER || e.kind == Kind.PLUS || e.kind == Kind.VARIABLE && isInt(e.name));
    }

    @Declarative
    boolean isBool(Node e) {
        return e != null && (e.kind == Kind.TRUTH || e.kind == Kind.LESS || e.kind == Kind.EQUAL || e.kind == Kind.AND
            || e.kind == Kind.NOT || e.kind == Kind.VARIABLE && isBool(e.name));
    }

    @Declarative
    public boolean wellTyped() {
        return Node.isStatement(program) && program.wellTyped(this);
    }

    @Declarative
    public boolean isFinalState() {
        return program.kind == Kind.SKIP;
    }

    public void smallStep() throws StuckException {
        program = program.step(this);
    }

    private Node value(int x) throws StuckException {
        if (isInt(x)) return Node.number(at(numbers, x));
        if (isBool(x)) return Node.truth(at(truths, x));
        throw new StuckException();
    }

    private void assign(int x, Node v) throws StuckException {
        if (isInt(x)) {
            if (v.kind != Kind.NUMBER) throw new StuckException();
            numbers = with(numbers, x, v.number);
        } else if (isBool(x)) {
            if (v.kind != Kind.TRUTH) throw new StuckException();
            truths = with(truths, x, v.truth);
        } else {
            throw new StuckException();
        }
    }

    // Declarative, so that all variables are run together.

    @Declarative
    static int at(int[] cells, int x) {
        return cells[x];
    }

    @Declarative
    static boolean at(boolean[] cells, int x) {
        return cells[x];
    }

    @Declarative
    static int[] with(int[] cells, int x, int v) {
        int[] changed = new int[cells.length];
        for (int i = 0; i < cells.length; i++) changed[i] = i == x ? v : cells[i];
        return changed;
    }

    @Declarative
    static boolean[] with(boolean[] cells, int x, boolean v) {
        boolean[] changed = new boolean[cells.length];
        for (int i = 0; i < cells.length; i++) changed[i] = i == x ? v : cells[i];
        return changed;
    }

    // As text, for counterexamples. Integer variables are i0, i1, .., Boolean ones b0, b1, ..

    public String toString() {
        String text = "";
        for (int x = 0; x < declared; x++)
            text += name(x) + " = " + (isInt(x) ? "" + numbers[x] : "" + truths[x]) + "\n";
        return text + text(program);
    }

    private String name(int x) {
        return isInt(x) ? "i" + x : isBool(x) ? "b" + (x - ints) : "x" + x;
    }

    private String text(Node e) {
        if (e.kind == Kind.SKIP) return "skip";
        if (e.kind == Kind.NUMBER) return "" + e.number;
        if (e.kind == Kind.TRUTH) return "" + e.truth;
        if (e.kind == Kind.VARIABLE) return name(e.name);
        if (e.kind == Kind.NOT) return "not " + text(e.left);
        if (e.kind == Kind.ASSIGN) return name(e.name) + " := " + text(e.left);
        if (e.kind == Kind.SEQUENCE) return "(" + text(e.left) + "; " + text(e.right) + ")";
        if (e.kind == Kind.IF) return "if " + text(e.left) + " then " + text(e.right);
        if (e.kind == Kind.BRANCHES) return text(e.left) + " else " + text(e.right);
        if (e.kind == Kind.WHILE) return "while " + text(e.left) + " do " + text(e.right);
        String operator =
            e.kind == Kind.PLUS ? " + " : e.kind == Kind.LESS ? " < " : e.kind == Kind.AND ? " and " : " == ";
        return "(" + text(e.left) + operator + text(e.right) + ")";
    }
}
