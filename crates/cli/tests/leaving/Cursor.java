// `remove` leaves `last` at a node that is in no list any more; `drop` is its twin that does not.
import glassbox.*;

class Cursor {
    static class Node { @Tree Node next; }

    @Tree Node head;
    Node last;

    @Declarative
    boolean repOk() {
        return true;
    }

    public void remove() {
        if (head != null)
            head = head.next;
    }

    public void drop() {
        if (head != null) {
            if (last == head)
                last = null;
            head = head.next;
        }
    }

    public boolean isFirst() {
        return last == head;
    }
}
