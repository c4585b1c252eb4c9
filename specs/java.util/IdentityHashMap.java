import glassbox.*;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;

/**
 * IdentityHashMap of JDK 17. The invariant: keys are at even places of the table, each with its value after it, none twice (by `==`); a key
 * is found by walking from the place of its identity hash code, and a third of the places at least is free; `size` is the number of keys.
 * Keys are any objects (or `NULL_KEY`); their hash codes are those of the command. Tables have 8 places for keys. Iterators over the keys
 * are checked by themselves, on a map that was or was not changed since. Left out: views, maps as arguments, tables that were made for few
 * elements, and iterators that go on in a copy of the table.
 */
@SpecFor("java.util.IdentityHashMap")
@Max("1")
class IdentityHashMapSpec<K, V> {
    @NonNull @Length("16..16") Object[] table;
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

    /**
     * An iterator. It is valid as long as nobody else changes the map: then `index` is the place from which on keys are still to come, and
     * `lastReturnedIndex` is -1 or that of the last key that was given. A removal may move a key that was given to a place that is still to
     * come: then the iterator goes on in a copy of the rest of the table, which no start state has.
     */
    abstract class IdentityHashMapIterator<T> {
        @Range("0..16") int index;
        @Range("0..1") int expectedModCount;
        @Range("-1..14") int lastReturnedIndex;
        boolean indexValid;
        @NonNull @Length("16..16") Object[] traversalTable;

        @Check native boolean hasNext();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void remove();

        @Declarative
        boolean repOk() {
            return map().repOk() && 0 <= index && index % 2 == 0 && (!isValid() || isPlaced());
        }

        @Declarative
        boolean isPlaced() {
            return index <= traversalTable.length && (!indexValid || index < traversalTable.length && traversalTable[index] != null)
                && (lastReturnedIndex == -1 || lastReturnedIndex % 2 == 0 && 0 <= lastReturnedIndex && lastReturnedIndex < index
                    && traversalTable[lastReturnedIndex] != null
                    && GlassBox.forall(lastReturnedIndex / 2 + 1, index / 2, i -> traversalTable[2 * i] == null));
        }

        @Declarative
        boolean isValid() {
            return expectedModCount == modCount;
        }

        @Declarative
        IdentityHashMapSpec<K, V> map() {
            return IdentityHashMapSpec.this;
        }

        // Only of start states.
        @Pre @Declarative
        boolean hasNoCopy() {
            return traversalTable == table;
        }

        /** Whether a key is still to come. */
        @Declarative
        boolean comes(Object key) {
            return GlassBox.exists(0, traversalTable.length / 2, i -> index <= 2 * i && traversalTable[2 * i] == key);
        }

        @Post("hasNext") @Declarative
        boolean asked(IdentityHashMapIterator<T> before, boolean result) {
            return result == GlassBox.exists(0, before.traversalTable.length / 2,
                    i -> before.index <= 2 * i && before.traversalTable[2 * i] != null)
                && map().unchanged(before.map()) && comesAsBefore(before);
        }

        /** Keys that were to come are still to come, and no others. */
        @Declarative
        boolean comesAsBefore(IdentityHashMapIterator<T> before) {
            return GlassBox.forall(0, before.map().table.length / 2, i -> before.map().table[2 * i] == null
                || comes(before.map().table[2 * i]) == before.comes(before.map().table[2 * i]));
        }

        @Post("remove") @Declarative
        boolean removed(IdentityHashMapIterator<T> before) {
            Object key = before.traversalTable[before.lastReturnedIndex];
            return before.isValid() && isValid() && lastReturnedIndex == -1 && size == before.map().size - 1
                && GlassBox.forall(0, table.length / 2, i -> table[2 * i] != key)
                && GlassBox.forall(0, before.map().table.length / 2, i -> before.map().table[2 * i] == null
                    || before.map().table[2 * i] == key || isIn(before.map().table[2 * i], before.map().table[2 * i + 1]))
                && comesAsBefore(before);
        }
    }

    /** An iterator over the keys. */
    class KeyIterator extends IdentityHashMapIterator<K> {
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native K next();

        @Post("next") @Declarative
        boolean gone(KeyIterator before, K result) {
            return before.isValid() && isValid() && before.index <= lastReturnedIndex && mask(result) == table[lastReturnedIndex]
                && GlassBox.forall(before.index / 2, lastReturnedIndex / 2, i -> table[2 * i] == null)
                && index == lastReturnedIndex + 2 && map().unchanged(before.map());
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
            return result == (!before.isValid() ? 1
                : GlassBox.exists(0, 8, i -> before.index <= 2 * i && before.traversalTable[2 * i] != null) ? 0 : 2);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(KeyIterator before, int result) {
            return result == (before.lastReturnedIndex == -1 ? 2 : !before.isValid() ? 1 : 0);
        }
    }
}
