import glassbox.*;
import java.util.Collection;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Unmodifiable views of JDK 17, `Collections.unmodifiableSet`: of a TreeSet of Integers. The invariant is that of the set behind the view:
 * sorted, with parent pointers, `size` is the number of its elements; colors do not matter here. What asks gives what the set would give;
 * what would change it throws UnsupportedOperationException, and changes nothing. `hashCode` is for sets of at most 3. Left out: other sets
 * behind the view, iterators, streams.
 */
@SpecFor("java.util.Collections")
class UnmodifiableSetSpec {
    static class UnmodifiableCollection<E> {
        @NonNull @Tree @OneOf(TreeSet.class) Collection<? extends E> c;

        @Check native int size();
        @Check native boolean isEmpty();
        @Check native boolean contains(@NonNull @Range("0..2*n") Object o);
        native boolean add(E e);
        native boolean remove(Object o);
        native void clear();
    }

    static class UnmodifiableSet<E> extends UnmodifiableCollection<E> {
        @Check public native int hashCode();

        @Declarative
        boolean repOk() {
            return tree().isTree();
        }

        @Declarative
        TreeOfUnmodifiableSet<?, ?> tree() {
            return (TreeOfUnmodifiableSet<?, ?>) (Object) ((SetOfUnmodifiableSet<?>) (Object) c).m;
        }

        // Whether they throw.
        @Check
        boolean refusesAdd(@NonNull @Range("0..2*n") E e) {
            try {
                add(e);
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        @Check
        boolean refusesRemove(@NonNull @Range("0..2*n") Object o) {
            try {
                remove(o);
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        @Check
        boolean refusesClear() {
            try {
                clear();
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        // Only of start states: sums of many numbers are hard.
        @Pre("hashCode") @Declarative
        boolean isSmall() {
            return tree().size <= 3;
        }

        @Post @Declarative
        boolean unchanged(UnmodifiableSet<E> before) {
            return TreeOfUnmodifiableSet.same(tree().root, before.tree().root);
        }

        @Post("refusesAdd") @Declarative
        boolean refusedAdd(UnmodifiableSet<E> before, E e, boolean result) {
            return result;
        }

        @Post("refusesRemove") @Declarative
        boolean refusedRemove(UnmodifiableSet<E> before, Object o, boolean result) {
            return result;
        }

        @Post("refusesClear") @Declarative
        boolean refusedClear(UnmodifiableSet<E> before, boolean result) {
            return result;
        }

        @Post("size") @Declarative
        boolean counted(UnmodifiableSet<E> before, int result) {
            return result == tree().size;
        }

        @Post("isEmpty") @Declarative
        boolean asked(UnmodifiableSet<E> before, boolean result) {
            return result == (tree().size == 0);
        }

        @Post("contains") @Declarative
        boolean contained(UnmodifiableSet<E> before, Object o, boolean result) {
            return result == (TreeOfUnmodifiableSet.find(tree().root, (Integer) o) != null);
        }

        @Post("hashCode") @Declarative
        boolean hashed(UnmodifiableSet<E> before, int result) {
            return result == TreeOfUnmodifiableSet.sum(tree().root);
        }
    }
}

/** The set behind the view. */
@SpecFor("java.util.TreeSet")
class SetOfUnmodifiableSet<E> {
    @NonNull @Tree @OneOf(TreeMap.class) NavigableMap<E, Object> m;
}

/** The map behind the set. */
@SpecFor("java.util.TreeMap")
class TreeOfUnmodifiableSet<K, V> {
    Comparator<? super K> comparator;
    @Tree Entry<K, V> root;
    @Range("0..n") int size;
    @Range("0..0") int modCount;

    static class Entry<K, V> {
        @NonNull @Range("0..2*n") K key;
        V value;
        @Tree Entry<K, V> left;
        @Tree Entry<K, V> right;
        Entry<K, V> parent;
        boolean color;
    }

    @Declarative
    boolean isTree() {
        return comparator == null && isSorted(root, null, null) && isLinked(root, null) && size == count(root);
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
        return (Integer) (Object) e.key;
    }

    @Declarative
    static <K, V> int count(Entry<K, V> e) {
        return e == null ? 0 : 1 + count(e.left) + count(e.right);
    }

    @Declarative
    static <K, V> int sum(Entry<K, V> e) {
        return e == null ? 0 : number(e) + sum(e.left) + sum(e.right);
    }

    @Declarative
    static <K, V> Entry<K, V> find(Entry<K, V> e, int key) {
        return e == null || number(e) == key ? e : find(key < number(e) ? e.left : e.right, key);
    }

    @Declarative
    static boolean same(Entry<?, ?> a, Entry<?, ?> b) {
        return a == null ? b == null : b != null && a.key == b.key && same(a.left, b.left) && same(a.right, b.right);
    }
}
