// Bug: the successor is looked for in the left subtree. Smallest size: 4. Operation: delete. Kind: invariant.

import glassbox.*;

public class SearchTree {
    static class Node {
        @Range("0..2*n") int key;
        @Tree Node left;
        @Tree Node right;
    }

    @Tree Node root;

    public boolean delete(@Range("0..2*n") int key) {
        Node parent = null;
        Node n = root;
        while (n != null && n.key != key) {
            parent = n;
            n = key < n.key ? n.left : n.right;
        }
        if (n == null) return false;

        if (n.left != null && n.right != null) {
            Node successor = n.left;
            parent = n;
            while (successor.left != null) {
                parent = successor;
                successor = successor.left;
            }
            n.key = successor.key;
            n = successor;
        }

        Node child = n.left != null ? n.left : n.right;
        if (parent == null)
            root = child;
        else if (parent.left == n)
            parent.left = child;
        else
            parent.right = child;
        return true;
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
        return isOrdered(n.left, low, n) && isOrdered(n.right, n, high);
    }

    @Declarative
    static boolean contains(Node n, int key) {
        if (n == null) return false;
        if (n.key == key) return true;
        return key < n.key ? contains(n.left, key) : contains(n.right, key);
    }

    @Declarative
    @Post("delete")
    boolean onlyTheKeyIsGone(SearchTree before, int key, boolean result) {
        return result == contains(before.root, key)
            && GlassBox.forall(0, 2 * GlassBox.size() + 1,
                   k -> contains(root, k) == (k != key && contains(before.root, k)));
    }
}
