package glassbox;

import java.util.NoSuchElementException;
import java.util.function.Predicate;

/**
 * A stack, as a list of cells from the top down: what a stack in an array or in a list must behave like.
 * A module's abstraction has one cell for each place; the present ones come first. Elements are compared by {@code ==},
 * and {@code pop} and {@code peek} throw NoSuchElementException where there is none.
 */
public class AbsStack<E> {
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

    @Tree Cell<E> top;

    @Declarative
    public AbsStack() {}

    @Declarative
    public AbsStack(Cell<E> top) {
        this.top = top;
    }

    public void push(E x) {
        top = new Cell<>(true, x, top);
    }

    public E pop() throws NoSuchElementException {
        E x = peek();
        top = top.next;
        return x;
    }

    public E peek() throws NoSuchElementException {
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

    // What the specification of a client asks: of a module, as module.abstraction().size(), and of this in its place.

    @Declarative
    public AbsStack<E> abstraction() {
        return this;
    }

    @Declarative
    public boolean allElements(Predicate<? super E> p) {
        return allElements(top, p);
    }

    @Declarative
    public boolean repOk() {
        return presentComeFirst(top);
    }

    /** Whether both hold the same elements in the same order. */
    @Declarative
    public boolean equalTo(AbsStack<E> s) {
        return areSame(top, s.top);
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
}
