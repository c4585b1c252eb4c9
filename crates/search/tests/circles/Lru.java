import glassbox.*;
public class Lru {  // a circular doubly linked list with a sentinel
    @Max("n+1") static class E { @Range("0..n") int key; E prev, next; }
    @NonNull E head;
    @Declarative boolean repOk() {
        for (E e = head; ; e = e.next) {
            if (e == null || e.next == null || e.next.prev != e) return false;
            if (e.next == head) return true;
        }
    }
    @Check public void addFirst(@Range("0..n") int k) { E e = new E(); e.key = k; e.next = head.next; e.prev = head; head.next.prev = e; head.next = e; }
    @Check public void removeLast() { E e = head.prev; if (e == head) return; e.prev.next = head; head.prev = e.prev; }
}
