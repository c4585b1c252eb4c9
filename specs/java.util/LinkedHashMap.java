import glassbox.*;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * LinkedHashMap of JDK 17. The invariant: that of HashMap (each entry is in the bin of its key's hash code, no key is there twice, `size` is
 * the number of entries), and a doubly linked list from `head` to `tail` with as many entries. Tables have 4 bins (or there is none yet);
 * they grow when 2 entries are there, or not before size n. Keys are null or Integers, values Integers. What the map holds is said by its
 * abstraction, an AbsMap; postconditions say which entry is the first and which the last, by insertion or by access, not the order of those
 * between. Iterators over the keys are checked by themselves, on a map that was or was not changed since: what they remove leaves the order
 * of the others as it was. Left out: bins that are trees, views, maps as arguments. Sizes beyond 3 take minutes.
 */
@SpecFor("java.util.LinkedHashMap")
@Max("1")
class LinkedHashMapSpec<K, V> extends OfLinkedHashMap<K, V> {
    Entry<K, V> head;
    Entry<K, V> tail;
    boolean accessOrder;

    static class Entry<K, V> extends OfLinkedHashMap.Node<K, V> {
        Entry<K, V> before;
        Entry<K, V> after;
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

    @Declarative
    boolean repOk() {
        return isMap() && (head == null ? tail == null : head.before == null && isList(head, tail, size)) && (head == null) == (size == 0);
    }

    /** From e on, so many entries up to the last one, each of them in the table. */
    @Declarative
    static <K, V> boolean isList(Entry<K, V> e, Entry<K, V> last, int left) {
        return left <= 0 ? e == null
            : e != null && (e.after == null ? e == last : e.after.before == e) && isList(e.after, last, left - 1);
    }

    @Declarative
    static <K, V> boolean has(Entry<K, V> e, Object key) {
        return e != null && Objects.equals(e.key, key);
    }

    // A new entry is the last one; one that is found stays where it is, or becomes the last one.
    @Post({"put", "putIfAbsent"}) @Declarative
    boolean isInOrder(LinkedHashMapSpec<K, V> before, K key, V value, V result) {
        return (result == null || accessOrder ? has(tail, key) : isLast(before))
            && (before.head == null || has(before.head, key) || has(head, before.head.key));
    }

    @Post("get") @Declarative
    boolean isSeen(LinkedHashMapSpec<K, V> before, Object key, V result) {
        return (result != null && accessOrder ? has(tail, key) : isLast(before))
            && (before.head == null || has(before.head, key) || has(head, before.head.key));
    }

    @Post({"size", "isEmpty", "containsKey", "containsValue"}) @Declarative
    boolean isLast(LinkedHashMapSpec<K, V> before) {
        return before.tail == null ? tail == null : has(tail, before.tail.key);
    }

    @Post("containsValue") @Declarative
    boolean containedValue(LinkedHashMapSpec<K, V> before, Object value, boolean result) {
        return result == holds(head, value, GlassBox.size());
    }

    @Declarative
    static <K, V> boolean holds(Entry<K, V> e, Object value, int left) {
        return left > 0 && e != null && (Objects.equals(e.value, value) || holds(e.after, value, left - 1));
    }

    @Post("clear") @Declarative
    boolean cleared(LinkedHashMapSpec<K, V> before) {
        return size == 0 && head == null;
    }

    /** What the map holds: every operation must do what it does on an AbsMap. */
    @Declarative
    @Abstraction
    AbsMap abstraction() {
        return new AbsMap(cells());
    }

    /** Whether an entry is in the list from e on. */
    @Declarative
    static <K, V> boolean leadsTo(Entry<K, V> from, Entry<K, V> e, int left) {
        return left > 0 && from != null && (from == e || leadsTo(from.after, e, left - 1));
    }

    /** Whether the map has the entries of before in the same order but one, with their values. */
    @Declarative
    boolean isWithout(LinkedHashMapSpec<K, V> old, Entry<K, V> gone) {
        return GlassBox.isSameObject(head, old.head == gone && gone != null ? gone.after : old.head)
            && (table == null ? old.table == null
                : old.table != null && GlassBox.forall(0, table.length, i -> isWithout(table[i], old.table[i], gone)));
    }

    /** The same of a bin: each entry is followed by the one that followed it, or by what followed the one that is gone. */
    @Declarative
    static <K, V> boolean isWithout(OfLinkedHashMap.Node<K, V> now, OfLinkedHashMap.Node<K, V> old, Entry<K, V> gone) {
        return old == null ? now == null
            : old == gone ? isWithout(now, old.next, gone)
            : GlassBox.isSameObject(now, old) && now.value == old.value && isFollowed((Entry<K, V>) now, (Entry<K, V>) old, gone)
                && isWithout(now.next, old.next, gone);
    }

    @Declarative
    static <K, V> boolean isFollowed(Entry<K, V> now, Entry<K, V> old, Entry<K, V> gone) {
        return GlassBox.isSameObject(now.after, old.after == gone && gone != null ? gone.after : old.after);
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
            return (next == null || leadsTo(head, next, size)) && (current == null || leadsTo(head, current, size) && next == current.after);
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
            return map().growsSoonOrNever();
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
    @Tree @Owned @Length("4..4") @OneOf(LinkedHashMapSpec.Entry.class) Node<K, V>[] table;
    @Range("0..n") int size;
    @Range("0..n+1") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;

    static class Node<K, V> {
        @Range("0..126+2*n") int hash;
        @Range("126..126+2*n") K key;
        @NonNull @Range("127..127+n") V value;
        @Tree @OneOf(LinkedHashMapSpec.Entry.class) Node<K, V> next;
    }

    @Declarative
    boolean isMap() {
        return table == null
            ? size == 0 && isCapacity(threshold)
            : GlassBox.forall(0, table.length, i -> isBin(table[i], i, table.length)) && size == count(table, 0);
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

    @Declarative
    static int hashOf(Object key) {
        return key == null ? 0 : (Integer) key;
    }

    @Declarative
    static <K, V> boolean isBin(Node<K, V> e, int index, int bins) {
        return e == null
            || e.hash == hashOf(e.key) && e.hash % bins == index && find(e.next, e.key) == null && isBin(e.next, index, bins);
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
    AbsMap.Cell cells() {
        AbsMap.Cell cells = null;
        if (table != null) {
            for (int bin = table.length - 1; bin >= 0; bin--) cells = chain(table[bin], GlassBox.size() + 1, cells);
        }
        return cells;
    }

    /** A cell for each of so many places in the chain from e on, in front of the others. */
    @Declarative
    static <K, V> AbsMap.Cell chain(Node<K, V> e, int places, AbsMap.Cell others) {
        boolean present = e != null;
        return places == 0
            ? others
            : new AbsMap.Cell(present, present ? e.key : null, present ? e.value : null,
                chain(present ? e.next : null, places - 1, others));
    }
}

/** What is in its cells: keys and values as here. */
@SpecFor("glassbox.AbsMap")
class CellsOfLinkedHashMap {
    static class Cell {
        @Range("126..126+2*n") Object key;
        @NonNull @Range("127..127+n") Object value;
    }
}
