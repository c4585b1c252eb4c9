package glassbox;

import java.util.NoSuchElementException;

/**
 * A queue, as a list of cells from the front to the back: what a queue in an array or in a list must behave like.
 * A module's abstraction has one cell for each place; the present ones come first. Elements are compared by {@code ==}.
 * Of an empty queue, {@code poll} and {@code peek} return null, and {@code remove} throws NoSuchElementException.
 */
public class AbsQueue {
    public static class Cell {
        boolean present;
        Object element;
        @Tree Cell next;

        @Declarative
        public Cell(boolean present, Object element, Cell next) {
            this.present = present;
            this.element = element;
            this.next = next;
        }
    }

    @Tree Cell front;

    @Declarative
    public AbsQueue() {}

    @Declarative
    public AbsQueue(Cell front) {
        this.front = front;
    }

    public boolean add(Object x) {
        // Every cell is assigned, without a branch: states that differ in the number of elements are run together.
        boolean isPlaced = false;
        Cell last = null;
        for (Cell c = front; c != null; c = c.next) {
            boolean here = !isPlaced & !c.present;
            c.element = choose(here, x, c.element);
            c.present = c.present | here;
            isPlaced = isPlaced | here;
            last = c;
        }
        Cell added = new Cell(!isPlaced, x, null);
        if (last == null)
            front = added;
        else
            last.next = added;
        return true;
    }

    public Object poll() {
        if (isEmpty()) return null;
        Object x = front.element;
        front = front.next;
        return x;
    }

    public Object remove() throws NoSuchElementException {
        if (isEmpty()) throw new NoSuchElementException();
        return poll();
    }

    public Object peek() {
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

    @Declarative
    public boolean repOk() {
        return presentComeFirst(front);
    }

    /** Whether both hold the same elements in the same order. */
    @Declarative
    public boolean equalTo(AbsQueue q) {
        return areSame(front, q.front);
    }

    @Declarative
    static boolean areSame(Cell c, Cell d) {
        // From an absent cell on, all are absent.
        if (c == null) return isAbsent(d);
        if (d == null) return !c.present;
        return c.present == d.present & (!c.present | c.element == d.element) && areSame(c.next, d.next);
    }

    @Declarative
    static boolean isAbsent(Cell c) {
        return c == null || !c.present;
    }

    @Declarative
    static int count(Cell c) {
        return c == null ? 0 : (c.present ? 1 : 0) + count(c.next);
    }

    @Declarative
    static boolean presentComeFirst(Cell c) {
        return c == null || (c.present | isAbsent(c.next)) && presentComeFirst(c.next);
    }

    @Declarative
    static Object choose(boolean b, Object x, Object y) {
        return b ? x : y;
    }
}
