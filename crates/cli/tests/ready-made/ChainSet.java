// The smallest set that is compared with AbsSet: a chain of elements, no two of them equal.

import glassbox.*;
import java.util.Objects;

public class ChainSet {
    static class Link {
        Object element;
        @Tree Link next;
    }

    @Tree Link first;

    public boolean contains(Object x) {
        for (Link l = first; l != null; l = l.next) {
            if (Objects.equals(l.element, x)) return true;
        }
        return false;
    }

    public boolean add(Object x) {
        if (contains(x)) return false;
        Link added = new Link();
        added.element = x;
        added.next = first;
        first = added;
        return true;
    }

    @Declarative
    boolean repOk() {
        return elementsAreUnique(first);
    }

    @Declarative
    static boolean elementsAreUnique(Link l) {
        return l == null || !has(l.next, l.element) && elementsAreUnique(l.next);
    }

    @Declarative
    static boolean has(Link l, Object x) {
        return l != null && (Objects.equals(l.element, x) || has(l.next, x));
    }

    // One place more than a start state uses: add makes one.
    @Declarative @Abstraction
    AbsSet abstraction() {
        return new AbsSet(cells(first, GlassBox.size() + 1));
    }

    @Declarative
    static AbsSet.Cell cells(Link l, int places) {
        if (places == 0) return null;
        boolean there = l != null;
        return new AbsSet.Cell(there, there ? l.element : null, cells(there ? l.next : null, places - 1));
    }
}
