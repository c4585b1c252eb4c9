import glassbox.*;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/**
 * TreeSet of JDK 17, with the TreeMap that holds its elements. The invariant: that of the map (a red-black tree, sorted, with parent
 * pointers, `size` is the number of entries), and every value is the mark `PRESENT`. Elements are Integers in their natural order.
 * `equals` and `hashCode` are for sets of at most 2. Left out: views, comparators, collections as arguments, iterators, streams.
 */
@SpecFor("java.util.TreeSet")
@Max("1")
class TreeSetSpec<E> {
    @NonNull @Tree @OneOf(TreeMap.class) NavigableMap<E, Object> m;
    static final Object PRESENT = new Object();

    @Check native int size();
    @Check native boolean isEmpty();
    @Check native boolean contains(@NonNull @Range("0..2*n") Object o);
    @Check native boolean add(@NonNull @Range("0..2*n") E e);
    @Check native boolean remove(@NonNull @Range("0..2*n") Object o);
    @Check native void clear();
    @Check @MayThrow(NoSuchElementException.class) native E first();
    @Check @MayThrow(NoSuchElementException.class) native E last();
    @Check native E floor(@NonNull @Range("0..2*n") E e);
    @Check native E higher(@NonNull @Range("0..2*n") E e);

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
        return OfTreeSet.of(m).isMap(PRESENT);
    }

    @Declarative
    boolean isLike(TreeSetSpec<E> before, int more, Object key) {
        return OfTreeSet.of(m).size == OfTreeSet.of(before.m).size + more
            && OfTreeSet.of(m).keys() == OfTreeSet.of(before.m).keys() + more * (Integer) key;
    }

    @Post("add") @Declarative
    boolean added(TreeSetSpec<E> before, E e, boolean result) {
        return OfTreeSet.of(m).has(e) && result == !OfTreeSet.of(before.m).has(e) && isLike(before, result ? 1 : 0, e);
    }

    @Post("remove") @Declarative
    boolean removed(TreeSetSpec<E> before, Object o, boolean result) {
        return !OfTreeSet.of(m).has(o) && result == OfTreeSet.of(before.m).has(o) && isLike(before, result ? -1 : 0, o);
    }

    @Post("contains") @Declarative
    boolean contained(TreeSetSpec<E> before, Object o, boolean result) {
        return result == OfTreeSet.of(m).has(o);
    }

    @Post({"size", "isEmpty", "contains", "first", "last", "floor", "higher", "isEqual", "hash"}) @Declarative
    boolean unchanged(TreeSetSpec<E> before) {
        return isLike(before, 0, 0);
    }

    @Post("first") @Declarative
    boolean gotFirst(TreeSetSpec<E> before, E result) {
        return OfTreeSet.of(m).has(result) && OfTreeSet.of(m).isLeastAbove(-1, result);
    }

    @Post("last") @Declarative
    boolean gotLast(TreeSetSpec<E> before, E result) {
        return OfTreeSet.of(m).has(result) && OfTreeSet.of(m).isGreatestBelow(2 * GlassBox.size() + 1, result);
    }

    @Post("floor") @Declarative
    boolean gotFloor(TreeSetSpec<E> before, E e, E result) {
        return OfTreeSet.of(m).isGreatestBelow((Integer) (Object) e + 1, result);
    }

    @Post("higher") @Declarative
    boolean gotHigher(TreeSetSpec<E> before, E e, E result) {
        return OfTreeSet.of(m).isLeastAbove((Integer) (Object) e, result);
    }

    @Post("size") @Declarative
    boolean counted(TreeSetSpec<E> before, int result) {
        return result == OfTreeSet.of(m).size;
    }

    @Post("clear") @Declarative
    boolean cleared(TreeSetSpec<E> before) {
        return OfTreeSet.of(m).size == 0;
    }

    // Only of start states: there are too many pairs of sets.
    @Pre({"isEqual", "hash"}) @Declarative
    boolean isSmall() {
        return OfTreeSet.of(m).size <= 2;
    }

    @Post("isEqual") @Declarative
    boolean compared(TreeSetSpec<E> before, Object o, boolean result) {
        return result == (o instanceof TreeSetSpec<?> && OfTreeSet.of(m).isLike(OfTreeSet.of(((TreeSetSpec<?>) o).m)));
    }

    @Post("hash") @Declarative
    boolean hashed(TreeSetSpec<E> before, int result) {
        return result == OfTreeSet.of(m).hashes();
    }

    /** What the set holds: every operation must do what it does on an AbsSet. */
    @Declarative
    @Abstraction
    AbsSet abstraction() {
        return new AbsSet(OfTreeSet.of(m).cells());
    }
}

/** What is said of the map: it has no invariant of its own here, and is not checked by itself. */
@SpecFor("java.util.TreeMap")
class OfTreeSet<K, V> {
    Comparator<? super K> comparator;
    @Tree Entry<K, V> root;
    @Range("0..n") int size;
    @Range("0..0") int modCount;
    static final boolean BLACK = true;

    static class Entry<K, V> {
        @NonNull @Range("0..2*n") K key;
        V value;
        @Tree Entry<K, V> left;
        @Tree Entry<K, V> right;
        Entry<K, V> parent;
        boolean color;
    }

    @Declarative
    @SuppressWarnings("unchecked")
    static <K, V> OfTreeSet<K, V> of(NavigableMap<K, V> map) {
        return (OfTreeSet<K, V>) (Object) map;
    }

    @Declarative
    boolean isMap(Object present) {
        return comparator == null && (root == null || root.color == BLACK) && isColored(root, BLACK) && isBalanced(root)
            && isSorted(root, null, null) && isLinked(root, null) && size == count(root) && isMarked(root, present);
    }

    @Declarative
    static <K, V> boolean isMarked(Entry<K, V> e, Object present) {
        return e == null || e.value == present && isMarked(e.left, present) && isMarked(e.right, present);
    }

    @Declarative
    boolean has(Object key) {
        return find(root, (Integer) key) != null;
    }

    @Declarative
    int keys() {
        return keys(root);
    }

    @Declarative
    boolean isLike(OfTreeSet<?, ?> other) {
        return size == other.size && areIn(root, other);
    }

    @Declarative
    static boolean areIn(Entry<?, ?> e, OfTreeSet<?, ?> map) {
        return e == null || map.has(e.key) && areIn(e.left, map) && areIn(e.right, map);
    }

    /** The hash code of an Integer is its number. */
    @Declarative
    int hashes() {
        return keys(root);
    }

    @Declarative
    boolean isGreatestBelow(int bound, K key) {
        return is(key, greatestBelow(root, bound, null));
    }

    @Declarative
    boolean isLeastAbove(int bound, K key) {
        return is(key, leastAbove(root, bound, null));
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

    // Sums are compared part by part, where a run has changed something: quick at any size. An entry that is lost, comes twice or has the
    // value of another shows in the count or in a sum.
    @Declarative
    static <K, V> int keys(Entry<K, V> e) {
        return e == null ? 0 : number(e) + keys(e.left) + keys(e.right);
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

    @Declarative
    AbsSet.Cell cells() {
        // One level more than a start state has: an insertion may need it.
        AbsSet.Cell cells = null;
        for (int depth = heightOf(GlassBox.size()); depth >= 0; depth--) cells = level(root, depth, cells);
        return cells;
    }

    /** The height of a complete tree with so many places. */
    @Declarative
    static int heightOf(int places) {
        return places == 0 ? 0 : 1 + heightOf(places / 2);
    }

    /** A cell for each place at this depth below e, in front of the others. */
    @Declarative
    static <K, V> AbsSet.Cell level(Entry<K, V> e, int depth, AbsSet.Cell others) {
        boolean present = e != null;
        return depth == 0
            ? new AbsSet.Cell(present, present ? e.key : null, others)
            : level(present ? e.left : null, depth - 1, level(present ? e.right : null, depth - 1, others));
    }
}

/** What is in its cells: elements as here. */
@SpecFor("glassbox.AbsSet")
class CellsOfTreeSet<E> {
    static class Cell<E> {
        @NonNull @Range("0..2*n") E element;
    }
}
