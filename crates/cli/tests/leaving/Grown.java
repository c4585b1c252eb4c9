// `remove` leaves `last` at a node that is in no list any more, and an array of more elements than start states have, or not.
import glassbox.*;

class Grown {
    static class Node { @Tree Node next; }

    @Tree Node head;
    Node last;
    int[] a;

    @Declarative
    boolean repOk() {
        return true;
    }

    public void remove(int x) {
        if (head != null)
            head = head.next;
        a = new int[x + 2];
    }

    public boolean isFirst() {
        return last == head;
    }
}
