import glassbox.*;
import java.util.Objects;

/**
 * ArrayList of JDK 17. The invariant: `size` elements at the beginning of `elementData`, and null in the rest of it. Elements are null or
 * Integers. Postconditions say what becomes of the sequence of elements. Left out: collections as arguments, sublists, streams, `sort`.
 */
@SpecFor("java.util.ArrayList")
class ArrayListSpec<E> {
    @Range("0..0") int modCount;
    @OneOf(Integer.class) @NonNull @Owned Object[] elementData;
    @Range("0..n") int size;

    @Check ArrayListSpec() {}
    @Check @MayThrow(IllegalArgumentException.class) ArrayListSpec(@Range("-1..n") int initialCapacity) {}
    @Check native void trimToSize();
    @Check native void ensureCapacity(@Range("n-1..n+1") int minCapacity);
    @Check native int size();
    @Check native boolean isEmpty();
    @Check native boolean contains(@OneOf(Integer.class) Object o);
    @Check native int indexOf(@OneOf(Integer.class) Object o);
    @Check native int lastIndexOf(@OneOf(Integer.class) Object o);
    @Check native Object[] toArray();
    @Check @MayThrow(IndexOutOfBoundsException.class) native E get(@Range("-1..n") int index);
    @Check @MayThrow(IndexOutOfBoundsException.class) native E set(@Range("-1..n") int index, @OneOf(Integer.class) E element);
    @Check native boolean add(@OneOf(Integer.class) E e);
    @Check @MayThrow(IndexOutOfBoundsException.class) native void add(@Range("-1..n+1") int index, @OneOf(Integer.class) E element);
    @Check @MayThrow(IndexOutOfBoundsException.class) native E remove(@Range("-1..n") int index);
    @Check native boolean remove(@OneOf(Integer.class) Object o);
    @Check native void clear();

    @Declarative
    boolean repOk() {
        return 0 <= size && size <= elementData.length
            && GlassBox.forall(size, elementData.length, i -> elementData[i] == null);
    }

    @Declarative
    boolean same(ArrayListSpec<E> before, int from, int to) {
        return GlassBox.forall(from, to, i -> elementData[i] == before.elementData[i]);
    }

    @Declarative
    boolean isAt(int index, Object o) {
        return Objects.equals(o, elementData[index]);
    }

    @Declarative
    int firstOf(Object o, int from) {
        return from >= size ? -1 : isAt(from, o) ? from : firstOf(o, from + 1);
    }

    @Declarative
    int lastOf(Object o, int from) {
        return from < 0 ? -1 : isAt(from, o) ? from : lastOf(o, from - 1);
    }

    @Post({"trimToSize", "ensureCapacity", "size", "isEmpty", "contains", "indexOf", "lastIndexOf", "toArray", "get"}) @Declarative
    boolean unchanged(ArrayListSpec<E> before) {
        return size == before.size && same(before, 0, size);
    }

    @Post("add(E)") @Declarative
    boolean added(ArrayListSpec<E> before, E e) {
        return size == before.size + 1 && same(before, 0, before.size) && elementData[before.size] == e;
    }

    @Post("add(int,E)") @Declarative
    boolean inserted(ArrayListSpec<E> before, int index, E e) {
        return size == before.size + 1 && same(before, 0, index) && elementData[index] == e
            && GlassBox.forall(index, before.size, i -> elementData[i + 1] == before.elementData[i]);
    }

    @Declarative
    boolean isWithout(ArrayListSpec<E> before, int index) {
        return size == before.size - 1 && same(before, 0, index)
            && GlassBox.forall(index, size, i -> elementData[i] == before.elementData[i + 1]);
    }

    @Post("remove(int)") @Declarative
    boolean removed(ArrayListSpec<E> before, int index, E result) {
        return result == before.elementData[index] && isWithout(before, index);
    }

    @Post("remove(Object)") @Declarative
    boolean removedFirst(ArrayListSpec<E> before, Object o, boolean result) {
        return result ? before.firstOf(o, 0) >= 0 && isWithout(before, before.firstOf(o, 0))
            : before.firstOf(o, 0) < 0 && size == before.size && same(before, 0, size);
    }

    @Post("set") @Declarative
    boolean wasSet(ArrayListSpec<E> before, int index, E element, E result) {
        return size == before.size && result == before.elementData[index] && elementData[index] == element
            && same(before, 0, index) && same(before, index + 1, size);
    }

    @Post("get") @Declarative
    boolean got(ArrayListSpec<E> before, int index, E result) {
        return result == elementData[index];
    }

    @Post("contains") @Declarative
    boolean contained(ArrayListSpec<E> before, Object o, boolean result) {
        return result == (firstOf(o, 0) >= 0);
    }

    @Post("indexOf") @Declarative
    boolean found(ArrayListSpec<E> before, Object o, int result) {
        return result == firstOf(o, 0);
    }

    @Post("lastIndexOf") @Declarative
    boolean foundLast(ArrayListSpec<E> before, Object o, int result) {
        return result == lastOf(o, size - 1);
    }

    @Post("toArray") @Declarative
    boolean copied(ArrayListSpec<E> before, Object[] result) {
        return result.length == size && result != elementData && GlassBox.forall(0, size, i -> result[i] == elementData[i]);
    }

    @Post("size") @Declarative
    boolean counted(ArrayListSpec<E> before, int result) {
        return result == size;
    }

    @Post("isEmpty") @Declarative
    boolean asked(ArrayListSpec<E> before, boolean result) {
        return result == (size == 0);
    }

    @Post("clear") @Declarative
    boolean cleared(ArrayListSpec<E> before) {
        return size == 0;
    }
}
