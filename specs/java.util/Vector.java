import glassbox.*;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * Vector of JDK 17. The invariant: `elementCount` elements at the beginning of `elementData`, and null in the rest of it. Elements are null
 * or Integers; the capacity grows by 0 to 2, or doubles. Iterators are checked by themselves, on a vector that was or was not changed
 * since. `equals` and `hashCode` are for vectors of at most 4. Left out: collections as arguments, sublists, streams, enumerations.
 */
@SpecFor("java.util.Vector")
@Max("1")
class VectorSpec<E> {
    @Range("0..0") int modCount;
    @OneOf(Integer.class) @NonNull @Owned Object[] elementData;
    @Range("0..n") int elementCount;
    @Range("0..2") int capacityIncrement;

    @Check @MayThrow(IllegalArgumentException.class) VectorSpec(@Range("-1..n") int initialCapacity, @Range("0..2") int capacityIncrement) {}
    @Check native void trimToSize();
    @Check native int size();
    @Check native int capacity();
    @Check native boolean isEmpty();
    @Check native boolean contains(@OneOf(Integer.class) Object o);
    @Check native int indexOf(@OneOf(Integer.class) Object o);
    @Check native int lastIndexOf(@OneOf(Integer.class) Object o);
    @Check @MayThrow(ArrayIndexOutOfBoundsException.class) native E elementAt(@Range("0..n") int index);
    @Check @MayThrow(NoSuchElementException.class) native E firstElement();
    @Check @MayThrow(NoSuchElementException.class) native E lastElement();
    @Check @MayThrow(ArrayIndexOutOfBoundsException.class) native void removeElementAt(@Range("-1..n") int index);
    @Check @MayThrow(ArrayIndexOutOfBoundsException.class)
    native void insertElementAt(@OneOf(Integer.class) E obj, @Range("0..n+1") int index);
    @Check native void addElement(@OneOf(Integer.class) E obj);
    @Check native boolean removeElement(@OneOf(Integer.class) Object obj);
    @Check native void removeAllElements();
    @Check @MayThrow(ArrayIndexOutOfBoundsException.class) native E get(@Range("-1..n") int index);
    @Check @MayThrow(ArrayIndexOutOfBoundsException.class) native E set(@Range("-1..n") int index, @OneOf(Integer.class) E element);
    @Check native boolean add(@OneOf(Integer.class) E e);
    @Check @MayThrow(ArrayIndexOutOfBoundsException.class) native E remove(@Range("-1..n") int index);
    @Check public native boolean equals(Object o);
    @Check public native int hashCode();
    @Check native Iterator<E> iterator();

    @Declarative
    boolean repOk() {
        return 0 <= elementCount && elementCount <= elementData.length
            && GlassBox.forall(elementCount, elementData.length, i -> elementData[i] == null);
    }

    @Declarative
    boolean same(VectorSpec<E> before, int from, int to) {
        return GlassBox.forall(from, to, i -> elementData[i] == before.elementData[i]);
    }

    @Declarative
    int firstOf(Object o, int from) {
        return from >= elementCount ? -1 : Objects.equals(o, elementData[from]) ? from : firstOf(o, from + 1);
    }

    @Declarative
    int lastOf(Object o, int from) {
        return from < 0 ? -1 : Objects.equals(o, elementData[from]) ? from : lastOf(o, from - 1);
    }

    @Declarative
    boolean isWith(VectorSpec<E> before, int index, Object o) {
        return elementCount == before.elementCount + 1 && same(before, 0, index) && elementData[index] == o
            && GlassBox.forall(index, before.elementCount, i -> elementData[i + 1] == before.elementData[i]);
    }

    @Declarative
    boolean isWithout(VectorSpec<E> before, int index) {
        return elementCount == before.elementCount - 1 && same(before, 0, index)
            && GlassBox.forall(index, elementCount, i -> elementData[i] == before.elementData[i + 1]);
    }

    @Post({"trimToSize", "size", "capacity", "isEmpty", "contains", "indexOf", "lastIndexOf", "elementAt", "firstElement", "lastElement", "get",
        "equals", "hashCode", "iterator"})
    @Declarative
    boolean unchanged(VectorSpec<E> before) {
        return elementCount == before.elementCount && same(before, 0, elementCount);
    }

    @Post({"addElement", "add"}) @Declarative
    boolean added(VectorSpec<E> before, E e) {
        return isWith(before, before.elementCount, e);
    }

    @Post("insertElementAt") @Declarative
    boolean inserted(VectorSpec<E> before, E e, int index) {
        return isWith(before, index, e);
    }

    @Post("removeElementAt") @Declarative
    boolean removedAt(VectorSpec<E> before, int index) {
        return isWithout(before, index);
    }

    @Post("remove(int)") @Declarative
    boolean removed(VectorSpec<E> before, int index, E result) {
        return result == before.elementData[index] && isWithout(before, index);
    }

    @Post("removeElement") @Declarative
    boolean removedFirst(VectorSpec<E> before, Object o, boolean result) {
        return result ? before.firstOf(o, 0) >= 0 && isWithout(before, before.firstOf(o, 0))
            : before.firstOf(o, 0) < 0 && elementCount == before.elementCount && same(before, 0, elementCount);
    }

    @Post("set") @Declarative
    boolean wasSet(VectorSpec<E> before, int index, E element, E result) {
        return elementCount == before.elementCount && result == before.elementData[index] && elementData[index] == element
            && same(before, 0, index) && same(before, index + 1, elementCount);
    }

    @Post({"get", "elementAt"}) @Declarative
    boolean got(VectorSpec<E> before, int index, E result) {
        return index < elementCount && result == elementData[index];
    }

    @Post("firstElement") @Declarative
    boolean gotFirst(VectorSpec<E> before, E result) {
        return elementCount > 0 && result == elementData[0];
    }

    @Post("lastElement") @Declarative
    boolean gotLast(VectorSpec<E> before, E result) {
        return elementCount > 0 && result == elementData[elementCount - 1];
    }

    @Post("contains") @Declarative
    boolean contained(VectorSpec<E> before, Object o, boolean result) {
        return result == (firstOf(o, 0) >= 0);
    }

    @Post("indexOf") @Declarative
    boolean found(VectorSpec<E> before, Object o, int result) {
        return result == firstOf(o, 0);
    }

    @Post("lastIndexOf") @Declarative
    boolean foundLast(VectorSpec<E> before, Object o, int result) {
        return result == lastOf(o, elementCount - 1);
    }

    @Post("capacity") @Declarative
    boolean measured(VectorSpec<E> before, int result) {
        return result == elementData.length;
    }

    @Post("isEmpty") @Declarative
    boolean asked(VectorSpec<E> before, boolean result) {
        return result == (elementCount == 0);
    }

    @Post("add") @Declarative
    boolean isTrue(VectorSpec<E> before, E e, boolean result) {
        return result;
    }

    @Post("size") @Declarative
    boolean counted(VectorSpec<E> before, int result) {
        return result == elementCount;
    }

    @Post("removeAllElements") @Declarative
    boolean cleared(VectorSpec<E> before) {
        return elementCount == 0;
    }

    @Post("equals") @Declarative
    boolean compared(VectorSpec<E> before, Object o, boolean result) {
        return result == (o instanceof VectorSpec<?> && isLike((VectorSpec<?>) o));
    }

    @Declarative
    boolean isLike(VectorSpec<?> other) {
        return elementCount == other.elementCount && GlassBox.forall(0, elementCount, i -> Objects.equals(elementData[i], other.elementData[i]));
    }

    // Only of start states: each element that is null or is not is another way through the code.
    @Pre({"equals", "hashCode"}) @Declarative
    boolean isShort() {
        return elementCount <= 4;
    }

    @Post("hashCode") @Declarative
    boolean hashed(VectorSpec<E> before, int result) {
        int hash = 1;
        for (int i = 0; i < elementData.length; i++) {
            if (i < elementCount) hash = 31 * hash + Objects.hashCode(elementData[i]);
        }
        return result == hash;
    }

    // What an iterator sees of it.
    @Post({"add", "addElement", "insertElementAt", "removeElementAt", "remove(int)", "removeAllElements"}) @Declarative
    boolean isCounted(VectorSpec<E> before) {
        return modCount != before.modCount;
    }

    @Post({"size", "capacity", "isEmpty", "contains", "indexOf", "lastIndexOf", "elementAt", "firstElement", "lastElement", "get", "set",
        "equals", "hashCode", "iterator"})
    @Declarative
    boolean isNotCounted(VectorSpec<E> before) {
        return modCount == before.modCount;
    }

    @Post("iterator") @Declarative
    boolean starts(VectorSpec<E> before, Iterator<E> result) {
        return ((Itr) (Object) result).isAt(0) && ((Itr) (Object) result).list() == this;
    }

    /**
     * An iterator. It is valid as long as nobody else changes the vector: then `cursor` is at most its size, and `lastRet` is -1 or the index
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
            return list().repOk() && 0 <= cursor && -1 <= lastRet
                && (!isValid() || cursor <= elementCount && (lastRet == -1 || lastRet == cursor - 1));
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
        VectorSpec<E> list() {
            return VectorSpec.this;
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
            return result == (!before.isValid() ? 1 : before.cursor == before.list().elementCount ? 2 : 0);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(Itr before, int result) {
            return result == (before.lastRet < 0 ? 2 : !before.isValid() ? 1 : 0);
        }

        @Post("hasNext") @Declarative
        boolean asked(Itr before, boolean result) {
            return result == (cursor != elementCount) && list().unchanged(before.list());
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
}
