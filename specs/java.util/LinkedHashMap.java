import glassbox.*;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * LinkedHashMap of JDK 17. The invariant: a doubly linked list from `head` to `tail` holds `size` entries, no key twice; each is in the bin of its
 * key's hash code, and nothing else is in the bins. By insertion, the entries of a bin are in the order of the list; by access, in any order. Tables
 * have 4 bins (or there is none yet); they grow when 2 entries are there, or not before size n. Keys are null or Integers, values Integers. What the
 * map holds is said by its abstraction, an AbsMap; postconditions say in which order. Of maps by access, with 3 entries at most, get, put and remove
 * are checked, by the names getByAccess and so on, and by postconditions alone. Iterators over the keys are checked by themselves, on a map by
 * insertion that was or was not changed since: what they remove leaves the order of the others as it was. Left out: bins that are trees, views, maps
 * as arguments.
 */
@SpecFor("java.util.LinkedHashMap")
@Max("1")
class LinkedHashMapSpec<K, V> extends OfLinkedHashMap<K, V> {
    @Tree Entry<K, V> head;
    Entry<K, V> tail;
    boolean accessOrder;
    static final int MOST = 3;

    static class Entry<K, V> extends OfLinkedHashMap.Node<K, V> {
        Entry<K, V> before;
        @Tree Entry<K, V> after;
    }

    @Check LinkedHashMapSpec() {}
    @Check native int size();
    @Check native boolean isEmpty();
    @Check native V get(@Range("126..126+2*n") Object key);
    @Check native boolean containsKey(@Range("126..126+2*n") Object key);
    @Check native V put(@Range("126..126+2*n") K key, @NonNull @Range("127..127+n") V value);
    @Check native V putIfAbsent(@Range("126..126+2*n") K key, @NonNull @Range("127..127+n") V value);
    @Check native V remove(@Range("126..126+2*n") Object key);
    @Check native boolean containsValue(@Range("127..127+n") Object value);
    @Check native void clear();

    // Only of start states.
    @Pre({"size", "isEmpty", "get", "containsKey", "put", "putIfAbsent", "remove", "containsValue", "clear"}) @Declarative
    boolean isByInsertion() {
        return !accessOrder;
    }

    // By access, one that is found becomes the last one.
    @Check
    V getByAccess(@Range("126..126+2*n") Object key) {
        return get(key);
    }

    @Check
    V putByAccess(@Range("126..126+2*n") K key, @NonNull @Range("127..127+n") V value) {
        return put(key, value);
    }

    @Check
    V removeByAccess(@Range("126..126+2*n") Object key) {
        return remove(key);
    }

    @Pre({"getByAccess", "putByAccess", "removeByAccess"}) @Declarative
    boolean isByAccess() {
        return accessOrder && size <= MOST;
    }

    @Declarative
    boolean repOk() {
        return (table == null ? size == 0 && isCapacity(threshold) : GlassBox.forall(0, table.length, i -> isBin(i)))
            && (head == null ? tail == null : head.before == null && isList(head)) && size == count(head);
    }

    /** The entries from e on: each is in the bin of its key's hash code, and its key is not there again. */
    @Declarative
    boolean isList(Entry<K, V> e) {
        return e == null
            || (e.after == null ? e == tail : e.after.before == e) && e.hash == hashOf(e.key) && find(e.after, e.key) == null
                && (accessOrder ? isInBin(e, e.hash & table.length - 1) : e.next == firstOf(e.after, e.hash & table.length - 1))
                && isList(e.after);
    }

    /** By insertion, bins are in the order of the list; by access, in any order. */
    @Declarative
    boolean isBin(int bin) {
        return accessOrder ? isOfBin(table[bin], bin) : table[bin] == firstOf(head, bin);
    }

    /** The first entry from e on that belongs in a bin. */
    @Declarative
    Entry<K, V> firstOf(Entry<K, V> e, int bin) {
        return e == null || (e.hash & table.length - 1) == bin ? e : firstOf(e.after, bin);
    }

    /** An entry comes first in a bin or after another one, not after itself, and before one of the same bin: so each is in its bin. */
    @Declarative
    boolean isInBin(Entry<K, V> e, int bin) {
        return (table[bin] == e || isNext(head, e, MOST + 1)) && !leadsTo(e.next, e, MOST + 1) && isOfBin(e.next, bin);
    }

    /** Null, or an entry of the list that belongs in a bin. */
    @Declarative
    boolean isOfBin(OfLinkedHashMap.Node<K, V> e, int bin) {
        return e == null || (e.hash & table.length - 1) == bin && isIn(head, e, MOST + 1);
    }

    /** Whether one of the entries from p on comes before e in its bin. */
    @Declarative
    static <K, V> boolean isNext(Entry<K, V> p, Entry<K, V> e, int left) {
        return left > 0 && p != null && (p.next == e || isNext(p.after, e, left - 1));
    }

    @Declarative
    static <K, V> boolean isIn(Entry<K, V> list, OfLinkedHashMap.Node<K, V> e, int left) {
        return left > 0 && list != null && (list == e || isIn(list.after, e, left - 1));
    }

    @Declarative
    static <K, V> boolean leadsTo(OfLinkedHashMap.Node<K, V> from, OfLinkedHashMap.Node<K, V> e, int left) {
        return left > 0 && from != null && (from == e || leadsTo(from.next, e, left - 1));
    }

    @Declarative
    static <K, V> Entry<K, V> find(Entry<K, V> e, Object key) {
        return e == null || Objects.equals(e.key, key) ? e : find(e.after, key);
    }

    @Declarative
    static <K, V> int count(Entry<K, V> e) {
        return e == null ? 0 : 1 + count(e.after);
    }

    /** Whether a has the entries of b in the same order. */
    @Declarative
    static <K, V> boolean same(Entry<K, V> a, Entry<K, V> b) {
        return b == null ? a == null : a != null && a.key == b.key && a.value == b.value && same(a.after, b.after);
    }

    /** The same, with another value under a key. */
    @Declarative
    static <K, V> boolean isSet(Entry<K, V> a, Entry<K, V> b, Object key, Object value) {
        return b == null ? a == null
            : a != null && a.key == b.key && a.value == (Objects.equals(b.key, key) ? value : b.value) && isSet(a.after, b.after, key, value);
    }

    /** Whether a is b without a key. */
    @Declarative
    static <K, V> boolean isWithout(Entry<K, V> a, Entry<K, V> b, Object key) {
        return b == null ? a == null
            : Objects.equals(b.key, key) ? same(a, b.after)
            : a != null && a.key == b.key && a.value == b.value && isWithout(a.after, b.after, key);
    }

    /** Whether a is b with a key and a value at the end, and nowhere else. */
    @Declarative
    static <K, V> boolean endsWith(Entry<K, V> a, Entry<K, V> b, Object key, Object value) {
        return b != null && Objects.equals(b.key, key) ? endsWith(a, b.after, key, value)
            : b == null ? a != null && Objects.equals(a.key, key) && a.value == value && a.after == null
            : a != null && a.key == b.key && a.value == b.value && endsWith(a.after, b.after, key, value);
    }

    @Post({"size", "isEmpty", "get", "containsKey", "containsValue"}) @Declarative
    boolean unchanged(LinkedHashMapSpec<K, V> before) {
        return same(head, before.head);
    }

    // A new entry is the last one; one that is found stays where it is.
    @Post("put") @Declarative
    boolean isPut(LinkedHashMapSpec<K, V> before, K key, V value, V result) {
        return result == null ? endsWith(head, before.head, key, value) : isSet(head, before.head, key, value);
    }

    @Post("putIfAbsent") @Declarative
    boolean isPutIfAbsent(LinkedHashMapSpec<K, V> before, K key, V value, V result) {
        return result == null ? endsWith(head, before.head, key, value) : same(head, before.head);
    }

    @Post({"remove", "removeByAccess"}) @Declarative
    boolean isRemoved(LinkedHashMapSpec<K, V> before, Object key, V result) {
        Entry<K, V> old = find(before.head, key);
        return result == (old == null ? null : old.value) && isWithout(head, before.head, key);
    }

    @Post("getByAccess") @Declarative
    boolean isSeen(LinkedHashMapSpec<K, V> before, Object key, V result) {
        Entry<K, V> old = find(before.head, key);
        return old == null ? result == null && same(head, before.head)
            : result == old.value && endsWith(head, before.head, key, old.value);
    }

    @Post("putByAccess") @Declarative
    boolean isPutByAccess(LinkedHashMapSpec<K, V> before, K key, V value, V result) {
        Entry<K, V> old = find(before.head, key);
        return result == (old == null ? null : old.value) && endsWith(head, before.head, key, value);
    }

    @Post("containsValue") @Declarative
    boolean containedValue(LinkedHashMapSpec<K, V> before, Object value, boolean result) {
        return result == holds(head, value);
    }

    @Declarative
    static <K, V> boolean holds(Entry<K, V> e, Object value) {
        return e != null && (Objects.equals(e.value, value) || holds(e.after, value));
    }

    @Post("clear") @Declarative
    boolean cleared(LinkedHashMapSpec<K, V> before) {
        return size == 0 && head == null;
    }

    /** What the map holds: every operation must do what it does on an AbsMap. */
    @Declarative
    @Abstraction
    AbsMap abstraction() {
        return new AbsMap(cells(head, GlassBox.size() + 1));
    }

    /** A cell for each of so many places in the list from e on. */
    @Declarative
    static <K, V> AbsMap.Cell cells(Entry<K, V> e, int places) {
        boolean present = e != null;
        return places == 0
            ? null
            : new AbsMap.Cell(present, present ? e.key : null, present ? e.value : null, cells(present ? e.after : null, places - 1));
    }

    /** Whether the list has the entries of before in the same order but one, with their keys and values. */
    @Declarative
    boolean isWithout(LinkedHashMapSpec<K, V> old, Entry<K, V> gone) {
        return isWithout(head, old.head, gone);
    }

    @Declarative
    static <K, V> boolean isWithout(Entry<K, V> now, Entry<K, V> old, Entry<K, V> gone) {
        return old == null ? now == null
            : old == gone ? isWithout(now, old.after, null)
            : GlassBox.isSameObject(now, old) && now.key == old.key && now.value == old.value && isWithout(now.after, old.after, gone);
    }

    @Declarative
    static <K, V> boolean isIn(Entry<K, V> list, Entry<K, V> e) {
        return list != null && (list == e || isIn(list.after, e));
    }

    /**
     * An iterator. It is valid as long as nobody else changes the map: then `next` is null or an entry of the list, and `current` is null or
     * the entry before.
     */
    abstract class LinkedHashIterator {
        Entry<K, V> next;
        Entry<K, V> current;
        @Range("0..1") int expectedModCount;

        @Check native boolean hasNext();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void remove();

        @Declarative
        boolean repOk() {
            return map().repOk() && (!isValid() || isPlaced());
        }

        @Declarative
        boolean isPlaced() {
            return (next == null || isIn(head, next)) && (current == null || isIn(head, current) && next == current.after);
        }

        @Declarative
        boolean isValid() {
            return expectedModCount == modCount;
        }

        @Declarative
        LinkedHashMapSpec<K, V> map() {
            return LinkedHashMapSpec.this;
        }

        // Only of start states.
        @Pre @Declarative
        boolean growsSoonOrNever() {
            return map().growsSoonOrNever() && map().isByInsertion();
        }

        @Post("hasNext") @Declarative
        boolean asked(LinkedHashIterator before, boolean result) {
            return result == (next != null) && GlassBox.isSameObject(next, before.next) && map().isWithout(before.map(), null);
        }

        @Post("remove") @Declarative
        boolean removed(LinkedHashIterator before) {
            return before.isValid() && isValid() && current == null && GlassBox.isSameObject(next, before.next)
                && map().isWithout(before.map(), before.current);
        }
    }

    /** An iterator over the keys. */
    class LinkedKeyIterator extends LinkedHashIterator {
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
        boolean endsNext(LinkedKeyIterator before, int result) {
            return result == (!before.isValid() ? 1 : before.next == null ? 2 : 0);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(LinkedKeyIterator before, int result) {
            return result == (before.current == null ? 2 : !before.isValid() ? 1 : 0);
        }

        @Post("next") @Declarative
        boolean gone(LinkedKeyIterator before, K result) {
            return before.isValid() && isValid() && result == before.next.key && GlassBox.isSameObject(current, before.next)
                && map().isWithout(before.map(), null);
        }
    }
}

/** What is said of the HashMap that it is. */
@SpecFor("java.util.HashMap")
class OfLinkedHashMap<K, V> {
    @Owned @Length("4..4") @OneOf(LinkedHashMapSpec.Entry.class) Node<K, V>[] table;
    @Range("0..n") int size;
    @Range("0..n+1") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;

    static class Node<K, V> {
        @Range("0..126+2*n") int hash;
        @OneOf(Integer.class) @Range("126..126+2*n") K key;
        @NonNull @Range("127..127+n") V value;
        @OneOf(LinkedHashMapSpec.Entry.class) Node<K, V> next;
    }

    // Only of start states.
    @Pre @Declarative
    boolean growsSoonOrNever() {
        return table == null || threshold == 2 && size <= 2 || threshold > GlassBox.size();
    }

    @Declarative
    static boolean isCapacity(int bins) {
        return bins == 0 || bins == 1 || bins == 2 || bins == 4 || bins == 8;
    }

    // In a class that holds such a map, keys may be others.
    @Declarative
    static int hashOf(Object key) {
        return key == null ? 0 : isSmallNumber(key) ? (Integer) key : key.hashCode() ^ key.hashCode() >>> 16;
    }

    @Declarative
    static boolean isSmallNumber(Object key) {
        return key instanceof Integer && 0 <= (Integer) key && (Integer) key <= 65535;
    }
}

/** What is in its cells: keys and values as here. */
@SpecFor("glassbox.AbsMap")
class CellsOfLinkedHashMap<K, V> {
    static class Cell<K, V> {
        @Range("126..126+2*n") K key;
        @NonNull @Range("127..127+n") V value;
    }
}
