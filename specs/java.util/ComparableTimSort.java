import glassbox.*;

/**
 * ComparableTimSort of JDK 17, which `Arrays.sort(Object[])` and `List.sort` lead to: arrays of up to n Integers, sorted by binary insertion
 * (below 32 elements no runs are merged). Postconditions say that the result is sorted, holds every number as often as before, and, since
 * the numbers of one value may be different objects, that equal ones keep their order.
 */
@SpecFor("java.util.ComparableTimSort")
@Max("1")
class ComparableTimSortSpec {
    static native void sort(Object[] a, int lo, int hi, Object[] work, int workBase, int workLen);

    @Declarative
    boolean repOk() {
        return true;
    }

    @Check
    static Object[] sorted(@NonNull @Range("127..127+n") Object[] all) {
        Object[] a = all.clone();
        sort(a, 0, a.length, null, 0, 0);
        return a;
    }

    @Pre("sorted") @Declarative
    static boolean areThere(Object[] all) {
        return GlassBox.forall(0, all.length, i -> all[i] != null);
    }

    @Post("sorted") @Declarative
    static boolean isSorted(ComparableTimSortSpec before, Object[] all, Object[] result) {
        return result.length == all.length && GlassBox.forall(1, result.length, i -> number(result[i - 1]) <= number(result[i]));
    }

    // Each is where those that must come before it leave room.
    @Post("sorted") @Declarative
    static boolean keepsOrder(ComparableTimSortSpec before, Object[] all, Object[] result) {
        return GlassBox.forall(0, all.length, i -> result[before(all, i)] == all[i]);
    }

    @Declarative
    static int before(Object[] all, int i) {
        int count = 0;
        for (int j = 0; j < all.length; j++) {
            if (number(all[j]) < number(all[i]) || j < i && number(all[j]) == number(all[i])) count++;
        }
        return count;
    }

    @Declarative
    static int number(Object o) {
        return (Integer) o;
    }
}
