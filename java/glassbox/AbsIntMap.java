package glassbox;

import java.util.function.BiPredicate;

/**
 * A map with int keys, as a list of cells in any order: what a tree map or a hash map of ints must behave like.
 * A module's abstraction has one cell for each place where it may keep an entry; the cell of an empty place is not
 * present. So the list has the same length for all states of a module, and they can be checked together.
 */
public class AbsIntMap {
    public static class Cell {
        boolean present;
        @Range("0..2*n") int key;
        Object value;
        @Tree Cell next;

        @Declarative
        public Cell(boolean present, int key, Object value, Cell next) {
            this.present = present;
            this.key = key;
            this.value = value;
            this.next = next;
        }

        // Operations ask this: one strict expression, since `&&` would be a branch that tells states apart.
        @Declarative
        boolean holds(int k) {
            return present & key == k;
        }

        @Declarative
        boolean isLike(Cell c) {
            return !present || c.present && key == c.key && value == c.value;
        }
    }

    /** So many cells are gone through one after the other. */
    private static final int ROW = 4;
    /** Where they are gone through from the front, so that little depends on any one of them. */
    private static final int LONG_ROW = 16;

    @Tree @Padded Cell first;

    @Declarative
    public AbsIntMap() {}

    @Declarative
    public AbsIntMap(Cell first) {
        this.first = first;
    }

    public Object get(@Range("0..2*n") int key) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.holds(key)) return c.value;
        }
        return null;
    }

    public boolean containsKey(@Range("0..2*n") int key) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.holds(key)) return true;
        }
        return false;
    }

    public Object put(@Range("0..2*n") int key, Object value) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.holds(key)) {
                Object old = c.value;
                c.value = value;
                return old;
            }
        }
        // In front, so that nothing changes for the other cells.
        first = new Cell(true, key, value, first);
        return null;
    }

    public Object remove(@Range("0..2*n") int key) {
        for (Cell c = first; c != null; c = c.next) {
            if (c.holds(key)) {
                c.present = false;
                return c.value;
            }
        }
        return null;
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
        return keysAreUnique(first);
    }

    // What the specification of a client asks: of a module, as map.abstraction().valueAt(k), and of this in its place.

    @Declarative
    public AbsIntMap abstraction() {
        return this;
    }

    @Declarative
    public boolean hasKey(@Range("0..2*n") int key) {
        return holds(first, length(first), key);
    }

    @Declarative
    public Object valueAt(@Range("0..2*n") int key) {
        return valueAt(first, key);
    }

    @Declarative
    public boolean allEntries(BiPredicate<Integer, Object> p) {
        return allEntries(first, p);
    }

    @Declarative
    public AbsIntSet keys() {
        return new AbsIntSet(keys(first));
    }

    @Declarative
    static Object valueAt(Cell c, int key) {
        return c == null ? null : c.holds(key) ? c.value : valueAt(c.next, key);
    }

    @Declarative
    static boolean allEntries(Cell c, BiPredicate<Integer, Object> p) {
        return c == null || allEntries(c, LONG_ROW, p) && allEntries(skip(c, LONG_ROW), p);
    }

    @Declarative
    static boolean allEntries(Cell c, int cells, BiPredicate<Integer, Object> p) {
        return c == null || cells == 0 || (!c.present || p.test(c.key, c.value)) && allEntries(c.next, cells - 1, p);
    }

    @Declarative
    static AbsIntSet.Cell keys(Cell c) {
        return c == null ? null : new AbsIntSet.Cell(c.present, c.key, keys(c.next));
    }

    /** Whether both hold the same values under the same keys. */
    @Declarative
    public boolean equalTo(AbsIntMap m) {
        return areIn(first, m.first, null, m) && areIn(m.first, first, null, this);
    }

    /**
     * Whether each cell from c on is in the map. The cell that is as far from the end is tried first: new cells are put in
     * front, and most others stay where they are. Those that move do so in rows: what follows the last one is tried next.
     */
    @Declarative
    static boolean areIn(Cell c, Cell at, Cell row, AbsIntMap m) {
        if (c == null) return true;
        if (GlassBox.surely(length(c) < length(at))) return areIn(c, at.next, row, m);
        boolean isNew = GlassBox.surely(length(c) > length(at));
        Cell next = isNew || at == null ? at : at.next;
        if (!isNew && isSurelyLike(c, at)) return areIn(c.next, next, null, m);
        Cell found = isSurelyLike(c, row) ? row : find(c, m.first);
        return (found != null || isIn(c, m.first)) && areIn(c.next, next, found == null ? null : found.next, m);
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
    static boolean keysAreUnique(Cell c) {
        return c == null || isApart(c, c.next) && keysAreUnique(c.next);
    }

    /** Whether no cell from d on has the key of c: pair by pair, so that what is said of other pairs stays as it is. */
    @Declarative
    static boolean isApart(Cell c, Cell d) {
        return d == null || isApart(c, d, LONG_ROW) && isApart(c, skip(d, LONG_ROW));
    }

    @Declarative
    static boolean isApart(Cell c, Cell d, int cells) {
        return d == null || cells == 0 || !(c.present & d.holds(c.key)) && isApart(c, d.next, cells - 1);
    }

    /** Whether one of so many cells from c on holds the key: part by part, so that little depends on any one of them. */
    @Declarative
    static boolean holds(Cell c, int cells, int key) {
        if (cells > ROW) {
            int last = last(cells);
            return holds(c, cells - last, key) | holds(skip(c, cells - last), last, key);
        }
        boolean found = false;
        for (int i = 0; i < cells; i++) {
            found |= c.holds(key);
            c = c.next;
        }
        return found;
    }

    /** Of so many cells, how many are in the part at the end: so they are the same ones when a cell is put in front. */
    @Declarative
    static int last(int cells) {
        return cells <= 2 ? 1 : 2 * last((cells + 1) / 2);
    }

    @Declarative
    static Cell skip(Cell c, int cells) {
        for (int i = 0; i < cells && c != null; i++) c = c.next;
        return c;
    }
}
