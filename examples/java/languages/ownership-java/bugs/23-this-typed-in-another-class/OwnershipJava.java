// Bug: every body is typed as if `this` were of the last class. Smallest size: 3. Operation: smallStep. Kind: preservation.

import glassbox.*;

public class OwnershipJava implements Language {
    // Expressions
    static final int THIS = 0;
    static final int X = 1;
    static final int VALUE = 2;
    static final int NEW = 3;
    static final int FIELD = 4;
    static final int CAST = 5;
    static final int NOT = 6;
    static final int ASSIGN = 7;
    static final int CALL = 8;
    static final int PLUS = 9;
    static final int LESS = 10;
    static final int EQUAL = 11;
    static final int AND = 12;
    static final int SEQUENCE = 13;
    static final int IF = 14;
    static final int SUBST = 15;

    // Values: 1 to 4 are the objects of the heap.
    static final int NULL = 0;
    static final int FALSE = 5;
    static final int TRUE = 6;
    static final int NUMBER = 7;

    // Types: 0 is Object, 1 to 4 are the other classes.
    static final int INT = 5;
    static final int BOOLEAN = 6;
    static final int ABSENT = 7;

    // Owners in a class. In a running program 1 to 4 are the objects of the heap.
    static final int WORLD = 0;
    static final int P1 = 1;
    static final int P2 = 2;
    static final int SELF = 3;
    static final int NOBODY = 5; // what `this` stands for, where that has no name


    static class Node {
        @Range("0..15") int kind;
        @Range("0..4") int of; // the class of NEW, CAST and SUBST
        @Range("0..4") int second; // the second owner of NEW and CAST; the first one is that of the type
        @Range("0..1") int member; // the field of FIELD and ASSIGN, the method of CALL and SUBST
        @Range("0..7") int value;
        @Range("0..n-1") int number; // of the value NUMBER
        @Range("0..6") int type;
        @Range("0..4") int o1, o2; // C<o1, o2>
        @Tree Node e1, e2, e3;

        @Declarative
        Node(int kind, int of, int second, int member, int value, int number, int type, int o1, int o2, Node e1,
                Node e2, Node e3) {
            this.kind = kind;
            this.of = of;
            this.second = second;
            this.member = member;
            this.value = value;
            this.number = number;
            this.type = type;
            this.o1 = o1;
            this.o2 = o2;
            this.e1 = e1;
            this.e2 = e2;
            this.e3 = e3;
        }

        @Declarative
        static boolean isDone(Node e) {
            return e == null || e.kind == VALUE;
        }

        @Declarative
        static int type(Node e) {
            return e == null ? ABSENT : e.type;
        }

        @Declarative
        static int o1(Node e) {
            return e == null ? WORLD : e.o1;
        }

        @Declarative
        static int o2(Node e) {
            return e == null ? WORLD : e.o2;
        }

        /** The owner that stands for `this` in the types of e's members. */
        @Declarative
        static int name(Node e, boolean isOpen) {
            if (e == null) return NOBODY;
            if (isOpen) return e.kind == THIS ? SELF : NOBODY;
            if (e.kind == VALUE) return e.value == NULL ? NOBODY : e.value;
            return e.kind == SUBST && e.e1.kind == THIS ? e.e2.value : NOBODY;
        }

        @Declarative
        static Node value(int value, int number, int type, int o1, int o2) {
            return new Node(VALUE, 0, 0, 0, value, number, type, o1, o2, null, null, null);
        }

        @Declarative
        static Node truth(boolean b, Node place) {
            return value(b ? TRUE : FALSE, 0, place.type, place.o1, place.o2);
        }
    }

    // Classes of their own for bodies keep their trees small, whatever n is.

    static class Body {
        @Range("0..14") int kind;
        @Range("0..4") int of;
        @Range("0..3") int second;
        @Range("0..1") int member;
        @Range("0..7") int value;
        @Range("0..n-1") int number;
        @Range("0..6") int type;
        @Range("0..3") int o1, o2;
        @Tree Leaf e1, e2, e3;

        @Declarative
        Node copy() {
            return new Node(kind, of, second, member, value, number, type, o1, o2, Leaf.copy(e1), Leaf.copy(e2),
                Leaf.copy(e3));
        }
    }

    static class Leaf {
        @Range("0..3") int kind;
        @Range("0..4") int of;
        @Range("0..3") int second;
        @Range("0..7") int value;
        @Range("0..n-1") int number;
        @Range("0..6") int type;
        @Range("0..3") int o1, o2;

        @Declarative
        static Node copy(Leaf e) {
            return e == null ? null
                : new Node(e.kind, e.of, e.second, 0, e.value, e.number, e.type, e.o1, e.o2, null, null, null);
        }

        @Declarative
        static int type(Leaf e) {
            return e == null ? ABSENT : e.type;
        }

        @Declarative
        static int o1(Leaf e) {
            return e == null ? WORLD : e.o1;
        }

        @Declarative
        static int o2(Leaf e) {
            return e == null ? WORLD : e.o2;
        }

        @Declarative
        static int name(Leaf e) {
            return e != null && e.kind == THIS ? SELF : NOBODY;
        }
    }

    // The class table. Arrays are by class; what a class inherits is in its own entry, too.
    boolean is2Below1, is3Below1, is3Below2, is4Below1, is4Below2, is4Below3;
    @NonNull @Owned @Length("5..5") boolean[] hasSecond; // whether the class has a second parameter
    @NonNull @Owned @Length("5..5") @Range("0..2") int[] fields;
    @NonNull @Owned @Length("5..5") @Range("0..6") int[] field0, field1;
    @NonNull @Owned @Length("5..5") @Range("0..3") int[] field0o1, field0o2, field1o1, field1o2;
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] implementerA, implementerB; // whose body it is; 0: no method
    @NonNull @Owned @Length("5..5") @Range("0..6") int[] parameterA, parameterB;
    @NonNull @Owned @Length("5..5") @Range("0..3") int[] parameterAo1, parameterAo2, parameterBo1, parameterBo2;
    @NonNull @Owned @Length("5..5") @Range("0..6") int[] resultA, resultB;
    @NonNull @Owned @Length("5..5") @Range("0..3") int[] resultAo1, resultAo2, resultBo1, resultBo2;
    @Tree Body body1a, body1b, body2a, body2b, body3a, body3b, body4a, body4b;

    // The heap: which objects there are, the class of each, its owners, and the values of its fields.
    @NonNull @Owned @Length("4..4") boolean[] isUsed;
    @NonNull @Owned @Length("4..4") @Range("0..4") int[] classOf;
    @NonNull @Owned @Length("4..4") @Range("0..3") int[] owner1, owner2;
    @NonNull @Owned @Length("4..4") @Range("0..7") int[] value0, value1;
    @NonNull @Owned @Length("4..4") @Range("0..n-1") int[] number0, number1;

    @Tree @NonNull Node root;
    boolean hasFailed;

    // ---- Owners

    /** An owner of a class, in C<k1, k2> where `this` is self. */
    @Declarative
    static int owner(int k, int k1, int k2, int self) {
        return k == WORLD ? WORLD : k == P1 ? k1 : k == P2 ? k2 : self;
    }

    /** Whether it is the owner l. */
    @Declarative
    static boolean is(int k, int k1, int k2, int self, int l) {
        return k == WORLD ? l == WORLD : k == P1 ? l == k1 : k == P2 ? l == k2 : l == self;
    }

    /** Whether an owner is inside another one or the same. */
    @Declarative
    boolean isInside(int k, int l, boolean isOpen) {
        if (l == WORLD || k == l) return true;
        if (isOpen) return k == SELF || k == P1 && l == P2;
        return GlassBox.exists(2, 5, i -> k == i && GlassBox.exists(1, i, j -> l == j && isObjectInside(i, j)));
    }

    /** The same for two different objects. An object is younger than its owners. */
    @Declarative
    boolean isObjectInside(int i, int j) {
        return owner1[i - 1] == j || GlassBox.exists(j + 1, i, m -> owner1[i - 1] == m && isObjectInside(m, j));
    }

    @Declarative
    boolean isOwner(int k, boolean isOpen, int self) {
        if (k == WORLD) return true;
        if (isOpen) return k <= SELF && (k != P2 || hasSecond(self));
        return GlassBox.exists(0, 4, o -> k == o + 1 && isUsed[o]);
    }

    /** Whether C<k1, k2> may be written, in a program or in class self. */
    @Declarative
    boolean isLegal(int c, int k1, int k2, boolean isOpen, int self) {
        return isOwner(k1, isOpen, self) && isOwner(k2, isOpen, self) && (hasSecond(c) || k2 == WORLD)
            && isInside(k1, k2, isOpen) && (c <= 4 || k1 == WORLD);
    }

    // ---- Subtypes

    /** Whether type c is b or below it. */
    @Declarative
    boolean isA(int c, int b) {
        return c == b || b == 0 && c <= 4 || c == 2 && b == 1 && is2Below1
            || c == 3 && (b == 1 && is3Below1 || b == 2 && is3Below2)
            || c == 4 && (b == 1 && is4Below1 || b == 2 && is4Below2 || b == 3 && is4Below3);
    }

    @Declarative
    boolean hasSecond(int c) {
        return GlassBox.exists(1, 5, d -> c == d && hasSecond[d]);
    }

    /** C<k1, k2> is below D<l1, l2>: said type by type, so that it follows through a chain of subtypes. */
    @Declarative
    boolean isSub(int c, int k1, int k2, int d, int l1, int l2) {
        return GlassBox.forall(0, 7, b -> !isA(d, b) || isA(c, b))
            && k1 == l1
            && (!hasSecond(d) || hasSecond(c) && k2 == l2);
    }

    /** The same, of C<k1, k2> in a class, where its parameters are a1 and a2, and `this` is self. */
    @Declarative
    boolean gives(int c, int k1, int k2, int a1, int a2, int self, int d, int l1, int l2) {
        return GlassBox.forall(0, 7, b -> !isA(d, b) || isA(c, b))
            && is(k1, a1, a2, self, l1)
            && (!hasSecond(d) || hasSecond(c) && is(k2, a1, a2, self, l2));
    }

    /** The other way round: C<k1, k2> is above. */
    @Declarative
    boolean takes(int c, int k1, int k2, int a1, int a2, int self, int d, int l1, int l2) {
        return GlassBox.forall(0, 7, b -> !isA(c, b) || isA(d, b))
            && is(k1, a1, a2, self, l1)
            && (!hasSecond(c) || hasSecond(d) && is(k2, a1, a2, self, l2));
    }

    // ---- What a class has

    @Declarative
    int field(int c, int i) {
        return i == 0 ? field0[c] : field1[c];
    }

    @Declarative
    int fieldO1(int c, int i) {
        return i == 0 ? field0o1[c] : field1o1[c];
    }

    @Declarative
    int fieldO2(int c, int i) {
        return i == 0 ? field0o2[c] : field1o2[c];
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
    int parameterO1(int c, int name) {
        return name == 0 ? parameterAo1[c] : parameterBo1[c];
    }

    @Declarative
    int parameterO2(int c, int name) {
        return name == 0 ? parameterAo2[c] : parameterBo2[c];
    }

    @Declarative
    int result(int c, int name) {
        return name == 0 ? resultA[c] : resultB[c];
    }

    @Declarative
    int resultO1(int c, int name) {
        return name == 0 ? resultAo1[c] : resultBo1[c];
    }

    @Declarative
    int resultO2(int c, int name) {
        return name == 0 ? resultAo2[c] : resultBo2[c];
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
        return !hasSecond[0] && fields[0] == 0 && isNoField(0, 0) && isNoField(0, 1)
            && implementerA[0] == 0 && isNoMethod(0, 0) && implementerB[0] == 0 && isNoMethod(0, 1);
    }

    @Declarative
    boolean isNoField(int c, int i) {
        return field(c, i) == 0 && fieldO1(c, i) == 0 && fieldO2(c, i) == 0;
    }

    @Declarative
    boolean isNoMethod(int c, int name) {
        return parameter(c, name) == 0 && parameterO1(c, name) == 0 && parameterO2(c, name) == 0
            && result(c, name) == 0 && resultO1(c, name) == 0 && resultO2(c, name) == 0;
    }

    @Declarative
    boolean isClass(int c, Body bodyA, Body bodyB) {
        return isField(c, 0) && isField(c, 1) && isMethod(c, 0, bodyA) && isMethod(c, 1, bodyB);
    }

    @Declarative
    boolean isField(int c, int i) {
        if (fields[c] <= i) return isNoField(c, i);
        return isLegal(field(c, i), fieldO1(c, i), fieldO2(c, i), true, c);
    }

    /** If c is below d: what is above d is above c, and the other way round, and c has the members of d. */
    @Declarative
    boolean inherits(int c, int d) {
        return !isA(c, d)
            || GlassBox.forall(1, d, e -> isA(c, e) == isA(d, e))
            && (!hasSecond[d] || hasSecond[c])
            && fields[d] <= fields[c]
            && GlassBox.forall(0, 2, i -> fields[d] <= i || inheritsField(c, d, i))
            && inheritsMethod(c, d, 0) && inheritsMethod(c, d, 1);
    }

    @Declarative
    boolean inheritsField(int c, int d, int i) {
        return isSame(field(c, i), field(d, i)) && fieldO1(c, i) == fieldO1(d, i) && fieldO2(c, i) == fieldO2(d, i);
    }

    @Declarative
    boolean inheritsMethod(int c, int d, int name) {
        return implementer(d, name) == 0
            || implementer(c, name) != 0
            && isSame(parameter(c, name), parameter(d, name))
            && parameterO1(c, name) == parameterO1(d, name)
            && parameterO2(c, name) == parameterO2(d, name)
            && isSame(result(c, name), result(d, name))
            && resultO1(c, name) == resultO1(d, name)
            && resultO2(c, name) == resultO2(d, name);
    }

    /** Two types are the same if the same ones are above them. */
    @Declarative
    boolean isSame(int c, int d) {
        return GlassBox.forall(0, 7, b -> isA(c, b) == isA(d, b)) && hasSecond(c) == hasSecond(d);
    }

    @Declarative
    int superOf(int c) {
        return c > 3 && isA(c, 3) ? 3 : c > 2 && isA(c, 2) ? 2 : c > 1 && isA(c, 1) ? 1 : 0;
    }

    @Declarative
    boolean isMethod(int c, int name, Body body) {
        int by = implementer(c, name);
        if (by != c)
            return body == null && by == implementer(superOf(c), name) && isA(c, by) && implementer(by, name) == by
                && (by != 0 || isNoMethod(c, name));
        return body != null
            && isLegal(parameter(c, name), parameterO1(c, name), parameterO2(c, name), true, c)
            && isLegal(result(c, name), resultO1(c, name), resultO2(c, name), true, c)
            && body.type == result(c, name) && body.o1 == resultO1(c, name) && body.o2 == resultO2(c, name)
            && isTyped(body, 4, parameter(c, name), parameterO1(c, name), parameterO2(c, name));
    }

    // ---- Well-typed heaps

    @Declarative
    boolean isHeap() {
        return GlassBox.forall(0, 4, o -> isInHeap(o) && holds(o, 0, value0[o], number0[o])
            && holds(o, 1, value1[o], number1[o]));
    }

    @Declarative
    boolean isInHeap(int o) {
        if (!isUsed[o]) return classOf[o] == 0 && owner1[o] == WORLD && owner2[o] == WORLD;
        return (o == 0 || isUsed[o - 1]) && owner1[o] <= o && owner2[o] <= o
            && (hasSecond(classOf[o]) || owner2[o] == WORLD)
            && isInside(owner1[o], owner2[o], false);
    }

    /** Whether field i of object o may have a value. */
    @Declarative
    boolean holds(int o, int i, int value, int number) {
        return (value == NUMBER || number == 0)
            && (!isUsed[o] ? value == NULL
            : GlassBox.forall(0, 5, c -> classOf[o] != c || isLiteral(value, field(c, i))
                || i < fields[c] && GlassBox.exists(0, 4, v -> value == v + 1 && isUsed[v]
                    && takes(field(c, i), fieldO1(c, i), fieldO2(c, i), owner1[o], owner2[o], o + 1,
                        classOf[v], owner1[v], owner2[v])))
            && isDominated(o, value));
    }

    /** Whether a value that is no object has a type: null has every class. */
    @Declarative
    static boolean isLiteral(int value, int type) {
        if (type == INT) return value == NUMBER;
        if (type == BOOLEAN) return value == FALSE || value == TRUE;
        return value == NULL;
    }

    /** Owners as dominators: an object refers to what belongs to something around it, or to itself. */
    @Declarative
    boolean isDominated(int o, int value) {
        return GlassBox.forall(0, 4, v -> value != v + 1 || isInside(o + 1, owner1[v], false));
    }

    /** Whether an object has a type. */
    @Declarative
    boolean isValue(int value, int type, int o1, int o2) {
        return GlassBox.exists(0, 4, o -> value == o + 1 && isUsed[o]
            && isSub(classOf[o], owner1[o], owner2[o], type, o1, o2));
    }

    // ---- Types

    @Declarative
    public boolean wellTyped() {
        return isTable() && isHeap() && root != null && isTyped(root, false, 0, 0, 0, 0);
    }

    @Declarative
    boolean isTyped(Node e, boolean isOpen, int self, int x, int x1, int x2) {
        if (e == null) return true;
        boolean s = e.kind == SUBST;
        return isSyntax(e.kind, e.of, e.second, e.member, e.value, e.number, e.e1 != null, e.e2 != null, e.e3 != null)
            && (s ? !isOpen && isSubstitution(e) : follows(e.kind, e.of, e.second, e.member, e.value,
                e.type, e.o1, e.o2, Node.type(e.e1), Node.o1(e.e1), Node.o2(e.e1), Node.name(e.e1, isOpen),
                Node.type(e.e2), Node.o1(e.e2), Node.o2(e.e2), Node.type(e.e3), Node.o1(e.e3), Node.o2(e.e3),
                isOpen, self, x, x1, x2))
            && isTyped(e.e1, isOpen || s, s ? e.of : self, s ? parameter(e.of, e.member) : x,
                s ? parameterO1(e.of, e.member) : x1, s ? parameterO2(e.of, e.member) : x2)
            && isTyped(e.e2, isOpen, self, x, x1, x2) && isTyped(e.e3, isOpen, self, x, x1, x2);
    }

    @Declarative
    boolean isTyped(Body e, int self, int x, int x1, int x2) {
        return isSyntax(e.kind, e.of, e.second, e.member, e.value, e.number, e.e1 != null, e.e2 != null, e.e3 != null)
            && follows(e.kind, e.of, e.second, e.member, e.value, e.type, e.o1, e.o2, Leaf.type(e.e1), Leaf.o1(e.e1),
                Leaf.o2(e.e1), Leaf.name(e.e1), Leaf.type(e.e2), Leaf.o1(e.e2), Leaf.o2(e.e2),
                Leaf.type(e.e3), Leaf.o1(e.e3), Leaf.o2(e.e3), true, self, x, x1, x2)
            && isTyped(e.e1, self, x, x1, x2) && isTyped(e.e2, self, x, x1, x2) && isTyped(e.e3, self, x, x1, x2);
    }

    @Declarative
    boolean isTyped(Leaf e, int self, int x, int x1, int x2) {
        return e == null
            || isSyntax(e.kind, e.of, e.second, 0, e.value, e.number, false, false, false)
            && follows(e.kind, e.of, e.second, 0, e.value, e.type, e.o1, e.o2, ABSENT, 0, 0, NOBODY, ABSENT, 0, 0,
                ABSENT, 0, 0, true, self, x, x1, x2);
    }

    @Declarative
    static boolean isSyntax(int kind, int of, int second, int member, int value, int number, boolean has1,
            boolean has2, boolean has3) {
        return has1 == (kind >= FIELD) && has2 == (kind >= ASSIGN) && has3 == (kind >= IF)
            && (of == 0 || kind == NEW || kind == CAST || kind == SUBST) && (second == 0 || kind == NEW || kind == CAST)
            && (member == 0 || kind == FIELD || kind == ASSIGN || kind == CALL || kind == SUBST)
            && (value == 0 || kind == VALUE) && (number == 0 || value == NUMBER);
    }

    /** The rules: whether an expression has type C<o1, o2>, if its parts have the types C1<a1, a2>, .. */
    @Declarative
    boolean follows(int kind, int of, int second, int member, int value, int c, int o1, int o2,
            int c1, int a1, int a2, int name, int c2, int b1, int b2, int c3, int d1, int d2,
            boolean isOpen, int self, int x, int x1, int x2) {
        if (kind == THIS)
            return isOpen && isSub(self, P1, P2, c, o1, o2);
        if (kind == X)
            return isOpen && isSub(x, x1, x2, c, o1, o2);
        if (kind == VALUE)
            return isLiteral(value, c) && (c <= 4 || o1 == WORLD) || !isOpen && isValue(value, c, o1, o2);
        if (kind == NEW || kind == CAST)
            return isLegal(of, o1, second, isOpen, self)
                && isSub(of, o1, second, c, o1, o2)
                && (kind == NEW || c1 <= 4);
        if (kind == PLUS)
            return c1 == INT && c2 == INT && isSub(INT, WORLD, WORLD, c, o1, o2);
        if (kind == LESS)
            return c1 == INT && c2 == INT && isSub(BOOLEAN, WORLD, WORLD, c, o1, o2);
        if (kind == EQUAL)
            return (c1 <= 4 ? c2 <= 4 : c1 == c2) && isSub(BOOLEAN, WORLD, WORLD, c, o1, o2);
        if (kind == NOT)
            return c1 == BOOLEAN && isSub(BOOLEAN, WORLD, WORLD, c, o1, o2);
        if (kind == AND)
            return c1 == BOOLEAN && c2 == BOOLEAN && isSub(BOOLEAN, WORLD, WORLD, c, o1, o2);
        if (kind == SEQUENCE)
            return isSub(c2, b1, b2, c, o1, o2);
        if (kind == IF)
            return c1 == BOOLEAN
                && isSub(c2, b1, b2, c, o1, o2)
                && isSub(c3, d1, d2, c, o1, o2);
        // The class is chosen last: conditions on entries of the table are then the same for all expressions.
        return GlassBox.exists(1, 5, d -> c1 == d && GlassBox.exists(0, 2, i -> member == i
            && (kind == CALL
                ? isCall(d, i, a1, a2, name, c2, b1, b2, c, o1, o2)
                : isField(d, i, a1, a2, name, c, o1, o2)
                && (kind == FIELD || isAssigned(d, i, a1, a2, name, c2, b1, b2)))));
    }

    @Declarative
    boolean isField(int d, int i, int a1, int a2, int name, int c, int o1, int o2) {
        return i < fields[d]
            && isNamed(fieldO1(d, i), fieldO2(d, i), name)
            && gives(field(d, i), fieldO1(d, i), fieldO2(d, i), a1, a2, name, c, o1, o2);
    }

    @Declarative
    boolean isAssigned(int d, int i, int a1, int a2, int name, int c2, int b1, int b2) {
        return takes(field(d, i), fieldO1(d, i), fieldO2(d, i), a1, a2, name, c2, b1, b2);
    }

    @Declarative
    boolean isCall(int d, int m, int a1, int a2, int name, int c2, int b1, int b2, int c, int o1, int o2) {
        return implementer(d, m) != 0
            && isNamed(parameterO1(d, m), parameterO2(d, m), name)
            && takes(parameter(d, m), parameterO1(d, m), parameterO2(d, m), a1, a2, name, c2, b1, b2)
            && isNamed(resultO1(d, m), resultO2(d, m), name)
            && gives(result(d, m), resultO1(d, m), resultO2(d, m), a1, a2, name, c, o1, o2);
    }

    /** Whether a type of a member with these owners can be named from outside. */
    @Declarative
    static boolean isNamed(int k1, int k2, int name) {
        return name != NOBODY || k1 != SELF && k2 != SELF;
    }

    @Declarative
    boolean isSubstitution(Node e) {
        Node v = e.e2;
        Node w = e.e3;
        return v.kind == VALUE && v.value != NULL && v.type == e.of && w.kind == VALUE
            && GlassBox.exists(1, 5, d -> e.of == d && GlassBox.exists(0, 2, m -> e.member == m
                && implementer(d, m) == d
                && takes(parameter(d, m), parameterO1(d, m), parameterO2(d, m), v.o1, v.o2, v.value,
                    w.type, w.o1, w.o2)))
            && gives(e.e1.type, e.e1.o1, e.e1.o2, v.o1, v.o2, v.value, e.type, e.o1, e.o2);
    }

    // ---- Steps

    @Declarative
    public boolean isFinalState() {
        return hasFailed || root.kind == VALUE;
    }

    public void smallStep() throws StuckException {
        root = step(root);
    }

    private Node step(Node e) throws StuckException {
        if (e.kind == SUBST) return substitute(e);
        if (!Node.isDone(e.e1)) { e.e1 = step(e.e1); return e; }
        if (e.kind == SEQUENCE) return at(e, e.e2);
        if (e.kind == IF) return isTrue(e.e1) ? at(e, e.e2) : at(e, e.e3);
        if (e.kind == AND) return isTrue(e.e1) ? at(e, e.e2) : at(e, e.e1);
        if (!Node.isDone(e.e2)) { e.e2 = step(e.e2); return e; }
        if (e.kind == NEW) return allocate(e);
        if (e.kind == NOT) return Node.truth(!isTrue(e.e1), e);
        if (e.kind == PLUS) return Node.value(NUMBER, number(e.e1) + number(e.e2), e.type, e.o1, e.o2);
        if (e.kind == LESS) return Node.truth(number(e.e1) < number(e.e2), e);
        if (e.kind == EQUAL) return Node.truth(e.e1.value == e.e2.value & e.e1.number == e.e2.number, e);
        if (e.kind != FIELD && e.kind != ASSIGN && e.kind != CALL && e.kind != CAST) throw new StuckException();
        if (e.e1.value >= FALSE) throw new StuckException();
        if (e.kind == CAST) {
            if (!isInstance(e.e1.value, e.of, e.o1, e.second)) { hasFailed = true; return e; }
            return at(e, e.e1);
        }
        if (e.e1.value == NULL) { hasFailed = true; return e; }
        int o = e.e1.value - 1;
        if (e.kind == CALL) {
            int c = implementer(classOf[o], e.member);
            if (c == 1) return call(e, o, 1, body1a, body1b);
            if (c == 2) return call(e, o, 2, body2a, body2b);
            if (c == 3) return call(e, o, 3, body3a, body3b);
            if (c == 4) return call(e, o, 4, body4a, body4b);
            throw new StuckException();
        }
        if (e.member >= fields[classOf[o]]) throw new StuckException();
        if (e.kind == FIELD) return Node.value(valueOf(o, e.member), numberOf(o, e.member), e.type, e.o1, e.o2);
        if (e.member == 0) {
            value0[o] = e.e2.value;
            number0[o] = e.e2.number;
        } else {
            value1[o] = e.e2.value;
            number1[o] = e.e2.number;
        }
        return at(e, e.e2);
    }

    private static boolean isTrue(Node e) throws StuckException {
        if (e.value != FALSE && e.value != TRUE) throw new StuckException();
        return e.value == TRUE;
    }

    private static int number(Node e) throws StuckException {
        if (e.value != NUMBER) throw new StuckException();
        return e.number;
    }

    @Declarative
    int valueOf(int o, int i) {
        return i == 0 ? value0[o] : value1[o];
    }

    @Declarative
    int numberOf(int o, int i) {
        return i == 0 ? number0[o] : number1[o];
    }

    @Declarative
    boolean isInstance(int value, int c, int o1, int o2) {
        return value == NULL || isValue(value, c, o1, o2);
    }

    private Node allocate(Node e) {
        for (int o = 0; o < 4; o++) {
            if (!isUsed[o]) {
                isUsed[o] = true;
                classOf[o] = e.of;
                owner1[o] = e.o1;
                owner2[o] = e.second;
                value0[o] = initial(e.of, 0);
                value1[o] = initial(e.of, 1);
                return Node.value(o + 1, 0, e.type, e.o1, e.o2);
            }
        }
        hasFailed = true; // no room
        return e;
    }

    @Declarative
    int initial(int c, int i) {
        int t = field(c, i);
        return t == INT ? NUMBER : t == BOOLEAN ? FALSE : NULL;
    }

    /** An expression in the place of another one, whose type it has. */
    private static Node at(Node place, Node e) {
        e.type = place.type;
        e.o1 = place.o1;
        e.o2 = place.o2;
        return e;
    }

    private Node call(Node e, int o, int c, Body bodyA, Body bodyB) {
        Node v = e.e1;
        v.type = c;
        v.o1 = owner1[o];
        v.o2 = owner2[o];
        if (e.member == 0) return new Node(SUBST, c, 0, 0, 0, 0, e.type, e.o1, e.o2, bodyA.copy(), v, e.e2);
        return new Node(SUBST, c, 0, 1, 0, 0, e.type, e.o1, e.o2, bodyB.copy(), v, e.e2);
    }

    private static Node substitute(Node s) {
        Node e = s.e1;
        Node v = s.e2;
        if (e.kind == THIS) return at(s, v);
        if (e.kind == X) return at(s, s.e3);
        e.second = owner(e.second, v.o1, v.o2, v.value);
        e.e1 = under(s, e.e1);
        e.e2 = under(s, e.e2);
        e.e3 = under(s, e.e3);
        return at(s, e);
    }

    @Declarative
    static Node under(Node s, Node e) {
        if (e == null) return null;
        Node v = s.e2;
        return new Node(SUBST, s.of, 0, s.member, 0, 0, e.type, owner(e.o1, v.o1, v.o2, v.value),
            owner(e.o2, v.o1, v.o2, v.value), e, Node.value(v.value, v.number, v.type, v.o1, v.o2),
            Node.value(s.e3.value, s.e3.number, s.e3.type, s.e3.o1, s.e3.o2));
    }

    // ---- As text, for counterexamples. Owners of a class that has one parameter are shown alone.

    public String toString() {
        String text = "";
        for (int c = 1; c <= 4; c++) text += text(c);
        for (int o = 0; o < 4; o++) {
            if (isUsed[o]) text += object(o);
        }
        return text + text(root, false) + (hasFailed ? "   (failed)" : "");
    }

    private String text(int c) {
        int parent = isA(c, 3) && c != 3 ? 3 : isA(c, 2) && c != 2 ? 2 : isA(c, 1) && c != 1 ? 1 : 0;
        String text = "class " + type(c, P1, P2, true)
            + (parent == 0 ? "" : " extends " + type(parent, P1, P2, true)) + " {";
        if (fields[parent] < 1 && 1 <= fields[c])
            text += " " + type(field0[c], field0o1[c], field0o2[c], true) + " f0;";
        if (fields[parent] < 2 && 2 <= fields[c])
            text += " " + type(field1[c], field1o1[c], field1o2[c], true) + " f1;";
        if (implementerA[c] == c)
            text += " " + type(resultA[c], resultAo1[c], resultAo2[c], true) + " a("
                + type(parameterA[c], parameterAo1[c], parameterAo2[c], true) + " x) { return "
                + text(body(c, 0).copy(), true) + "; }";
        if (implementerB[c] == c)
            text += " " + type(resultB[c], resultBo1[c], resultBo2[c], true) + " b("
                + type(parameterB[c], parameterBo1[c], parameterBo2[c], true) + " x) { return "
                + text(body(c, 1).copy(), true) + "; }";
        return text + " }\n";
    }

    private Body body(int c, int name) {
        if (c == 1) return name == 0 ? body1a : body1b;
        if (c == 2) return name == 0 ? body2a : body2b;
        if (c == 3) return name == 0 ? body3a : body3b;
        return name == 0 ? body4a : body4b;
    }

    private String object(int o) {
        String text = "o" + (o + 1) + " = " + type(classOf[o], owner1[o], owner2[o], false) + " {";
        for (int i = 0; i < fields[classOf[o]]; i++)
            text += " f" + i + " = " + value(valueOf(o, i), numberOf(o, i)) + ";";
        return text + " }\n";
    }

    private String type(int c, int k1, int k2, boolean isOpen) {
        if (c >= INT) return c == INT ? "int" : "boolean";
        String name = c == 0 ? "Object" : "C" + c;
        return name + "<" + owner(k1, isOpen) + (hasSecond[c] ? ", " + owner(k2, isOpen) : "") + ">";
    }

    private static String owner(int k, boolean isOpen) {
        if (k == WORLD) return "world";
        if (!isOpen) return "o" + k;
        return k == P1 ? "p1" : k == P2 ? "p2" : "this";
    }

    private static String value(int value, int number) {
        if (value == NULL) return "null";
        if (value == TRUE || value == FALSE) return value == TRUE ? "true" : "false";
        return value == NUMBER ? "" + number : "o" + value;
    }

    private String text(Node e, boolean isOpen) {
        if (e.kind == THIS) return "this";
        if (e.kind == X) return "x";
        if (e.kind == VALUE) return value(e.value, e.number);
        if (e.kind == NEW) return "new " + type(e.of, e.o1, e.second, isOpen) + "()";
        if (e.kind == FIELD) return text(e.e1, isOpen) + ".f" + e.member;
        if (e.kind == ASSIGN) return "(" + text(e.e1, isOpen) + ".f" + e.member + " = " + text(e.e2, isOpen) + ")";
        if (e.kind == CALL)
            return text(e.e1, isOpen) + (e.member == 0 ? ".a(" : ".b(") + text(e.e2, isOpen) + ")";
        if (e.kind == CAST) return "((" + type(e.of, e.o1, e.second, isOpen) + ") " + text(e.e1, isOpen) + ")";
        if (e.kind == NOT) return "!" + text(e.e1, isOpen);
        if (e.kind == PLUS) return "(" + text(e.e1, isOpen) + " + " + text(e.e2, isOpen) + ")";
        if (e.kind == LESS) return "(" + text(e.e1, isOpen) + " < " + text(e.e2, isOpen) + ")";
        if (e.kind == EQUAL) return "(" + text(e.e1, isOpen) + " == " + text(e.e2, isOpen) + ")";
        if (e.kind == AND) return "(" + text(e.e1, isOpen) + " && " + text(e.e2, isOpen) + ")";
        if (e.kind == SEQUENCE) return "(" + text(e.e1, isOpen) + "; " + text(e.e2, isOpen) + ")";
        if (e.kind == IF)
            return "(if (" + text(e.e1, isOpen) + ") " + text(e.e2, isOpen) + " else "
                + text(e.e3, isOpen) + ")";
        return "[" + text(e.e2, isOpen) + "/this, " + text(e.e3, isOpen) + "/x] " + text(e.e1, true);
    }
}
