// Bug: an untainted field may be assigned what may be tainted. Smallest size: 3. Operation: smallStep. Kind: preservation.
// Tainted data over Mini Java (section 5.2 of "Efficient Software Model Checking of Soundness of Type Systems"), as an
// extension of a language that is sound already (section 4 there): it adds annotations and typing rules, but no step.
// What Mini Java says of a program are its rules, in ../mini-java; they are assumed before a step (`isMiniJava`), and
// not asked again after it. `wellTyped` is what the extension adds. whole/WholeTaintedJava.java checks both together.
//
// Data may be tainted: it came from outside. Each value in the program and in the heap carries whether it is; steps
// copy that along with the value, what is computed from tainted data is tainted, and no step looks at it. Types may be
// annotated as untainted: those of fields, parameters and results in the class table, and the type of each expression.
// A state carries its derivation: an expression has the annotation at which it is used, so untainted data may be used
// as if it were tainted. Below, e! says that e is used as untainted, f! and m! that field f or the result of method m
// is annotated, m(x!) that the parameter is. A class C is clean if all of its fields are f!: untainted objects have no
// tainted fields.
//
//   v!                     if v is not tainted, and is not an object, or one of a clean class
//   x!                     if m(x!); this! never, since there may be classes below that are not clean
//   new C()!               if C is clean
//   (e.f)!                 if f! in the class of e
//   e.f = e'               if e'! where f!; (e.f = e')! if f!
//   e.m(e')                if e'! where m(x!); (e.m(e'))! if m!
//   ((C) e)!, (!e)!        if e!
//   (e op e')!             if e! and e'!, for +, <, ==, &&
//   (if (e) e' else e'')!  if e'! and e''!: what e tells is not data
//   (e; e')!               if e'!
//   [v/this, v'/x] e       if v'! where m(x!); ([v/this, v'/x] e)! if e!
//
//   A class has the members of the classes above it with the same annotations. The body of a method m! is used as
//   untainted, and what is written in a body is not tainted. A field f! of an object has a value v!.

import glassbox.*;

public class TaintedJava implements Language {
    // Expressions
    static final int THIS = 0;
    static final int X = 1;
    static final int VALUE = 2;
    static final int NEW = 3;
    static final int FIELD = 4;
    static final int ASSIGN = 5;
    static final int CALL = 6;
    static final int CAST = 7;
    static final int PLUS = 8;
    static final int LESS = 9;
    static final int EQUAL = 10;
    static final int NOT = 11;
    static final int AND = 12;
    static final int IF = 13;
    static final int SEQUENCE = 14;
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

    static class Node {
        @Range("0..15") int kind;
        @Range("0..4") int of; // the class of NEW, CAST and SUBST
        @Range("0..3") int member; // the field of FIELD and ASSIGN, the method of CALL and SUBST
        @Range("0..7") int value;
        @Range("0..n-1") int number; // of the value NUMBER
        boolean isTainted; // of values
        @Range("0..6") int type;
        boolean isUntainted; // part of the type
        @Tree Node e1, e2, e3;

        @Declarative
        Node(int kind, int of, int member, int value, int number, boolean isTainted, int type, boolean isUntainted,
                Node e1, Node e2, Node e3) {
            this.kind = kind;
            this.of = of;
            this.member = member;
            this.value = value;
            this.number = number;
            this.isTainted = isTainted;
            this.type = type;
            this.isUntainted = isUntainted;
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
        static boolean isUntainted(Node e) {
            return e != null && e.isUntainted;
        }

        @Declarative
        static Node value(int value, int number, boolean isTainted, int type, boolean isUntainted) {
            return new Node(VALUE, 0, 0, value, number, isTainted, type, isUntainted, null, null, null);
        }

        @Declarative
        static Node truth(boolean b, boolean isTainted, int type, boolean isUntainted) {
            return value(b ? TRUE : FALSE, 0, isTainted, type, isUntainted);
        }
    }

    // Classes of their own for bodies keep their trees small, whatever n is.

    static class Body {
        @Range("0..14") int kind;
        @Range("0..4") int of;
        @Range("0..3") int member;
        @Range("0..7") int value;
        @Range("0..n-1") int number;
        @Range("0..6") int type;
        boolean isUntainted;
        @Tree Leaf e1, e2, e3;

        @Declarative
        Node copy() {
            return new Node(kind, of, member, value, number, false, type, isUntainted, Leaf.copy(e1), Leaf.copy(e2),
                Leaf.copy(e3));
        }
    }

    static class Leaf {
        @Range("0..3") int kind;
        @Range("0..4") int of;
        @Range("0..7") int value;
        @Range("0..n-1") int number;
        @Range("0..6") int type;
        boolean isUntainted;

        @Declarative
        static Node copy(Leaf e) {
            return e == null ? null
                : new Node(e.kind, e.of, 0, e.value, e.number, false, e.type, e.isUntainted, null, null, null);
        }

        @Declarative
        static boolean isUntainted(Leaf e) {
            return e != null && e.isUntainted;
        }

        @Declarative
        static int type(Leaf e) {
            return e == null ? ABSENT : e.type;
        }
    }

    // The class table. Arrays are by class; what a class inherits is in its own entry, too.
    boolean is2Below1, is3Below1, is3Below2, is4Below1, is4Below2, is4Below3;
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] fields;
    @NonNull @Owned @Length("5..5") @Range("0..6") int[] type0, type1, type2, type3;
    @NonNull @Owned @Length("5..5") @Range("0..4") int[] implementerA, implementerB; // whose body it is; 0: no method
    @NonNull @Owned @Length("5..5") @Range("0..6") int[] parameterA, parameterB;
    @NonNull @Owned @Length("5..5") @Range("0..6") int[] resultA, resultB;
    @NonNull @Owned @Length("5..5") boolean[] isUntainted0, isUntainted1, isUntainted2, isUntainted3; // annotations
    @NonNull @Owned @Length("5..5") boolean[] isParameterUntaintedA, isParameterUntaintedB;
    @NonNull @Owned @Length("5..5") boolean[] isResultUntaintedA, isResultUntaintedB;
    @Tree Body body1a, body1b, body2a, body2b, body3a, body3b, body4a, body4b;

    // The heap: which objects there are, the class of each, and the values of its fields.
    @NonNull @Owned @Length("4..4") boolean[] isUsed;
    @NonNull @Owned @Length("4..4") @Range("0..4") int[] classOf;
    @NonNull @Owned @Length("4..4") @Range("0..7") int[] value0, value1, value2, value3;
    @NonNull @Owned @Length("4..4") @Range("0..n-1") int[] number0, number1, number2, number3;
    @NonNull @Owned @Length("4..4") boolean[] isTainted0, isTainted1, isTainted2, isTainted3;

    @Tree @NonNull Node root;
    boolean hasFailed;

    // ==== The extension

    @Declarative
    public boolean wellTyped() {
        return areMethodsAnnotated() && areAnnotationsInherited() && isHeapAnnotated() && isAnnotated(root, false);
    }

    @Declarative
    boolean isFieldUntainted(int c, int i) {
        return i == 0 ? isUntainted0[c] : i == 1 ? isUntainted1[c] : i == 2 ? isUntainted2[c] : isUntainted3[c];
    }

    @Declarative
    boolean isParameterUntainted(int c, int name) {
        return name == 0 ? isParameterUntaintedA[c] : isParameterUntaintedB[c];
    }

    @Declarative
    boolean isResultUntainted(int c, int name) {
        return name == 0 ? isResultUntaintedA[c] : isResultUntaintedB[c];
    }

    /** Whether a class has no tainted fields. */
    @Declarative
    boolean isClean(int c) {
        return GlassBox.forall(1, 5, d -> c != d
            || GlassBox.forall(0, 4, i -> fields[d] <= i || isFieldUntainted(d, i)));
    }

    @Declarative
    boolean areAnnotationsInherited() {
        return areAnnotationsInherited(2, 1) && areAnnotationsInherited(3, 1) && areAnnotationsInherited(3, 2)
            && areAnnotationsInherited(4, 1) && areAnnotationsInherited(4, 2) && areAnnotationsInherited(4, 3);
    }

    @Declarative
    boolean areAnnotationsInherited(int c, int d) {
        return !isA(c, d)
            || GlassBox.forall(0, 4, i -> fields[d] <= i || isFieldUntainted(c, i) == isFieldUntainted(d, i))
            && isMethodInherited(c, d, 0) && isMethodInherited(c, d, 1);
    }

    @Declarative
    boolean isMethodInherited(int c, int d, int name) {
        return implementer(d, name) == 0
            || isParameterUntainted(c, name) == isParameterUntainted(d, name)
            && isResultUntainted(c, name) == isResultUntainted(d, name);
    }

    @Declarative
    boolean areMethodsAnnotated() {
        return isAnnotated(body1a, isParameterUntaintedA[1], isResultUntaintedA[1])
            && isAnnotated(body1b, isParameterUntaintedB[1], isResultUntaintedB[1])
            && isAnnotated(body2a, isParameterUntaintedA[2], isResultUntaintedA[2])
            && isAnnotated(body2b, isParameterUntaintedB[2], isResultUntaintedB[2])
            && isAnnotated(body3a, isParameterUntaintedA[3], isResultUntaintedA[3])
            && isAnnotated(body3b, isParameterUntaintedB[3], isResultUntaintedB[3])
            && isAnnotated(body4a, isParameterUntaintedA[4], isResultUntaintedA[4])
            && isAnnotated(body4b, isParameterUntaintedB[4], isResultUntaintedB[4]);
    }

    @Declarative
    boolean isHeapAnnotated() {
        return GlassBox.forall(0, 4, o -> holds(o, 0, value0[o], isTainted0[o]) && holds(o, 1, value1[o], isTainted1[o])
            && holds(o, 2, value2[o], isTainted2[o]) && holds(o, 3, value3[o], isTainted3[o]));
    }

    /** Whether field i of object o may have a value. */
    @Declarative
    boolean holds(int o, int i, int value, boolean isTainted) {
        return isUntainted(value, isTainted)
            || GlassBox.forall(1, 5, c -> classOf[o] != c || fields[c] <= i || !isFieldUntainted(c, i));
    }

    /** Whether a value may be used as untainted. */
    @Declarative
    boolean isUntainted(int value, boolean isTainted) {
        return !isTainted
            && GlassBox.forall(0, 4, o -> value != o + 1 || isClean(classOf[o]));
    }

    /** Whether an expression may be annotated as it is, where x is of an untainted type or not. */
    @Declarative
    boolean isAnnotated(Node e, boolean x) {
        return e == null
            || mayBeUsed(e.kind, e.of, e.member, e.value, e.isTainted, e.isUntainted, Node.type(e.e1),
                Node.isUntainted(e.e1), Node.isUntainted(e.e2), Node.isUntainted(e.e3), x)
            && isAnnotated(e.e1, e.kind == SUBST ? isParameterUntainted(e.of, e.member) : x)
            && isAnnotated(e.e2, x) && isAnnotated(e.e3, x);
    }

    /** The body of a method. */
    @Declarative
    boolean isAnnotated(Body e, boolean x, boolean isResultUntainted) {
        return e == null
            || (e.isUntainted || !isResultUntainted)
            && mayBeUsed(e.kind, e.of, e.member, e.value, false, e.isUntainted, Leaf.type(e.e1),
                Leaf.isUntainted(e.e1), Leaf.isUntainted(e.e2), Leaf.isUntainted(e.e3), x)
            && isAnnotated(e.e1, x) && isAnnotated(e.e2, x) && isAnnotated(e.e3, x);
    }

    @Declarative
    boolean isAnnotated(Leaf e, boolean x) {
        return e == null || mayBeUsed(e.kind, e.of, 0, e.value, false, e.isUntainted, ABSENT, false, false, false, x);
    }

    /** The rules, for an expression that is used as untainted (q) or not, and parts of which are (q1 to q3). */
    @Declarative
    boolean mayBeUsed(int kind, int of, int member, int value, boolean isTainted, boolean q, int t1, boolean q1,
            boolean q2, boolean q3, boolean x) {
        if (kind == THIS)
            return !q;
        if (kind == X)
            return !q || x;
        if (kind == VALUE)
            return !q || isUntainted(value, isTainted);
        if (kind == NEW)
            return !q || isClean(of);
        if (kind == FIELD)
            return !q || isReadUntainted(t1, member);
        if (kind == ASSIGN)
            return (!q || isReadUntainted(t1, member));
        if (kind == CALL)
            return (q2 || mayTakeTainted(t1, member))
                && (!q || isReturnedUntainted(t1, member));
        if (kind == CAST || kind == NOT)
            return !q || q1;
        if (kind == IF)
            return !q || q2 && q3;
        if (kind == SEQUENCE)
            return !q || q2;
        if (kind == SUBST)
            return (q3 || mayTakeTainted(of, member))
                && (!q || q1);
        return !q || q1 && q2;
    }

    @Declarative
    boolean isReadUntainted(int c, int i) {
        return GlassBox.exists(1, 5, d -> c == d && isFieldUntainted(d, i));
    }

    @Declarative
    boolean mayHoldTainted(int c, int i) {
        return GlassBox.forall(1, 5, d -> c != d || !isFieldUntainted(d, i));
    }

    @Declarative
    boolean mayTakeTainted(int c, int name) {
        return GlassBox.forall(1, 5, d -> c != d || !isParameterUntainted(d, name));
    }

    @Declarative
    boolean isReturnedUntainted(int c, int name) {
        return GlassBox.exists(1, 5, d -> c == d && isResultUntainted(d, name));
    }

    // ==== Mini Java: what is assumed

    // ---- Subtypes

    /** Whether type c is b or below it. */
    @Declarative
    boolean isA(int c, int b) {
        return c == b || b == 0 && c <= 4 || c == 2 && b == 1 && is2Below1
            || c == 3 && (b == 1 && is3Below1 || b == 2 && is3Below2)
            || c == 4 && (b == 1 && is4Below1 || b == 2 && is4Below2 || b == 3 && is4Below3);
    }

    // Said type by type, so that it follows through a chain of subtypes by implications alone.
    @Declarative
    boolean isSub(int c, int d) {
        return GlassBox.forall(0, 7, b -> !isA(d, b) || isA(c, b));
    }

    /** Two types are the same if the same ones are above them. */
    @Declarative
    boolean isSame(int c, int d) {
        return GlassBox.forall(0, 7, b -> isA(c, b) == isA(d, b));
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
        return GlassBox.forall(0, 7, b -> !isA(t, b) || GlassBox.exists(1, 5, d -> c == d && isFieldA(d, i, b)));
    }

    /** Whether a t may be in field i of c. */
    @Declarative
    boolean fieldTakes(int c, int i, int t) {
        return GlassBox.forall(0, 7, b -> isA(t, b) || GlassBox.forall(1, 5, d -> c != d || !isFieldA(d, i, b)));
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
        return GlassBox.forall(0, 7, b -> !isA(t, b) || GlassBox.exists(1, 5, d -> c == d && isResultA(d, name, b)));
    }

    @Declarative
    boolean isResultA(int c, int name, int b) {
        return name == 0 ? isA(resultA[c], b) : isA(resultB[c], b);
    }

    @Declarative
    boolean parameterTakes(int c, int name, int t) {
        return GlassBox.forall(0, 7, b -> isA(t, b) || GlassBox.forall(1, 5, d -> c != d || !isParameterA(d, name, b)));
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
            && isTyped(body, c, parameter(c, name));
    }

    // ---- Well-typed heaps

    @Declarative
    boolean isHeap() {
        return GlassBox.forall(0, 4, o -> (isUsed[o] ? o == 0 || isUsed[o - 1] : classOf[o] == 0)
            && holds(o, 0, value0[o], number0[o]) && holds(o, 1, value1[o], number1[o])
            && holds(o, 2, value2[o], number2[o]) && holds(o, 3, value3[o], number3[o]));
    }

    /** Whether field i of object o may have a value. */
    @Declarative
    boolean holds(int o, int i, int value, int number) {
        return (value == NUMBER || number == 0)
            && GlassBox.forall(0, 5, c -> classOf[o] != c
                || (fields[c] <= i ? value == NULL
                : GlassBox.forall(0, 7, b -> !isFieldA(c, i, b) || isValueA(value, b))));
    }

    /** Whether a value has type b. */
    @Declarative
    boolean isValueA(int value, int b) {
        return isLiteralA(value, b) || GlassBox.exists(0, 4, o -> value == o + 1 && isUsed[o] && isA(classOf[o], b));
    }

    /** The same of what may be in a body, which is no object: null has every class. */
    @Declarative
    static boolean isLiteralA(int value, int b) {
        if (b == INT) return value == NUMBER;
        if (b == BOOLEAN) return value == FALSE || value == TRUE;
        return value == NULL;
    }

    // ---- Types

    @Pre("smallStep") @Declarative
    boolean isMiniJava() {
        return isTable() && isHeap() && root != null && isTyped(root, false, 0, 0);
    }

    @Declarative
    boolean isTyped(Node e, boolean isOpen, int self, int x) {
        return e == null
            || follows(e.kind, e.of, e.member, e.value, e.number, e.type, Node.type(e.e1), Node.type(e.e2),
                Node.type(e.e3), isOpen, self, x)
            && (e.kind != SUBST || e.e2.kind == VALUE && e.e2.value != NULL && e.e3.kind == VALUE)
            && isTyped(e.e1, isOpen || e.kind == SUBST, e.kind == SUBST ? e.of : self,
                e.kind == SUBST ? parameter(e.of, e.member) : x)
            && isTyped(e.e2, isOpen, self, x) && isTyped(e.e3, isOpen, self, x);
    }

    @Declarative
    boolean isTyped(Body e, int self, int x) {
        return follows(e.kind, e.of, e.member, e.value, e.number, e.type, Leaf.type(e.e1), Leaf.type(e.e2),
                Leaf.type(e.e3), true, self, x)
            && isTyped(e.e1, self, x) && isTyped(e.e2, self, x) && isTyped(e.e3, self, x);
    }

    @Declarative
    boolean isTyped(Leaf e, int self, int x) {
        return e == null
            || follows(e.kind, e.of, 0, e.value, e.number, e.type, ABSENT, ABSENT, ABSENT, true, self, x);
    }

    /** The rules: whether an expression has a type, if its parts have the types t1 to t3. */
    @Declarative
    boolean follows(int kind, int of, int member, int value, int number, int type, int t1, int t2, int t3,
            boolean isOpen, int self, int x) {
        if (!isSyntax(kind, of, member, value, number, t1, t2, t3)) return false;
        if (kind == THIS)
            return isOpen && isSub(self, type);
        if (kind == X)
            return isOpen && isSub(x, type);
        if (kind == VALUE)
            return GlassBox.forall(0, 7, b -> !isA(type, b) || (isOpen ? isLiteralA(value, b) : isValueA(value, b)));
        if (kind == NEW)
            return isSub(of, type);
        if (kind == FIELD)
            return hasField(t1, member)
                && fieldGives(t1, member, type);
        if (kind == ASSIGN)
            return hasField(t1, member)
                && fieldTakes(t1, member, t2)
                && fieldGives(t1, member, type);
        if (kind == CALL)
            return member < 2 && hasMethod(t1, member)
                && parameterTakes(t1, member, t2)
                && resultGives(t1, member, type);
        if (kind == CAST)
            return isA(t1, 0)
                && isSub(of, type);
        if (kind == PLUS)
            return t1 == INT && t2 == INT && type == INT;
        if (kind == LESS)
            return t1 == INT && t2 == INT && type == BOOLEAN;
        if (kind == EQUAL)
            return (isA(t1, 0) ? isA(t2, 0) : t1 == t2) && type == BOOLEAN;
        if (kind == NOT)
            return t1 == BOOLEAN && type == BOOLEAN;
        if (kind == AND)
            return t1 == BOOLEAN && t2 == BOOLEAN && type == BOOLEAN;
        if (kind == IF)
            return t1 == BOOLEAN
                && isSub(t2, type)
                && isSub(t3, type);
        if (kind == SEQUENCE)
            return isSub(t2, type);
        return !isOpen && of != 0 && member < 2 && implementer(of, member) == of
            && isSub(t2, of) && parameterTakes(of, member, t3)
            && isSub(t1, type);
    }

    @Declarative
    static boolean isSyntax(int kind, int of, int member, int value, int number, int t1, int t2, int t3) {
        return (t1 != ABSENT) == (kind >= FIELD)
            && (t2 != ABSENT) == (kind >= FIELD && kind != FIELD && kind != CAST && kind != NOT)
            && (t3 != ABSENT) == (kind == IF || kind == SUBST)
            && (of == 0 || kind == NEW || kind == CAST || kind == SUBST)
            && (member == 0 || kind == FIELD || kind == ASSIGN || kind == CALL || kind == SUBST)
            && (value == 0 || kind == VALUE) && (number == 0 || value == NUMBER);
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
        if (e.kind == IF) return isTrue(e.e1) ? at(e.type, e.isUntainted, e.e2) : at(e.type, e.isUntainted, e.e3);
        if (e.kind == SEQUENCE) return at(e.type, e.isUntainted, e.e2);
        if (e.kind == AND) return isTrue(e.e1) ? at(e.type, e.isUntainted, e.e2) : at(e.type, e.isUntainted, e.e1);
        if (!Node.isDone(e.e2)) { e.e2 = step(e.e2); return e; }
        if (e.kind == NEW) return allocate(e);
        if (e.kind == NOT) return Node.truth(!isTrue(e.e1), e.e1.isTainted, e.type, e.isUntainted);
        if (e.kind == PLUS)
            return Node.value(NUMBER, number(e.e1) + number(e.e2), isEitherTainted(e), e.type, e.isUntainted);
        if (e.kind == LESS)
            return Node.truth(number(e.e1) < number(e.e2), isEitherTainted(e), e.type, e.isUntainted);
        if (e.kind == EQUAL) {
            boolean isSame = e.e1.value == e.e2.value & e.e1.number == e.e2.number;
            return Node.truth(isSame, isEitherTainted(e), e.type, e.isUntainted);
        }
        if (e.kind != FIELD && e.kind != ASSIGN && e.kind != CALL && e.kind != CAST) throw new StuckException();
        if (e.e1.value >= FALSE) throw new StuckException();
        if (e.kind == CAST) {
            if (!isInstance(e.e1.value, e.of)) { hasFailed = true; return e; }
            return at(e.type, e.isUntainted, e.e1);
        }
        if (e.e1.value == NULL) { hasFailed = true; return e; }
        int o = e.e1.value - 1;
        if (e.kind == CALL) {
            int c = implementer(classOf[o], e.member);
            if (c == 1) return call(e, 1, body1a, body1b);
            if (c == 2) return call(e, 2, body2a, body2b);
            if (c == 3) return call(e, 3, body3a, body3b);
            if (c == 4) return call(e, 4, body4a, body4b);
            throw new StuckException();
        }
        if (!hasField(classOf[o], e.member)) throw new StuckException();
        if (e.kind == FIELD)
            return Node.value(valueOf(o, e.member), numberOf(o, e.member), isTaintedOf(o, e.member), e.type,
                e.isUntainted);
        if (e.member == 0) {
            value0[o] = e.e2.value;
            number0[o] = e.e2.number;
            isTainted0[o] = e.e2.isTainted;
        } else if (e.member == 1) {
            value1[o] = e.e2.value;
            number1[o] = e.e2.number;
            isTainted1[o] = e.e2.isTainted;
        } else if (e.member == 2) {
            value2[o] = e.e2.value;
            number2[o] = e.e2.number;
            isTainted2[o] = e.e2.isTainted;
        } else {
            value3[o] = e.e2.value;
            number3[o] = e.e2.number;
            isTainted3[o] = e.e2.isTainted;
        }
        return at(e.type, e.isUntainted, e.e2);
    }

    private static boolean isTrue(Node e) throws StuckException {
        if (e.value != FALSE && e.value != TRUE) throw new StuckException();
        return e.value == TRUE;
    }

    @Declarative
    static boolean isEitherTainted(Node e) {
        return e.e1.isTainted | e.e2.isTainted;
    }

    private static int number(Node e) throws StuckException {
        if (e.value != NUMBER) throw new StuckException();
        return e.number;
    }

    @Declarative
    boolean isInstance(int value, int c) {
        return value == NULL || isSub(classOf[value - 1], c);
    }

    @Declarative
    int valueOf(int o, int i) {
        return i == 0 ? value0[o] : i == 1 ? value1[o] : i == 2 ? value2[o] : value3[o];
    }

    @Declarative
    int numberOf(int o, int i) {
        return i == 0 ? number0[o] : i == 1 ? number1[o] : i == 2 ? number2[o] : number3[o];
    }

    @Declarative
    boolean isTaintedOf(int o, int i) {
        return i == 0 ? isTainted0[o] : i == 1 ? isTainted1[o] : i == 2 ? isTainted2[o] : isTainted3[o];
    }

    private Node allocate(Node e) {
        for (int o = 0; o < 4; o++) {
            if (!isUsed[o]) {
                isUsed[o] = true;
                classOf[o] = e.of;
                value0[o] = initial(e.of, 0);
                value1[o] = initial(e.of, 1);
                value2[o] = initial(e.of, 2);
                value3[o] = initial(e.of, 3);
                isTainted0[o] = isTainted1[o] = isTainted2[o] = isTainted3[o] = false;
                return Node.value(o + 1, 0, false, e.type, e.isUntainted);
            }
        }
        hasFailed = true; // no room
        return e;
    }

    @Declarative
    int initial(int c, int i) {
        int t = fieldType(c, i);
        return t == INT ? NUMBER : t == BOOLEAN ? FALSE : NULL;
    }

    /** An expression where one of a given type is used. */
    private static Node at(int type, boolean isUntainted, Node e) {
        e.type = type;
        e.isUntainted = isUntainted;
        return e;
    }

    private static Node call(Node e, int c, Body bodyA, Body bodyB) {
        if (e.member == 0)
            return new Node(SUBST, c, 0, 0, 0, false, e.type, e.isUntainted, bodyA.copy(), at(c, false, e.e1), e.e2);
        return new Node(SUBST, c, 1, 0, 0, false, e.type, e.isUntainted, bodyB.copy(), at(c, false, e.e1), e.e2);
    }

    private static Node substitute(Node s) {
        Node e = s.e1;
        if (e.kind == THIS) return at(s.type, s.isUntainted, s.e2);
        if (e.kind == X) return at(s.type, s.isUntainted, s.e3);
        e.e1 = under(s, e.e1);
        e.e2 = under(s, e.e2);
        e.e3 = under(s, e.e3);
        return at(s.type, s.isUntainted, e);
    }

    @Declarative
    static Node under(Node s, Node e) {
        return e == null ? null
            : new Node(SUBST, s.of, s.member, 0, 0, false, e.type, e.isUntainted, e, copy(s.e2), copy(s.e3));
    }

    @Declarative
    static Node copy(Node v) {
        return Node.value(v.value, v.number, v.isTainted, v.type, v.isUntainted);
    }

    // ---- As text, for counterexamples

    public String toString() {
        String text = "";
        for (int c = 1; c <= 4; c++) text += text(c);
        for (int o = 0; o < 4; o++) {
            if (isUsed[o]) text += object(o);
        }
        return text + text(root) + (hasFailed ? "   (failed)" : "");
    }

    private String text(int c) {
        int parent = superOf(c);
        String text = "class " + name(c) + (parent == 0 ? "" : " extends " + name(parent)) + " {";
        for (int i = fields[parent]; i < fields[c]; i++)
            text += " " + name(fieldType(c, i)) + mark(isFieldUntainted(c, i)) + " f" + i + ";";
        for (int m = 0; m < 2; m++) {
            if (implementer(c, m) == c)
                text += " " + name(result(c, m)) + mark(isResultUntainted(c, m)) + " " + method(m) + "("
                    + name(parameter(c, m)) + mark(isParameterUntainted(c, m)) + " x) { return "
                    + text(body(c, m).copy()) + "; }";
        }
        return text + " }\n";
    }

    private Body body(int c, int name) {
        if (c == 1) return name == 0 ? body1a : body1b;
        if (c == 2) return name == 0 ? body2a : body2b;
        if (c == 3) return name == 0 ? body3a : body3b;
        return name == 0 ? body4a : body4b;
    }

    private String object(int o) {
        String text = "o" + (o + 1) + " = " + name(classOf[o]) + " {";
        for (int i = 0; i < fields[classOf[o]]; i++)
            text += " f" + i + " = " + value(valueOf(o, i), numberOf(o, i)) + taint(isTaintedOf(o, i)) + ";";
        return text + " }\n";
    }

    private static String name(int type) {
        return type == 0 ? "Object" : type == INT ? "int" : type == BOOLEAN ? "boolean" : "C" + type;
    }

    private static String mark(boolean isUntainted) {
        return isUntainted ? "!" : "";
    }

    private static String taint(boolean isTainted) {
        return isTainted ? "?" : "";
    }

    private static String method(int name) {
        return name == 0 ? "a" : "b";
    }

    private static String value(int value, int number) {
        if (value == NULL) return "null";
        if (value == TRUE || value == FALSE) return value == TRUE ? "true" : "false";
        return value == NUMBER ? "" + number : "o" + value;
    }

    private static String text(Node e) {
        return unmarked(e) + mark(e.isUntainted);
    }

    private static String unmarked(Node e) {
        if (e.kind == THIS) return "this";
        if (e.kind == X) return "x";
        if (e.kind == VALUE) return value(e.value, e.number) + taint(e.isTainted);
        if (e.kind == NEW) return "new " + name(e.of) + "()";
        if (e.kind == FIELD) return text(e.e1) + ".f" + e.member;
        if (e.kind == ASSIGN) return "(" + text(e.e1) + ".f" + e.member + " = " + text(e.e2) + ")";
        if (e.kind == CALL) return text(e.e1) + "." + method(e.member) + "(" + text(e.e2) + ")";
        if (e.kind == CAST) return "((" + name(e.of) + ") " + text(e.e1) + ")";
        if (e.kind == PLUS) return "(" + text(e.e1) + " + " + text(e.e2) + ")";
        if (e.kind == LESS) return "(" + text(e.e1) + " < " + text(e.e2) + ")";
        if (e.kind == EQUAL) return "(" + text(e.e1) + " == " + text(e.e2) + ")";
        if (e.kind == NOT) return "!" + text(e.e1);
        if (e.kind == AND) return "(" + text(e.e1) + " && " + text(e.e2) + ")";
        if (e.kind == IF) return "(if (" + text(e.e1) + ") " + text(e.e2) + " else " + text(e.e3) + ")";
        if (e.kind == SEQUENCE) return "(" + text(e.e1) + "; " + text(e.e2) + ")";
        return "[" + text(e.e2) + "/this, " + text(e.e3) + "/x] " + text(e.e1);
    }
}
