import glassbox.*;
import java.util.Comparator;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/**
 * The views of TreeMap of JDK 17 that `subMap`, `headMap` and `tailMap` give, and those that `descendingMap` gives. The invariant: that of the
 * map behind it (a red-black tree, sorted, with parent pointers, `size` is the number of entries), and its lower bound is not above its upper
 * bound. Keys are Integers in their natural order, values too. A key out of range is not there for what asks or removes, and may not be put.
 * Postconditions say what is under the key, and compare the sums of all keys and values. Left out: sets of keys and entries.
 */
@SpecFor("java.util.TreeMap")
@Max("1")
class SubMapSpec<K, V> {
    Comparator<? super K> comparator;
    @Tree Entry<K, V> root;
    @Range("0..n") int size;
    @Range("0..0") int modCount;
    static final boolean BLACK = true;

    static class Entry<K, V> {
        @NonNull @Range("0..2*n") K key;
        @NonNull @Range("0..n") V value;
        @Tree Entry<K, V> left;
        @Tree Entry<K, V> right;
        Entry<K, V> parent;
        boolean color;
    }

    abstract static class NavigableSubMap<K, V> {
        @NonNull TreeMap<K, V> m;
        @Range("0..2*n") K lo;
        @Range("0..2*n") K hi;
        boolean fromStart;
        boolean toEnd;
        boolean loInclusive;
        boolean hiInclusive;

        @Check native V get(@NonNull @Range("0..2*n") Object key);
        @Check native boolean containsKey(@NonNull @Range("0..2*n") Object key);
        @Check @MayThrow(IllegalArgumentException.class) native V put(@NonNull @Range("0..2*n") K key, @NonNull @Range("0..n") V value);
        @Check native V remove(@NonNull @Range("0..2*n") Object key);
        @Check @MayThrow(NoSuchElementException.class) native K firstKey();
        @Check @MayThrow(NoSuchElementException.class) native K lastKey();
        @Check native K floorKey(@NonNull @Range("0..2*n") K key);
        @Check native K higherKey(@NonNull @Range("0..2*n") K key);

        @Declarative
        boolean repOk() {
            return map().isMap() && (lo != null) == !fromStart && (hi != null) == !toEnd && (fromStart || toEnd || number(lo) <= number(hi));
        }

        @Declarative
        SubMapSpec<?, ?> map() {
            return (SubMapSpec<?, ?>) (Object) m;
        }

        /** The least key that may be there. */
        @Declarative
        int least() {
            return fromStart ? 0 : loInclusive ? number(lo) : number(lo) + 1;
        }

        /** The greatest key that may be there. */
        @Declarative
        int greatest() {
            return toEnd ? 2 * GlassBox.size() : hiInclusive ? number(hi) : number(hi) - 1;
        }

        @Declarative
        SubMapSpec.Entry<?, ?> find(int key) {
            return least() <= key && key <= greatest() ? SubMapSpec.find(map().root, key) : null;
        }

        @Post({"get", "containsKey", "firstKey", "lastKey", "floorKey", "higherKey"}) @Declarative
        boolean unchanged(NavigableSubMap<K, V> before) {
            return map().isLike(before.map(), 0, 0, 0);
        }

        @Post("get") @Declarative
        boolean got(NavigableSubMap<K, V> before, Object key, V result) {
            SubMapSpec.Entry<?, ?> found = find(number(key));
            return result == (found == null ? null : found.value);
        }

        @Post("containsKey") @Declarative
        boolean contained(NavigableSubMap<K, V> before, Object key, boolean result) {
            return result == (find(number(key)) != null);
        }

        @Post("put") @Declarative
        boolean wasPut(NavigableSubMap<K, V> before, K key, V value, V result) {
            SubMapSpec.Entry<?, ?> now = find(number(key));
            SubMapSpec.Entry<?, ?> old = before.find(number(key));
            return now != null && now.value == value && result == (old == null ? null : old.value)
                && map().isLike(before.map(), old == null ? 1 : 0, old == null ? number(key) : 0,
                    number(value) - (old == null ? 0 : number(old.value)));
        }

        // Exactly out of range.
        @Check
        boolean refusesPut(@NonNull @Range("0..2*n") K key, @NonNull @Range("0..n") V value) {
            try {
                put(key, value);
                return false;
            } catch (IllegalArgumentException refused) {
                return true;
            }
        }

        @Post("refusesPut") @Declarative
        boolean refused(NavigableSubMap<K, V> before, K key, V value, boolean result) {
            return result == (number(key) < least() || number(key) > greatest()) && (!result || unchanged(before));
        }

        @Post("remove") @Declarative
        boolean removed(NavigableSubMap<K, V> before, Object key, V result) {
            SubMapSpec.Entry<?, ?> old = before.find(number(key));
            return find(number(key)) == null && result == (old == null ? null : old.value)
                && map().isLike(before.map(), old == null ? 0 : -1, old == null ? 0 : -number(key), old == null ? 0 : -number(old.value));
        }

        /** Whether a key is that of an entry, and in range; null if there is none. */
        @Declarative
        boolean is(K key, SubMapSpec.Entry<?, ?> e) {
            return e == null || number(e.key) < least() || number(e.key) > greatest() ? key == null : key != null && number(key) == number(e.key);
        }

        /** From the greatest key to the least: what comes first then is last otherwise, what is above a key is below. */
        @Declarative
        boolean isDescending() {
            return (Object) this instanceof DescendingSubMap;
        }

        @Declarative
        SubMapSpec.Entry<?, ?> leastFrom(int key) {
            return leastAbove(map().root, Math.max(key, least()) - 1, null);
        }

        @Declarative
        SubMapSpec.Entry<?, ?> greatestUpTo(int key) {
            return greatestBelow(map().root, Math.min(key, greatest()) + 1, null);
        }

        @Post("firstKey") @Declarative
        boolean gotFirst(NavigableSubMap<K, V> before, K result) {
            return result != null && is(result, isDescending() ? greatestUpTo(greatest()) : leastFrom(least()));
        }

        @Post("lastKey") @Declarative
        boolean gotLast(NavigableSubMap<K, V> before, K result) {
            return result != null && is(result, isDescending() ? leastFrom(least()) : greatestUpTo(greatest()));
        }

        @Post("floorKey") @Declarative
        boolean gotFloor(NavigableSubMap<K, V> before, K key, K result) {
            return is(result, isDescending() ? leastFrom(number(key)) : greatestUpTo(number(key)));
        }

        @Post("higherKey") @Declarative
        boolean gotHigher(NavigableSubMap<K, V> before, K key, K result) {
            return is(result, isDescending() ? greatestUpTo(number(key) - 1) : leastFrom(number(key) + 1));
        }
    }

    static class AscendingSubMap<K, V> extends NavigableSubMap<K, V> {}

    static class DescendingSubMap<K, V> extends NavigableSubMap<K, V> {}

    @Declarative
    boolean isMap() {
        return comparator == null && (root == null || root.color == BLACK) && isColored(root, BLACK) && isBalanced(root)
            && isSorted(root, null, null) && isLinked(root, null) && size == count(root);
    }

    /** So many entries more than before, with so much more in the sums of keys and values. */
    @Declarative
    boolean isLike(SubMapSpec<?, ?> before, int more, int keys, int values) {
        return size == before.size + more && keys(root) == keys(before.root) + keys && values(root) == values(before.root) + values;
    }

    @Declarative
    static int number(Object o) {
        return (Integer) o;
    }

    @Declarative
    static <K, V> boolean isLinked(Entry<K, V> e, Entry<K, V> parent) {
        return e == null || e.parent == parent && isLinked(e.left, e) && isLinked(e.right, e);
    }

    @Declarative
    static <K, V> boolean isSorted(Entry<K, V> e, Entry<K, V> low, Entry<K, V> high) {
        return e == null || (low == null || number(low) < number(e)) && (high == null || number(e) < number(high))
            && isSorted(e.left, low, e) && isSorted(e.right, e, high);
    }

    @Declarative
    static <K, V> int number(Entry<K, V> e) {
        return number(e.key);
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

    @Declarative
    static <K, V> int values(Entry<K, V> e) {
        return e == null ? 0 : valueOf(e.value) + values(e.left) + values(e.right);
    }

    @Declarative
    static int valueOf(Object value) {
        return (Integer) value;
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
}
