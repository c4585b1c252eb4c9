import glassbox.*;
import java.util.Comparator;

/**
 * PriorityQueue of JDK 17. The invariant: `size` elements at the beginning of `queue`, none of them null, each no greater than the two below
 * it (a heap); null in the rest. Elements are Integers in their natural order. Postconditions count how often every element is there.
 * Left out: comparators, collections as arguments, streams.
 */
@SpecFor("java.util.PriorityQueue")
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

    @Declarative
    boolean repOk() {
        return 0 <= size && size <= queue.length && comparator == null
            && GlassBox.forall(0, queue.length, i -> (queue[i] != null) == (i < size))
            && GlassBox.forall(1, size, i -> number(queue[(i - 1) / 2]) <= number(queue[i]));
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
    boolean added(PriorityQueueSpec<E> before, E e) {
        return size == before.size + 1 && differs(before, number(e), 1);
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

    @Post({"peek", "contains", "size", "toArray"}) @Declarative
    boolean unchanged(PriorityQueueSpec<E> before) {
        return size == before.size && GlassBox.forall(0, queue.length, i -> queue[i] == before.queue[i]);
    }

    @Post("size") @Declarative
    boolean counted(PriorityQueueSpec<E> before, int result) {
        return result == size;
    }

    @Post("clear") @Declarative
    boolean cleared(PriorityQueueSpec<E> before) {
        return size == 0;
    }
}
