// Bug: what follows a removed node is dropped. Smallest size: 3. Operation: remove. Kind: postcondition.

import glassbox.*;

public class SortedList {
    static class Node {
        @Range("0..2*n") int value;
        @Tree Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    @Tree Node head;

    public boolean contains(@Range("0..2*n") int value) {
        Node n = head;
        while (n != null && n.value < value) n = n.next;
        return n != null && n.value == value;
    }

    public boolean insert(@Range("0..2*n") int value) {
        Node previous = null;
        Node n = head;
        while (n != null && n.value < value) {
            previous = n;
            n = n.next;
        }
        if (n != null && n.value == value) return false;
        if (previous == null)
            head = new Node(value, n);
        else
            previous.next = new Node(value, n);
        return true;
    }

    public boolean remove(@Range("0..2*n") int value) {
        Node previous = null;
        Node n = head;
        while (n != null && n.value < value) {
            previous = n;
            n = n.next;
        }
        if (n == null || n.value != value) return false;
        if (previous == null)
            head = n.next;
        else
            previous.next = null;
        return true;
    }

    @Declarative
    boolean repOk() {
        return isSorted(head);
    }

    @Declarative
    static boolean isSorted(Node n) {
        return n == null || n.next == null || n.value < n.next.value && isSorted(n.next);
    }

    @Declarative
    boolean has(int value) {
        return has(head, value);
    }

    @Declarative
    static boolean has(Node n, int value) {
        return n != null && (n.value == value || has(n.next, value));
    }

    @Declarative
    boolean sameExcept(SortedList before, int value) {
        return GlassBox.forall(0, 2 * GlassBox.size() + 1,
            v -> GlassBox.implies(v != value, has(v) == before.has(v)));
    }

    @Declarative
    @Post("contains")
    boolean isFound(SortedList before, int value, boolean result) {
        return result == before.has(value) && has(value) == before.has(value) && sameExcept(before, value);
    }

    @Declarative
    @Post("insert")
    boolean isInserted(SortedList before, int value, boolean result) {
        return result == !before.has(value) && has(value) && sameExcept(before, value);
    }

    @Declarative
    @Post("remove")
    boolean isRemoved(SortedList before, int value, boolean result) {
        return result == before.has(value) && !has(value) && sameExcept(before, value);
    }
}
