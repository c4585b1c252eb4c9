package glassbox;

import java.util.NoSuchElementException;

/**
 * A priority queue of ints, as a list of cells in any order: what a heap must behave like. The least element comes
 * first, and an element may be there several times. A module's abstraction has one cell for each place; the cell of an
 * empty place is not present. {@code remove} and {@code element} throw NoSuchElementException where there is none.
 */
public class AbsPriorityQueue {
    public static class Cell {
        boolean present;
        @Range("0..n-1") int element;
        @Tree Cell next;

        @Declarative
        public Cell(boolean present, int element, Cell next) {
            this.present = present;
            this.element = element;
            this.next = next;
        }

        // Operations ask this: one strict expression, since `&&` would be a branch that tells states apart.
        @Declarative
        boolean holds(int x) {
            return present & element == x;
        }

        @Declarative
        boolean isLike(Cell c) {
            return !present || c.holds(element);
        }
    }

    @Tree Cell first;

    @Declarative
    public AbsPriorityQueue() {}

    @Declarative
    public AbsPriorityQueue(Cell first) {
        this.first = first;
    }

    public boolean add(@Range("0..n-1") int x) {
        // Into the first empty place, without a branch: states that differ in that place are run together.
        boolean isPlaced = false;
        Cell last = null;
        for (Cell c = first; c != null; c = c.next) {
            boolean here = !isPlaced & !c.present;
            c.element = choose(here, x, c.element);
            c.present = c.present | here;
            isPlaced = isPlaced | here;
            last = c;
        }
        Cell added = new Cell(!isPlaced, x, null);
        if (last == null)
            first = added;
        else
            last.next = added;
        return true;
    }

    public int element() throws NoSuchElementException {
        if (isEmpty()) throw new NoSuchElementException();
        return least(first);
    }

    public int remove() throws NoSuchElementException {
        int least = element();
        boolean isRemoved = false;
        for (Cell c = first; c != null; c = c.next) {
            boolean here = !isRemoved & c.holds(least);
            c.present = c.present & !here;
            isRemoved = isRemoved | here;
        }
        return least;
    }

    @Declarative
    public boolean isEmpty() {
        return isEmpty(first);
    }

    @Declarative
    public int size() {
        return count(first);
    }

    public void clear() {
        first = null;
    }

    // What the specification of a client asks: of a module, as module.abstraction().size(), and of this in its place.

    @Declarative
    public AbsPriorityQueue abstraction() {
        return this;
    }

    @Declarative
    public boolean repOk() {
        return true;
    }

    /** Whether both have the same elements, each as often as the other. */
    @Declarative
    public boolean equalTo(AbsPriorityQueue q) {
        return areAsOften(first, q.first, first, q.first) && areAsOften(q.first, first, q.first, first);
    }

    /**
     * Whether each element from c on is in both lists equally often. Where the cells at the same place are alike,
     * nothing is counted: an element that is not equally often in both is at some place of one list and not at that of
     * the other.
     */
    @Declarative
    static boolean areAsOften(Cell c, Cell at, Cell list, Cell other) {
        return c == null
            || (at != null && c.isLike(at) || !c.present || count(list, c.element) == count(other, c.element))
                && areAsOften(c.next, at == null ? null : at.next, list, other);
    }

    @Declarative
    static int count(Cell c, int x) {
        return c == null ? 0 : (c.holds(x) ? 1 : 0) + count(c.next, x);
    }

    @Declarative
    static int count(Cell c) {
        return c == null ? 0 : (c.present ? 1 : 0) + count(c.next);
    }

    @Declarative
    static boolean isEmpty(Cell c) {
        return c == null || !c.present & isEmpty(c.next);
    }

    @Declarative
    static int least(Cell c) {
        if (c == null) return Integer.MAX_VALUE;
        int least = least(c.next);
        return c.present & c.element < least ? c.element : least;
    }

    @Declarative
    static int choose(boolean b, int x, int y) {
        return b ? x : y;
    }
}
