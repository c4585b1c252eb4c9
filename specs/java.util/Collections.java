import glassbox.*;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Unmodifiable views of JDK 17, `Collections.unmodifiableCollection`, `unmodifiableList` and `unmodifiableMap`: of an ArrayList of Integers or
 * null, and of a TreeMap from Integers to Integers. The invariant is that of the collection behind the view. What asks gives what the
 * collection would give; what would change it throws UnsupportedOperationException, and changes nothing.
 * Left out: other collections behind the views, iterators, sublists, streams.
 */
@SpecFor("java.util.Collections")
class CollectionsSpec {
    static class UnmodifiableCollection<E> {
        @NonNull @OneOf(ArrayList.class) Collection<? extends E> c;

        @Check native int size();
        @Check native boolean isEmpty();
        @Check native boolean contains(@OneOf(Integer.class) Object o);
        @Check native Object[] toArray();
        native boolean add(E e);
        native boolean remove(Object o);
        native void clear();

        @Declarative
        boolean repOk() {
            return list().isList();
        }

        @Declarative
        ListOfCollections<?> list() {
            return (ListOfCollections<?>) (Object) c;
        }

        // Whether they throw.
        @Check
        boolean refusesAdd(@OneOf(Integer.class) E e) {
            try {
                add(e);
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        @Check
        boolean refusesRemove(@OneOf(Integer.class) Object o) {
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

        @Post({"refusesAdd", "refusesRemove", "refusesClear", "size", "isEmpty", "contains", "toArray"}) @Declarative
        boolean unchanged(UnmodifiableCollection<E> before) {
            return list().same(before.list());
        }

        @Post("refusesAdd") @Declarative
        boolean refusedAdd(UnmodifiableCollection<E> before, E e, boolean result) {
            return result;
        }

        @Post("refusesRemove") @Declarative
        boolean refusedRemove(UnmodifiableCollection<E> before, Object o, boolean result) {
            return result;
        }

        @Post("refusesClear") @Declarative
        boolean refusedClear(UnmodifiableCollection<E> before, boolean result) {
            return result;
        }

        @Post("size") @Declarative
        boolean counted(UnmodifiableCollection<E> before, int result) {
            return result == list().size;
        }

        @Post("isEmpty") @Declarative
        boolean asked(UnmodifiableCollection<E> before, boolean result) {
            return result == (list().size == 0);
        }

        @Post("contains") @Declarative
        boolean contained(UnmodifiableCollection<E> before, Object o, boolean result) {
            return result == (list().firstOf(o, 0) >= 0);
        }

        @Post("toArray") @Declarative
        boolean copied(UnmodifiableCollection<E> before, Object[] result) {
            return result != list().elementData && result.length == list().size
                && GlassBox.forall(0, list().size, i -> result[i] == list().elementData[i]);
        }
    }

    static class UnmodifiableList<E> extends UnmodifiableCollection<E> {
        @NonNull @OneOf(ArrayList.class) List<? extends E> list;

        @Check @MayThrow(IndexOutOfBoundsException.class) native E get(@Range("-1..n") int index);
        @Check native int indexOf(@OneOf(Integer.class) Object o);
        native E set(int index, E element);
        native void add(int index, E element);
        native E remove(int index);

        @Declarative
        boolean repOk() {
            return (Object) list == (Object) c && list().isList();
        }

        @Check
        boolean refusesSet(@Range("-1..n") int index, @OneOf(Integer.class) E element) {
            try {
                set(index, element);
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        @Check
        boolean refusesAddAt(@Range("-1..n") int index, @OneOf(Integer.class) E element) {
            try {
                add(index, element);
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        @Check
        boolean refusesRemoveAt(@Range("-1..n") int index) {
            try {
                remove(index);
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        @Post({"refusesSet", "refusesAddAt", "refusesRemoveAt", "get", "indexOf"}) @Declarative
        boolean staysAsItIs(UnmodifiableList<E> before) {
            return list().same(before.list());
        }

        @Post({"refusesSet", "refusesAddAt"}) @Declarative
        boolean refused(UnmodifiableList<E> before, int index, E element, boolean result) {
            return result;
        }

        @Post("refusesRemoveAt") @Declarative
        boolean refused(UnmodifiableList<E> before, int index, boolean result) {
            return result;
        }

        @Post("get") @Declarative
        boolean got(UnmodifiableList<E> before, int index, E result) {
            return 0 <= index && index < list().size && result == list().elementData[index];
        }

        @Post("indexOf") @Declarative
        boolean found(UnmodifiableList<E> before, Object o, int result) {
            return result == list().firstOf(o, 0);
        }
    }

    static class UnmodifiableMap<K, V> {
        @NonNull @Tree @OneOf(TreeMap.class) Map<? extends K, ? extends V> m;

        @Check native int size();
        @Check native boolean isEmpty();
        @Check native boolean containsKey(@NonNull @Range("0..2*n") Object key);
        @Check native V get(@NonNull @Range("0..2*n") Object key);
        native V put(K key, V value);
        native V remove(Object key);
        native void clear();

        @Declarative
        boolean repOk() {
            return map().isMap();
        }

        @Declarative
        MapOfCollections<?, ?> map() {
            return (MapOfCollections<?, ?>) (Object) m;
        }

        @Check
        boolean refusesPut(@NonNull @Range("0..2*n") K key, @NonNull @Range("0..n") V value) {
            try {
                put(key, value);
                return false;
            } catch (UnsupportedOperationException refused) {
                return true;
            }
        }

        @Check
        boolean refusesRemove(@NonNull @Range("0..2*n") Object key) {
            try {
                remove(key);
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

        @Post({"refusesPut", "refusesRemove", "refusesClear", "size", "isEmpty", "containsKey", "get"}) @Declarative
        boolean unchanged(UnmodifiableMap<K, V> before) {
            return MapOfCollections.same(map().root, before.map().root);
        }

        @Post("refusesPut") @Declarative
        boolean refused(UnmodifiableMap<K, V> before, K key, V value, boolean result) {
            return result;
        }

        @Post("refusesRemove") @Declarative
        boolean refused(UnmodifiableMap<K, V> before, Object key, boolean result) {
            return result;
        }

        @Post("refusesClear") @Declarative
        boolean refused(UnmodifiableMap<K, V> before, boolean result) {
            return result;
        }

        @Post("size") @Declarative
        boolean counted(UnmodifiableMap<K, V> before, int result) {
            return result == map().size;
        }

        @Post("isEmpty") @Declarative
        boolean asked(UnmodifiableMap<K, V> before, boolean result) {
            return result == (map().size == 0);
        }

        @Post("containsKey") @Declarative
        boolean contained(UnmodifiableMap<K, V> before, Object key, boolean result) {
            return result == (MapOfCollections.find(map().root, (Integer) key) != null);
        }

        @Post("get") @Declarative
        boolean got(UnmodifiableMap<K, V> before, Object key, V result) {
            MapOfCollections.Entry<?, ?> found = MapOfCollections.find(map().root, (Integer) key);
            return result == (found == null ? null : found.value);
        }
    }
}

/** The list behind a view. */
@SpecFor("java.util.ArrayList")
@Max("1")
class ListOfCollections<E> {
    @Range("0..0") int modCount;
    @OneOf(Integer.class) @NonNull @Owned Object[] elementData;
    @Range("0..n") int size;

    @Declarative
    boolean isList() {
        return 0 <= size && size <= elementData.length
            && GlassBox.forall(size, elementData.length, i -> elementData[i] == null);
    }

    @Declarative
    boolean same(ListOfCollections<?> before) {
        return size == before.size && GlassBox.forall(0, size, i -> elementData[i] == before.elementData[i]);
    }

    @Declarative
    int firstOf(Object o, int from) {
        return from >= size ? -1 : Objects.equals(o, elementData[from]) ? from : firstOf(o, from + 1);
    }
}

/** The map behind a view: sorted; its colors do not matter here. */
@SpecFor("java.util.TreeMap")
class MapOfCollections<K, V> {
    Comparator<? super K> comparator;
    @Tree Entry<K, V> root;
    @Range("0..n") int size;
    @Range("0..0") int modCount;

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
    static <K, V> Entry<K, V> find(Entry<K, V> e, int key) {
        return e == null || number(e) == key ? e : find(key < number(e) ? e.left : e.right, key);
    }

    @Declarative
    static boolean same(Entry<?, ?> a, Entry<?, ?> b) {
        return a == null ? b == null
            : b != null && a.key == b.key && a.value == b.value && same(a.left, b.left) && same(a.right, b.right);
    }
}
