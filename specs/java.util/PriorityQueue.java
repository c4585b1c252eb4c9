import glassbox.*;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * PriorityQueue of JDK 17. The invariant: `size` elements at the beginning of `queue`, none of them null, each no greater than the two
 * below it (a heap); null in the rest. Elements are Integers in their natural order. Postconditions count how often every element is there.
 * Iterators are checked by themselves, on a queue that was or was not changed since. Left out: elements that an iterator was to come back
 * to, comparators, collections as arguments, streams.
 */
@SpecFor("java.util.PriorityQueue")
@Max("1")
class PriorityQueueSpec<E> {
    @NonNull @Owned @Length("1..n") @Range("126..n+126") Object[] queue;
    @Range("0..n") int size;
    Comparator<? super E> comparator;
    @Range("0..0") int modCount;

    @Check @MayThrow(NullPointerException.class) native boolean offer(@Range("126..n+126") E e);
    @Check @MayThrow(NullPointerException.class) native boolean add(@Range("126..n+126") E e);
    @Check native E poll();
    @Check native E peek();
    @Check native boolean remove(@Range("126..n+126") Object o);
    @Check native boolean contains(@Range("126..n+126") Object o);
    @Check native int size();
    @Check native void clear();
    @Check native Object[] toArray();
    @Check native Iterator<E> iterator();

    @Declarative
    boolean repOk() {
        return 0 <= size && size <= queue.length && comparator == null
            && GlassBox.forall(0, queue.length, i -> (queue[i] != null) == (i < size))
            && GlassBox.forall(1, size, i -> isAtMost(queue[(i - 1) / 2], queue[i]));
    }

    // In a class that holds such a queue, elements may be others.
    @Declarative
    @SuppressWarnings("unchecked")
    static boolean isAtMost(Object a, Object b) {
        return a instanceof Integer && b instanceof Integer
            ? number(a) <= number(b) : ((Comparable<Object>) a).compareTo(b) <= 0;
    }

    @Declarative
    static int number(Object o) {
        return (Integer) o;
    }

    @Declarative
    int count(int number) {
        int count = 0;
        for (int i = 0; i < queue.length; i++) {
            if (i < size && number(queue[i]) == number) count++;
        }
        return count;
    }

    /** Every number is there as often as before, but one of them so much more often. */
    @Declarative
    boolean differs(PriorityQueueSpec<E> before, int number, int by) {
        return GlassBox.forall(126, 127 + GlassBox.size(), k -> count(k) == before.count(k) + (k == number ? by : 0));
    }

    @Post({"offer", "add"}) @Declarative
    boolean added(PriorityQueueSpec<E> before, E e, boolean result) {
        return result && size == before.size + 1 && differs(before, number(e), 1);
    }

    @Post("poll") @Declarative
    boolean polled(PriorityQueueSpec<E> before, E result) {
        return before.size == 0 ? result == null && size == 0
            : result == before.queue[0] && size == before.size - 1 && differs(before, number(result), -1);
    }

    @Post("peek") @Declarative
    boolean seen(PriorityQueueSpec<E> before, E result) {
        return result == (size == 0 ? null : queue[0]);
    }

    @Post("remove") @Declarative
    boolean removed(PriorityQueueSpec<E> before, Object o, boolean result) {
        return result == (o != null && before.count(number(o)) > 0) && size == before.size - (result ? 1 : 0)
            && differs(before, result ? number(o) : -1, -1);
    }

    @Post("contains") @Declarative
    boolean contained(PriorityQueueSpec<E> before, Object o, boolean result) {
        return result == (o != null && count(number(o)) > 0);
    }

    @Post({"peek", "contains", "size", "toArray", "iterator"}) @Declarative
    boolean unchanged(PriorityQueueSpec<E> before) {
        return size == before.size && GlassBox.forall(0, queue.length, i -> queue[i] == before.queue[i]);
    }

    @Post("size") @Declarative
    boolean counted(PriorityQueueSpec<E> before, int result) {
        return result == size;
    }

    @Post("toArray") @Declarative
    boolean copied(PriorityQueueSpec<E> before, Object[] result) {
        return result != queue && result.length == size && GlassBox.forall(0, size, i -> result[i] == queue[i]);
    }

    @Post("clear") @Declarative
    boolean cleared(PriorityQueueSpec<E> before) {
        return size == 0;
    }

    // What an iterator sees of it.
    @Post({"offer", "add"}) @Declarative
    boolean isCounted(PriorityQueueSpec<E> before) {
        return modCount != before.modCount;
    }

    @Post({"peek", "contains", "size", "toArray", "iterator"}) @Declarative
    boolean isNotCounted(PriorityQueueSpec<E> before) {
        return modCount == before.modCount;
    }

    @Post("iterator") @Declarative
    boolean starts(PriorityQueueSpec<E> before, Iterator<E> result) {
        Itr it = (Itr) (Object) result;
        return it.isValid() && it.cursor == 0 && it.lastRet == -1 && it.lastRetElt == null && it.forgetMeNot == null;
    }

    /** How often a number is there from an index on. */
    @Declarative
    int countFrom(int from, int number) {
        int count = 0;
        for (int i = 0; i < queue.length; i++) {
            if (from <= i && i < size && number(queue[i]) == number) count++;
        }
        return count;
    }

    /**
     * An iterator. It is valid as long as nobody else changes the queue: then `cursor` is at most its size, and `lastRet` is -1 or the index
     * before. What a removal moves to a place before `cursor` is in `forgetMeNot`; no start state has that.
     */
    class Itr {
        @Range("0..n") int cursor;
        @Range("-1..n-1") int lastRet;
        ArrayDeque<E> forgetMeNot;
        @Range("126..n+126") E lastRetElt;
        @Range("0..1") int expectedModCount;

        @Check native boolean hasNext();
        @Check @MayThrow({NoSuchElementException.class, ConcurrentModificationException.class}) native E next();
        @Check @MayThrow({IllegalStateException.class, ConcurrentModificationException.class}) native void remove();

        @Declarative
        boolean repOk() {
            return list().repOk() && 0 <= cursor && -1 <= lastRet && lastRetElt == null
                && (!isValid() || cursor <= size && (lastRet == -1 || lastRet == cursor - 1));
        }

        @Declarative
        boolean isValid() {
            return expectedModCount == modCount;
        }

        @Declarative
        PriorityQueueSpec<E> list() {
            return PriorityQueueSpec.this;
        }

        /** How often a number is still to come. */
        @Declarative
        int toCome(int number) {
            return countFrom(cursor, number) + (forgetMeNot == null ? 0 : OfPriorityQueue.of(forgetMeNot).count(number));
        }

        @Declarative
        boolean isToCome(Itr before, int from) {
            return GlassBox.forall(126, 127 + GlassBox.size(), k -> toCome(k) == before.list().countFrom(from, k));
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
            return result == (!before.isValid() ? 1 : before.lastRet < 0 ? 2 : 0);
        }

        @Post("hasNext") @Declarative
        boolean asked(Itr before, boolean result) {
            return result == (cursor < size) && cursor == before.cursor && list().unchanged(before.list());
        }

        @Post("next") @Declarative
        boolean gone(Itr before, E result) {
            return before.isValid() && isValid() && cursor == before.cursor + 1 && lastRet == before.cursor
                && result == queue[before.cursor] && list().unchanged(before.list());
        }

        @Post("remove") @Declarative
        boolean removed(Itr before) {
            return before.isValid() && isValid() && lastRet == -1 && size == before.list().size - 1
                && list().differs(before.list(), number(before.list().queue[before.lastRet]), -1) && isToCome(before, before.cursor);
        }
    }
}

/** What an iterator is to come back to: in no start state. */
@SpecFor("java.util.ArrayDeque")
@Max("0")
class OfPriorityQueue<E> {
    Object[] elements;
    int head;
    int tail;

    @Declarative
    @SuppressWarnings("unchecked")
    static <E> OfPriorityQueue<E> of(ArrayDeque<E> deque) {
        return (OfPriorityQueue<E>) (Object) deque;
    }

    @Declarative
    int count(int number) {
        int count = 0;
        for (int i = head; i < tail; i++) {
            if ((Integer) elements[i] == number) count++;
        }
        return count;
    }
}
