import glassbox.*;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * ArrayList of JDK 17. The invariant: `size` elements at the beginning of `elementData`, and null in the rest of it. Elements are null or
 * Integers. Postconditions say what becomes of the sequence of elements, and that the list counts its changes. Iterators are checked by
 * themselves, on a list that was or was not changed since. `equals` and `hashCode` are for lists of at most 4. Left out: collections as
 * arguments, sublists, streams, `sort`.
 */
@SpecFor("java.util.ArrayList")
@Max("1")
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
    @Check public native boolean equals(Object o);
    @Check public native int hashCode();
    @Check native Iterator<E> iterator();
    @Check @MayThrow(IndexOutOfBoundsException.class) native ListIterator<E> listIterator(@Range("-1..n+1") int index);

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

    @Post({"trimToSize", "ensureCapacity", "size", "isEmpty", "contains", "indexOf", "lastIndexOf", "toArray", "get", "equals", "hashCode",
        "iterator", "listIterator"})
    @Declarative
    boolean unchanged(ArrayListSpec<E> before) {
        return size == before.size && same(before, 0, size);
    }

    @Post("add(E)") @Declarative
    boolean added(ArrayListSpec<E> before, E e, boolean result) {
        return result && size == before.size + 1 && same(before, 0, before.size) && elementData[before.size] == e;
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

    @Post("equals") @Declarative
    boolean compared(ArrayListSpec<E> before, Object o, boolean result) {
        return result == (o instanceof ArrayListSpec<?> && isLike((ArrayListSpec<?>) o));
    }

    @Declarative
    boolean isLike(ArrayListSpec<?> other) {
        return size == other.size && GlassBox.forall(0, size, i -> Objects.equals(elementData[i], other.elementData[i]));
    }

    // Only of start states: each element that is null or is not is another way through the code.
    @Pre({"equals", "hashCode"}) @Declarative
    boolean isShort() {
        return size <= 4;
    }

    @Post("hashCode") @Declarative
    boolean hashed(ArrayListSpec<E> before, int result) {
        int hash = 1;
        for (int i = 0; i < elementData.length; i++) {
            if (i < size) hash = 31 * hash + Objects.hashCode(elementData[i]);
        }
        return result == hash;
    }

    // What an iterator sees of it.
    @Post({"add(E)", "add(int,E)", "remove(int)", "clear"}) @Declarative
    boolean isCounted(ArrayListSpec<E> before) {
        return modCount != before.modCount;
    }

    @Post("remove(Object)") @Declarative
    boolean isCounted(ArrayListSpec<E> before, Object o, boolean result) {
        return result == (modCount != before.modCount);
    }

    @Post({"size", "isEmpty", "contains", "indexOf", "lastIndexOf", "toArray", "get", "set", "equals", "hashCode", "iterator", "listIterator"})
    @Declarative
    boolean isNotCounted(ArrayListSpec<E> before) {
        return modCount == before.modCount;
    }

    @Post("iterator") @Declarative
    boolean starts(ArrayListSpec<E> before, Iterator<E> result) {
        return ((Itr) (Object) result).isAt(0) && ((Itr) (Object) result).list() == this;
    }

    @Post("listIterator") @Declarative
    boolean startsAt(ArrayListSpec<E> before, int index, ListIterator<E> result) {
        return 0 <= index && index <= size && ((ListItr) (Object) result).isAt(index) && ((ListItr) (Object) result).list() == this;
    }

    /**
     * An iterator. It is valid as long as nobody else changes the list: then `cursor` is at most its size, and `lastRet` is -1 or the index
     * of the element that was returned last.
     */
    class Itr {
        @Range("0..n") int cursor;
        @Range("-1..n-1") int lastRet;
        @Range("0..1") int expectedModCount;

        @Check native boolean hasNext();
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native E next();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void remove();

        @Declarative
        boolean repOk() {
            return list().repOk() && 0 <= cursor && -1 <= lastRet && (!isValid() || cursor <= size && isPlaced());
        }

        @Declarative
        boolean isPlaced() {
            return lastRet == -1 || lastRet == cursor - 1;
        }

        @Declarative
        boolean isValid() {
            return expectedModCount == modCount;
        }

        @Declarative
        boolean isAt(int index) {
            return isValid() && cursor == index && lastRet == -1;
        }

        @Declarative
        ArrayListSpec<E> list() {
            return ArrayListSpec.this;
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
        boolean endsNext(Itr before, int result) {
            return result == (!before.isValid() ? 1 : before.cursor == before.list().size ? 2 : 0);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(Itr before, int result) {
            return result == (before.lastRet < 0 ? 2 : !before.isValid() ? 1 : 0);
        }

        @Post("hasNext") @Declarative
        boolean asked(Itr before, boolean result) {
            return result == (cursor != size) && cursor == before.cursor && lastRet == before.lastRet && list().unchanged(before.list());
        }

        @Post("next") @Declarative
        boolean gone(Itr before, E result) {
            return before.isValid() && isValid() && cursor == before.cursor + 1 && lastRet == before.cursor
                && result == elementData[before.cursor] && list().unchanged(before.list());
        }

        @Post("remove") @Declarative
        boolean removed(Itr before) {
            return before.isValid() && isAt(before.lastRet) && list().isWithout(before.list(), before.lastRet);
        }
    }

    /** An iterator in both directions. */
    class ListItr extends Itr {
        @Check native boolean hasPrevious();
        @Check native int nextIndex();
        @Check native int previousIndex();
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native E previous();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void set(@OneOf(Integer.class) E e);
        @Check @MayThrow(ConcurrentModificationException.class) native void add(@OneOf(Integer.class) E e);

        @Declarative
        boolean isPlaced() {
            return lastRet == -1 || lastRet == cursor - 1 || lastRet == cursor && cursor < size;
        }

        @Post("hasPrevious") @Declarative
        boolean asked(ListItr before, boolean result) {
            return result == (cursor > 0) && list().unchanged(before.list());
        }

        @Post("nextIndex") @Declarative
        boolean askedNext(ListItr before, int result) {
            return result == cursor;
        }

        @Post("previousIndex") @Declarative
        boolean askedPrevious(ListItr before, int result) {
            return result == cursor - 1;
        }

        @Post("previous") @Declarative
        boolean gone(ListItr before, E result) {
            return before.isValid() && isValid() && cursor == before.cursor - 1 && lastRet == cursor && result == elementData[cursor]
                && list().unchanged(before.list());
        }

        @Post("set") @Declarative
        boolean wasSet(ListItr before, E e) {
            return before.isValid() && isValid() && cursor == before.cursor && lastRet == before.lastRet && elementData[lastRet] == e
                && size == before.list().size && list().same(before.list(), 0, lastRet) && list().same(before.list(), lastRet + 1, size);
        }

        @Post("add") @Declarative
        boolean added(ListItr before, E e) {
            return before.isValid() && isAt(before.cursor + 1) && list().inserted(before.list(), before.cursor, e);
        }
    }
}
