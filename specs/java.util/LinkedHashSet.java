import glassbox.*;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * LinkedHashSet of JDK 17, with the LinkedHashMap that holds its elements. The invariant: a doubly linked list from `head` to `tail` holds `size`
 * entries, no key twice, with the mark `PRESENT` as value; each is in the bin of its key's hash code, in the order of the list, and nothing
 * else is in the bins. Tables have 4 bins, or there is none yet; they grow when 2 entries are there, or not before size n. Elements are null or
 * Integers. What the set holds is said by its abstraction, an AbsSet; postconditions say in which order: that of insertion.
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
        return result == !ListOfLinkedHashSet.has(before.first(), e)
            && ListOfLinkedHashSet.same(first(), before.first(), e, result);
    }

    @Post("remove") @Declarative
    boolean removed(LinkedHashSetSpec<E> before, Object o, boolean result) {
        return result == ListOfLinkedHashSet.has(before.first(), o)
            && ListOfLinkedHashSet.without(first(), before.first(), o);
    }

    @Post("contains") @Declarative
    boolean contained(LinkedHashSetSpec<E> before, Object o, boolean result) {
        return result == ListOfLinkedHashSet.has(first(), o);
    }

    @Post({"size", "isEmpty", "contains"}) @Declarative
    boolean unchanged(LinkedHashSetSpec<E> before) {
        return ListOfLinkedHashSet.same(first(), before.first(), null, false);
    }

    @Post({"clear", "LinkedHashSet"}) @Declarative
    boolean cleared(LinkedHashSetSpec<E> before) {
        return first() == null;
    }

    /** What the set holds: every operation must do what it does on an AbsSet. */
    @Declarative
    @Abstraction
    AbsSet abstraction() {
        return new AbsSet(ListOfLinkedHashSet.cells(first(), GlassBox.size() + 1));
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
        return ListOfLinkedHashSet.of(map).isMap(PRESENT);
    }
}

/** What is said of the list through the entries of the map. */
@SpecFor("java.util.LinkedHashMap")
class ListOfLinkedHashSet<K, V> extends MapOfLinkedHashSet<K, V> {
    @Tree Entry<K, V> head;
    Entry<K, V> tail;
    boolean accessOrder;

    static class Entry<K, V> extends MapOfLinkedHashSet.Node<K, V> {
        Entry<K, V> before;
        @Tree Entry<K, V> after;
    }

    @Declarative
    @SuppressWarnings("unchecked")
    static <K, V> ListOfLinkedHashSet<K, V> of(HashMap<K, V> map) {
        return (ListOfLinkedHashSet<K, V>) (Object) map;
    }

    @Declarative
    boolean isMap(Object present) {
        return !accessOrder
            && (table == null ? size == 0 && isCapacity(threshold) : GlassBox.forall(0, table.length, i -> table[i] == firstOf(head, i)))
            && (head == null ? tail == null : head.before == null && isList(head, present)) && size == count(head);
    }

    /** The entries from e on: each comes before the next one of its bin, and its key is not there again. */
    @Declarative
    boolean isList(Entry<K, V> e, Object present) {
        return e == null
            || (e.after == null ? e == tail : e.after.before == e) && e.value == present && e.hash == hashOf(e.key) && !has(e.after, e.key)
                && e.next == firstOf(e.after, e.hash & table.length - 1) && isList(e.after, present);
    }

    /** The first entry from e on that belongs in a bin. */
    @Declarative
    Entry<K, V> firstOf(Entry<K, V> e, int bin) {
        return e == null || (e.hash & table.length - 1) == bin ? e : firstOf(e.after, bin);
    }

    @Declarative
    static <K, V> int count(Entry<K, V> e) {
        return e == null ? 0 : 1 + count(e.after);
    }

    @Declarative
    static <K, V> boolean has(Entry<K, V> e, Object key) {
        return e != null && (Objects.equals(e.key, key) || has(e.after, key));
    }

    /** Whether a has the keys of b in the same order, and perhaps one more at the end. */
    @Declarative
    static <K, V> boolean same(Entry<K, V> a, Entry<K, V> b, Object key, boolean isAdded) {
        return b == null
            ? isAdded ? a != null && Objects.equals(a.key, key) && a.after == null : a == null
            : a != null && Objects.equals(a.key, b.key) && same(a.after, b.after, key, isAdded);
    }

    /** Whether a is b without a key. */
    @Declarative
    static <K, V> boolean without(Entry<K, V> a, Entry<K, V> b, Object key) {
        return b == null
            ? a == null
            : Objects.equals(b.key, key)
                ? same(a, b.after, null, false)
                : a != null && Objects.equals(a.key, b.key) && without(a.after, b.after, key);
    }

    /** A cell for each of so many places in the list from e on. */
    @Declarative
    static <K, V> AbsSet.Cell cells(Entry<K, V> e, int places) {
        boolean present = e != null;
        return places == 0 ? null : new AbsSet.Cell(present, present ? e.key : null, cells(present ? e.after : null, places - 1));
    }
}

/** What is said of the HashMap that the map is. */
@SpecFor("java.util.HashMap")
class MapOfLinkedHashSet<K, V> {
    @Owned @Length("4..4") @OneOf(ListOfLinkedHashSet.Entry.class) Node<K, V>[] table;
    @Range("0..n") int size;
    @Range("0..n+1") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;
    @OneOf(MapOfLinkedHashSet.KeySet.class) Set<K> keySet;
    @OneOf(MapOfLinkedHashSet.EntrySet.class) Set<Map.Entry<K, V>> entrySet;
    @OneOf(MapOfLinkedHashSet.Values.class) Collection<V> values;

    @Max("0") class KeySet {}
    @Max("0") class EntrySet {}
    @Max("0") class Values {}

    static class Node<K, V> {
        @Range("0..126+2*n") int hash;
        @OneOf(Integer.class) @Range("126..126+2*n") K key;
        @NonNull @OneOf(Object.class) V value;
        @OneOf(ListOfLinkedHashSet.Entry.class) Node<K, V> next;
    }

    @Declarative
    @SuppressWarnings("unchecked")
    static <K, V> MapOfLinkedHashSet<K, V> of(HashMap<K, V> map) {
        return (MapOfLinkedHashSet<K, V>) (Object) map;
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

    // In a class that holds such a set, keys may be others.
    @Declarative
    static int hashOf(Object key) {
        return key == null ? 0 : isSmallNumber(key) ? (Integer) key : key.hashCode() ^ key.hashCode() >>> 16;
    }

    @Declarative
    static boolean isSmallNumber(Object key) {
        return key instanceof Integer && 0 <= (Integer) key && (Integer) key <= 65535;
    }
}

/** What is in its cells: elements as here. */
@SpecFor("glassbox.AbsSet")
class CellsOfLinkedHashSet<E> {
    static class Cell<E> {
        @Range("126..126+2*n") E element;
    }
}
