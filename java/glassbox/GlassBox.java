package glassbox;

import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/** What specifications are made of, besides plain Java. Runs on a JVM as well. */
public final class GlassBox {
    private GlassBox() {}

    private static final class AssumptionViolated extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Drops the run if the condition is false: such states and arguments are not checked. */
    public static void assume(boolean condition) {
        if (!condition) throw new AssumptionViolated();
    }

    /** Whether b holds if a does. Both are evaluated. */
    @Declarative
    public static boolean implies(boolean a, boolean b) {
        return !a || b;
    }

    /** Whether b holds if a does. b is evaluated only then. */
    @Declarative
    public static boolean implies(boolean a, BooleanSupplier b) {
        return !a || b.getAsBoolean();
    }

    /** Whether the predicate holds for every i with lo &lt;= i &lt; hi. */
    @Declarative
    public static boolean forall(int lo, int hi, IntPredicate predicate) {
        for (int i = lo; i < hi; i++) {
            if (!predicate.test(i)) return false;
        }
        return true;
    }

    /** Whether the predicate holds for some i with lo &lt;= i &lt; hi. */
    @Declarative
    public static boolean exists(int lo, int hi, IntPredicate predicate) {
        for (int i = lo; i < hi; i++) {
            if (predicate.test(i)) return true;
        }
        return false;
    }

    /**
     * Whether x and y are one object, even if one of them is seen in the pre-state and the other
     * one now. A JVM has no pre-state, so there this is {@code ==}.
     */
    @Declarative
    public static boolean isSameObject(Object x, Object y) {
        return x == y;
    }

    /**
     * The condition itself on a JVM. Where many states are checked at once, true only if it is seen to hold in all of
     * them: so it may choose between two ways to find the same answer, and nothing else.
     */
    @Declarative
    static boolean surely(boolean condition) {
        return condition;
    }

    /** The size of the run. On a JVM, the system property {@code glassbox.size}, which must be set. */
    @Declarative
    public static int size() {
        return Integer.parseInt(System.getProperty("glassbox.size"));
    }
}
