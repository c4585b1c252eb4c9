package glassbox;

import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * A map, as a list of cells in any order: what a tree map or a hash map must behave like. Keys are compared by
 * {@code equals} and may be null, values are compared by {@code ==}.
 * A module's abstraction has one cell for each place where it may keep an entry; the cell of an empty place is not
 * present. So the list has the same length for all states of a module, and they can be checked together.
 */
public class AbsMap<K, V> {
    public static class Cell<K, V> {
        boolean present;
        K key;
        V value;
        @Tree Cell<K, V> next;

        @Declarative
        public Cell(boolean present, K key, V value, Cell<K, V> next) {
            this.present = present;
            this.key = key;
            this.value = value;
            this.next = next;
        }

        // Operations ask this: one strict expression, since `&&` would be a branch that tells states apart.
        @Declarative
        boolean holds(Object k) {
            return present & Objects.equals(key, k);
        }

        @Declarative
        boolean isLike(Cell<?, ?> c) {
            return !present || c.present && Objects.equals(key, c.key) && value == c.value;
        }
    }

    @Tree @Padded Cell<K, V> first;

    @Declarative
    public AbsMap() {}

    @Declarative
    public AbsMap(Cell<K, V> first) {
        this.first = first;
    }

    public V get(Object key) {
        for (Cell<K, V> c = first; c != null; c = c.next) {
            if (c.holds(key)) return c.value;
        }
        return null;
    }

    public boolean containsKey(Object key) {
        for (Cell<K, V> c = first; c != null; c = c.next) {
            if (c.holds(key)) return true;
        }
        return false;
    }

    public V put(K key, V value) {
        Cell<K, V> last = null;
        for (Cell<K, V> c = first; c != null; c = c.next) {
            if (c.holds(key)) {
                V old = c.value;
                c.value = value;
                return old;
            }
            last = c;
        }
        // At the end, so that the other cells keep their places.
        Cell<K, V> added = new Cell<>(true, key, value, null);
        if (last == null)
            first = added;
        else
            last.next = added;
        return null;
    }

    public V remove(Object key) {
        for (Cell<K, V> c = first; c != null; c = c.next) {
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

    // What the specification of a client asks: of a module, as module.abstraction().size(), and of this in its place.

    @Declarative
    public AbsMap<K, V> abstraction() {
        return this;
    }

    @Declarative
    public boolean hasKey(Object key) {
        return holds(first, key);
    }

    @Declarative
    public boolean allEntries(BiPredicate<? super K, ? super V> p) {
        return allEntries(first, p);
    }

    @Declarative
    static <K, V> boolean allEntries(Cell<K, V> c, BiPredicate<? super K, ? super V> p) {
        return c == null || (!c.present || p.test(c.key, c.value)) && allEntries(c.next, p);
    }

    @Declarative
    public boolean repOk() {
        return keysAreUnique(first);
    }

    /** Whether both hold the same values under the same keys. */
    @Declarative
    public boolean equalTo(AbsMap<K, V> m) {
        return areIn(first, m.first, null, m) && areIn(m.first, first, null, this);
    }

    /**
     * Whether each cell from c on is in the map. The cell that is as far from the end is tried first: new cells are put in
     * front, and most others stay where they are. Those that move do so in rows: what follows the last one is tried next.
     */
    @Declarative
    static boolean areIn(Cell<?, ?> c, Cell<?, ?> at, Cell<?, ?> row, AbsMap<?, ?> m) {
        if (c == null) return true;
        if (GlassBox.surely(length(c) < length(at))) return areIn(c, at.next, row, m);
        boolean isNew = GlassBox.surely(length(c) > length(at));
        Cell<?, ?> next = isNew || at == null ? at : at.next;
        if (!isNew && isSurelyLike(c, at)) return areIn(c.next, next, null, m);
        Cell<?, ?> found = isSurelyLike(c, row) ? row : find(c, m.first);
        return (found != null || isIn(c, m.first)) && areIn(c.next, next, found == null ? null : found.next, m);
    }

    @Declarative
    static boolean isSurelyLike(Cell<?, ?> c, Cell<?, ?> d) {
        return d != null && GlassBox.surely(c.isLike(d));
    }

    @Declarative
    static int length(Cell<?, ?> c) {
        return c == null ? 0 : 1 + length(c.next);
    }

    /** A cell of the list that is surely like c, or null. */
    @Declarative
    static Cell<?, ?> find(Cell<?, ?> c, Cell<?, ?> list) {
        return list == null || isSurelyLike(c, list) ? list : find(c, list.next);
    }

    @Declarative
    static boolean isIn(Cell<?, ?> c, Cell<?, ?> list) {
        return list == null ? !c.present : c.isLike(list) || isIn(c, list.next);
    }

    @Declarative
    static boolean isEmpty(Cell<?, ?> c) {
        return c == null || !c.present & isEmpty(c.next);
    }

    @Declarative
    static int count(Cell<?, ?> c) {
        return c == null ? 0 : (c.present ? 1 : 0) + count(c.next);
    }

    @Declarative
    static boolean keysAreUnique(Cell<?, ?> c) {
        return c == null || !(c.present & holds(c.next, c.key)) && keysAreUnique(c.next);
    }

    @Declarative
    static boolean holds(Cell<?, ?> c, Object key) {
        return c != null && (c.holds(key) | holds(c.next, key));
    }
}
