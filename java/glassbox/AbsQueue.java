package glassbox;

import java.util.NoSuchElementException;
import java.util.function.Predicate;

/**
 * A queue, as a list of cells from the front to the back: what a queue in an array or in a list must behave like.
 * A module's abstraction has one cell for each place; the present ones come first. Elements are compared by {@code ==}.
 * Of an empty queue, {@code poll} and {@code peek} return null, and {@code remove} throws NoSuchElementException.
 */
public class AbsQueue<E> {
    public static class Cell<E> {
        boolean present;
        E element;
        @Tree Cell<E> next;

        @Declarative
        public Cell(boolean present, E element, Cell<E> next) {
            this.present = present;
            this.element = element;
            this.next = next;
        }
    }

    @Tree Cell<E> front;

    @Declarative
    public AbsQueue() {}

    @Declarative
    public AbsQueue(Cell<E> front) {
        this.front = front;
    }

    public boolean add(E x) {
        // Every cell is assigned, without a branch: states that differ in the number of elements are run together.
        boolean isPlaced = false;
        Cell<E> last = null;
        for (Cell<E> c = front; c != null; c = c.next) {
            boolean here = !isPlaced & !c.present;
            c.element = choose(here, x, c.element);
            c.present = c.present | here;
            isPlaced = isPlaced | here;
            last = c;
        }
        Cell<E> added = new Cell<>(!isPlaced, x, null);
        if (last == null)
            front = added;
        else
            last.next = added;
        return true;
    }

    public E poll() {
        if (isEmpty()) return null;
        E x = front.element;
        front = front.next;
        return x;
    }

    public E remove() throws NoSuchElementException {
        if (isEmpty()) throw new NoSuchElementException();
        return poll();
    }

    public E peek() {
        return isEmpty() ? null : front.element;
    }

    @Declarative
    public boolean isEmpty() {
        return isAbsent(front);
    }

    @Declarative
    public int size() {
        return count(front);
    }

    public void clear() {
        front = null;
    }

    // What the specification of a client asks: of a module, as module.abstraction().size(), and of this in its place.

    @Declarative
    public AbsQueue<E> abstraction() {
        return this;
    }

    @Declarative
    public boolean allElements(Predicate<? super E> p) {
        return allElements(front, p);
    }

    @Declarative
    public boolean repOk() {
        return presentComeFirst(front);
    }

    /** Whether both hold the same elements in the same order. */
    @Declarative
    public boolean equalTo(AbsQueue<E> q) {
        return areSame(front, q.front);
    }

    @Declarative
    static boolean areSame(Cell<?> c, Cell<?> d) {
        // From an absent cell on, all are absent.
        if (c == null) return isAbsent(d);
        if (d == null) return !c.present;
        return c.present == d.present & (!c.present | c.element == d.element) && areSame(c.next, d.next);
    }

    @Declarative
    static <E> boolean allElements(Cell<E> c, Predicate<? super E> p) {
        return c == null || (!c.present || p.test(c.element)) && allElements(c.next, p);
    }

    @Declarative
    static boolean isAbsent(Cell<?> c) {
        return c == null || !c.present;
    }

    @Declarative
    static int count(Cell<?> c) {
        return c == null ? 0 : (c.present ? 1 : 0) + count(c.next);
    }

    @Declarative
    static boolean presentComeFirst(Cell<?> c) {
        return c == null || (c.present | isAbsent(c.next)) && presentComeFirst(c.next);
    }

    @Declarative
    static <E> E choose(boolean b, E x, E y) {
        return b ? x : y;
    }
}
