import glassbox.*;
import java.util.Comparator;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * TreeMap of JDK 17. The invariant: a red-black tree, sorted by its keys, with parent pointers; `size` is the number of entries. Keys are
 * Integers in their natural order, values too. What the map holds is said by its abstraction, an AbsMap; of operations that an AbsMap
 * lacks, postconditions say what is under the key, and compare the sums of all keys and values. `equals` and `hashCode` are for maps of at
 * most 3. Left out: views (`keySet` and the like; of
 * sub-maps and iterators there are specifications of their own), comparators, maps as arguments, streams.
 */
@SpecFor("java.util.TreeMap")
@Max("1")
class TreeMapSpec<K, V> {
    Comparator<? super K> comparator;
    @Tree Entry<K, V> root;
    @Range("0..n") int size;
    @Range("0..0") int modCount;
    static final boolean RED = false;
    static final boolean BLACK = true;

    static class Entry<K, V> {
        @NonNull @Range("0..2*n") K key;
        @NonNull @Range("0..n") V value;
        @Tree Entry<K, V> left;
        @Tree Entry<K, V> right;
        Entry<K, V> parent;
        boolean color;
    }

    @Check TreeMapSpec() {}
    @Check native int size();
    @Check native boolean isEmpty();
    @Check native V get(@NonNull @Range("0..2*n") Object key);
    @Check native boolean containsKey(@NonNull @Range("0..2*n") Object key);
    @Check native V put(@NonNull @Range("0..2*n") K key, @NonNull @Range("0..n") V value);
    @Check native V putIfAbsent(@NonNull @Range("0..2*n") K key, @NonNull @Range("0..n") V value);
    @Check native V remove(@NonNull @Range("0..2*n") Object key);
    @Check native void clear();
    @Check @MayThrow(NoSuchElementException.class) native K firstKey();
    @Check @MayThrow(NoSuchElementException.class) native K lastKey();
    @Check native K floorKey(@NonNull @Range("0..2*n") K key);
    @Check native K ceilingKey(@NonNull @Range("0..2*n") K key);
    @Check native K higherKey(@NonNull @Range("0..2*n") K key);
    @Check native K lowerKey(@NonNull @Range("0..2*n") K key);
    @Check native Map.Entry<K, V> pollFirstEntry();

    // An AbsMap has none like these.
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
        return comparator == null && (root == null || root.color == BLACK) && isColored(root, BLACK) && isBalanced(root)
            && isSorted(root, null, null) && isLinked(root, null) && size == count(root);
    }

    @Declarative
    static <K, V> boolean isLinked(Entry<K, V> e, Entry<K, V> parent) {
        return e == null || e.parent == parent && isLinked(e.left, e) && isLinked(e.right, e);
    }

    @Declarative
    static <K, V> boolean isSorted(Entry<K, V> e, Entry<K, V> low, Entry<K, V> high) {
        return e == null || (low == null || isBelow(low, e)) && (high == null || isBelow(e, high))
            && isSorted(e.left, low, e) && isSorted(e.right, e, high);
    }

    // In a class that holds such a map, keys may be others.
    @Declarative
    @SuppressWarnings("unchecked")
    static <K, V> boolean isBelow(Entry<K, V> a, Entry<K, V> b) {
        return (Object) a.key instanceof Integer && (Object) b.key instanceof Integer
            ? number(a) < number(b) : ((Comparable<Object>) a.key).compareTo(b.key) < 0;
    }

    @Declarative
    static <K, V> int number(Entry<K, V> e) {
        return (Integer) (Object) e.key;
    }

    @Declarative
    static <K, V> boolean isColored(Entry<K, V> e, boolean above) {
        return e == null
            || (above == BLACK || e.color == BLACK) && isColored(e.left, e.color) && isColored(e.right, e.color);
    }

    @Declarative
    static <K, V> boolean isBalanced(Entry<K, V> e) {
        return e == null || isBalanced(e.left) && isBalanced(e.right) && blacks(e.left) == blacks(e.right);
    }

    @Declarative
    static <K, V> int blacks(Entry<K, V> e) {
        return e == null ? 1 : (e.color == BLACK ? 1 : 0) + blacks(e.left);
    }

    @Declarative
    static <K, V> int count(Entry<K, V> e) {
        return e == null ? 0 : 1 + count(e.left) + count(e.right);
    }

    @Declarative
    static <K, V> Entry<K, V> find(Entry<K, V> e, int key) {
        return e == null || number(e) == key ? e : find(key < number(e) ? e.left : e.right, key);
    }

    // Only of start states: there are too many pairs of maps.
    @Pre({"isEqual", "hash"}) @Declarative
    boolean isSmall() {
        return size <= 3;
    }

    @Post("isEqual") @Declarative
    boolean compared(TreeMapSpec<K, V> before, Object o, boolean result) {
        return result == (o instanceof TreeMapSpec<?, ?> && size == ((TreeMapSpec<?, ?>) o).size && areIn(root, (TreeMapSpec<?, ?>) o));
    }

    @Declarative
    static boolean areIn(Entry<?, ?> e, TreeMapSpec<?, ?> map) {
        return e == null || has(find(map.root, number(e)), e.value) && areIn(e.left, map) && areIn(e.right, map);
    }

    @Declarative
    static boolean has(Entry<?, ?> e, Object value) {
        return e != null && valueOf(e.value) == valueOf(value);
    }

    @Post("hash") @Declarative
    boolean hashed(TreeMapSpec<K, V> before, int result) {
        return result == hashes(root);
    }

    @Declarative
    static int hashes(Entry<?, ?> e) {
        return e == null ? 0 : (number(e) ^ valueOf(e.value)) + hashes(e.left) + hashes(e.right);
    }

    // Sums are compared part by part, where a run has changed something: quick at any size. An entry that is lost, comes twice or has the
    // value of another shows in the count or in a sum.
    @Declarative
    static <K, V> int keys(Entry<K, V> e) {
        return e == null ? 0 : number(e) + keys(e.left) + keys(e.right);
    }

    @Declarative
    static <K, V> int values(Entry<K, V> e) {
        return e == null ? 0 : valueOf(e.value) + values(e.left) + values(e.right);
    }

    @Declarative
    static int valueOf(Object value) {
        return (Integer) value;
    }

    @Post("put") @Declarative
    boolean wasPut(TreeMapSpec<K, V> before, K key, V value, V result) {
        int k = (Integer) (Object) key;
        Entry<K, V> now = find(root, k);
        Entry<K, V> old = find(before.root, k);
        return now != null && now.value == value && result == (old == null ? null : old.value)
            && size == before.size + (old == null ? 1 : 0);
    }

    @Post("putIfAbsent") @Declarative
    boolean wasPutIfAbsent(TreeMapSpec<K, V> before, K key, V value, V result) {
        int k = (Integer) (Object) key;
        Entry<K, V> now = find(root, k);
        Entry<K, V> old = find(before.root, k);
        return now != null && now.value == (old == null ? value : old.value)
            && result == (old == null ? null : old.value) && size == before.size + (old == null ? 1 : 0);
    }

    @Post("remove") @Declarative
    boolean removed(TreeMapSpec<K, V> before, Object key, V result) {
        int k = (Integer) key;
        Entry<K, V> old = find(before.root, k);
        return find(root, k) == null && result == (old == null ? null : old.value)
            && size == before.size - (old == null ? 0 : 1);
    }

    @Post("get") @Declarative
    boolean got(TreeMapSpec<K, V> before, Object key, V result) {
        Entry<K, V> found = find(root, (Integer) key);
        return result == (found == null ? null : found.value);
    }

    @Post("containsKey") @Declarative
    boolean contained(TreeMapSpec<K, V> before, Object key, boolean result) {
        return result == (find(root, (Integer) key) != null);
    }

    @Post({"put", "putIfAbsent"}) @Declarative
    boolean restStays(TreeMapSpec<K, V> before, K key, V value, V result) {
        return keys(root) == keys(before.root) + (result == null ? (Integer) (Object) key : 0);
    }

    @Post("put") @Declarative
    boolean valuesStay(TreeMapSpec<K, V> before, K key, V value, V result) {
        return values(root) == values(before.root) + valueOf(value) - (result == null ? 0 : valueOf(result));
    }

    @Post("remove") @Declarative
    boolean othersStay(TreeMapSpec<K, V> before, Object key, V result) {
        return keys(root) == keys(before.root) - (result == null ? 0 : (Integer) key)
            && values(root) == values(before.root) - (result == null ? 0 : valueOf(result));
    }

    @Post({"size", "isEmpty", "get", "containsKey", "firstKey", "lastKey", "floorKey", "ceilingKey", "higherKey", "lowerKey",
        "isEqual", "hash"}) @Declarative
    boolean unchanged(TreeMapSpec<K, V> before) {
        return size == before.size && keys(root) == keys(before.root) && values(root) == values(before.root);
    }

    @Post("size") @Declarative
    boolean counted(TreeMapSpec<K, V> before, int result) {
        return result == size;
    }

    @Post("clear") @Declarative
    boolean cleared(TreeMapSpec<K, V> before) {
        return root == null && size == 0;
    }

    // Of a tree that is sorted, the greatest below a bound is found on one way down.
    @Declarative
    static <K, V> Entry<K, V> greatestBelow(Entry<K, V> e, int bound, Entry<K, V> so) {
        return e == null ? so : number(e) < bound ? greatestBelow(e.right, bound, e) : greatestBelow(e.left, bound, so);
    }

    @Declarative
    static <K, V> Entry<K, V> leastAbove(Entry<K, V> e, int bound, Entry<K, V> so) {
        return e == null ? so : number(e) > bound ? leastAbove(e.left, bound, e) : leastAbove(e.right, bound, so);
    }

    @Declarative
    static <K, V> boolean is(K key, Entry<K, V> e) {
        return e == null ? key == null : key != null && (Integer) (Object) key == number(e);
    }

    @Post("floorKey") @Declarative
    boolean floor(TreeMapSpec<K, V> before, K key, K result) {
        return is(result, greatestBelow(root, (Integer) (Object) key + 1, null));
    }

    @Post("lowerKey") @Declarative
    boolean lower(TreeMapSpec<K, V> before, K key, K result) {
        return is(result, greatestBelow(root, (Integer) (Object) key, null));
    }

    @Post("ceilingKey") @Declarative
    boolean ceiling(TreeMapSpec<K, V> before, K key, K result) {
        return is(result, leastAbove(root, (Integer) (Object) key - 1, null));
    }

    @Post("higherKey") @Declarative
    boolean higher(TreeMapSpec<K, V> before, K key, K result) {
        return is(result, leastAbove(root, (Integer) (Object) key, null));
    }

    @Post("firstKey") @Declarative
    boolean first(TreeMapSpec<K, V> before, K result) {
        return root != null && is(result, leastAbove(root, -1, null));
    }

    @Post("lastKey") @Declarative
    boolean last(TreeMapSpec<K, V> before, K result) {
        return root != null && is(result, greatestBelow(root, 2 * GlassBox.size() + 1, null));
    }

    @Post("pollFirstEntry") @Declarative
    boolean polled(TreeMapSpec<K, V> before) {
        return before.root == null ? root == null
            : size == before.size - 1 && keys(root) == keys(before.root) - number(leastAbove(before.root, -1, null));
    }

    /** What the map holds: every operation must do what it does on an AbsMap. */
    @Declarative
    @Abstraction
    AbsMap abstraction() {
        // One level more than a start state has: an insertion may need it.
        AbsMap.Cell cells = null;
        for (int depth = heightOf(GlassBox.size()); depth >= 0; depth--) cells = level(root, depth, cells);
        return new AbsMap(cells);
    }

    /** The height of a complete tree with so many places. */
    @Declarative
    static int heightOf(int places) {
        return places == 0 ? 0 : 1 + heightOf(places / 2);
    }

    /** A cell for each place at this depth below e, in front of the others. */
    @Declarative
    static <K, V> AbsMap.Cell level(Entry<K, V> e, int depth, AbsMap.Cell others) {
        boolean present = e != null;
        return depth == 0
            ? new AbsMap.Cell(present, present ? e.key : null, present ? e.value : null, others)
            : level(present ? e.left : null, depth - 1, level(present ? e.right : null, depth - 1, others));
    }

    // What an iterator sees of it: entries that come or go are counted, values that change are not.
    @Post({"put", "putIfAbsent", "remove"}) @Declarative
    boolean isCounted(TreeMapSpec<K, V> before) {
        return size == before.size || modCount != before.modCount;
    }
}

/** What is in its cells: keys and values as here. */
@SpecFor("glassbox.AbsMap")
class OfTreeMap<K, V> {
    static class Cell<K, V> {
        @NonNull @Range("0..2*n") K key;
        @NonNull @Range("0..n") V value;
    }
}
