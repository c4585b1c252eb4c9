// Bug: the branches of a conditional may have different types. Smallest size: 18. Operation: smallStep. Kind: preservation.
// The simply typed lambda calculus with Booleans, call by value, in today's Java: terms and types are records, which never
// change, so a substitution may put one term into several places. Variables are de Bruijn indices: 0 is the innermost.
//
// t ::= true | false | i | \T. t | t t | if t then t else t              T ::= bool | T -> T
//
// Typing, in an environment G, a list of types:
//   true, false : bool                   i : G(i)
//   \T. t : T -> U                       if t : U in T, G
//   t u : U                              if t : T -> U and u : T
//   if t then u else v : T               if t : bool and u : T and v : T
//
// Steps:
//   t u -> t' u                          if t -> t'
//   v u -> v u'                          if v is a value and u -> u'
//   (\T. t) v -> t[v]                    if v is a value
//   if t then u else v -> if t' then u else v        if t -> t'
//   if true then u else v -> u           if false then u else v -> v

import glassbox.*;

public class Lambda implements Language {
    sealed interface Type permits Bool, Fun {}

    record Bool() implements Type {}

    record Fun(@Tree @NonNull Type from, @Tree @NonNull Type to) implements Type {}

    sealed interface Term permits Const, Var, Lam, App, If {}

    record Const(boolean value) implements Term {}

    record Var(@Range("0..2") int index) implements Term {}

    record Lam(@Tree @NonNull Type from, @Tree @NonNull Term body) implements Term {}

    record App(@Tree @NonNull Term function, @Tree @NonNull Term argument) implements Term {}

    record If(@Tree @NonNull Term condition, @Tree @NonNull Term yes, @Tree @NonNull Term no) implements Term {}

    /** The types of the variables, the innermost first. */
    record Types(Type first, Types rest) {}

    @Tree @NonNull Term program;

    @Declarative
    public boolean wellTyped() {
        return typeOf(program, null) != null;
    }

    @Declarative
    public boolean isFinalState() {
        return isValue(program);
    }

    public void smallStep() throws StuckException {
        program = step(program);
    }

    /** The type of a term, or null if it has none. */
    @Declarative
    static Type typeOf(Term t, Types types) {
        if (t instanceof Const) return new Bool();
        if (t instanceof Var v) return at(v.index(), types);
        if (t instanceof Lam l) {
            Type to = typeOf(l.body(), new Types(l.from(), types));
            return to == null ? null : new Fun(l.from(), to);
        }
        if (t instanceof App a) {
            Type argument = typeOf(a.argument(), types);
            return typeOf(a.function(), types) instanceof Fun f && argument != null && areSame(f.from(), argument) ? f.to() : null;
        }
        if (t instanceof If i) {
            Type yes = typeOf(i.yes(), types), no = typeOf(i.no(), types);
            boolean isCondition = typeOf(i.condition(), types) instanceof Bool;
            return isCondition && yes != null && no != null ? yes : null;
        }
        return null;
    }

    @Declarative
    static Type at(int index, Types types) {
        return types == null ? null : index == 0 ? types.first() : at(index - 1, types.rest());
    }

    @Declarative
    static boolean areSame(Type a, Type b) {
        if (a instanceof Fun f && b instanceof Fun g) return areSame(f.from(), g.from()) && areSame(f.to(), g.to());
        return a instanceof Bool && b instanceof Bool;
    }

    @Declarative
    static boolean isValue(Term t) {
        return t instanceof Const || t instanceof Lam;
    }

    static Term step(Term t) throws StuckException {
        if (t instanceof App a) {
            if (!isValue(a.function())) return new App(step(a.function()), a.argument());
            if (!isValue(a.argument())) return new App(a.function(), step(a.argument()));
            if (a.function() instanceof Lam l) return put(a.argument(), 0, l.body());
        }
        if (t instanceof If i) {
            if (!isValue(i.condition())) return new If(step(i.condition()), i.yes(), i.no());
            if (i.condition() instanceof Const c) return c.value() ? i.yes() : i.no();
        }
        throw new StuckException();
    }

    /** A value, which has no free variables, in the places of a variable, and those further out one less. */
    @Declarative
    static Term put(Term value, int index, Term t) {
        if (t instanceof Var v) return v.index() == index ? value : v.index() > index ? new Var(v.index() - 1) : t;
        if (t instanceof Lam l) return new Lam(l.from(), put(value, index + 1, l.body()));
        if (t instanceof App a) return new App(put(value, index, a.function()), put(value, index, a.argument()));
        if (t instanceof If i)
            return new If(put(value, index, i.condition()), put(value, index, i.yes()), put(value, index, i.no()));
        return t;
    }
}
