package glassbox;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * A set, as a list of cells in any order: what a tree set or a hash set must behave like. Elements are compared by
 * {@code equals} and may be null.
 * A module's abstraction has one cell for each place where it may keep an element; the cell of an empty place is not
 * present. So the list has the same length for all states of a module, and they can be checked together.
 */
public class AbsSet<E> {
    public static class Cell<E> {
        boolean present;
        E element;
        @Tree Cell<E> next;

        @Declarative
        public Cell(boolean present, E element, Cell<E> next) {
            this.present = present;
            this.element = element;
            this.next = next;
        }

        // Operations ask this: one strict expression, since `&&` would be a branch that tells states apart.
        @Declarative
        boolean holds(Object x) {
            return present & Objects.equals(element, x);
        }

        @Declarative
        boolean isLike(Cell<?> c) {
            return !present || c.present && Objects.equals(element, c.element);
        }
    }

    @Tree @Padded Cell<E> first;

    @Declarative
    public AbsSet() {}

    @Declarative
    public AbsSet(Cell<E> first) {
        this.first = first;
    }

    public boolean contains(Object x) {
        for (Cell<E> c = first; c != null; c = c.next) {
            if (c.holds(x)) return true;
        }
        return false;
    }

    public boolean add(E x) {
        Cell<E> last = null;
        for (Cell<E> c = first; c != null; c = c.next) {
            if (c.holds(x)) return false;
            last = c;
        }
        // At the end, so that the other cells keep their places.
        Cell<E> added = new Cell<>(true, x, null);
        if (last == null)
            first = added;
        else
            last.next = added;
        return true;
    }

    public boolean remove(Object x) {
        for (Cell<E> c = first; c != null; c = c.next) {
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

    // What the specification of a client asks: of a module, as module.abstraction().size(), and of this in its place.

    @Declarative
    public AbsSet<E> abstraction() {
        return this;
    }

    @Declarative
    public boolean has(Object x) {
        return holds(first, x);
    }

    @Declarative
    public boolean allElements(Predicate<? super E> p) {
        return allElements(first, p);
    }

    @Declarative
    static <E> boolean allElements(Cell<E> c, Predicate<? super E> p) {
        return c == null || (!c.present || p.test(c.element)) && allElements(c.next, p);
    }

    @Declarative
    public boolean repOk() {
        return elementsAreUnique(first);
    }

    /** Whether both have the same elements. */
    @Declarative
    public boolean equalTo(AbsSet<E> s) {
        return areIn(first, s.first, null, s) && areIn(s.first, first, null, this);
    }

    /**
     * Whether each cell from c on is in the set. The cell that is as far from the end is tried first: new cells are put in
     * front, and most others stay where they are. Those that move do so in rows: what follows the last one is tried next.
     */
    @Declarative
    static boolean areIn(Cell<?> c, Cell<?> at, Cell<?> row, AbsSet<?> s) {
        if (c == null) return true;
        if (GlassBox.surely(length(c) < length(at))) return areIn(c, at.next, row, s);
        boolean isNew = GlassBox.surely(length(c) > length(at));
        Cell<?> next = isNew || at == null ? at : at.next;
        if (!isNew && isSurelyLike(c, at)) return areIn(c.next, next, null, s);
        Cell<?> found = isSurelyLike(c, row) ? row : find(c, s.first);
        return (found != null || isIn(c, s.first)) && areIn(c.next, next, found == null ? null : found.next, s);
    }

    @Declarative
    static boolean isSurelyLike(Cell<?> c, Cell<?> d) {
        return d != null && GlassBox.surely(c.isLike(d));
    }

    @Declarative
    static int length(Cell<?> c) {
        return c == null ? 0 : 1 + length(c.next);
    }

    /** A cell of the list that is surely like c, or null. */
    @Declarative
    static Cell<?> find(Cell<?> c, Cell<?> list) {
        return list == null || isSurelyLike(c, list) ? list : find(c, list.next);
    }

    @Declarative
    static boolean isIn(Cell<?> c, Cell<?> list) {
        return list == null ? !c.present : c.isLike(list) || isIn(c, list.next);
    }

    @Declarative
    static boolean isEmpty(Cell<?> c) {
        return c == null || !c.present & isEmpty(c.next);
    }

    @Declarative
    static int count(Cell<?> c) {
        return c == null ? 0 : (c.present ? 1 : 0) + count(c.next);
    }

    @Declarative
    static boolean elementsAreUnique(Cell<?> c) {
        return c == null || !(c.present & holds(c.next, c.element)) && elementsAreUnique(c.next);
    }

    @Declarative
    static boolean holds(Cell<?> c, Object x) {
        return c != null && (c.holds(x) | holds(c.next, x));
    }
}
