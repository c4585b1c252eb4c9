package glassbox;

import java.util.function.IntPredicate;

/**
 * A set of ints, as a list of cells in any order: what a tree set or a hash set of ints must behave like.
 * A module's abstraction has one cell for each place where it may keep an element; the cell of an empty place is not
 * present. So the list has the same length for all states of a module, and they can be checked together.
 */
public class AbsIntSet {
    public static class Cell {
        boolean present;
        @Range("0..2*n") int element;
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
            return !present || c.present && element == c.element;
        }
    }

    @Tree @Padded Cell first;

    @Declarative
    public AbsIntSet() {}

    @Declarative
    public AbsIntSet(Cell first) {
        this.first = first;
    }

    public boolean contains(@Range("0..2*n") int x) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.holds(x)) return true;
        }
        return false;
    }

    public boolean add(@Range("0..2*n") int x) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.holds(x)) return false;
        }
        // In front, so that nothing changes for the other cells.
        first = new Cell(true, x, first);
        return true;
    }

    public boolean remove(@Range("0..2*n") int x) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.holds(x)) {
                c.present = false;
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return isEmpty(first);
    }

    public int size() {
        return count(first);
    }

    public void clear() {
        first = null;
    }

    @Declarative
    public boolean repOk() {
        return elementsAreUnique(first);
    }

    // What the specification of a client asks: of a module, as set.abstraction().has(x), and of this in its place.

    @Declarative
    public AbsIntSet abstraction() {
        return this;
    }

    @Declarative
    public boolean has(@Range("0..2*n") int x) {
        return has(first, x);
    }

    @Declarative
    public boolean allElements(IntPredicate p) {
        return allElements(first, p);
    }

    @Declarative
    static boolean has(Cell c, int x) {
        return c != null && (c.holds(x) | has(c.next, x));
    }

    @Declarative
    static boolean allElements(Cell c, IntPredicate p) {
        return c == null || (!c.present || p.test(c.element)) && allElements(c.next, p);
    }

    /** Whether both have the same elements. */
    @Declarative
    public boolean equalTo(AbsIntSet s) {
        return areIn(first, s.first, s.first) && areIn(s.first, first, first);
    }

    /**
     * Whether each cell from c on is in the list, the one at the given place tried first: cells that change their places
     * do so in rows.
     */
    @Declarative
    static boolean areIn(Cell c, Cell at, Cell list) {
        if (c == null) return true;
        Cell found = at != null && GlassBox.surely(c.isLike(at)) ? at : find(c, list);
        Cell last = found == null ? at : found;
        return (found != null || isIn(c, list)) && areIn(c.next, last == null ? null : last.next, list);
    }

    /** A cell of the list that is surely like c, or null. */
    @Declarative
    static Cell find(Cell c, Cell list) {
        return list == null || GlassBox.surely(c.isLike(list)) ? list : find(c, list.next);
    }

    @Declarative
    static boolean isIn(Cell c, Cell list) {
        return list == null ? !c.present : c.isLike(list) || isIn(c, list.next);
    }

    @Declarative
    static boolean isEmpty(Cell c) {
        return c == null || !c.present & isEmpty(c.next);
    }

    @Declarative
    static int count(Cell c) {
        return c == null ? 0 : (c.present ? 1 : 0) + count(c.next);
    }

    @Declarative
    static boolean elementsAreUnique(Cell c) {
        return c == null || isApart(c, c.next) && elementsAreUnique(c.next);
    }

    /** Whether no cell from d on has the element of c: pair by pair, so that what is said of other pairs stays as it is. */
    @Declarative
    static boolean isApart(Cell c, Cell d) {
        return d == null || !(c.present & d.holds(c.element)) && isApart(c, d.next);
    }
}
