// Bug: the side of the new node is chosen by the key of the root, not of its parent. Smallest size: 2. Operation: insert. Kind: invariant.

import glassbox.*;

public class SearchTree {
    static class Node {
        @Range("0..2*n") int key;
        Object value;
        @Tree Node left;
        @Tree Node right;

        Node(int key, Object value) {
            this.key = key;
            this.value = value;
        }
    }

    @Tree Node root;

    public Object get(@Range("0..2*n") int key) {
        Node n = root;
        while (n != null) {
            if (n.key == key)
                return n.value;
            else if (key < n.key)
                n = n.left;
            else
                n = n.right;
        }
        return null;
    }

    public void insert(@Range("0..2*n") int key, Object value) {
        Node n = root;
        Node parent = null;
        while (n != null) {
            if (n.key == key) {
                n.value = value;
                return;
            } else if (key < n.key) {
                parent = n;
                n = n.left;
            } else {
                parent = n;
                n = n.right;
            }
        }

        n = new Node(key, value);
        if (parent == null)
            root = n;
        else if (key < root.key)
            parent.left = n;
        else
            parent.right = n;
    }

    @Declarative
    boolean repOk() {
        return isOrdered(root, null, null);
    }

    @Declarative
    static boolean isOrdered(Node n, Node low, Node high) {
        if (n == null) return true;
        if (low != null && low.key >= n.key) return false;
        if (high != null && high.key <= n.key) return false;
        if (!isOrdered(n.left, low, n)) return false;
        if (!isOrdered(n.right, n, high)) return false;
        return true;
    }
}
