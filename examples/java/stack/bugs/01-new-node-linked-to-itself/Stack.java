// Bug: the new node is its own successor. Smallest size: 1. Operation: push. Kind: invariant.

import glassbox.*;

public class Stack {
    static class Node {
        Object value;
        @Tree Node next;

        Node(Object value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    @Tree Node top;

    public void push(Object value) {
        top = new Node(value, top);
        top.next = top;
    }

    public Object pop() {
        Object value = top.value;
        top = top.next;
        return value;
    }

    @Declarative
    boolean repOk() {
        return true;
    }

    @Declarative
    @Pre("pop")
    boolean isNotEmpty() {
        return top != null;
    }

    @Declarative
    @Post("push")
    boolean isOnTop(Stack before, Object value) {
        return top != null && top.value == value && GlassBox.isSameObject(top.next, before.top);
    }

    @Declarative
    @Post("pop")
    boolean wasOnTop(Stack before, Object result) {
        return result == before.top.value && GlassBox.isSameObject(top, before.top.next);
    }
}
