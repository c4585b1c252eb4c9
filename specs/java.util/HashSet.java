import glassbox.*;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * HashSet of JDK 17, with the HashMap that holds its elements. The invariant: that of the map (each entry in the bin of its key's hash code,
 * no key twice, `size` is their number), and every value is the mark `PRESENT`. Tables have 4 bins. Elements are null or Integers.
 * One is added to bins of at most 7; `equals` and `hashCode` are for sets of at most 2.
 * Left out: collections as arguments, iterators, streams.
 */
@SpecFor("java.util.HashSet")
@Max("1")
class HashSetSpec<E> {
    @NonNull @Tree HashMap<E, Object> map;
    static final Object PRESENT = new Object();

    @Check native int size();
    @Check native boolean isEmpty();
    @Check native boolean contains(@Range("124..131+4*n") Object o);
    @Check native boolean add(@Range("124..131+4*n") E e);
    @Check native boolean remove(@Range("124..131+4*n") Object o);
    @Check native void clear();

    // An AbsSet has none like these.
    @Check
    boolean isEqual(Object o) {
        return equals(o);
    }

    @Check
    int hash() {
        return hashCode();
    }

    @Declarative
    boolean repOk() {
        return OfHashSet.of(map).isMap(PRESENT);
    }

    // Only of start states.
    @Pre @Declarative
    boolean growsSoonOrNever() {
        return OfHashSet.of(map).growsSoonOrNever();
    }

    // Only of start states: an element that makes a bin longer has the table grow, or the bin become a tree (see HashMap.TreeNode).
    @Pre("add") @Declarative
    boolean hasShortBins() {
        return OfHashSet.of(map).hasShortBins();
    }

    @Declarative
    boolean isLike(HashSetSpec<E> before, int more, int key) {
        return OfHashSet.of(map).size == OfHashSet.of(before.map).size + more
            && OfHashSet.of(map).keys() == OfHashSet.of(before.map).keys() + more * key;
    }

    @Post("add") @Declarative
    boolean added(HashSetSpec<E> before, E e, boolean result) {
        return OfHashSet.of(map).has(e) && result == !OfHashSet.of(before.map).has(e)
            && (result ? isLike(before, 1, OfHashSet.keyOf(e)) : isLike(before, 0, 0));
    }

    @Post("remove") @Declarative
    boolean removed(HashSetSpec<E> before, Object o, boolean result) {
        return !OfHashSet.of(map).has(o) && result == OfHashSet.of(before.map).has(o)
            && (result ? isLike(before, -1, OfHashSet.keyOf(o)) : isLike(before, 0, 0));
    }

    @Post("contains") @Declarative
    boolean contained(HashSetSpec<E> before, Object o, boolean result) {
        return result == OfHashSet.of(map).has(o);
    }

    @Post({"size", "isEmpty", "contains", "isEqual", "hash"}) @Declarative
    boolean unchanged(HashSetSpec<E> before) {
        return isLike(before, 0, 0);
    }

    @Post("size") @Declarative
    boolean counted(HashSetSpec<E> before, int result) {
        return result == OfHashSet.of(map).size;
    }

    @Post("clear") @Declarative
    boolean cleared(HashSetSpec<E> before) {
        return OfHashSet.of(map).size == 0;
    }

    // Only of start states: there are too many pairs of sets.
    @Pre({"isEqual", "hash"}) @Declarative
    boolean isSmall() {
        return OfHashSet.of(map).size <= 2;
    }

    // A set of keys may be of a map that is nobody's: a valid one.
    @Pre("isEqual") @Declarative
    boolean isOfMap(Object o) {
        return !(o instanceof OfHashSet<?, ?>.KeySet) || ((OfHashSet<?, ?>.KeySet) o).map().isMap(PRESENT);
    }

    @Post("isEqual") @Declarative
    boolean compared(HashSetSpec<E> before, Object o, boolean result) {
        return result == (o instanceof HashSetSpec<?> ? OfHashSet.of(map).isLike(OfHashSet.of(((HashSetSpec<?>) o).map))
            : o instanceof OfHashSet<?, ?>.KeySet && OfHashSet.of(map).isLike(((OfHashSet<?, ?>.KeySet) o).map()));
    }

    @Post("hash") @Declarative
    boolean hashed(HashSetSpec<E> before, int result) {
        return result == OfHashSet.of(map).hashes();
    }

    /** What the set holds: every operation must do what it does on an AbsSet. */
    @Declarative
    @Abstraction
    AbsSet abstraction() {
        return new AbsSet(OfHashSet.of(map).cells());
    }
}

/** What is said of the map: it has no invariant of its own here, and is not checked by itself. */
@SpecFor("java.util.HashMap")
class OfHashSet<K, V> {
    @Tree @Owned @Length("4..4") Node<K, V>[] table;
    @Range("0..n") int size;
    @Range("0..n+1") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;
    @OneOf(OfHashSet.KeySet.class) Set<K> keySet;
    @OneOf(OfHashSet.EntrySet.class) Set<Map.Entry<K, V>> entrySet;
    @OneOf(OfHashSet.Values.class) Collection<V> values;

    @Max("0") class EntrySet {}
    @Max("0") class Values {}

    @Max("1")
    class KeySet {
        @Declarative
        OfHashSet<K, V> map() {
            return OfHashSet.this;
        }
    }

    static class Node<K, V> {
        @Range("0..131+4*n") int hash;
        @OneOf(Integer.class) @Range("124..131+4*n") K key;
        V value;
        @Tree Node<K, V> next;
    }

    @Declarative
    @SuppressWarnings("unchecked")
    static <K, V> OfHashSet<K, V> of(HashMap<K, V> map) {
        return (OfHashSet<K, V>) (Object) map;
    }

    @Declarative
    boolean isMap(Object present) {
        return (keySet == null || ((KeySet) (Object) keySet).map() == this) && (table == null
            ? size == 0 && isCapacity(threshold)
            : GlassBox.forall(0, table.length, i -> isBin(table[i], i, table.length) && isMarked(table[i], present))
                && size == count(table, 0));
    }

    @Declarative
    static <K, V> boolean isMarked(Node<K, V> e, Object present) {
        return e == null || e.value == present && isMarked(e.next, present);
    }

    @Declarative
    boolean has(Object key) {
        return find(table, key) != null;
    }

    @Declarative
    int keys() {
        return keys(table, 0);
    }

    @Declarative
    boolean isLike(OfHashSet<?, ?> other) {
        return size == other.size && (table == null || GlassBox.forall(0, table.length, i -> areIn(table[i], other)));
    }

    @Declarative
    static boolean areIn(Node<?, ?> e, OfHashSet<?, ?> map) {
        return e == null || map.has(e.key) && areIn(e.next, map);
    }

    @Declarative
    int hashes() {
        int hash = 0;
        if (table != null) {
            for (int i = 0; i < table.length; i++) hash += hashes(table[i]);
        }
        return hash;
    }

    @Declarative
    static int hashes(Node<?, ?> e) {
        return e == null ? 0 : hashOf(e.key) + hashes(e.next);
    }

    @Declarative
    boolean growsSoonOrNever() {
        return table == null || threshold == 2 && size <= 2 || threshold > GlassBox.size();
    }

    @Declarative
    boolean hasShortBins() {
        return table == null || GlassBox.forall(0, table.length, i -> hasAtMost(7, table[i]));
    }

    @Declarative
    static <K, V> boolean hasAtMost(int count, Node<K, V> e) {
        return e == null || count > 0 && hasAtMost(count - 1, e.next);
    }

    // Without a table, the threshold is the number of bins that it is to have: a power of two, or 0 for the default.
    @Declarative
    static boolean isCapacity(int bins) {
        return bins == 0 || bins == 1 || bins == 2 || bins == 4 || bins == 8;
    }

    // In a class that holds such a map, keys may be others.
    @Declarative
    static int hashOf(Object key) {
        return key == null ? 0 : isSmall(key) ? (Integer) key : key.hashCode() ^ key.hashCode() >>> 16;
    }

    @Declarative
    static boolean isSmall(Object key) {
        return key instanceof Integer && 0 <= (Integer) key && (Integer) key <= 65535;
    }

    // The number of bins is a power of two.
    @Declarative
    static int bin(int hash, int bins) {
        return hash >= 0 ? hash % bins : hash & bins - 1;
    }

    @Declarative
    static <K, V> boolean isBin(Node<K, V> e, int index, int bins) {
        return e == null
            || e.hash == hashOf(e.key) && bin(e.hash, bins) == index && find(e.next, e.key) == null && isBin(e.next, index, bins);
    }

    @Declarative
    static <K, V> Node<K, V> find(Node<K, V> e, Object key) {
        return e == null || Objects.equals(e.key, key) ? e : find(e.next, key);
    }

    @Declarative
    static <K, V> Node<K, V> find(Node<K, V>[] table, Object key) {
        return table == null || table.length == 0 ? null : find(table[bin(hashOf(key), table.length)], key);
    }

    @Declarative
    static <K, V> int count(Node<K, V> e) {
        return e == null ? 0 : 1 + count(e.next);
    }

    @Declarative
    static <K, V> int count(Node<K, V>[] table, int bin) {
        return table == null || bin == table.length ? 0 : count(table[bin]) + count(table, bin + 1);
    }

    // The null key counts as -1.
    @Declarative
    static <K, V> int keys(Node<K, V> e) {
        return e == null ? 0 : keyOf(e.key) + keys(e.next);
    }

    @Declarative
    static <K, V> int keys(Node<K, V>[] table, int bin) {
        return table == null || bin == table.length ? 0 : keys(table[bin]) + keys(table, bin + 1);
    }

    @Declarative
    static int keyOf(Object key) {
        return key == null ? -1 : (Integer) key;
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
class CellsOfHashSet<E> {
    static class Cell<E> {
        @Range("126..126+2*n") E element;
    }
}
