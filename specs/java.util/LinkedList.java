import glassbox.*;
import java.util.ConcurrentModificationException;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * LinkedList of JDK 17. The invariant: the nodes are a list from `first` to `last` along `next`, each node's `prev` is the one before it,
 * and `size` is their number. Elements are null or Integers. Postconditions say what becomes of the sequence of elements, and that the list
 * counts its changes. Iterators are checked by themselves, on a list that was or was not changed since. `equals` and `hashCode` are for
 * lists of at most 4. Left out: what walks from the end for an element (`lastIndexOf`, `removeLastOccurrence`), collections as arguments,
 * streams.
 */
@SpecFor("java.util.LinkedList")
@Max("1")
class LinkedListSpec<E> {
    @Range("0..0") int modCount;
    @Range("0..n") int size;
    @Tree Node<E> first;
    Node<E> last;

    static class Node<E> {
        @OneOf(Integer.class) E item;
        @Tree Node<E> next;
        Node<E> prev;
    }

    @Check LinkedListSpec() {}
    @Check native boolean add(@OneOf(Integer.class) E e);
    @Check native void addFirst(@OneOf(Integer.class) E e);
    @Check native void addLast(@OneOf(Integer.class) E e);
    @Check native boolean offer(@OneOf(Integer.class) E e);
    @Check native void push(@OneOf(Integer.class) E e);
    @Check @MayThrow(NoSuchElementException.class) native E getFirst();
    @Check @MayThrow(NoSuchElementException.class) native E getLast();
    @Check @MayThrow(NoSuchElementException.class) native E removeFirst();
    @Check @MayThrow(NoSuchElementException.class) native E removeLast();
    @Check native E peekFirst();
    @Check native E peekLast();
    @Check native E pollFirst();
    @Check native E pollLast();
    @Check native int size();
    @Check native boolean contains(@OneOf(Integer.class) Object o);
    @Check native int indexOf(@OneOf(Integer.class) Object o);
    @Check native boolean remove(@OneOf(Integer.class) Object o);
    @Check native void clear();
    @Check @MayThrow(IndexOutOfBoundsException.class) native E get(@Range("-1..n") int index);
    @Check @MayThrow(IndexOutOfBoundsException.class) native E set(@Range("-1..n") int index, @OneOf(Integer.class) E element);
    @Check @MayThrow(IndexOutOfBoundsException.class) native void add(@Range("-1..n+1") int index, @OneOf(Integer.class) E element);
    @Check @MayThrow(IndexOutOfBoundsException.class) native E remove(@Range("-1..n") int index);
    @Check native Object[] toArray();
    @Check public native boolean equals(Object o);
    @Check public native int hashCode();
    @Check @MayThrow(IndexOutOfBoundsException.class) native ListIterator<E> listIterator(@Range("-1..n+1") int index);

    @Declarative
    boolean repOk() {
        return isList(null, first, 0);
    }

    // The size is compared at the end, not counted: what one says of the other is seen at once.
    @Declarative
    boolean isList(Node<E> before, Node<E> node, int index) {
        return node == null ? last == before && size == index : node.prev == before && isList(node, node.next, index + 1);
    }

    @Declarative
    static <T> boolean same(Node<T> a, Node<T> b) {
        return a == null ? b == null : b != null && a.item == b.item && same(a.next, b.next);
    }

    /** Whether a is b with one more item at an index. */
    @Declarative
    static <T> boolean inserted(Node<T> a, Node<T> b, int index, Object item) {
        return a != null
            && (index == 0
                ? a.item == item && same(a.next, b)
                : b != null && a.item == b.item && inserted(a.next, b.next, index - 1, item));
    }

    @Declarative
    static <T> boolean isAt(Node<T> node, int index, Object item) {
        return node != null && (index == 0 ? node.item == item : isAt(node.next, index - 1, item));
    }

    @Declarative
    static <T> boolean holds(Node<T> node, Object o) {
        return node != null && (Objects.equals(o, node.item) || holds(node.next, o));
    }

    /** Whether b is a without the first item that equals o. */
    @Declarative
    static <T> boolean without(Node<T> a, Node<T> b, Object o) {
        return a != null
            && (Objects.equals(o, a.item) ? same(a.next, b) : b != null && a.item == b.item && without(a.next, b.next, o));
    }

    @Declarative
    static <T> int indexIn(Node<T> node, Object o, int index) {
        return node == null ? -1 : Objects.equals(o, node.item) ? index : indexIn(node.next, o, index + 1);
    }

    @Post({"add(E)", "addLast", "offer"}) @Declarative
    boolean addedLast(LinkedListSpec<E> before, E e) {
        return inserted(first, before.first, before.size, e);
    }

    @Post({"addFirst", "push"}) @Declarative
    boolean addedFirst(LinkedListSpec<E> before, E e) {
        return inserted(first, before.first, 0, e);
    }

    @Post("add(int,E)") @Declarative
    boolean added(LinkedListSpec<E> before, int index, E e) {
        return inserted(first, before.first, index, e);
    }

    @Post({"removeFirst"}) @Declarative
    boolean removedFirst(LinkedListSpec<E> before, E result) {
        return inserted(before.first, first, 0, result);
    }

    @Post({"removeLast"}) @Declarative
    boolean removedLast(LinkedListSpec<E> before, E result) {
        return inserted(before.first, first, size, result);
    }

    @Post({"pollFirst"}) @Declarative
    boolean polledFirst(LinkedListSpec<E> before, E result) {
        return before.first == null ? result == null && first == null : inserted(before.first, first, 0, result);
    }

    @Post({"pollLast"}) @Declarative
    boolean polledLast(LinkedListSpec<E> before, E result) {
        return before.first == null ? result == null && first == null : inserted(before.first, first, size, result);
    }

    @Post("remove(int)") @Declarative
    boolean removed(LinkedListSpec<E> before, int index, E result) {
        return inserted(before.first, first, index, result);
    }

    @Post("remove(Object)") @Declarative
    boolean removed(LinkedListSpec<E> before, Object o, boolean result) {
        return result ? without(before.first, first, o) : !holds(before.first, o) && same(before.first, first);
    }

    @Post({"getFirst", "getLast", "peekFirst", "peekLast", "size", "contains", "indexOf", "get", "toArray", "equals", "hashCode",
        "listIterator"})
    @Declarative
    boolean unchanged(LinkedListSpec<E> before) {
        return same(first, before.first);
    }

    @Post("contains") @Declarative
    boolean contained(LinkedListSpec<E> before, Object o, boolean result) {
        return result == holds(first, o);
    }

    @Post("indexOf") @Declarative
    boolean found(LinkedListSpec<E> before, Object o, int result) {
        return result == indexIn(first, o, 0);
    }

    @Post({"add(E)", "offer"}) @Declarative
    boolean isTrue(LinkedListSpec<E> before, E e, boolean result) {
        return result;
    }

    @Post({"getFirst", "peekFirst"}) @Declarative
    boolean gotFirst(LinkedListSpec<E> before, E result) {
        return result == (first == null ? null : first.item);
    }

    @Post({"getLast", "peekLast"}) @Declarative
    boolean gotLast(LinkedListSpec<E> before, E result) {
        return result == (last == null ? null : last.item);
    }

    @Post("toArray") @Declarative
    boolean copied(LinkedListSpec<E> before, Object[] result) {
        return result.length == size && isCopied(first, result, 0);
    }

    @Declarative
    static boolean isCopied(Node<?> node, Object[] array, int index) {
        return node == null || array[index] == (Object) node.item && isCopied(node.next, array, index + 1);
    }

    @Post("get") @Declarative
    boolean got(LinkedListSpec<E> before, int index, E result) {
        return isAt(first, index, result);
    }

    @Post("set") @Declarative
    boolean wasSet(LinkedListSpec<E> before, int index, E element, E result) {
        return isAt(before.first, index, result) && isReplaced(first, before.first, index, element);
    }

    @Declarative
    static <T> boolean isReplaced(Node<T> a, Node<T> b, int index, Object item) {
        return a != null && b != null
            && (index == 0
                ? a.item == item && same(a.next, b.next)
                : a.item == b.item && isReplaced(a.next, b.next, index - 1, item));
    }

    @Post("clear") @Declarative
    boolean cleared(LinkedListSpec<E> before) {
        return first == null;
    }

    @Post("size") @Declarative
    boolean counted(LinkedListSpec<E> before, int result) {
        return result == size;
    }

    @Post("equals") @Declarative
    boolean compared(LinkedListSpec<E> before, Object o, boolean result) {
        return result == (o instanceof LinkedListSpec<?> && alike(first, ((LinkedListSpec<?>) o).first));
    }

    @Declarative
    static boolean alike(Node<?> a, Node<?> b) {
        return a == null ? b == null : b != null && Objects.equals(a.item, b.item) && alike(a.next, b.next);
    }

    // Only of start states: each element that is null or is not is another way through the code.
    @Pre({"equals", "hashCode"}) @Declarative
    boolean isShort() {
        return size <= 4;
    }

    @Post("hashCode") @Declarative
    boolean hashed(LinkedListSpec<E> before, int result) {
        return result == hash(first, 1);
    }

    @Declarative
    static int hash(Node<?> node, int so) {
        return node == null ? so : hash(node.next, 31 * so + Objects.hashCode(node.item));
    }

    // What an iterator sees of it.
    @Post({"add", "addFirst", "addLast", "offer", "push", "removeFirst", "removeLast", "remove(int)", "clear"}) @Declarative
    boolean isCounted(LinkedListSpec<E> before) {
        return modCount != before.modCount;
    }

    @Post("remove(Object)") @Declarative
    boolean isCounted(LinkedListSpec<E> before, Object o, boolean result) {
        return result == (modCount != before.modCount);
    }

    @Post({"getFirst", "getLast", "peekFirst", "peekLast", "size", "contains", "indexOf", "get", "set", "toArray", "equals", "hashCode",
        "listIterator"})
    @Declarative
    boolean isNotCounted(LinkedListSpec<E> before) {
        return modCount == before.modCount;
    }

    @Post("listIterator") @Declarative
    boolean starts(LinkedListSpec<E> before, int index, ListIterator<E> result) {
        ListItr it = (ListItr) (Object) result;
        return 0 <= index && index <= size && it.isAt(index) && it.list() == this;
    }

    @Declarative
    static <T> Node<T> nodeAt(Node<T> node, int index) {
        return node == null || index == 0 ? node : nodeAt(node.next, index - 1);
    }

    /**
     * An iterator. It is valid as long as nobody else changes the list: then `next` is the node number `nextIndex`, null at the end, and
     * `lastReturned` is null, or that node, or the one before.
     */
    class ListItr {
        Node<E> lastReturned;
        Node<E> next;
        @Range("0..n") int nextIndex;
        @Range("0..1") int expectedModCount;

        @Check native boolean hasNext();
        @Check native boolean hasPrevious();
        @Check native int nextIndex();
        @Check native int previousIndex();
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native E next();
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native E previous();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void remove();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void set(@OneOf(Integer.class) E e);
        @Check @MayThrow(ConcurrentModificationException.class) native void add(@OneOf(Integer.class) E e);

        @Declarative
        boolean repOk() {
            return list().repOk() && 0 <= nextIndex
                && (!isValid() || nextIndex <= size && next == nodeAt(first, nextIndex)
                    && (lastReturned == null || lastReturned == next || lastReturned == (next == null ? last : next.prev)));
        }

        @Declarative
        boolean isValid() {
            return expectedModCount == modCount;
        }

        @Declarative
        boolean isAt(int index) {
            return isValid() && nextIndex == index && lastReturned == null;
        }

        /** The number of the node that was returned last. */
        @Declarative
        int lastIndex() {
            return lastReturned == next ? nextIndex : nextIndex - 1;
        }

        @Declarative
        LinkedListSpec<E> list() {
            return LinkedListSpec.this;
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
        boolean endsNext(ListItr before, int result) {
            return result == (!before.isValid() ? 1 : before.nextIndex == before.list().size ? 2 : 0);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(ListItr before, int result) {
            return result == (!before.isValid() ? 1 : before.lastReturned == null ? 2 : 0);
        }

        @Post({"hasNext", "hasPrevious", "nextIndex", "previousIndex"}) @Declarative
        boolean stays(ListItr before) {
            return nextIndex == before.nextIndex && expectedModCount == before.expectedModCount && list().unchanged(before.list());
        }

        @Post("hasNext") @Declarative
        boolean askedNext(ListItr before, boolean result) {
            return result == (nextIndex < size);
        }

        @Post("hasPrevious") @Declarative
        boolean askedPrevious(ListItr before, boolean result) {
            return result == (nextIndex > 0);
        }

        @Post("nextIndex") @Declarative
        boolean askedNextIndex(ListItr before, int result) {
            return result == nextIndex;
        }

        @Post("previousIndex") @Declarative
        boolean askedPreviousIndex(ListItr before, int result) {
            return result == nextIndex - 1;
        }

        @Post("next") @Declarative
        boolean gone(ListItr before, E result) {
            return before.isValid() && isValid() && nextIndex == before.nextIndex + 1 && result == before.next.item
                && GlassBox.isSameObject(lastReturned, before.next) && list().unchanged(before.list());
        }

        @Post("previous") @Declarative
        boolean goneBack(ListItr before, E result) {
            return before.isValid() && isValid() && nextIndex == before.nextIndex - 1 && result == next.item && lastReturned == next
                && list().unchanged(before.list());
        }

        @Post("remove") @Declarative
        boolean removed(ListItr before) {
            return before.isValid() && isAt(before.lastIndex())
                && inserted(before.list().first, first, before.lastIndex(), before.lastReturned.item);
        }

        @Post("set") @Declarative
        boolean wasSet(ListItr before, E e) {
            return before.isValid() && isValid() && nextIndex == before.nextIndex && lastIndex() == before.lastIndex()
                && isReplaced(first, before.list().first, lastIndex(), e);
        }

        @Post("add") @Declarative
        boolean added(ListItr before, E e) {
            return before.isValid() && isAt(before.nextIndex + 1) && inserted(first, before.list().first, before.nextIndex, e);
        }
    }
}
