import glassbox.*;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;

/**
 * The iterator over the keys of TreeMap of JDK 17, on a map that was or was not changed since. The invariant: that of the map (a red-black tree,
 * sorted, with parent pointers, `size` is the number of entries); and as long as nobody else changes it, what comes next is the entry after
 * the one that was returned last. Postconditions say which key is returned, and, by the sums of all keys and values, which entry is removed.
 */
@SpecFor("java.util.TreeMap")
@Max("1")
class KeyIteratorSpec<K, V> {
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

    @Declarative
    boolean isMap() {
        return comparator == null && (root == null || root.color == BLACK) && isColored(root, BLACK) && isBalanced(root)
            && isSorted(root, null, null) && isLinked(root, null) && size == count(root);
    }

    @Declarative
    boolean same(KeyIteratorSpec<K, V> before) {
        return size == before.size && keys(root) == keys(before.root) && values(root) == values(before.root);
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

    @Declarative
    static <K, V> boolean isIn(Entry<K, V> tree, Entry<K, V> e) {
        return tree != null && (tree == e || isIn(tree.left, e) || isIn(tree.right, e));
    }

    @Declarative
    static <K, V> Entry<K, V> first(Entry<K, V> e) {
        return e.left == null ? e : first(e.left);
    }

    /**
     * An iterator. It is valid as long as nobody else changes the map: then `next` is null or an entry of it, and `lastReturned` is null or
     * the entry before.
     */
    abstract class PrivateEntryIterator<T> {
        Entry<K, V> next;
        Entry<K, V> lastReturned;
        @Range("0..1") int expectedModCount;

        @Check native boolean hasNext();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void remove();

        @Declarative
        boolean repOk() {
            return map().isMap()
                && (!isValid() || (next == null || isIn(root, next))
                    && (lastReturned == null || isIn(root, lastReturned) && isFollowed(root, null)));
        }

        /** Below e, whose next greater key above is that of an entry: if what was returned last is there, what comes after it is next. */
        @Declarative
        boolean isFollowed(Entry<K, V> e, Entry<K, V> above) {
            return e == null
                || (e != lastReturned || next == (e.right == null ? above : first(e.right)))
                    && isFollowed(e.left, e) && isFollowed(e.right, above);
        }

        @Declarative
        boolean isValid() {
            return expectedModCount == modCount;
        }

        @Declarative
        KeyIteratorSpec<K, V> map() {
            return KeyIteratorSpec.this;
        }

        @Post("hasNext") @Declarative
        boolean asked(PrivateEntryIterator<T> before, boolean result) {
            return result == (next != null) && map().same(before.map());
        }

        @Post("remove") @Declarative
        boolean removed(PrivateEntryIterator<T> before) {
            int key = number(before.lastReturned);
            return before.isValid() && isValid() && lastReturned == null && find(root, key) == null && size == before.map().size - 1
                && (before.next == null ? next == null : next != null && number(next) == number(before.next))
                && keys(root) == keys(before.map().root) - key
                && values(root) == values(before.map().root) - valueOf(before.lastReturned.value);
        }
    }

    /** An iterator over the keys. */
    class KeyIterator extends PrivateEntryIterator<K> {
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native K next();

        // Exactly when an exception is thrown: 0 for none.
        @Check
        int endOfNext() {
            try {
                next();
                return 0;
            } catch (ConcurrentModificationException e) {
                return 1;
            } catch (NoSuchElementException e) {
                return 2;
            }
        }

        @Check
        int endOfRemove() {
            try {
                remove();
                return 0;
            } catch (ConcurrentModificationException e) {
                return 1;
            } catch (IllegalStateException e) {
                return 2;
            }
        }

        @Post("endOfNext") @Declarative
        boolean endsNext(KeyIterator before, int result) {
            return result == (before.next == null ? 2 : !before.isValid() ? 1 : 0);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(KeyIterator before, int result) {
            return result == (before.lastReturned == null ? 2 : !before.isValid() ? 1 : 0);
        }

        @Post("next") @Declarative
        boolean gone(KeyIterator before, K result) {
            return before.isValid() && isValid() && result == before.next.key && GlassBox.isSameObject(lastReturned, before.next)
                && map().same(before.map());
        }
    }
}
