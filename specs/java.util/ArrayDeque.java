import glassbox.*;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * ArrayDeque of JDK 17. The invariant: the elements are in `elements` from `head` up to `tail`, perhaps around its end, none of them null;
 * all other places are null, and there is one at least. There are n+1 places at the beginning, or one or two: other numbers are those of
 * smaller sizes. Elements are Integers. Iterators are checked by themselves, on a deque that nobody
 * else changed since. Left out: the other direction, collections as arguments, streams.
 */
@SpecFor("java.util.ArrayDeque")
@Max("1")
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
    @Check native Iterator<E> iterator();

    @Declarative
    boolean repOk() {
        return 0 <= head && head < elements.length && 0 <= tail && tail < elements.length
            && GlassBox.forall(0, elements.length, i -> (elements[i] != null) == isWithin(i));
    }

    // Only of start states.
    @Pre @Declarative
    boolean isOfThisSize() {
        return elements.length <= 2 || elements.length == GlassBox.size() + 1;
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
        return elements[wrap(head + index)];
    }

    @Declarative
    Object first() {
        return elements[head];
    }

    @Declarative
    Object last() {
        return elements[tail == 0 ? elements.length - 1 : tail - 1];
    }

    /** Elements from one number up to another are those of before, so many places further. */
    @Declarative
    boolean same(ArrayDequeSpec<E> before, int from, int to, int shift) {
        // In an array of the same length, place by place: quicker than by number, since the places are constants.
        return elements.length != before.elements.length
            ? GlassBox.forall(from, to, i -> at(i) == before.at(i + shift))
            : head == before.head ? sameAt(before, from, to, shift)
            : head == wrap(before.head + 1) ? sameAt(before, from, to, shift - 1)
            : head == wrap(before.head - 1) && sameAt(before, from, to, shift + 1);
    }

    @Declarative
    boolean sameAt(ArrayDequeSpec<E> before, int from, int to, int shift) {
        return GlassBox.forall(0, elements.length,
            p -> !(from <= number(p) && number(p) < to) || elements[p] == before.elements[shift == 0 ? p : wrap(p + shift)]);
    }

    /** How many elements are before this place. */
    @Declarative
    int number(int place) {
        return head <= place ? place - head : place - head + elements.length;
    }

    @Declarative
    int wrap(int place) {
        return place < 0 ? place + elements.length : place < elements.length ? place : place - elements.length;
    }

    // Occurrences are looked for place by place, since these are constants. What is before `head` comes last.
    @Declarative
    boolean isAt(Object o, int place) {
        return isWithin(place) && Objects.equals(o, elements[place]);
    }

    /** The first place from one on that has it; -1 if none does. */
    @Declarative
    int firstFrom(Object o, int place, boolean isWrapped) {
        return place >= elements.length ? -1
            : place < head == isWrapped && isAt(o, place) ? place : firstFrom(o, place + 1, isWrapped);
    }

    /** The last place from one on that has it; `so` if none does. */
    @Declarative
    int lastFrom(Object o, int place, boolean isWrapped, int so) {
        return place >= elements.length ? so
            : lastFrom(o, place + 1, isWrapped, place < head == isWrapped && isAt(o, place) ? place : so);
    }

    @Declarative
    int firstOf(Object o) {
        int first = firstFrom(o, 0, false);
        return first >= 0 ? first : firstFrom(o, 0, true);
    }

    @Declarative
    int lastOf(Object o) {
        return lastFrom(o, 0, true, lastFrom(o, 0, false, -1));
    }

    @Post({"addFirst", "offerFirst"}) @Declarative
    boolean addedFirst(ArrayDequeSpec<E> before, E e) {
        return count() == before.count() + 1 && first() == e && same(before, 1, count(), -1);
    }

    @Post({"addLast", "offerLast"}) @Declarative
    boolean addedLast(ArrayDequeSpec<E> before, E e) {
        return count() == before.count() + 1 && last() == e && same(before, 0, count() - 1, 0);
    }

    @Post({"offerFirst", "offerLast"}) @Declarative
    boolean isTrue(ArrayDequeSpec<E> before, E e, boolean result) {
        return result;
    }

    @Post({"pollFirst", "removeFirst"}) @Declarative
    boolean removedFirst(ArrayDequeSpec<E> before, E result) {
        return before.count() == 0 ? result == null && count() == 0
            : count() == before.count() - 1 && result == before.first() && same(before, 0, count(), 1);
    }

    @Post({"pollLast", "removeLast"}) @Declarative
    boolean removedLast(ArrayDequeSpec<E> before, E result) {
        return before.count() == 0 ? result == null && count() == 0
            : count() == before.count() - 1 && result == before.last() && same(before, 0, count(), 0);
    }

    @Post({"getFirst", "getLast", "peekFirst", "peekLast", "contains", "size", "isEmpty", "iterator"}) @Declarative
    boolean unchanged(ArrayDequeSpec<E> before) {
        return head == before.head && tail == before.tail && elements.length == before.elements.length
            && GlassBox.forall(0, elements.length, p -> elements[p] == before.elements[p]);
    }

    @Post({"getFirst", "peekFirst"}) @Declarative
    boolean gotFirst(ArrayDequeSpec<E> before, E result) {
        return result == (count() == 0 ? null : first());
    }

    @Post({"getLast", "peekLast"}) @Declarative
    boolean gotLast(ArrayDequeSpec<E> before, E result) {
        return result == (count() == 0 ? null : last());
    }

    /** All elements of before but the one at a place: those behind it are one place nearer to the head, or those before it one further. */
    @Declarative
    boolean isWithout(ArrayDequeSpec<E> before, int place) {
        return count() == before.count() - 1 && elements.length == before.elements.length
            && (head == before.head
                ? GlassBox.forall(0, elements.length,
                    p -> !isWithin(p) || elements[p] == before.elements[before.isBefore(p, place) ? p : wrap(p + 1)])
                : head == wrap(before.head + 1) && GlassBox.forall(0, elements.length,
                    p -> !isWithin(p) || elements[p] == before.elements[before.isBefore(place, p) ? p : wrap(p - 1)]));
    }

    @Declarative
    boolean isBefore(int p, int q) {
        return head <= p == head <= q ? p < q : head <= p;
    }

    @Post("removeFirstOccurrence") @Declarative
    boolean removed(ArrayDequeSpec<E> before, Object o, boolean result) {
        int first = before.firstOf(o);
        return result == first >= 0 && (result ? isWithout(before, first) : unchanged(before));
    }

    @Post("removeLastOccurrence") @Declarative
    boolean removedFromEnd(ArrayDequeSpec<E> before, Object o, boolean result) {
        int last = before.lastOf(o);
        return result == last >= 0 && (result ? isWithout(before, last) : unchanged(before));
    }

    @Post("contains") @Declarative
    boolean contained(ArrayDequeSpec<E> before, Object o, boolean result) {
        return result == GlassBox.exists(0, elements.length, p -> isAt(o, p));
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

    @Post("iterator") @Declarative
    boolean starts(ArrayDequeSpec<E> before, Iterator<E> result) {
        DeqIterator it = (DeqIterator) (Object) result;
        return it.remaining == count() && it.lastRet == -1 && it.repOk();
    }

    /** An iterator: `remaining` elements from `cursor` on are still to come; `lastRet` is -1, or the place before `cursor`. */
    class DeqIterator {
        @Range("0..n") int cursor;
        @Range("0..n") int remaining;
        @Range("-1..n") int lastRet;

        @Check native boolean hasNext();
        @Check @MayThrow(NoSuchElementException.class) native E next();
        @Check @MayThrow(IllegalStateException.class) native void remove();

        @Declarative
        boolean repOk() {
            return deque().repOk() && 0 <= cursor && cursor < elements.length && (isWithin(cursor) || cursor == tail)
                && remaining == (cursor <= tail ? tail - cursor : tail - cursor + elements.length)
                && (lastRet == -1 || 0 <= lastRet && lastRet < elements.length && isWithin(lastRet) && cursor == wrap(lastRet + 1));
        }

        @Declarative
        ArrayDequeSpec<E> deque() {
            return ArrayDequeSpec.this;
        }

        @Pre @Declarative
        boolean isOfThisSize() {
            return deque().isOfThisSize();
        }

        // Exactly when an exception is thrown.
        @Check
        boolean endOfNext() {
            try {
                next();
                return false;
            } catch (NoSuchElementException e) {
                return true;
            }
        }

        @Check
        boolean endOfRemove() {
            try {
                remove();
                return false;
            } catch (IllegalStateException e) {
                return true;
            }
        }

        @Post("endOfNext") @Declarative
        boolean endsNext(DeqIterator before, boolean result) {
            return result == (before.remaining == 0);
        }

        @Post("endOfRemove") @Declarative
        boolean endsRemove(DeqIterator before, boolean result) {
            return result == (before.lastRet == -1);
        }

        @Post("hasNext") @Declarative
        boolean asked(DeqIterator before, boolean result) {
            return result == remaining > 0 && remaining == before.remaining && deque().unchanged(before.deque());
        }

        @Post("next") @Declarative
        boolean gone(DeqIterator before, E result) {
            return remaining == before.remaining - 1 && lastRet == before.cursor && result == elements[lastRet]
                && deque().unchanged(before.deque());
        }

        @Post("remove") @Declarative
        boolean removed(DeqIterator before) {
            return remaining == before.remaining && lastRet == -1 && deque().isWithout(before.deque(), before.lastRet);
        }
    }
}
