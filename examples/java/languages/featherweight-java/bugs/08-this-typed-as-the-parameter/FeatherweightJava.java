// Bug: within a body, `this` has the type of the parameter. Smallest size: 4. Operation: smallStep. Kind: preservation.

import glassbox.*;

public class FeatherweightJava implements Language {
    static final int THIS = 0;
    static final int X = 1;
    static final int FIELD = 2;
    static final int CALL = 3;
    static final int NEW = 4;
    static final int CAST = 5;
    static final int SUBST = 6;

    static final int ABSENT = 5;

    static class Node {
        @Range("0..6") int kind;
        @Range("0..4") int of; // the class of NEW, CAST and SUBST
        @Range("0..3") int member; // the field of FIELD, the method of CALL and SUBST
        @Range("0..4") int type;
        @Range("0..4") int self; // the class in whose method it stands, and
        @Range("0..1") int method; // which method that is; 0: in none
        @Tree Node e1, e2, e3, e4;

        @Declarative
        Node(int kind, int of, int member, int type, int self, int method, Node e1, Node e2, Node e3, Node e4) {
            this.kind = kind;
            this.of = of;
            this.member = member;
            this.type = type;
            this.self = self;
            this.method = method;
            this.e1 = e1;
            this.e2 = e2;
            this.e3 = e3;
            this.e4 = e4;
        }

        @Declarative
        static Node copy(Node e) {
            return e == null ? null
                : new Node(e.kind, e.of, e.member, e.type, e.self, e.method, copy(e.e1), copy(e.e2), copy(e.e3),
                    copy(e.e4));
        }

        @Declarative
        static boolean isDone(Node e) {
            return e == null || e.kind == NEW && isDone(e.e1) && isDone(e.e2) && isDone(e.e3) && isDone(e.e4);
        }

        @Declarative
        static int type(Node e) {
            return e == null ? ABSENT : e.type;
        }

        @Declarative
        static boolean isIn(Node e, int self, int method) {
            return e == null || e.self == self && e.method == method;
        }
    }

    // Classes of their own for bodies keep their trees small, whatever n is.

    static class Body {
        @Range("0..5") int kind;
        @Range("0..4") int of;
        @Range("0..3") int member;
        @Range("0..4") int type;
        @Tree Leaf e1, e2, e3, e4;

        /** As part of a program, where it still is a body of class `self`. */
        @Declarative
        Node copy(int self, int method) {
            return new Node(kind, of, member, type, self, method, Leaf.copy(e1, self, method),
                Leaf.copy(e2, self, method), Leaf.copy(e3, self, method), Leaf.copy(e4, self, method));
        }
    }

    static class Leaf {
        @Range("0..4") int kind;
        @Range("0..4") int of;
        @Range("0..4") int type;

        @Declarative
        static Node copy(Leaf e, int self, int method) {
            return e == null ? null : new Node(e.kind, e.of, 0, e.type, self, method, null, null, null, null);
        }

        @Declarative
        static int type(Leaf e) {
            return e == null ? ABSENT : e.type;
        }
    }

    // The class table. Arrays are by class; what a class inherits is in its own entry, too.
    boolean is2Below1, is3Below1, is3Below2, is4Below1, is4Below2, is4Below3;
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] fields;
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] type0, type1, type2, type3;
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] implementerA, implementerB; // whose body it is; 0: no method
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] parameterA, parameterB;
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] resultA, resultB;
    @Tree Body body1a, body1b, body2a, body2b, body3a, body3b, body4a, body4b;

    @Tree @NonNull Node root;
    boolean hasFailed;

    // ---- Subtypes

    /** Whether class c is b or below it, for b from 1 to 4. */
    @Declarative
    boolean isA(int c, int b) {
        return c == b || c == 2 && b == 1 && is2Below1 || c == 3 && (b == 1 && is3Below1 || b == 2 && is3Below2)
            || c == 4 && (b == 1 && is4Below1 || b == 2 && is4Below2 || b == 3 && is4Below3);
    }

    // Said class by class, so that it follows through a chain of subtypes by implications alone.
    @Declarative
    boolean isSub(int c, int d) {
        return GlassBox.forall(1, 5, b -> !isA(d, b) || isA(c, b));
    }

    /** Two classes are the same if the same ones are above them. */
    @Declarative
    boolean isSame(int c, int d) {
        return GlassBox.forall(1, 5, b -> isA(c, b) == isA(d, b));
    }

    @Declarative
    int superOf(int c) {
        return c > 3 && isA(c, 3) ? 3 : c > 2 && isA(c, 2) ? 2 : c > 1 && isA(c, 1) ? 1 : 0;
    }

    // ---- What a class has. Where the class is not a constant, its entry is chosen last: conditions on entries are
    // then the same for all expressions.

    @Declarative
    int fieldType(int c, int i) {
        return i == 0 ? type0[c] : i == 1 ? type1[c] : i == 2 ? type2[c] : type3[c];
    }

    @Declarative
    int implementer(int c, int name) {
        return name == 0 ? implementerA[c] : implementerB[c];
    }

    @Declarative
    int parameter(int c, int name) {
        return name == 0 ? parameterA[c] : parameterB[c];
    }

    @Declarative
    int result(int c, int name) {
        return name == 0 ? resultA[c] : resultB[c];
    }

    @Declarative
    boolean hasField(int c, int i) {
        return GlassBox.exists(1, 5, d -> c == d && i < fields[d]);
    }

    /** Whether field i of c is a t. */
    @Declarative
    boolean fieldGives(int c, int i, int t) {
        return GlassBox.forall(1, 5, b -> !isA(t, b) || GlassBox.exists(1, 5, d -> c == d && isFieldA(d, i, b)));
    }

    /** Whether a t may be in field i of c. */
    @Declarative
    boolean fieldTakes(int c, int i, int t) {
        return GlassBox.forall(1, 5, b -> isA(t, b) || GlassBox.forall(1, 5, d -> c != d || !isFieldA(d, i, b)));
    }

    @Declarative
    boolean isFieldA(int c, int i, int b) {
        return i == 0 ? isA(type0[c], b) : i == 1 ? isA(type1[c], b) : i == 2 ? isA(type2[c], b) : isA(type3[c], b);
    }

    @Declarative
    boolean hasMethod(int c, int name) {
        return GlassBox.exists(1, 5, d -> c == d && implementer(d, name) != 0);
    }

    @Declarative
    boolean resultGives(int c, int name, int t) {
        return GlassBox.forall(1, 5, b -> !isA(t, b) || GlassBox.exists(1, 5, d -> c == d && isResultA(d, name, b)));
    }

    @Declarative
    boolean isResultA(int c, int name, int b) {
        return name == 0 ? isA(resultA[c], b) : isA(resultB[c], b);
    }

    @Declarative
    boolean parameterTakes(int c, int name, int t) {
        return GlassBox.forall(1, 5, b -> isA(t, b) || GlassBox.forall(1, 5, d -> c != d || !isParameterA(d, name, b)));
    }

    @Declarative
    boolean parameterGives(int c, int name, int t) {
        return GlassBox.forall(1, 5, b -> !isA(t, b) || GlassBox.exists(1, 5, d -> c == d && isParameterA(d, name, b)));
    }

    @Declarative
    boolean isParameterA(int c, int name, int b) {
        return name == 0 ? isA(parameterA[c], b) : isA(parameterB[c], b);
    }

    // ---- Well-formed class tables

    @Declarative
    boolean isTable() {
        return isObject() && isClass(1, body1a, body1b) && isClass(2, body2a, body2b) && isClass(3, body3a, body3b)
            && isClass(4, body4a, body4b) && inherits(2, 1) && inherits(3, 1) && inherits(3, 2) && inherits(4, 1)
            && inherits(4, 2) && inherits(4, 3);
    }

    @Declarative
    boolean isObject() {
        return fields[0] == 0 && type0[0] == 0 && type1[0] == 0 && type2[0] == 0 && type3[0] == 0
            && implementerA[0] == 0 && parameterA[0] == 0 && resultA[0] == 0
            && implementerB[0] == 0 && parameterB[0] == 0 && resultB[0] == 0;
    }

    @Declarative
    boolean isClass(int c, Body bodyA, Body bodyB) {
        return fields[c] <= fields[superOf(c)] + 2
            && GlassBox.forall(0, 4, i -> i < fields[c] || fieldType(c, i) == 0)
            && isMethod(c, 0, bodyA) && isMethod(c, 1, bodyB);
    }

    /** If c is below d: what is above d is above c, and the other way round, and c has the members of d. */
    @Declarative
    boolean inherits(int c, int d) {
        return !isA(c, d)
            || GlassBox.forall(1, d, e -> isA(c, e) == isA(d, e))
            && fields[d] <= fields[c]
            && GlassBox.forall(0, 4, i -> fields[d] <= i || isSame(fieldType(c, i), fieldType(d, i)))
            && inherits(c, d, 0) && inherits(c, d, 1);
    }

    @Declarative
    boolean inherits(int c, int d, int name) {
        return implementer(d, name) == 0
            || implementer(c, name) != 0
            && isSame(parameter(c, name), parameter(d, name))
            && isSame(result(c, name), result(d, name));
    }

    @Declarative
    boolean isMethod(int c, int name, Body body) {
        int by = implementer(c, name);
        if (by != c)
            return body == null && by == implementer(superOf(c), name) && isSub(c, by) && implementer(by, name) == by
                && (by != 0 || parameter(c, name) == 0 && result(c, name) == 0);
        return body != null
            && isSub(body.type, result(c, name))
            && isTyped(body, c, name);
    }

    // ---- Types

    @Declarative
    public boolean wellTyped() {
        return isTable() && root != null && Node.isIn(root, 0, 0) && isTyped(root);
    }

    @Declarative
    boolean isTyped(Node e) {
        return e == null
            || follows(e.kind, e.of, e.member, e.type, Node.type(e.e1), Node.type(e.e2), Node.type(e.e3),
                Node.type(e.e4), e.self, e.method)
            && (e.kind != SUBST || Node.isDone(e.e2) && Node.isDone(e.e3))
            && (e.kind == SUBST ? Node.isIn(e.e1, e.of, e.member) : Node.isIn(e.e1, e.self, e.method))
            && Node.isIn(e.e2, e.self, e.method) && Node.isIn(e.e3, e.self, e.method)
            && Node.isIn(e.e4, e.self, e.method)
            && isTyped(e.e1) && isTyped(e.e2) && isTyped(e.e3) && isTyped(e.e4);
    }

    @Declarative
    boolean isTyped(Body e, int self, int method) {
        return follows(e.kind, e.of, e.member, e.type, Leaf.type(e.e1), Leaf.type(e.e2), Leaf.type(e.e3),
                Leaf.type(e.e4), self, method)
            && isTyped(e.e1, self, method) && isTyped(e.e2, self, method) && isTyped(e.e3, self, method)
            && isTyped(e.e4, self, method);
    }

    @Declarative
    boolean isTyped(Leaf e, int self, int method) {
        return e == null || follows(e.kind, e.of, 0, e.type, ABSENT, ABSENT, ABSENT, ABSENT, self, method);
    }

    /** The rules: whether an expression has a type, if its parts have the types t1 to t4. */
    @Declarative
    boolean follows(int kind, int of, int member, int type, int t1, int t2, int t3, int t4,
            int self, int method) {
        if (kind == NEW)
            return member == 0
                && isArgument(t1, of, 0) && isArgument(t2, of, 1) && isArgument(t3, of, 2) && isArgument(t4, of, 3)
                && isSub(of, type);
        if (t4 != ABSENT) return false;
        if (kind == SUBST)
            return t1 != ABSENT && t2 != ABSENT && t3 != ABSENT && self == 0
                && of != 0 && member < 2 && implementer(of, member) == of
                && isSub(t2, of) && parameterTakes(of, member, t3)
                && isSub(t1, type);
        if (t3 != ABSENT) return false;
        if (kind == CALL)
            return t1 != ABSENT && t2 != ABSENT && of == 0 && member < 2
                && hasMethod(t1, member)
                && parameterTakes(t1, member, t2)
                && resultGives(t1, member, type);
        if (t2 != ABSENT) return false;
        if (kind == FIELD)
            return t1 != ABSENT && of == 0
                && hasField(t1, member)
                && fieldGives(t1, member, type);
        if (kind == CAST)
            return t1 != ABSENT && member == 0
                && isSub(of, type);
        return t1 == ABSENT && self != 0 && of == 0 && member == 0
            && parameterGives(self, method, type);
    }

    @Declarative
    boolean isArgument(int t, int c, int i) {
        if (t == ABSENT) return !hasField(c, i);
        return hasField(c, i)
            && fieldTakes(c, i, t);
    }

    // ---- Steps

    @Declarative
    public boolean isFinalState() {
        return hasFailed || Node.isDone(root);
    }

    public void smallStep() throws StuckException {
        root = step(root);
    }

    private Node step(Node e) throws StuckException {
        if (e.kind == SUBST) return substitute(e);
        if (!Node.isDone(e.e1)) { e.e1 = step(e.e1); return e; }
        if (!Node.isDone(e.e2)) { e.e2 = step(e.e2); return e; }
        if (!Node.isDone(e.e3)) { e.e3 = step(e.e3); return e; }
        if (!Node.isDone(e.e4)) { e.e4 = step(e.e4); return e; }
        if (e.kind == FIELD) {
            Node v = e.member == 0 ? e.e1.e1 : e.member == 1 ? e.e1.e2 : e.member == 2 ? e.e1.e3 : e.e1.e4;
            if (v == null) throw new StuckException();
            return at(e.type, v);
        }
        if (e.kind == CALL) {
            int c = implementer(e.e1.of, e.member);
            if (c == 1) return call(e, 1, body1a, body1b);
            if (c == 2) return call(e, 2, body2a, body2b);
            if (c == 3) return call(e, 3, body3a, body3b);
            if (c == 4) return call(e, 4, body4a, body4b);
            throw new StuckException();
        }
        if (e.kind == CAST) {
            if (!isSub(e.e1.of, e.of)) { hasFailed = true; return e; }
            return at(e.type, e.e1);
        }
        throw new StuckException();
    }

    /** An expression where one of a given type is used. */
    private static Node at(int type, Node e) {
        e.type = type;
        return e;
    }

    private static Node call(Node e, int c, Body bodyA, Body bodyB) {
        if (e.member == 0) return new Node(SUBST, c, 0, e.type, 0, 0, bodyA.copy(c, 0), at(c, e.e1), e.e2, null);
        return new Node(SUBST, c, 1, e.type, 0, 0, bodyB.copy(c, 1), at(c, e.e1), e.e2, null);
    }

    private static Node substitute(Node s) {
        Node e = s.e1;
        if (e.kind == THIS) return at(s.type, s.e2);
        if (e.kind == X) return at(s.type, s.e3);
        e.e1 = under(s, e.e1);
        if (e.kind == CALL || e.kind == NEW) e.e2 = under(s, e.e2);
        if (e.kind == NEW) {
            e.e3 = under(s, e.e3);
            e.e4 = under(s, e.e4);
        }
        e.self = 0;
        e.method = 0;
        return at(s.type, e);
    }

    @Declarative
    static Node under(Node s, Node e) {
        return e == null ? null
            : new Node(SUBST, s.of, s.member, e.type, 0, 0, e, Node.copy(s.e2), Node.copy(s.e3), null);
    }

    // ---- As text, for counterexamples

    public String toString() {
        String text = "";
        for (int c = 1; c <= 4; c++) text += text(c);
        return text + text(root) + (hasFailed ? "   (failed)" : "");
    }

    private String text(int c) {
        int parent = superOf(c);
        String text = "class " + name(c) + (parent == 0 ? "" : " extends " + name(parent)) + " {";
        for (int i = fields[parent]; i < fields[c]; i++) text += " " + name(fieldType(c, i)) + " f" + i + ";";
        for (int m = 0; m < 2; m++) {
            if (implementer(c, m) == c)
                text += " " + name(result(c, m)) + " " + method(m) + "(" + name(parameter(c, m)) + " x) { return "
                    + text(body(c, m).copy(c, m)) + "; }";
        }
        return text + " }\n";
    }

    private Body body(int c, int name) {
        if (c == 1) return name == 0 ? body1a : body1b;
        if (c == 2) return name == 0 ? body2a : body2b;
        if (c == 3) return name == 0 ? body3a : body3b;
        return name == 0 ? body4a : body4b;
    }

    private static String name(int c) {
        return c == 0 ? "Object" : "C" + c;
    }

    private static String method(int name) {
        return name == 0 ? "a" : "b";
    }

    private static String text(Node e) {
        if (e.kind == THIS) return "this";
        if (e.kind == X) return "x";
        if (e.kind == FIELD) return text(e.e1) + ".f" + e.member;
        if (e.kind == CALL) return text(e.e1) + "." + method(e.member) + "(" + text(e.e2) + ")";
        if (e.kind == NEW)
            return "new " + name(e.of) + "(" + (e.e1 == null ? "" : text(e.e1)) + more(e.e2) + more(e.e3) + more(e.e4)
                + ")";
        if (e.kind == CAST) return "((" + name(e.of) + ") " + text(e.e1) + ")";
        return "[" + text(e.e2) + "/this, " + text(e.e3) + "/x] " + text(e.e1);
    }

    private static String more(Node e) {
        return e == null ? "" : ", " + text(e);
    }
}
