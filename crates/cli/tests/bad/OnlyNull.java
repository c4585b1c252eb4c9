import glassbox.*;

public class OnlyNull {
    static class Node {
        @Tree Node next;
    }

    @Tree Node head;

    public OnlyNull(Node first) {
        head = first;
    }

    @Declarative
    boolean repOk() {
        return true;
    }
}
