import glassbox.*;
import java.util.Objects;

/**
 * Bins of HashMap of JDK 17 that become trees: a table of 64 bins, and in the first of them a list of n entries, 8 at most, with ascending keys
 * (multiples of 64, so that all collide). From size 8 on, one more key makes the list a tree; operations of the specification go on with that
 * tree. The invariant: the entries of the first bin, along `next`, have different keys that belong there, and `size` is their number. The
 * assertions of HashMap itself say that the links of a tree fit, that it is sorted, and that no red entry has two red children; not that it
 * is balanced. Postconditions say what is under a key afterwards, and that nothing else changed.
 * Left out: keys with the same hash code (their order is found by reflection), tables that grow with trees in them.
 */
@SpecFor("java.util.HashMap")
@Max("1")
class TreeBinSpec<K, V> {
    @Tree @NonNull @Owned @Length("64..64") @OneOf(Node.class) Node<K, V>[] table;
    @Range("0..8") int size;
    @Range("48..48") int threshold;
    @Range("0.75..0.75") float loadFactor;
    @Range("0..0") int modCount;

    static class Node<K, V> {
        @Range("0..64*n+64") int hash;
        @NonNull @Range("0..64*n+64") K key;
        @NonNull @Range("0..1") V value;
        @Tree @OneOf(Node.class) Node<K, V> next;
    }

    @Check native V put(@NonNull @Range("0..64*n+64") K key, @NonNull @Range("0..1") V value);
    native V get(Object key);
    native V remove(Object key);

    @Check
    V putAndGet(@NonNull @Range("0..64*n+64") K key, @NonNull @Range("0..1") V value, @NonNull @Range("0..64*n+64") K other) {
        put(key, value);
        return get(other);
    }

    @Check
    V putBoth(@NonNull @Range("0..64*n+64") K key, @NonNull @Range("0..1") V value, @NonNull @Range("0..64*n+64") K other) {
        put(key, value);
        return put(other, value);
    }

    @Check
    V putAndRemove(@NonNull @Range("0..64*n+64") K key, @NonNull @Range("0..1") V value, @NonNull @Range("0..64*n+64") K other) {
        put(key, value);
        return remove(other);
    }

    @Declarative
    boolean repOk() {
        return isBin(table[0]) && GlassBox.forall(1, 64, i -> table[i] == null) && size == count(table[0]);
    }

    // Only of start states.
    @Pre @Declarative
    boolean isList() {
        return size == Math.min(GlassBox.size(), 8) && isAscending(table[0], -1);
    }

    @Pre("put") @Declarative
    boolean collides(K key, V value) {
        return number(key) % 64 == 0;
    }

    @Pre({"putAndGet", "putBoth", "putAndRemove"}) @Declarative
    boolean collide(K key, V value, K other) {
        return number(key) % 64 == 0 && number(other) % 64 == 0;
    }

    @Declarative
    static int number(Object o) {
        return (Integer) o;
    }

    @Declarative
    static boolean isAscending(Node<?, ?> e, int above) {
        return e == null || number(e.key) > above && isAscending(e.next, number(e.key));
    }

    @Declarative
    static boolean isBin(Node<?, ?> e) {
        return e == null || e.hash == number(e.key) && e.hash % 64 == 0 && find(e.next, e.key) == null && isBin(e.next);
    }

    @Declarative
    static <K, V> Node<K, V> find(Node<K, V> e, Object key) {
        return e == null || Objects.equals(e.key, key) ? e : find(e.next, key);
    }

    @Declarative
    static int count(Node<?, ?> e) {
        return e == null ? 0 : 1 + count(e.next);
    }

    @Declarative
    V under(Object key) {
        Node<K, V> found = find(table[0], key);
        return found == null ? null : found.value;
    }

    /** All but two keys have their values. */
    @Declarative
    static <K, V> boolean areIn(Node<K, V> e, Node<K, V> list, Object one, Object other) {
        return e == null
            || (Objects.equals(e.key, one) || Objects.equals(e.key, other) || has(find(list, e.key), e.value)) && areIn(e.next, list, one, other);
    }

    @Declarative
    static boolean has(Node<?, ?> e, Object value) {
        return e != null && e.value == value;
    }

    @Declarative
    static int more(boolean isNew) {
        return isNew ? 1 : 0;
    }

    @Post("put") @Declarative
    boolean wasPut(TreeBinSpec<K, V> before, K key, V value, V result) {
        return result == before.under(key) && under(key) == value && size == before.size + more(before.under(key) == null)
            && areIn(before.table[0], table[0], key, key);
    }

    @Post("putAndGet") @Declarative
    boolean got(TreeBinSpec<K, V> before, K key, V value, K other, V result) {
        return result == (Objects.equals(key, other) ? value : before.under(other)) && under(key) == value
            && size == before.size + more(before.under(key) == null) && areIn(before.table[0], table[0], key, key);
    }

    @Post("putBoth") @Declarative
    boolean werePut(TreeBinSpec<K, V> before, K key, V value, K other, V result) {
        boolean isOne = Objects.equals(key, other);
        return result == (isOne ? value : before.under(other)) && under(key) == value && under(other) == value
            && size == before.size + more(before.under(key) == null) + more(!isOne && before.under(other) == null)
            && areIn(before.table[0], table[0], key, other);
    }

    @Post("putAndRemove") @Declarative
    boolean removed(TreeBinSpec<K, V> before, K key, V value, K other, V result) {
        boolean isOne = Objects.equals(key, other);
        return result == (isOne ? value : before.under(other)) && under(other) == null && (isOne || under(key) == value)
            && size == before.size + more(before.under(key) == null) - more(result != null) && areIn(before.table[0], table[0], key, other);
    }
}
