package glassbox;

import java.util.Objects;
import java.util.function.Predicate;

/**
 * A list, as a linked list of cells: what an array list or a linked list must behave like.
 * A module's abstraction has one cell for each place; the present ones come first. {@code indexOf} and {@code contains}
 * compare elements by {@code equals}, two lists are equal if they hold the same objects. A bad index throws
 * IndexOutOfBoundsException.
 */
public class AbsList<E> {
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

        // One strict expression: `&&` would be a branch, and tell states apart that behave alike.

        @Declarative
        boolean holds(Object x) {
            return present & Objects.equals(element, x);
        }
    }

    @Tree Cell<E> first;

    @Declarative
    public AbsList() {}

    @Declarative
    public AbsList(Cell<E> first) {
        this.first = first;
    }

    public E get(@Range("-1..n") int index) throws IndexOutOfBoundsException {
        return cell(index).element;
    }

    public E set(@Range("-1..n") int index, E x) throws IndexOutOfBoundsException {
        Cell<E> c = cell(index);
        E old = c.element;
        c.element = x;
        return old;
    }

    public boolean add(E x) {
        // Every cell is assigned, without a branch: states that differ in the number of elements are run together.
        boolean isPlaced = false;
        Cell<E> last = null;
        for (Cell<E> c = first; c != null; c = c.next) {
            boolean here = !isPlaced & !c.present;
            c.element = choose(here, x, c.element);
            c.present = c.present | here;
            isPlaced = isPlaced | here;
            last = c;
        }
        Cell<E> added = new Cell<>(!isPlaced, x, null);
        if (last == null)
            first = added;
        else
            last.next = added;
        return true;
    }

    public void add(@Range("-1..n+1") int index, E x) throws IndexOutOfBoundsException {
        if (index != 0 && !isIndex(index - 1)) throw new IndexOutOfBoundsException();
        if (index == 0) {
            first = new Cell<>(true, x, first);
        } else {
            Cell<E> before = cell(index - 1);
            before.next = new Cell<>(true, x, before.next);
        }
    }

    public E remove(@Range("-1..n") int index) throws IndexOutOfBoundsException {
        Cell<E> c = cell(index);
        if (index == 0)
            first = c.next;
        else
            cell(index - 1).next = c.next;
        return c.element;
    }

    public int indexOf(Object x) {
        int index = 0;
        for (Cell<E> c = first; c != null; c = c.next) {
            if (c.holds(x)) return index;
            index++;
        }
        return -1;
    }

    public boolean contains(Object x) {
        return indexOf(x) >= 0;
    }

    @Declarative
    public boolean isEmpty() {
        return isAbsent(first);
    }

    @Declarative
    public int size() {
        return count(first);
    }

    public void clear() {
        first = null;
    }

    private Cell<E> cell(int index) throws IndexOutOfBoundsException {
        if (!isIndex(index)) throw new IndexOutOfBoundsException();
        Cell<E> c = first;
        for (int i = 0; i < index; i++) c = c.next;
        return c;
    }

    @Declarative
    boolean isIndex(int index) {
        return isPresent(first, index);
    }

    // What the specification of a client asks: of a module, as module.abstraction().size(), and of this in its place.

    @Declarative
    public AbsList<E> abstraction() {
        return this;
    }

    @Declarative
    public boolean allElements(Predicate<? super E> p) {
        return allElements(first, p);
    }

    @Declarative
    public boolean repOk() {
        return presentComeFirst(first);
    }

    /** Whether both hold the same elements in the same order. */
    @Declarative
    public boolean equalTo(AbsList<E> l) {
        return areSame(first, l.first);
    }

    @Declarative
    static boolean areSame(Cell<?> c, Cell<?> d) {
        // From an absent cell on, all are absent.
        if (c == null) return isAbsent(d);
        if (d == null) return !c.present;
        return c.present == d.present & (!c.present | c.element == d.element) && areSame(c.next, d.next);
    }

    @Declarative
    static boolean isPresent(Cell<?> c, int index) {
        return c != null && (index == 0 & c.present | isPresent(c.next, index - 1));
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
