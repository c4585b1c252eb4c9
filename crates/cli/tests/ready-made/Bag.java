// The smallest bag that is compared with AbstractionList: a chain of elements, each as often as it was added.

import glassbox.*;

public class Bag {
    static class Link implements AbstractionList.ChainSource<Object> {
        Object element;
        @Tree Link next;

        @Declarative
        public Object abstraction() {
            return element;
        }

        @Declarative
        public Link next() {
            return next;
        }
    }

    @Tree Link first;

    public void add(Object x) {
        Link added = new Link();
        added.element = x;
        added.next = first;
        first = added;
    }

    public boolean remove(Object x) {
        Link before = null;
        for (Link l = first; l != null; l = l.next) {
            if (l.element == x) {
                if (before == null)
                    first = l.next;
                else
                    before.next = l.next;
                return true;
            }
            before = l;
        }
        return false;
    }

    @Declarative
    boolean repOk() {
        return true;
    }

    @Declarative @Abstraction
    AbstractionList<Object> abstraction() {
        return AbstractionList.ofChain(first);
    }
}
