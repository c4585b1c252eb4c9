import glassbox.*;

/**
 * ComparableTimSort of JDK 17, which `Arrays.sort(Object[])` and `List.sort` lead to. `sorted`: arrays of up to n Integers, sorted by binary
 * insertion (below 32 elements no runs are merged). The merges of longer arrays are checked by themselves, from every state in which they may be
 * called: the invariant of an object says that up to 3 runs are pending, one after the other from the beginning of an array of up to n Integers, each
 * of them sorted; room for a merge is there or made. They gallop as soon as one run wins `minGallop` times in a row (1 or 2 times in the start states).
 * Postconditions say that the result is sorted, holds every number as often as before, and, since the numbers of one value may be different objects,
 * that equal ones keep their order.
 */
@SpecFor("java.util.ComparableTimSort")
@Max("1")
class ComparableTimSortSpec {
    @NonNull @Owned @Range("127..127+n") Object[] a;
    @NonNull @Owned @OneOf(Object.class) @Length("0..n/2") Object[] tmp;
    @Range("0..0") int tmpBase;
    @Range("0..n/2") int tmpLen;
    @Range("1..2") int minGallop;
    @Range("0..3") int stackSize;
    @NonNull @Owned @Length("5..5") @Range("0..n") int[] runBase;
    @NonNull @Owned @Length("5..5") @Range("0..n") int[] runLen;

    static native void sort(Object[] a, int lo, int hi, Object[] work, int workBase, int workLen);

    @Check private native void mergeAt(@Range("0..1") int i);
    @Check private native void mergeForceCollapse();

    @Declarative
    boolean repOk() {
        return tmpLen == tmp.length && 0 <= tmpBase && minGallop >= 1 && 0 <= stackSize && stackSize <= 3 && isRuns()
            && GlassBox.forall(0, a.length, i -> a[i] != null);
    }

    @Declarative
    boolean isRuns() {
        return GlassBox.forall(0, 3, r -> r >= stackSize
            || runBase[r] == (r == 0 ? 0 : runBase[r - 1] + runLen[r - 1]) && runLen[r] > 0 && runBase[r] + runLen[r] <= a.length
                && GlassBox.forall(1, a.length, i -> i <= runBase[r] || i >= runBase[r] + runLen[r] || number(a[i - 1]) <= number(a[i])));
    }

    // As `mergeCollapse` and `mergeForceCollapse` call it.
    @Pre("mergeAt") @Declarative
    boolean areThere(int i) {
        return stackSize >= 2 && (i == stackSize - 2 || i == stackSize - 3);
    }

    // Three runs are merged in one of two orders; that takes no more than this.
    @Pre("mergeForceCollapse") @Declarative
    boolean areFew() {
        return stackSize <= 2 || end() <= 4;
    }

    @Post("mergeAt") @Declarative
    boolean isMerged(ComparableTimSortSpec before, int i) {
        return stackSize == before.stackSize - 1 && runLen[i] == before.runLen[i] + before.runLen[i + 1]
            && GlassBox.forall(0, 3, r -> r >= stackSize || runBase[r] == before.runBase[r <= i ? r : r + 1])
            && keepsOrder(before.a, a, runBase[i], runBase[i] + runLen[i]);
    }

    // Afterwards all pending runs are one.
    @Post("mergeForceCollapse") @Declarative
    boolean isCollapsed(ComparableTimSortSpec before) {
        return before.stackSize == 0 ? stackSize == 0
            : stackSize == 1 && runLen[0] == before.end() && keepsOrder(before.a, a, 0, before.end());
    }

    /** Where the last run ends. */
    @Declarative
    int end() {
        return runBase[stackSize - 1] + runLen[stackSize - 1];
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

    @Post("sorted") @Declarative
    static boolean keepsOrder(ComparableTimSortSpec before, Object[] all, Object[] result) {
        return keepsOrder(all, result, 0, all.length);
    }

    /** From one place up to another, each is where those that must come before it leave room; the rest is as it was. */
    @Declarative
    static boolean keepsOrder(Object[] all, Object[] result, int from, int to) {
        return result.length == all.length
            && GlassBox.forall(0, all.length, i -> result[from <= i && i < to ? from + before(all, i, from, to) : i] == all[i]);
    }

    @Declarative
    static int before(Object[] all, int i, int from, int to) {
        int count = 0;
        for (int j = 0; j < all.length; j++) {
            if (from <= j && j < to && (number(all[j]) < number(all[i]) || j < i && number(all[j]) == number(all[i]))) count++;
        }
        return count;
    }

    @Declarative
    static int number(Object o) {
        return (Integer) o;
    }
}
