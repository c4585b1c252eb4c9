package java.util;

import glassbox.*;

/**
 * LinkedList of JDK 17. The invariant: the nodes are a list from `first` to `last` along `next`, each node's `prev` is the one before it,
 * and `size` counts them. The operations are compared with what they do to the sequence of elements.
 */
@SpecFor("java.util.LinkedList")
class LinkedListSpec<E> {
    @Range("0..n") int size;
    @Tree Node<E> first;
    Node<E> last;

    static class Node<E> {
        E item;
        @Tree Node<E> next;
        Node<E> prev;
    }

    @Check native boolean add(E e);

    @Declarative
    boolean repOk() {
        return isList(null, first) && size == count(first);
    }

    @Declarative
    boolean isList(Node<E> before, Node<E> node) {
        return node == null ? last == before : node.prev == before && isList(node, node.next);
    }

    @Declarative
    static <T> int count(Node<T> node) {
        return node == null ? 0 : 1 + count(node.next);
    }
}
