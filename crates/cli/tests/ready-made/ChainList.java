// The smallest list that is compared with AbsList: a chain of elements in their order.

import glassbox.*;

public class ChainList {
    static class Link {
        Object element;
        @Tree Link next;
    }

    @Tree Link first;

    public Object get(@Range("-1..n") int index) throws IndexOutOfBoundsException {
        if (index < 0) throw new IndexOutOfBoundsException();
        Link l = first;
        for (int i = 0; l != null && i < index; i++) l = l.next;
        if (l == null) throw new IndexOutOfBoundsException();
        return l.element;
    }

    public boolean add(Object x) {
        Link added = new Link();
        added.element = x;
        if (first == null) {
            first = added;
        } else {
            Link last = first;
            while (last.next != null) last = last.next;
            last.next = added;
        }
        return true;
    }

    @Declarative
    boolean repOk() {
        return true;
    }

    // One place more than a start state uses: add makes one.
    @Declarative @Abstraction
    AbsList abstraction() {
        return new AbsList(cells(first, GlassBox.size() + 1));
    }

    @Declarative
    static AbsList.Cell cells(Link l, int places) {
        if (places == 0) return null;
        boolean there = l != null;
        return new AbsList.Cell(there, there ? l.element : null, cells(there ? l.next : null, places - 1));
    }
}
