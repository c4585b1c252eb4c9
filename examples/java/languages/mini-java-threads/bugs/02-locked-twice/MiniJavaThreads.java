// Bug: a thread locks what it has locked already. Smallest size: 6. Operation: smallStep. Kind: preservation.
// Two threads over Mini Java's class table and heap, with a lock for each object (section 4.4 of the dissertation; the
// language is that of MiniJava.java, one expression for each thread, and `synchronized`). Either thread may take the
// next step. The class table, the heap and the locks are part of the state: every well-formed table of Object and at
// most four classes, each with at most two fields and two methods of its own, and every well-typed heap of at most four
// objects.
//
//   e ::= this | x | v | new C() | e.f | e.f = e | e.m(e) | (C) e | e + e | e < e | e == e | !e | e && e
//       | if (e) e else e | e; e | synchronized (e) e | [v/this, v/x] e | holding o e
//   v ::= null | an object of the heap | true | false | 0 | 1 | ..                     T ::= C | int | boolean
//
// Classes are numbers: Object is 0, and a class is below classes with smaller numbers only. Fields are known by their
// place, those of the superclass first; a class has four at most. Methods are called a and b, and have one parameter x.
// Their bodies have at most four nodes, whatever n is.
//
// Types. A state carries its derivation: each expression has the type T at which it is used, which may be any type
// above the one that the rules below give it (subsumption). A step leaves T as it is: that is what preservation says.
//
//   this : self    x : parameter     within a body, or under a substitution
//   null : every class               an object : its class            numbers : int            true, false : boolean
//   new C() : C
//   e.f : type of f in C             if e : C
//   e.f = e' : type of f in C        if e : C and e' : type of f in C
//   e.m(e') : result of m in C       if e : C and e' : parameter of m in C
//   (C) e : C                        if e has any class, also one that is neither above nor below C
//   e + e' : int, e < e' : boolean   if e : int and e' : int
//   e == e' : boolean                if both are of some class, or both of the same other type
//   !e, e && e' : boolean            if e : boolean and e' : boolean
//   if (e) e' else e'' : T           if e : boolean, e' : T and e'' : T
//   e; e' : T                        if e' : T
//   synchronized (e) e' : T          if e has any class, and e' : T
//   holding o e : T                  if e : T, and the thread is at work within it; not in a body, nor under a
//                                    substitution, nor within another `holding o`
//   [v/this, v'/x] e : T             if v : C and v' : parameter of m in C, and e : T in the body of method m of C.
//                                    The substitution names C and m. There is none within a body, and no object
//
//   A class has the fields and methods of all classes above it, with the same types. The body of a method has the type
//   of its result, where `this` is the class that the method is declared in. In a well-typed heap every field has a
//   value of its type. A thread has the lock of an object if and only if there is a `holding` of that object in it.
//
// Steps of a thread, from left to right, innermost first; `&&`, `if`, `;` and `synchronized` evaluate their first part
// only:
//
//   new C() -> a new object          its fields are null, 0 or false; if four are in use the program ends
//   o.f -> v, o.f = v -> v           o.m(v) -> [o/this, v/x] body of m in the class of o
//   (C) v -> v                       if v is null, or its class is C or below it; otherwise the program ends
//   null.f, null.f = v, null.m(v), synchronized (null) e    end the program
//   synchronized (o) e -> holding o e if no thread has the lock of o: this one has it from now on
//   synchronized (o) e -> e          if the thread has the lock of o; waits if the other one has it
//   holding o v -> v                 the lock is free; stuck unless the thread has it
//   [v/this, v'/x] this -> v         [v/this, v'/x] x -> v'
//   [..] e -> e with [..] before each of its parts: a step reads one node of the body, not all of it (section 4.4)
//
// The end: the program has ended, or both threads have, or each waits for the other (a deadlock, which these types do
// not rule out).

import glassbox.*;

public class MiniJavaThreads implements NondeterministicLanguage {
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
    static final int SYNCHRONIZED = 15;
    static final int SUBST = 16;
    static final int HOLDING = 17;

    // Values: 1 to 4 are the objects of the heap.
    static final int NULL = 0;
    static final int FALSE = 5;
    static final int TRUE = 6;
    static final int NUMBER = 7;

    // Types: 0 is Object, 1 to 4 are the other classes.
    static final int INT = 5;
    static final int BOOLEAN = 6;
    static final int ABSENT = 7;

    static final int NOBODY = 2;

    static class Node {
        @Range("0..17") int kind;
        @Range("0..4") int of; // the class of NEW, CAST and SUBST
        @Range("0..3") int member; // the field of FIELD and ASSIGN, the method of CALL and SUBST
        @Range("0..7") int value; // of VALUE, the object of HOLDING
        @Range("0..n-1") int number; // of the value NUMBER
        @Range("0..6") int type;
        @Tree Node e1, e2, e3;

        @Declarative
        Node(int kind, int of, int member, int value, int number, int type, Node e1, Node e2, Node e3) {
            this.kind = kind;
            this.of = of;
            this.member = member;
            this.value = value;
            this.number = number;
            this.type = type;
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
        static Node value(int value, int number, int type) {
            return new Node(VALUE, 0, 0, value, number, type, null, null, null);
        }

        @Declarative
        static Node truth(boolean b, int type) {
            return value(b ? TRUE : FALSE, 0, type);
        }
    }

    // Classes of their own for bodies keep their trees small, whatever n is.

    static class Body {
        @Range("0..15") int kind;
        @Range("0..4") int of;
        @Range("0..3") int member;
        @Range("0..7") int value;
        @Range("0..n-1") int number;
        @Range("0..6") int type;
        @Tree Leaf e1, e2, e3;

        @Declarative
        Node copy() {
            return new Node(kind, of, member, value, number, type, Leaf.copy(e1), Leaf.copy(e2), Leaf.copy(e3));
        }
    }

    static class Leaf {
        @Range("0..3") int kind;
        @Range("0..4") int of;
        @Range("0..7") int value;
        @Range("0..n-1") int number;
        @Range("0..6") int type;

        @Declarative
        static Node copy(Leaf e) {
            return e == null ? null : new Node(e.kind, e.of, 0, e.value, e.number, e.type, null, null, null);
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
    @Tree Body body1a, body1b, body2a, body2b, body3a, body3b, body4a, body4b;

    // The heap: which objects there are, the class of each, the values of its fields, and which thread has its lock.
    @NonNull @Owned @Length("4..4") boolean[] isUsed;
    @NonNull @Owned @Length("4..4") @Range("0..4") int[] classOf;
    @NonNull @Owned @Length("4..4") @Range("0..7") int[] value0, value1, value2, value3;
    @NonNull @Owned @Length("4..4") @Range("0..n-1") int[] number0, number1, number2, number3;

    @NonNull @Owned @Length("4..4") @Range("0..2") int[] holder;

    @Tree @NonNull Node root0, root1;
    boolean hasFailed;

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

    @Declarative
    public boolean wellTyped() {
        return isTable() && isHeap()
            && root0 != null && isTyped(root0, false, 0, 0) && isNested(root0, true)
            && root1 != null && isTyped(root1, false, 0, 0) && isNested(root1, true)
            && areLocked();
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
        if (kind == SYNCHRONIZED)
            return isA(t1, 0)
                && isSub(t2, type);
        if (kind == HOLDING)
            return !isOpen
                && isSub(t1, type);
        return !isOpen && of != 0 && member < 2 && implementer(of, member) == of
            && isSub(t2, of) && parameterTakes(of, member, t3)
            && isSub(t1, type);
    }

    @Declarative
    static boolean isSyntax(int kind, int of, int member, int value, int number, int t1, int t2, int t3) {
        return (t1 != ABSENT) == (kind >= FIELD)
            && (t2 != ABSENT) == (kind >= FIELD && kind != FIELD && kind != CAST && kind != NOT
                && kind != HOLDING)
            && (t3 != ABSENT) == (kind == IF || kind == SUBST)
            && (of == 0 || kind == NEW || kind == CAST || kind == SUBST)
            && (member == 0 || kind == FIELD || kind == ASSIGN || kind == CALL || kind == SUBST)
            && (value == 0 || kind == VALUE || kind == HOLDING) && (number == 0 || value == NUMBER);
    }

    // ---- Locks

    @Declarative
    boolean areLocked() {
        return GlassBox.forall(0, 4, o -> (isUsed[o] || holder[o] == NOBODY)
            && (holder[o] == 0) == isHolding(root0, o)
            && (holder[o] == 1) == isHolding(root1, o));
    }

    @Declarative
    static boolean isHolding(Node e, int o) {
        return e != null
            && (e.kind == HOLDING && e.value == o + 1
                || isHolding(e.e1, o) || isHolding(e.e2, o) || isHolding(e.e3, o));
    }

    /** Whether objects are held where the thread is at work, and none twice. */
    @Declarative
    static boolean isNested(Node e, boolean atWork) {
        return e == null
            || (e.kind != HOLDING
                || atWork && GlassBox.exists(0, 4, o -> e.value == o + 1 && !isHolding(e.e1, o)))
            && isNested(e.e1, atWork && e.kind != SUBST)
            && isNested(e.e2, atWork && isStrict(e.kind) && Node.isDone(e.e1))
            && isNested(e.e3, false);
    }

    /** Whether the second part is evaluated when the first has a value. */
    @Declarative
    static boolean isStrict(int kind) {
        return kind != IF && kind != SEQUENCE && kind != AND && kind != SYNCHRONIZED && kind != SUBST;
    }

    @Declarative
    boolean waits(Node e, int thread) {
        if (Node.isDone(e) || e.kind == SUBST) return false;
        if (!Node.isDone(e.e1)) return waits(e.e1, thread);
        if (e.kind == SYNCHRONIZED)
            return GlassBox.exists(0, 4, o -> e.e1.value == o + 1 && holder[o] == 1 - thread);
        return isStrict(e.kind) && waits(e.e2, thread);
    }

    // ---- Steps

    @Declarative
    public boolean isFinalState() {
        return hasFailed || root0.kind == VALUE && root1.kind == VALUE || waits(root0, 0) && waits(root1, 1);
    }

    public void smallStep(@Range("0..1") int thread) throws StuckException {
        if (thread == 0) {
            GlassBox.assume(root0.kind != VALUE);
            root0 = step(root0, 0);
        } else {
            GlassBox.assume(root1.kind != VALUE);
            root1 = step(root1, 1);
        }
    }

    private Node step(Node e, int thread) throws StuckException {
        if (e.kind == SUBST) return substitute(e);
        if (!Node.isDone(e.e1)) { e.e1 = step(e.e1, thread); return e; }
        if (e.kind == IF) return isTrue(e.e1) ? at(e.type, e.e2) : at(e.type, e.e3);
        if (e.kind == SEQUENCE) return at(e.type, e.e2);
        if (e.kind == AND) return isTrue(e.e1) ? at(e.type, e.e2) : at(e.type, e.e1);
        if (e.kind == SYNCHRONIZED) return lock(e, thread);
        if (!Node.isDone(e.e2)) { e.e2 = step(e.e2, thread); return e; }
        if (e.kind == HOLDING) return unlock(e, thread);
        if (e.kind == NEW) return allocate(e);
        if (e.kind == NOT) return Node.truth(!isTrue(e.e1), e.type);
        if (e.kind == PLUS) return Node.value(NUMBER, number(e.e1) + number(e.e2), e.type);
        if (e.kind == LESS) return Node.truth(number(e.e1) < number(e.e2), e.type);
        if (e.kind == EQUAL) return Node.truth(e.e1.value == e.e2.value & e.e1.number == e.e2.number, e.type);
        if (e.kind != FIELD && e.kind != ASSIGN && e.kind != CALL && e.kind != CAST) throw new StuckException();
        if (e.e1.value >= FALSE) throw new StuckException();
        if (e.kind == CAST) {
            if (!isInstance(e.e1.value, e.of)) { hasFailed = true; return e; }
            return at(e.type, e.e1);
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
        if (e.kind == FIELD) return Node.value(valueOf(o, e.member), numberOf(o, e.member), e.type);
        if (e.member == 0) {
            value0[o] = e.e2.value;
            number0[o] = e.e2.number;
        } else if (e.member == 1) {
            value1[o] = e.e2.value;
            number1[o] = e.e2.number;
        } else if (e.member == 2) {
            value2[o] = e.e2.value;
            number2[o] = e.e2.number;
        } else {
            value3[o] = e.e2.value;
            number3[o] = e.e2.number;
        }
        return at(e.type, e.e2);
    }

    private Node lock(Node e, int thread) throws StuckException {
        if (e.e1.value >= FALSE) throw new StuckException();
        if (e.e1.value == NULL) { hasFailed = true; return e; }
        int o = e.e1.value - 1;
        GlassBox.assume(holder[o] != 1 - thread);
        holder[o] = thread;
        return new Node(HOLDING, 0, 0, e.e1.value, 0, e.type, e.e2, null, null);
    }

    private Node unlock(Node e, int thread) throws StuckException {
        if (e.value < 1 || e.value > 4 || holder[e.value - 1] != thread) throw new StuckException();
        holder[e.value - 1] = NOBODY;
        return at(e.type, e.e1);
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

    private Node allocate(Node e) {
        for (int o = 0; o < 4; o++) {
            if (!isUsed[o]) {
                isUsed[o] = true;
                classOf[o] = e.of;
                value0[o] = initial(e.of, 0);
                value1[o] = initial(e.of, 1);
                value2[o] = initial(e.of, 2);
                value3[o] = initial(e.of, 3);
                return Node.value(o + 1, 0, e.type);
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
    private static Node at(int type, Node e) {
        e.type = type;
        return e;
    }

    private static Node call(Node e, int c, Body bodyA, Body bodyB) {
        if (e.member == 0) return new Node(SUBST, c, 0, 0, 0, e.type, bodyA.copy(), at(c, e.e1), e.e2);
        return new Node(SUBST, c, 1, 0, 0, e.type, bodyB.copy(), at(c, e.e1), e.e2);
    }

    private static Node substitute(Node s) {
        Node e = s.e1;
        if (e.kind == THIS) return at(s.type, s.e2);
        if (e.kind == X) return at(s.type, s.e3);
        e.e1 = under(s, e.e1);
        e.e2 = under(s, e.e2);
        e.e3 = under(s, e.e3);
        return at(s.type, e);
    }

    @Declarative
    static Node under(Node s, Node e) {
        return e == null ? null
            : new Node(SUBST, s.of, s.member, 0, 0, e.type, e, Node.value(s.e2.value, s.e2.number, s.e2.type),
                Node.value(s.e3.value, s.e3.number, s.e3.type));
    }

    // ---- As text, for counterexamples

    public String toString() {
        String text = "";
        for (int c = 1; c <= 4; c++) text += text(c);
        for (int o = 0; o < 4; o++) {
            if (isUsed[o]) text += object(o);
        }
        return text + "thread 0: " + text(root0) + "\nthread 1: " + text(root1) + (hasFailed ? "   (failed)" : "");
    }

    private String text(int c) {
        int parent = superOf(c);
        String text = "class " + name(c) + (parent == 0 ? "" : " extends " + name(parent)) + " {";
        for (int i = fields[parent]; i < fields[c]; i++) text += " " + name(fieldType(c, i)) + " f" + i + ";";
        for (int m = 0; m < 2; m++) {
            if (implementer(c, m) == c)
                text += " " + name(result(c, m)) + " " + method(m) + "(" + name(parameter(c, m)) + " x) { return "
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
        String text = "o" + (o + 1) + " = " + name(classOf[o])
            + (holder[o] == NOBODY ? "" : ", locked by thread " + holder[o]) + " {";
        for (int i = 0; i < fields[classOf[o]]; i++)
            text += " f" + i + " = " + value(valueOf(o, i), numberOf(o, i)) + ";";
        return text + " }\n";
    }

    private static String name(int type) {
        return type == 0 ? "Object" : type == INT ? "int" : type == BOOLEAN ? "boolean" : "C" + type;
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
        if (e.kind == THIS) return "this";
        if (e.kind == X) return "x";
        if (e.kind == VALUE) return value(e.value, e.number);
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
        if (e.kind == SYNCHRONIZED) return "synchronized (" + text(e.e1) + ") " + text(e.e2);
        if (e.kind == HOLDING) return "holding " + value(e.value, 0) + " " + text(e.e1);
        return "[" + text(e.e2) + "/this, " + text(e.e3) + "/x] " + text(e.e1);
    }
}
