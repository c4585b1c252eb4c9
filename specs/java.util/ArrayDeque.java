import glassbox.*;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * ArrayDeque of JDK 17. The invariant: the elements are in `elements` from `head` up to `tail`, perhaps around its end, none of them null;
 * all other places are null, and there is one at least. Elements are Integers. Left out: collections as arguments, streams.
 */
@SpecFor("java.util.ArrayDeque")
class ArrayDequeSpec<E> {
    @OneOf(Integer.class) @NonNull @Owned @Length("1..n+1") Object[] elements;
    @Range("0..n") int head;
    @Range("0..n") int tail;

    @Check ArrayDequeSpec() {}
    @Check ArrayDequeSpec(@Range("-1..n") int numElements) {}
    @Check @MayThrow(NullPointerException.class) native void addFirst(@OneOf(Integer.class) E e);
    @Check @MayThrow(NullPointerException.class) native void addLast(@OneOf(Integer.class) E e);
    @Check @MayThrow(NullPointerException.class) native boolean offerFirst(@OneOf(Integer.class) E e);
    @Check @MayThrow(NullPointerException.class) native boolean offerLast(@OneOf(Integer.class) E e);
    @Check native E pollFirst();
    @Check native E pollLast();
    @Check @MayThrow(NoSuchElementException.class) native E removeFirst();
    @Check @MayThrow(NoSuchElementException.class) native E removeLast();
    @Check @MayThrow(NoSuchElementException.class) native E getFirst();
    @Check @MayThrow(NoSuchElementException.class) native E getLast();
    @Check native E peekFirst();
    @Check native E peekLast();
    @Check native boolean removeFirstOccurrence(@OneOf(Integer.class) Object o);
    @Check native boolean removeLastOccurrence(@OneOf(Integer.class) Object o);
    @Check native boolean contains(@OneOf(Integer.class) Object o);
    @Check native int size();
    @Check native boolean isEmpty();
    @Check native void clear();

    @Declarative
    boolean repOk() {
        return 0 <= head && head < elements.length && 0 <= tail && tail < elements.length
            && GlassBox.forall(0, elements.length, i -> (elements[i] != null) == isWithin(i));
    }

    @Declarative
    boolean isWithin(int i) {
        return head <= tail ? head <= i && i < tail : head <= i || i < tail;
    }

    @Declarative
    int count() {
        return head <= tail ? tail - head : tail - head + elements.length;
    }

    /** The element with so many before it. */
    @Declarative
    Object at(int index) {
        int i = head + index;
        return elements[i < elements.length ? i : i - elements.length];
    }

    /** Elements from one number up to another are those of before, so many places further. */
    @Declarative
    boolean same(ArrayDequeSpec<E> before, int from, int to, int shift) {
        return GlassBox.forall(from, to, i -> at(i) == before.at(i + shift));
    }

    @Declarative
    int firstOf(Object o, int from) {
        return from >= count() ? -1 : Objects.equals(o, at(from)) ? from : firstOf(o, from + 1);
    }

    @Declarative
    int lastOf(Object o, int from) {
        return from < 0 ? -1 : Objects.equals(o, at(from)) ? from : lastOf(o, from - 1);
    }

    @Post({"addFirst", "offerFirst"}) @Declarative
    boolean addedFirst(ArrayDequeSpec<E> before, E e) {
        return count() == before.count() + 1 && at(0) == e && same(before, 1, count(), -1);
    }

    @Post({"addLast", "offerLast"}) @Declarative
    boolean addedLast(ArrayDequeSpec<E> before, E e) {
        return count() == before.count() + 1 && at(count() - 1) == e && same(before, 0, count() - 1, 0);
    }

    @Post({"pollFirst", "removeFirst"}) @Declarative
    boolean removedFirst(ArrayDequeSpec<E> before, E result) {
        return before.count() == 0 ? result == null && count() == 0
            : count() == before.count() - 1 && result == before.at(0) && same(before, 0, count(), 1);
    }

    @Post({"pollLast", "removeLast"}) @Declarative
    boolean removedLast(ArrayDequeSpec<E> before, E result) {
        return before.count() == 0 ? result == null && count() == 0
            : count() == before.count() - 1 && result == before.at(count()) && same(before, 0, count(), 0);
    }

    @Post({"getFirst", "getLast", "peekFirst", "peekLast", "contains", "size", "isEmpty"}) @Declarative
    boolean unchanged(ArrayDequeSpec<E> before) {
        return count() == before.count() && same(before, 0, count(), 0);
    }

    @Post({"getFirst", "peekFirst"}) @Declarative
    boolean gotFirst(ArrayDequeSpec<E> before, E result) {
        return result == (count() == 0 ? null : at(0));
    }

    @Post({"getLast", "peekLast"}) @Declarative
    boolean gotLast(ArrayDequeSpec<E> before, E result) {
        return result == (count() == 0 ? null : at(count() - 1));
    }

    @Declarative
    boolean isWithout(ArrayDequeSpec<E> before, int index) {
        return count() == before.count() - 1 && same(before, 0, index, 0) && same(before, index, count(), 1);
    }

    @Post("removeFirstOccurrence") @Declarative
    boolean removed(ArrayDequeSpec<E> before, Object o, boolean result) {
        return result ? before.firstOf(o, 0) >= 0 && isWithout(before, before.firstOf(o, 0))
            : before.firstOf(o, 0) < 0 && count() == before.count() && same(before, 0, count(), 0);
    }

    @Post("removeLastOccurrence") @Declarative
    boolean removedFromEnd(ArrayDequeSpec<E> before, Object o, boolean result) {
        int last = before.lastOf(o, before.count() - 1);
        return result ? last >= 0 && isWithout(before, last) : last < 0 && count() == before.count() && same(before, 0, count(), 0);
    }

    @Post("contains") @Declarative
    boolean contained(ArrayDequeSpec<E> before, Object o, boolean result) {
        return result == (firstOf(o, 0) >= 0);
    }

    @Post("size") @Declarative
    boolean counted(ArrayDequeSpec<E> before, int result) {
        return result == count();
    }

    @Post("isEmpty") @Declarative
    boolean asked(ArrayDequeSpec<E> before, boolean result) {
        return result == (count() == 0);
    }

    @Post("clear") @Declarative
    boolean cleared(ArrayDequeSpec<E> before) {
        return count() == 0;
    }
}
