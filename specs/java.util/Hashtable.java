import glassbox.*;
import java.util.Objects;

/**
 * Hashtable of JDK 17. The invariant: each entry is in the bin of its key's hash code, no key is there twice, neither keys nor values are
 * null; `count` is the number of entries. Tables have 4 bins, so that keys collide; they grow when 2 entries are there, or not before count
 * n. Keys and values are Integers, the load factor is 0.75. Postconditions say what is under the key, and compare the sums of all keys and
 * values. Left out: views, enumerations, maps as arguments.
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
        @NonNull @Range("126..126+2*n") K key;
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

    @Declarative
    static int hashOf(Object key) {
        return (Integer) key;
    }

    @Declarative
    static boolean isBin(Entry<?, ?> e, int index, int bins) {
        return e == null
            || e.hash == hashOf(e.key) && e.hash % bins == index && find(e.next, e.key) == null && isBin(e.next, index, bins);
    }

    @Declarative
    static Entry<?, ?> find(Entry<?, ?> e, Object key) {
        return e == null || Objects.equals(e.key, key) ? e : find(e.next, key);
    }

    @Declarative
    static Entry<?, ?> find(Entry<?, ?>[] table, Object key) {
        return find(table[hashOf(key) % table.length], key);
    }

    @Declarative
    static int count(Entry<?, ?> e) {
        return e == null ? 0 : 1 + count(e.next);
    }

    @Declarative
    static int count(Entry<?, ?>[] table, int bin) {
        return bin == table.length ? 0 : count(table[bin]) + count(table, bin + 1);
    }

    @Declarative
    static int keys(Entry<?, ?> e) {
        return e == null ? 0 : keyOf(e.key) + keys(e.next);
    }

    @Declarative
    static int keys(Entry<?, ?>[] table, int bin) {
        return bin == table.length ? 0 : keys(table[bin]) + keys(table, bin + 1);
    }

    @Declarative
    static int keyOf(Object key) {
        return (Integer) key;
    }

    @Declarative
    static int values(Entry<?, ?> e) {
        return e == null ? 0 : valueOf(e.value) + values(e.next);
    }

    @Declarative
    static int values(Entry<?, ?>[] table, int bin) {
        return bin == table.length ? 0 : values(table[bin]) + values(table, bin + 1);
    }

    @Declarative
    static int valueOf(Object value) {
        return value == null ? 0 : (Integer) value;
    }

    @Post("put") @Declarative
    boolean wasPut(HashtableSpec<K, V> before, K key, V value, V result) {
        Entry<?, ?> now = find(table, key);
        Entry<?, ?> old = find(before.table, key);
        return now != null && (Object) now.value == value && (old == null ? result == null : result == (Object) old.value)
            && count == before.count + (old == null ? 1 : 0)
            && keys(table, 0) == keys(before.table, 0) + (old == null ? keyOf(key) : 0)
            && values(table, 0) == values(before.table, 0) + valueOf(value) - valueOf(result);
    }

    @Post("remove(Object)") @Declarative
    boolean removed(HashtableSpec<K, V> before, Object key, V result) {
        Entry<?, ?> old = find(before.table, key);
        return find(table, key) == null && (old == null ? result == null : result == (Object) old.value)
            && count == before.count - (old == null ? 0 : 1)
            && keys(table, 0) == keys(before.table, 0) - (old == null ? 0 : keyOf(key))
            && values(table, 0) == values(before.table, 0) - valueOf(result);
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
        return count == before.count && keys(table, 0) == keys(before.table, 0) && values(table, 0) == values(before.table, 0);
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
}
