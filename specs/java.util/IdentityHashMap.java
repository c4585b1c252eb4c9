import glassbox.*;

/**
 * IdentityHashMap of JDK 17. The invariant: keys are at even places of the table, each with its value after it, none twice (by `==`); a key
 * is found by walking from the place of its identity hash code, and a third of the places at least is free; `size` is the number of keys.
 * Keys are any objects (or `NULL_KEY`); their hash codes are those of the command. Tables have 8 places for keys. Left out: views, maps as
 * arguments, and tables that were made for few elements.
 */
@SpecFor("java.util.IdentityHashMap")
@Max("1")
class IdentityHashMapSpec<K, V> {
    @NonNull @Owned @Length("16..16") Object[] table;
    @Range("0..n") int size;
    @Range("0..0") int modCount;
    static final Object NULL_KEY = new Object();

    @Check native int size();
    @Check native boolean isEmpty();
    @Check native V get(Object key);
    @Check native boolean containsKey(Object key);
    @Check native boolean containsValue(Object value);
    @Check native V put(K key, V value);
    @Check native V remove(Object key);
    @Check native void clear();

    @Declarative
    boolean repOk() {
        return 3 * size <= table.length && size == count() && isReached() && GlassBox.forall(0, table.length / 2, i -> isPlace(2 * i));
    }

    /** What a place for a key holds. */
    @Declarative
    boolean isPlace(int i) {
        Object key = table[i];
        return key == null ? table[i + 1] == null : GlassBox.forall(i / 2 + 1, table.length / 2, j -> table[2 * j] != key);
    }

    /** Each key is at most as far from its first place as there are keys before it without a gap: counted around twice. */
    @Declarative
    boolean isReached() {
        int run = 0;
        for (int j = 0; j < 2 * table.length; j += 2) {
            int i = j < table.length ? j : j - table.length;
            Object key = table[i];
            if (j >= table.length && key != null && distance(key, i) > run) return false;
            run = key == null ? 0 : run + 2;
        }
        return true;
    }

    @Declarative
    int distance(Object key, int place) {
        int h = System.identityHashCode(key);
        return place - ((h << 1) - (h << 8)) & table.length - 1;
    }

    @Declarative
    int count() {
        int count = 0;
        for (int i = 0; i < table.length; i += 2) {
            if (table[i] != null) count++;
        }
        return count;
    }

    @Declarative
    static Object mask(Object key) {
        return key == null ? NULL_KEY : key;
    }

    @Declarative
    boolean has(Object key, Object value) {
        return GlassBox.exists(0, table.length / 2, i -> table[2 * i] == mask(key) && table[2 * i + 1] == value);
    }

    @Declarative
    boolean hasKey(Object key) {
        return GlassBox.exists(0, table.length / 2, i -> table[2 * i] == mask(key));
    }

    /** Whether all keys of before but one have their values. */
    @Declarative
    boolean keeps(IdentityHashMapSpec<K, V> before, Object but) {
        return GlassBox.forall(0, before.table.length / 2,
            i -> before.table[2 * i] == null || before.table[2 * i] == mask(but) || isIn(before.table[2 * i], before.table[2 * i + 1]));
    }

    @Declarative
    boolean isIn(Object key, Object value) {
        return GlassBox.exists(0, table.length / 2, i -> table[2 * i] == key && table[2 * i + 1] == value);
    }

    @Post("put") @Declarative
    boolean wasPut(IdentityHashMapSpec<K, V> before, K key, V value, V result) {
        return has(key, value) && keeps(before, key) && (before.hasKey(key) ? before.has(key, result) && size == before.size
            : result == null && size == before.size + 1);
    }

    @Post("remove(Object)") @Declarative
    boolean removed(IdentityHashMapSpec<K, V> before, Object key, V result) {
        return !hasKey(key) && keeps(before, key) && (before.hasKey(key) ? before.has(key, result) && size == before.size - 1
            : result == null && size == before.size);
    }

    @Post("get") @Declarative
    boolean got(IdentityHashMapSpec<K, V> before, Object key, V result) {
        return hasKey(key) ? has(key, result) : result == null;
    }

    @Post("containsKey") @Declarative
    boolean contained(IdentityHashMapSpec<K, V> before, Object key, boolean result) {
        return result == hasKey(key);
    }

    @Post("containsValue") @Declarative
    boolean containedValue(IdentityHashMapSpec<K, V> before, Object value, boolean result) {
        return result == GlassBox.exists(0, table.length / 2, i -> table[2 * i] != null && table[2 * i + 1] == value);
    }

    @Post("size") @Declarative
    boolean counted(IdentityHashMapSpec<K, V> before, int result) {
        return result == size;
    }

    @Post("isEmpty") @Declarative
    boolean asked(IdentityHashMapSpec<K, V> before, boolean result) {
        return result == (size == 0);
    }

    @Post({"size", "isEmpty", "get", "containsKey", "containsValue"}) @Declarative
    boolean unchanged(IdentityHashMapSpec<K, V> before) {
        return size == before.size && GlassBox.forall(0, table.length, i -> table[i] == before.table[i]);
    }

    @Post("clear") @Declarative
    boolean cleared(IdentityHashMapSpec<K, V> before) {
        return size == 0;
    }
}
