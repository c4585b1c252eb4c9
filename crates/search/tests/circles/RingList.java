import glassbox.*;
public class RingList {
    @Max("n") static class Node { @Range("0..1") int v; Node next; }
    Node start; @Range("0..n") int size;
    @Declarative boolean repOk() {
        if (start == null) return size == 0;
        int k = 1; Node e = start.next;
        while (e != start) { if (e == null) return false; e = e.next; k++; }
        return k == size;
    }
    @Check public void rotate() { if (start != null) start = start.next; }
    @Check public void insert(@Range("0..1") int v) {
        Node e = new Node(); e.v = v;
        if (start == null) { e.next = e; start = e; } else { e.next = start.next; start.next = e; }
        size++;
    }
    @Check public void remove() {
        if (start == null) return;
        if (start.next == start) start = null; else start.next = start.next.next;
        size--;
    }
}
