import glassbox.*;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/**
 * HashMap of JDK 17. The invariant: each entry is in the bin of its key's hash code, no key is there twice, and `size` is the number of
 * entries. Tables have 4 bins (or there is none yet), so that keys collide; they grow when 2 entries are there, or not before size n. Keys
 * are null or Integers, values Integers, the load factor is 0.75. What the map holds is said by its abstraction, an AbsMap; of operations
 * that an AbsMap lacks, postconditions say what is under the key, and compare the sums of all keys and values. Iterators over the keys are
 * checked by themselves, on a map that was or was not changed since (`endOfRemove` calls `remove`); so are the sets of keys and of entries, and
 * the values. `equals` and `hashCode` are for maps of at most 2, `equals` beside another of at most 3; `put` and `putIfAbsent` for bins of at
 * most 7. Left out: bins that are trees (tables of 64 bins and more: see HashMap.TreeNode), maps as arguments.
 */
@SpecFor("java.util.HashMap")
@Max("1")
class HashMapSpec<K, V> {
    @Tree @Owned @Length("4..4") Node<K, V>[] table;
    @Range("0..n") int size;
    @Range("0..n+1") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;
    @OneOf(HashMapSpec.KeySet.class) Set<K> keySet;
    @OneOf(HashMapSpec.EntrySet.class) Set<Map.Entry<K, V>> entrySet;
    @OneOf(HashMapSpec.Values.class) Collection<V> values;

    static class Node<K, V> {
        @Range("0..131+4*n") int hash;
        @OneOf(Integer.class) @Range("124..131+4*n") K key;
        @NonNull @Range("127..127+n") V value;
        @Tree Node<K, V> next;
    }

    @Check HashMapSpec() {}
    @Check native int size();
    @Check native boolean isEmpty();
    @Check native V get(@Range("124..131+4*n") Object key);
    @Check native boolean containsKey(@Range("124..131+4*n") Object key);
    @Check native V put(@Range("124..131+4*n") K key, @NonNull @Range("127..127+n") V value);
    @Check native V putIfAbsent(@Range("124..131+4*n") K key, @NonNull @Range("127..127+n") V value);
    @Check native V remove(@Range("124..131+4*n") Object key);
    @Check native boolean containsValue(@Range("127..127+n") Object value);
    @Check native void clear();

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
        return hasOwnViews() && (table == null
            ? size == 0 && isCapacity(threshold)
            : GlassBox.forall(0, table.length, i -> isBin(table[i], i, table.length)) && size == count(table, 0));
    }

    /** Views that are kept for later are views of this map. */
    @Declarative
    boolean hasOwnViews() {
        return (keySet == null || ((KeySet) (Object) keySet).map() == this)
            && (entrySet == null || ((EntrySet) (Object) entrySet).map() == this)
            && (values == null || ((Values) (Object) values).map() == this);
    }

    // Only of start states.
    @Pre @Declarative
    boolean growsSoonOrNever() {
        return table == null || threshold == 2 && size <= 2 || threshold > GlassBox.size();
    }

    // Only of start states: an entry that makes a bin longer has the table grow, or the bin become a tree (see HashMap.TreeNode).
    @Pre({"put", "putIfAbsent"}) @Declarative
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
        return bins == 0 || bins == 1 || bins == 2 || bins == 4 || bins == 8 || bins == 16;
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
    static <K, V> int values(Node<K, V> e) {
        return e == null ? 0 : valueOf(e.value) + values(e.next);
    }

    @Declarative
    static <K, V> int values(Node<K, V>[] table, int bin) {
        return table == null || bin == table.length ? 0 : values(table[bin]) + values(table, bin + 1);
    }

    @Declarative
    static int valueOf(Object value) {
        return value == null ? 0 : (Integer) value;
    }

    @Post("put") @Declarative
    boolean wasPut(HashMapSpec<K, V> before, K key, V value, V result) {
        Node<K, V> now = find(table, key);
        Node<K, V> old = find(before.table, key);
        return now != null && now.value == value && (old == null ? result == null : result == old.value)
            && size == before.size + (old == null ? 1 : 0)
            && keys(table, 0) == keys(before.table, 0) + (old == null ? keyOf(key) : 0)
            && values(table, 0) == values(before.table, 0) + valueOf(value) - valueOf(result);
    }

    @Post("putIfAbsent") @Declarative
    boolean wasPutIfAbsent(HashMapSpec<K, V> before, K key, V value, V result) {
        Node<K, V> now = find(table, key);
        Node<K, V> old = find(before.table, key);
        return now != null && (old == null ? now.value == value && result == null : now.value == old.value && result == old.value)
            && size == before.size + (old == null ? 1 : 0)
            && keys(table, 0) == keys(before.table, 0) + (old == null ? keyOf(key) : 0)
            && values(table, 0) == values(before.table, 0) + (old == null ? valueOf(value) : 0);
    }

    @Post("remove(Object)") @Declarative
    boolean removed(HashMapSpec<K, V> before, Object key, V result) {
        Node<K, V> old = find(before.table, key);
        return find(table, key) == null && (old == null ? result == null : result == old.value)
            && size == before.size - (old == null ? 0 : 1)
            && keys(table, 0) == keys(before.table, 0) - (old == null ? 0 : keyOf(key))
            && values(table, 0) == values(before.table, 0) - valueOf(result);
    }

    @Post("get") @Declarative
    boolean got(HashMapSpec<K, V> before, Object key, V result) {
        Node<K, V> found = find(table, key);
        return found == null ? result == null : result == found.value;
    }

    @Post("containsKey") @Declarative
    boolean contained(HashMapSpec<K, V> before, Object key, boolean result) {
        return result == (find(table, key) != null);
    }

    @Post("containsValue") @Declarative
    boolean containedValue(HashMapSpec<K, V> before, Object value, boolean result) {
        return result == (table != null && GlassBox.exists(0, table.length, i -> hasValue(table[i], value)));
    }

    @Declarative
    static <K, V> boolean hasValue(Node<K, V> e, Object value) {
        return e != null && (Objects.equals(value, e.value) || hasValue(e.next, value));
    }

    @Post({"size", "isEmpty", "get", "containsKey", "containsValue", "isEqual", "hash"}) @Declarative
    boolean unchanged(HashMapSpec<K, V> before) {
        return size == before.size && keys(table, 0) == keys(before.table, 0) && values(table, 0) == values(before.table, 0);
    }

    @Post("size") @Declarative
    boolean counted(HashMapSpec<K, V> before, int result) {
        return result == size;
    }

    @Post("clear") @Declarative
    boolean cleared(HashMapSpec<K, V> before) {
        return size == 0;
    }

    /** What the map holds: every operation must do what it does on an AbsMap. */
    @Declarative
    @Abstraction
    AbsMap abstraction() {
        AbsMap.Cell cells = null;
        if (table != null) {
            for (int bin = table.length - 1; bin >= 0; bin--) cells = chain(table[bin], GlassBox.size() + 1, cells);
        }
        return new AbsMap(cells);
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

    // Only of start states: there are too many pairs of maps.
    @Pre({"isEqual", "hash"}) @Declarative
    boolean isSmall() {
        return size <= 2;
    }

    // A map of another size is another one, whatever it holds.
    @Pre("isEqual") @Declarative
    boolean isAboutAsSmall(Object o) {
        return !(o instanceof HashMapSpec<?, ?>) || ((HashMapSpec<?, ?>) o).size <= 3;
    }

    @Post("isEqual") @Declarative
    boolean compared(HashMapSpec<K, V> before, Object o, boolean result) {
        return result == (o instanceof HashMapSpec<?, ?> && isLike((HashMapSpec<?, ?>) o));
    }

    @Declarative
    boolean isLike(HashMapSpec<?, ?> other) {
        return size == other.size && (table == null || GlassBox.forall(0, table.length, i -> areIn(table[i], other)));
    }

    @Declarative
    static boolean areIn(Node<?, ?> e, HashMapSpec<?, ?> map) {
        return e == null || has(find(map.table, e.key), e.value) && areIn(e.next, map);
    }

    @Declarative
    static boolean has(Node<?, ?> e, Object value) {
        return e != null && Objects.equals(e.value, value);
    }

    @Post("hash") @Declarative
    boolean hashed(HashMapSpec<K, V> before, int result) {
        int hash = 0;
        if (table != null) {
            for (int i = 0; i < table.length; i++) hash += hashes(table[i]);
        }
        return result == hash;
    }

    @Declarative
    static int hashes(Node<?, ?> e) {
        return e == null ? 0 : (hashOf(e.key) ^ Objects.hashCode(e.value)) + hashes(e.next);
    }

    // What an iterator sees of it: entries that come or go are counted, values that change are not.
    @Post({"put", "putIfAbsent", "remove(Object)"}) @Declarative
    boolean isCounted(HashMapSpec<K, V> before) {
        return (size == before.size) == (modCount == before.modCount);
    }

    @Declarative
    static <K, V> boolean leadsTo(Node<K, V> from, Node<K, V> e) {
        return from != null && (from == e || leadsTo(from.next, e));
    }

    /** Whether a chain has the entries of another in the same order but one, with their values. */
    @Declarative
    static <K, V> boolean isWithout(Node<K, V> now, Node<K, V> old, Node<K, V> gone) {
        return old == null ? now == null
            : GlassBox.isSameObject(old, gone) ? isWithout(now, old.next, gone)
            : GlassBox.isSameObject(now, old) && now.value == old.value && isWithout(now.next, old.next, gone);
    }

    /** The first entry in the bins from one on. */
    @Declarative
    static <K, V> Node<K, V> firstFrom(Node<K, V>[] table, int bin) {
        return bin >= table.length ? null : table[bin] != null ? table[bin] : firstFrom(table, bin + 1);
    }

    /**
     * An iterator. It is valid as long as nobody else changes the map: then `next` is null or an entry in the bin before `index`, and
     * `current` is null or the entry before.
     */
    abstract class HashIterator {
        Node<K, V> next;
        Node<K, V> current;
        @Range("0..1") int expectedModCount;
        @Range("0..4") int index;

        @Check native boolean hasNext();
        native void remove();

        @Declarative
        boolean repOk() {
            return map().repOk() && 0 <= index && (!isValid() || isPlaced());
        }

        @Declarative
        boolean isPlaced() {
            return table == null ? next == null && current == null && index == 0
                : (next == null ? index == table.length || index == 0 && size == 0
                    : GlassBox.exists(0, table.length, i -> index == i + 1 && leadsTo(table[i], next)))
                    && (current == null || GlassBox.exists(0, table.length, i -> leadsTo(table[i], current)
                        && next == (current.next != null ? current.next : firstFrom(table, i + 1))));
        }

        @Declarative
        boolean isValid() {
            return expectedModCount == modCount;
        }

        @Declarative
        HashMapSpec<K, V> map() {
            return HashMapSpec.this;
        }

        // Only of start states.
        @Pre @Declarative
        boolean growsSoonOrNever() {
            return map().growsSoonOrNever();
        }

        @Post("hasNext") @Declarative
        boolean asked(HashIterator before, boolean result) {
            return result == (next != null) && map().unchanged(before.map());
        }

        @Declarative
        boolean hasRemoved(HashIterator before) {
            return before.isValid() && isValid() && current == null && GlassBox.isSameObject(next, before.next)
                && size == before.map().size - 1
                && GlassBox.forall(0, table.length, i -> isWithout(table[i], before.map().table[i], before.current));
        }
    }

    /** An iterator over the keys. */
    class KeyIterator extends HashIterator {
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native K next();

        // Only asks where the entry is: `remove` itself asks for its hash code, of which much less follows.
        private void seek() {
            if (current == null || expectedModCount != modCount) return;
            int bin = 0;
            while (!leadsTo(table[bin], current)) bin++;
            Node<K, V> e = table[bin];
            while (e != current) e = e.next;
            if (e.key == null) return;
        }

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
            seek();
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
            return result == (!before.isValid() ? 1 : before.next == null ? 2 : 0);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(KeyIterator before, int result) {
            return result == (before.current == null ? 2 : !before.isValid() ? 1 : 0)
                && (result != 0 || hasRemoved(before));
        }

        @Post("next") @Declarative
        boolean gone(KeyIterator before, K result) {
            return before.isValid() && isValid() && result == before.next.key && GlassBox.isSameObject(current, before.next)
                && map().unchanged(before.map());
        }
    }

    /** The keys as a set: what it is asked or told, the map is. */
    @Max("1")
    class KeySet {
        @Check native int size();
        @Check native boolean contains(@Range("124..131+4*n") Object o);
        @Check native boolean remove(@Range("124..131+4*n") Object key);
        @Check native void clear();

        @Declarative
        boolean repOk() {
            return map().repOk();
        }

        @Declarative
        HashMapSpec<K, V> map() {
            return HashMapSpec.this;
        }

        // Only of start states.
        @Pre @Declarative
        boolean growsSoonOrNever() {
            return map().growsSoonOrNever();
        }

        @Post({"size", "contains"}) @Declarative
        boolean unchanged(KeySet before) {
            return map().unchanged(before.map());
        }

        @Post("size") @Declarative
        boolean counted(KeySet before, int result) {
            return result == size;
        }

        @Post("contains") @Declarative
        boolean contained(KeySet before, Object o, boolean result) {
            return result == (find(table, o) != null);
        }

        @Post("remove") @Declarative
        boolean removed(KeySet before, Object o, boolean result) {
            Node<K, V> old = find(before.map().table, o);
            return result == (old != null) && map().removed(before.map(), o, old == null ? null : old.value);
        }

        @Post("clear") @Declarative
        boolean cleared(KeySet before) {
            return size == 0;
        }
    }

    /** The values as a collection. */
    @Max("1")
    class Values {
        @Check native int size();
        @Check native boolean contains(@Range("127..127+n") Object o);
        @Check native void clear();

        @Declarative
        boolean repOk() {
            return map().repOk();
        }

        @Declarative
        HashMapSpec<K, V> map() {
            return HashMapSpec.this;
        }

        // Only of start states.
        @Pre @Declarative
        boolean growsSoonOrNever() {
            return map().growsSoonOrNever();
        }

        @Post({"size", "contains"}) @Declarative
        boolean unchanged(Values before) {
            return map().unchanged(before.map());
        }

        @Post("size") @Declarative
        boolean counted(Values before, int result) {
            return result == size;
        }

        @Post("contains") @Declarative
        boolean contained(Values before, Object o, boolean result) {
            return map().containedValue(before.map(), o, result);
        }

        @Post("clear") @Declarative
        boolean cleared(Values before) {
            return size == 0;
        }
    }

    /** The entries as a set. */
    @Max("1")
    class EntrySet {
        @Check native int size();

        // Entries that are none of the map's own.
        @Check
        boolean containsPair(@Range("124..131+4*n") K key, @NonNull @Range("127..127+n") V value) {
            return contains(new AbstractMap.SimpleEntry<>(key, value));
        }

        @Check
        boolean removePair(@Range("124..131+4*n") K key, @NonNull @Range("127..127+n") V value) {
            return remove(new AbstractMap.SimpleEntry<>(key, value));
        }

        native boolean contains(Object o);
        native boolean remove(Object o);

        @Declarative
        boolean repOk() {
            return map().repOk();
        }

        @Declarative
        HashMapSpec<K, V> map() {
            return HashMapSpec.this;
        }

        // Only of start states.
        @Pre @Declarative
        boolean growsSoonOrNever() {
            return map().growsSoonOrNever();
        }

        @Post({"size", "containsPair"}) @Declarative
        boolean unchanged(EntrySet before) {
            return map().unchanged(before.map());
        }

        @Post("size") @Declarative
        boolean counted(EntrySet before, int result) {
            return result == size;
        }

        @Post("containsPair") @Declarative
        boolean contained(EntrySet before, K key, V value, boolean result) {
            return result == has(find(table, key), value);
        }

        @Post("removePair") @Declarative
        boolean removed(EntrySet before, K key, V value, boolean result) {
            Node<K, V> old = find(before.map().table, key);
            return result == has(old, value) && (result ? map().removed(before.map(), key, old.value) : map().unchanged(before.map()));
        }
    }
}

/** What is in its cells: keys and values as here. */
@SpecFor("glassbox.AbsMap")
class OfHashMap<K, V> {
    static class Cell<K, V> {
        @Range("126..126+2*n") K key;
        @NonNull @Range("127..127+n") V value;
    }
}
