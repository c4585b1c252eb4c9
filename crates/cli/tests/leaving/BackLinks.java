// `pop` leaves `prev` of the new first node at one that is in no list any more; `drop` is its twin that does not.
import glassbox.*;

class BackLinks {
    static class Node {
        @Tree Node next;
        Node prev;
    }

    @Tree Node first;

    @Declarative
    boolean repOk() {
        return first == null || isList(first);
    }

    @Declarative
    static boolean isList(Node n) {
        return n.next == null || n.next.prev == n && isList(n.next);
    }

    public void push() {
        Node n = new Node();
        n.next = first;
        if (first != null) first.prev = n;
        first = n;
    }

    public void pop() {
        if (first != null) first = first.next;
    }

    public void drop() {
        pop();
        if (first != null) first.prev = null;
    }
}
