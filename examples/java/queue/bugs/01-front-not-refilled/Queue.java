// Bug: the front is not refilled from the back. Smallest size: 1. Operation: dequeue. Kind: exception.

import glassbox.*;

public class Queue {
    static class Stack {
        @Tree Node top;

        void push(Object value) {
            top = new Node(value, top);
        }

        Object pop() {
            Object value = top.value;
            top = top.next;
            return value;
        }

        @Declarative
        boolean isEmpty() {
            return top == null;
        }

        @Declarative
        boolean repOk() {
            return true;
        }
    }

    static class Node {
        Object value;
        @Tree Node next;

        Node(Object value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    @Tree Stack front = new Stack();
    @Tree Stack back = new Stack();

    public void enqueue(Object value) {
        back.push(value);
    }

    public Object dequeue() {
        return front.pop();
    }

    @Declarative
    boolean repOk() {
        return front != null && back != null && front.repOk() && back.repOk();
    }

    @Declarative
    @Pre("dequeue")
    boolean isNotEmpty() {
        return !front.isEmpty() || !back.isEmpty();
    }

    @Declarative
    @Post("enqueue")
    boolean isLast(Queue before, Object value) {
        return !back.isEmpty() && back.top.value == value;
    }

    @Declarative
    @Post("dequeue")
    boolean wasFirst(Queue before, Object result) {
        return before.front.isEmpty() || result == before.front.top.value;
    }
}
