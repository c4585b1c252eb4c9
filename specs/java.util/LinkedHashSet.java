import glassbox.*;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Objects;

/**
 * LinkedHashSet of JDK 17, with the LinkedHashMap that holds its elements. The invariant: that of the map (each entry is in the bin of its
 * key's hash code, no key is there twice, `size` is the number of entries, a doubly linked list from `head` to `tail` has as many), and every
 * value is the mark `PRESENT`. Tables have 4 bins, or there is none yet. Elements are null or Integers. What the set holds is said by its
 * abstraction, an AbsSet; postconditions say in which order: that of insertion.
 * Left out: collections as arguments, iterators, streams.
 */
@SpecFor("java.util.LinkedHashSet")
@Max("1")
class LinkedHashSetSpec<E> extends SetOfLinkedHashSet<E> {
    @Check LinkedHashSetSpec() {}
    @Check native int size();
    @Check native boolean isEmpty();
    @Check native boolean contains(@Range("126..126+2*n") Object o);
    @Check native boolean add(@Range("126..126+2*n") E e);
    @Check native boolean remove(@Range("126..126+2*n") Object o);
    @Check native void clear();

    @Declarative
    boolean repOk() {
        return isSet();
    }

    // Only of start states.
    @Pre @Declarative
    boolean growsSoonOrNever() {
        return MapOfLinkedHashSet.of(map).growsSoonOrNever();
    }

    @Declarative
    ListOfLinkedHashSet.Entry<E, Object> first() {
        return ListOfLinkedHashSet.of(map).head;
    }

    @Post("add") @Declarative
    boolean added(LinkedHashSetSpec<E> before, E e, boolean result) {
        return result == !ListOfLinkedHashSet.has(before.first(), e, GlassBox.size())
            && ListOfLinkedHashSet.same(first(), before.first(), e, result, GlassBox.size() + 1);
    }

    @Post("remove") @Declarative
    boolean removed(LinkedHashSetSpec<E> before, Object o, boolean result) {
        return result == ListOfLinkedHashSet.has(before.first(), o, GlassBox.size())
            && ListOfLinkedHashSet.without(first(), before.first(), o, GlassBox.size() + 1);
    }

    @Post("contains") @Declarative
    boolean contained(LinkedHashSetSpec<E> before, Object o, boolean result) {
        return result == ListOfLinkedHashSet.has(first(), o, GlassBox.size());
    }

    @Post({"size", "isEmpty", "contains"}) @Declarative
    boolean unchanged(LinkedHashSetSpec<E> before) {
        return ListOfLinkedHashSet.same(first(), before.first(), null, false, GlassBox.size() + 1);
    }

    @Post({"clear", "LinkedHashSet"}) @Declarative
    boolean cleared(LinkedHashSetSpec<E> before) {
        return first() == null;
    }

    /** What the set holds: every operation must do what it does on an AbsSet. */
    @Declarative
    @Abstraction
    AbsSet abstraction() {
        return new AbsSet(MapOfLinkedHashSet.of(map).cells());
    }
}

/** What is said of the HashSet that it is. */
@SpecFor("java.util.HashSet")
@Max("0")
class SetOfLinkedHashSet<E> {
    @NonNull @Tree @OneOf(LinkedHashMap.class) HashMap<E, Object> map;
    static final Object PRESENT = new Object();

    @Declarative
    boolean isSet() {
        return MapOfLinkedHashSet.of(map).isMap(PRESENT) && ListOfLinkedHashSet.of(map).isList();
    }
}

/** What is said of the list through the entries of the map. */
@SpecFor("java.util.LinkedHashMap")
class ListOfLinkedHashSet<K, V> extends MapOfLinkedHashSet<K, V> {
    Entry<K, V> head;
    Entry<K, V> tail;
    boolean accessOrder;

    static class Entry<K, V> extends MapOfLinkedHashSet.Node<K, V> {
        Entry<K, V> before;
        Entry<K, V> after;
    }

    @Declarative
    @SuppressWarnings("unchecked")
    static <K, V> ListOfLinkedHashSet<K, V> of(HashMap<K, V> map) {
        return (ListOfLinkedHashSet<K, V>) (Object) map;
    }

    @Declarative
    boolean isList() {
        return !accessOrder && (head == null ? tail == null : head.before == null && isList(head, tail, size)) && (head == null) == (size == 0);
    }

    /** From e on, so many entries up to the last one. */
    @Declarative
    static <K, V> boolean isList(Entry<K, V> e, Entry<K, V> last, int left) {
        return left <= 0 ? e == null
            : e != null && (e.after == null ? e == last : e.after.before == e) && isList(e.after, last, left - 1);
    }

    @Declarative
    static <K, V> boolean has(Entry<K, V> e, Object key, int left) {
        return left > 0 && e != null && (Objects.equals(e.key, key) || has(e.after, key, left - 1));
    }

    /** Whether a has the keys of b in the same order, and perhaps one more at the end. */
    @Declarative
    static <K, V> boolean same(Entry<K, V> a, Entry<K, V> b, Object key, boolean isAdded, int left) {
        return left < 0
            || (b == null
                ? isAdded ? a != null && Objects.equals(a.key, key) && a.after == null : a == null
                : a != null && Objects.equals(a.key, b.key) && same(a.after, b.after, key, isAdded, left - 1));
    }

    /** Whether a is b without a key. */
    @Declarative
    static <K, V> boolean without(Entry<K, V> a, Entry<K, V> b, Object key, int left) {
        return left < 0
            || (b == null
                ? a == null
                : Objects.equals(b.key, key)
                    ? same(a, b.after, null, false, left - 1)
                    : a != null && Objects.equals(a.key, b.key) && without(a.after, b.after, key, left - 1));
    }
}

/** What is said of the HashMap that the map is. */
@SpecFor("java.util.HashMap")
class MapOfLinkedHashSet<K, V> {
    @Tree @Owned @Length("4..4") @OneOf(ListOfLinkedHashSet.Entry.class) Node<K, V>[] table;
    @Range("0..n") int size;
    @Range("0..n+1") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;

    static class Node<K, V> {
        @Range("0..126+2*n") int hash;
        @Range("126..126+2*n") K key;
        @NonNull @OneOf(Object.class) V value;
        @Tree @OneOf(ListOfLinkedHashSet.Entry.class) Node<K, V> next;
    }

    @Declarative
    @SuppressWarnings("unchecked")
    static <K, V> MapOfLinkedHashSet<K, V> of(HashMap<K, V> map) {
        return (MapOfLinkedHashSet<K, V>) (Object) map;
    }

    @Declarative
    boolean isMap(Object present) {
        return table == null
            ? size == 0 && isCapacity(threshold)
            : GlassBox.forall(0, table.length, i -> isBin(table[i], i, table.length, present)) && size == count(table, 0);
    }

    @Declarative
    boolean growsSoonOrNever() {
        return table == null || threshold == 2 && size <= 2 || threshold > GlassBox.size();
    }

    // Without a table, the threshold is the number of bins that it is to have: a power of two, or 0 for the default.
    @Declarative
    static boolean isCapacity(int bins) {
        return bins == 0 || bins == 1 || bins == 2 || bins == 4 || bins == 8 || bins == 16;
    }

    @Declarative
    static int hashOf(Object key) {
        return key == null ? 0 : (Integer) key;
    }

    @Declarative
    static <K, V> boolean isBin(Node<K, V> e, int index, int bins, Object present) {
        return e == null
            || e.value == present && e.hash == hashOf(e.key) && e.hash % bins == index && find(e.next, e.key) == null
                && isBin(e.next, index, bins, present);
    }

    @Declarative
    static <K, V> Node<K, V> find(Node<K, V> e, Object key) {
        return e == null || Objects.equals(e.key, key) ? e : find(e.next, key);
    }

    @Declarative
    static <K, V> int count(Node<K, V> e) {
        return e == null ? 0 : 1 + count(e.next);
    }

    @Declarative
    static <K, V> int count(Node<K, V>[] table, int bin) {
        return table == null || bin == table.length ? 0 : count(table[bin]) + count(table, bin + 1);
    }

    @Declarative
    AbsSet.Cell cells() {
        AbsSet.Cell cells = null;
        if (table != null) {
            for (int bin = table.length - 1; bin >= 0; bin--) cells = chain(table[bin], GlassBox.size() + 1, cells);
        }
        return cells;
    }

    /** A cell for each of so many places in the chain from e on, in front of the others. */
    @Declarative
    static <K, V> AbsSet.Cell chain(Node<K, V> e, int places, AbsSet.Cell others) {
        boolean present = e != null;
        return places == 0
            ? others
            : new AbsSet.Cell(present, present ? e.key : null, chain(present ? e.next : null, places - 1, others));
    }
}

/** What is in its cells: elements as here. */
@SpecFor("glassbox.AbsSet")
class CellsOfLinkedHashSet {
    static class Cell {
        @Range("126..126+2*n") Object element;
    }
}
