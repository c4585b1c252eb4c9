import glassbox.*;
import java.util.ConcurrentModificationException;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * Hashtable of JDK 17. The invariant: each entry is in the bin of its key's hash code, no key is there twice, neither keys nor values are
 * null; `count` is the number of entries. Tables have 4 bins, so that keys collide; they grow when 2 entries are there, or not before count
 * n. Keys and values are Integers, the load factor is 0.75. Postconditions say what each entry is afterwards. Enumerations and iterators are
 * checked after any number of steps. Left out: views, maps as arguments.
 */
@SpecFor("java.util.Hashtable")
@Max("1")
class HashtableSpec<K, V> {
    @Tree @NonNull @Owned @Length("4..4") Entry<?, ?>[] table;
    @Range("0..n") int count;
    @Range("0..n+1") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;

    static class Entry<K, V> {
        @Range("0..126+2*n") int hash;
        @NonNull @OneOf(Integer.class) @Range("126..126+2*n") K key;
        @NonNull @Range("0..n") V value;
        @Tree Entry<K, V> next;
    }

    @Check HashtableSpec() {}
    @Check native int size();
    @Check native boolean isEmpty();
    @Check native V get(@NonNull @Range("126..126+2*n") Object key);
    @Check native boolean containsKey(@NonNull @Range("126..126+2*n") Object key);
    @Check native V put(@NonNull @Range("126..126+2*n") K key, @NonNull @Range("0..n") V value);
    @Check native V remove(@NonNull @Range("126..126+2*n") Object key);
    @Check native boolean containsValue(@NonNull @Range("0..n") Object value);
    @Check native void clear();

    @Declarative
    boolean repOk() {
        return GlassBox.forall(0, table.length, i -> isBin(table[i], i, table.length)) && count == count(table, 0);
    }

    // Only of start states.
    @Pre @Declarative
    boolean growsSoonOrNever() {
        return threshold == 2 && count <= 2 || threshold > GlassBox.size();
    }

    // In a class that holds such a map, keys may be others.
    @Declarative
    static int hashOf(Object key) {
        return key instanceof Integer ? (Integer) key : key.hashCode();
    }

    @Declarative
    static int bin(int hash, int bins) {
        return hash >= 0 ? hash % bins : (hash & 0x7FFFFFFF) % bins;
    }

    @Declarative
    static boolean isBin(Entry<?, ?> e, int index, int bins) {
        return e == null
            || e.hash == hashOf(e.key) && bin(e.hash, bins) == index && find(e.next, e.key) == null && isBin(e.next, index, bins);
    }

    @Declarative
    static Entry<?, ?> find(Entry<?, ?> e, Object key) {
        return e == null || Objects.equals(e.key, key) ? e : find(e.next, key);
    }

    @Declarative
    static Entry<?, ?> find(Entry<?, ?>[] table, Object key) {
        return find(table[bin(hashOf(key), table.length)], key);
    }

    @Declarative
    static int count(Entry<?, ?> e) {
        return e == null ? 0 : 1 + count(e.next);
    }

    @Declarative
    static int count(Entry<?, ?>[] table, int bin) {
        return bin == table.length ? 0 : count(table[bin]) + count(table, bin + 1);
    }

    /** Whether a has the entries of b in the same order. */
    @Declarative
    static boolean same(Entry<?, ?> a, Entry<?, ?> b) {
        return b == null ? a == null : a != null && (Object) a.key == b.key && (Object) a.value == b.value && same(a.next, b.next);
    }

    /** The same, with another value under a key. */
    @Declarative
    static boolean isSet(Entry<?, ?> a, Entry<?, ?> b, Object key, Object value) {
        return b == null ? a == null
            : a != null && (Object) a.key == b.key && a.value == (Objects.equals(b.key, key) ? value : b.value) && isSet(a.next, b.next, key, value);
    }

    /** Whether a is b without a key. */
    @Declarative
    static boolean isWithout(Entry<?, ?> a, Entry<?, ?> b, Object key) {
        return b == null ? a == null
            : Objects.equals(b.key, key) ? same(a, b.next)
            : a != null && (Object) a.key == b.key && (Object) a.value == b.value && isWithout(a.next, b.next, key);
    }

    /** Whether a table has each entry from e on, in any bin. */
    @Declarative
    static boolean hasAll(Entry<?, ?>[] table, Entry<?, ?> e) {
        return e == null || holds(table, e.key, e.value) && hasAll(table, e.next);
    }

    @Declarative
    static boolean holds(Entry<?, ?>[] table, Object key, Object value) {
        Entry<?, ?> found = find(table, key);
        return found != null && (Object) found.value == value;
    }

    // A new entry is the first one of its bin, unless the table grows: then the entries of before are in any bins.
    @Post("put") @Declarative
    boolean wasPut(HashtableSpec<K, V> before, K key, V value, V result) {
        Entry<?, ?> old = find(before.table, key);
        return (old == null ? result == null : result == (Object) old.value) && count == before.count + (old == null ? 1 : 0)
            && holds(table, key, value)
            && (old != null ? GlassBox.forall(0, before.table.length, i -> isSet(table[i], before.table[i], key, value))
                : table.length != before.table.length ? GlassBox.forall(0, before.table.length, i -> hasAll(table, before.table[i]))
                : GlassBox.forall(0, before.table.length, i -> isWithout(before.table[i], table[i], key)));
    }

    @Post("remove(Object)") @Declarative
    boolean removed(HashtableSpec<K, V> before, Object key, V result) {
        Entry<?, ?> old = find(before.table, key);
        return (old == null ? result == null : result == (Object) old.value) && count == before.count - (old == null ? 0 : 1)
            && GlassBox.forall(0, before.table.length, i -> isWithout(table[i], before.table[i], key));
    }

    @Post("get") @Declarative
    boolean got(HashtableSpec<K, V> before, Object key, V result) {
        Entry<?, ?> found = find(table, key);
        return found == null ? result == null : result == (Object) found.value;
    }

    @Post("containsKey") @Declarative
    boolean contained(HashtableSpec<K, V> before, Object key, boolean result) {
        return result == (find(table, key) != null);
    }

    @Post("containsValue") @Declarative
    boolean containedValue(HashtableSpec<K, V> before, Object value, boolean result) {
        return result == (GlassBox.exists(0, table.length, i -> hasValue(table[i], value)));
    }

    @Declarative
    static boolean hasValue(Entry<?, ?> e, Object value) {
        return e != null && (Objects.equals(value, e.value) || hasValue(e.next, value));
    }

    @Post({"size", "isEmpty", "get", "containsKey", "containsValue"}) @Declarative
    boolean unchanged(HashtableSpec<K, V> before) {
        return count == before.count && table.length == before.table.length
            && GlassBox.forall(0, table.length, i -> same(table[i], before.table[i]));
    }

    @Post("size") @Declarative
    boolean counted(HashtableSpec<K, V> before, int result) {
        return result == count;
    }

    @Post("isEmpty") @Declarative
    boolean asked(HashtableSpec<K, V> before, boolean result) {
        return result == (count == 0);
    }

    @Post("clear") @Declarative
    boolean cleared(HashtableSpec<K, V> before) {
        return count == 0;
    }

    // Enumerations and iterators: over keys (0), values (1) or entries (2).
    private native <T> Enumeration<T> getEnumeration(int type);
    private native <T> Iterator<T> getIterator(int type);

    /** What an enumeration gives after so many elements; null at its end. */
    @Check
    Object nextElement(@Range("0..2") int type, @Range("0..n") int steps, boolean asks) {
        Enumeration<Object> all = getEnumeration(type);
        for (int i = 0; i < steps; i++) all.nextElement();
        if (asks && !all.hasMoreElements()) return null;
        try {
            return all.nextElement();
        } catch (NoSuchElementException e) {
            return null;
        }
    }

    /** The same of an iterator. */
    @Check
    Object next(@Range("0..2") int type, @Range("0..n") int steps, boolean asks) {
        Iterator<Object> all = getIterator(type);
        for (int i = 0; i < steps; i++) all.next();
        if (asks && !all.hasNext()) return null;
        try {
            return all.next();
        } catch (NoSuchElementException e) {
            return null;
        }
    }

    /** Removes the last one of so many keys; what comes next, null if nothing does. */
    @Check
    Object removeAndNext(@Range("1..n") int steps, boolean asks) {
        Iterator<Object> all = getIterator(0);
        for (int i = 0; i < steps; i++) all.next();
        if (asks) all.hasNext();
        all.remove();
        return all.hasNext() ? all.next() : null;
    }

    /** How `remove` ends after a key: 0 for no exception. The key is removed before, or the table is changed by somebody else, or neither. */
    @Check
    int endOfRemove(boolean isRemoved, boolean isChanged) {
        Iterator<Object> all = getIterator(0);
        all.next();
        if (isRemoved) all.remove();
        if (isChanged) modCount++;
        try {
            all.remove();
            return 0;
        } catch (IllegalStateException e) {
            return 1;
        } catch (ConcurrentModificationException e) {
            return 2;
        }
    }

    /** How `next` ends: 0 for no exception. */
    @Check
    int endOfNext(boolean isChanged) {
        Iterator<Object> all = getIterator(0);
        if (isChanged && count > 0) modCount++;
        try {
            all.next();
            return 0;
        } catch (NoSuchElementException e) {
            return 1;
        } catch (ConcurrentModificationException e) {
            return 2;
        }
    }

    @Pre({"nextElement", "next"}) @Declarative
    boolean areThere(int type, int steps, boolean asks) {
        return steps <= count;
    }

    @Pre("removeAndNext") @Declarative
    boolean areThere(int steps, boolean asks) {
        return steps <= count;
    }

    @Pre("endOfRemove") @Declarative
    boolean isOneThere() {
        return count > 0;
    }

    /** The entry after so many from e on, in this bin and in those before it. */
    @Declarative
    static Entry<?, ?> after(Entry<?, ?> e, Entry<?, ?>[] table, int bin, int steps) {
        return e != null ? steps == 0 ? e : after(e.next, table, bin, steps - 1)
            : bin == 0 ? null : after(table[bin - 1], table, bin - 1, steps);
    }

    @Post({"nextElement", "next"}) @Declarative
    boolean isNext(HashtableSpec<K, V> before, int type, int steps, boolean asks, Object result) {
        Entry<?, ?> e = after(null, table, table.length, steps);
        return result == (e == null ? null : type == 0 ? e.key : type == 1 ? e.value : (Object) e) && unchanged(before);
    }

    @Post("removeAndNext") @Declarative
    boolean isNextOfOthers(HashtableSpec<K, V> before, int steps, boolean asks, Object result) {
        Object key = after(null, before.table, before.table.length, steps - 1).key;
        Entry<?, ?> e = after(null, before.table, before.table.length, steps);
        return result == (e == null ? null : e.key) && count == before.count - 1
            && GlassBox.forall(0, before.table.length, i -> isWithout(table[i], before.table[i], key));
    }

    @Post("endOfRemove") @Declarative
    boolean isEndOfRemove(HashtableSpec<K, V> before, boolean isRemoved, boolean isChanged, int result) {
        return result == (isRemoved ? 1 : isChanged ? 2 : 0);
    }

    @Post("endOfNext") @Declarative
    boolean isEndOfNext(HashtableSpec<K, V> before, boolean isChanged, int result) {
        return result == (count == 0 ? 1 : isChanged ? 2 : 0) && unchanged(before);
    }
}
