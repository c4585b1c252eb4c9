// A queue as two stacks: elements enter at the back and leave at the front.
// When the front runs empty, the back is turned over onto it.

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
        if (front.isEmpty()) {
            while (!back.isEmpty()) front.push(back.pop());
        }
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
