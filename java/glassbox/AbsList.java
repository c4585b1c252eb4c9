package glassbox;

import java.util.Objects;

/**
 * A list, as a linked list of cells: what an array list or a linked list must behave like.
 * A module's abstraction has one cell for each place; the present ones come first. {@code indexOf} and {@code contains}
 * compare elements by {@code equals}, two lists are equal if they hold the same objects. A bad index throws
 * IndexOutOfBoundsException.
 */
public class AbsList {
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

        // One strict expression: `&&` would be a branch, and tell states apart that behave alike.

        @Declarative
        boolean holds(Object x) {
            return present & Objects.equals(element, x);
        }
    }

    @Tree Cell first;

    @Declarative
    public AbsList() {}

    @Declarative
    public AbsList(Cell first) {
        this.first = first;
    }

    public Object get(@Range("-1..n") int index) throws IndexOutOfBoundsException {
        return cell(index).element;
    }

    public Object set(@Range("-1..n") int index, Object x) throws IndexOutOfBoundsException {
        Cell c = cell(index);
        Object old = c.element;
        c.element = x;
        return old;
    }

    public boolean add(Object x) {
        // Every cell is assigned, without a branch: states that differ in the number of elements are run together.
        boolean isPlaced = false;
        Cell last = null;
        for (Cell c = first; c != null; c = c.next) {
            boolean here = !isPlaced & !c.present;
            c.element = choose(here, x, c.element);
            c.present = c.present | here;
            isPlaced = isPlaced | here;
            last = c;
        }
        Cell added = new Cell(!isPlaced, x, null);
        if (last == null)
            first = added;
        else
            last.next = added;
        return true;
    }

    public void add(@Range("-1..n+1") int index, Object x) throws IndexOutOfBoundsException {
        if (index != 0 && !isIndex(index - 1)) throw new IndexOutOfBoundsException();
        if (index == 0) {
            first = new Cell(true, x, first);
        } else {
            Cell before = cell(index - 1);
            before.next = new Cell(true, x, before.next);
        }
    }

    public Object remove(@Range("-1..n") int index) throws IndexOutOfBoundsException {
        Cell c = cell(index);
        if (index == 0)
            first = c.next;
        else
            cell(index - 1).next = c.next;
        return c.element;
    }

    public int indexOf(Object x) {
        int index = 0;
        for (Cell c = first; c != null; c = c.next) {
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

    private Cell cell(int index) throws IndexOutOfBoundsException {
        if (!isIndex(index)) throw new IndexOutOfBoundsException();
        Cell c = first;
        for (int i = 0; i < index; i++) c = c.next;
        return c;
    }

    @Declarative
    boolean isIndex(int index) {
        return isPresent(first, index);
    }

    @Declarative
    public boolean repOk() {
        return presentComeFirst(first);
    }

    /** Whether both hold the same elements in the same order. */
    @Declarative
    public boolean equalTo(AbsList l) {
        return areSame(first, l.first);
    }

    @Declarative
    static boolean areSame(Cell c, Cell d) {
        // From an absent cell on, all are absent.
        if (c == null) return isAbsent(d);
        if (d == null) return !c.present;
        return c.present == d.present & (!c.present | c.element == d.element) && areSame(c.next, d.next);
    }

    @Declarative
    static boolean isPresent(Cell c, int index) {
        return c != null && (index == 0 & c.present | isPresent(c.next, index - 1));
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
