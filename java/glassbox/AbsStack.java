package glassbox;

import java.util.NoSuchElementException;

/**
 * A stack, as a list of cells from the top down: what a stack in an array or in a list must behave like.
 * A module's abstraction has one cell for each place; the present ones come first. Elements are compared by {@code ==},
 * and {@code pop} and {@code peek} throw NoSuchElementException where there is none.
 */
public class AbsStack {
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

    @Tree Cell top;

    @Declarative
    public AbsStack() {}

    @Declarative
    public AbsStack(Cell top) {
        this.top = top;
    }

    public void push(Object x) {
        top = new Cell(true, x, top);
    }

    public Object pop() throws NoSuchElementException {
        Object x = peek();
        top = top.next;
        return x;
    }

    public Object peek() throws NoSuchElementException {
        if (isEmpty()) throw new NoSuchElementException();
        return top.element;
    }

    @Declarative
    public boolean isEmpty() {
        return isAbsent(top);
    }

    @Declarative
    public int size() {
        return count(top);
    }

    public void clear() {
        top = null;
    }

    @Declarative
    public boolean repOk() {
        return presentComeFirst(top);
    }

    /** Whether both hold the same elements in the same order. */
    @Declarative
    public boolean equalTo(AbsStack s) {
        return areSame(top, s.top);
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
}
