// Bug: the new node is not linked to the old top. Smallest size: 1. Operation: push. Kind: postcondition.

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
        top = new Node(value, null);
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
