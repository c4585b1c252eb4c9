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
        return areIn(first, s.first, null, s) && areIn(s.first, first, null, this);
    }

    /**
     * Whether each cell from c on is in the set. The cell that is as far from the end is tried first: new cells are put in
     * front, and most others stay where they are. Those that move do so in rows: what follows the last one is tried next.
     */
    @Declarative
    static boolean areIn(Cell c, Cell at, Cell row, AbsIntSet s) {
        if (c == null) return true;
        if (GlassBox.surely(length(c) < length(at))) return areIn(c, at.next, row, s);
        boolean isNew = GlassBox.surely(length(c) > length(at));
        Cell next = isNew || at == null ? at : at.next;
        if (!isNew && isSurelyLike(c, at)) return areIn(c.next, next, null, s);
        Cell found = isSurelyLike(c, row) ? row : find(c, s.first);
        return (found != null || isIn(c, s.first)) && areIn(c.next, next, found == null ? null : found.next, s);
    }

    @Declarative
    static boolean isSurelyLike(Cell c, Cell d) {
        return d != null && GlassBox.surely(c.isLike(d));
    }

    @Declarative
    static int length(Cell c) {
        return c == null ? 0 : 1 + length(c.next);
    }

    /** A cell of the list that is surely like c, or null. */
    @Declarative
    static Cell find(Cell c, Cell list) {
        return list == null || isSurelyLike(c, list) ? list : find(c, list.next);
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
