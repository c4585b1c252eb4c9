import glassbox.*;

/** A full tree has size n, which the default range does not reach; no operation leads there. */
public class Counted {
    static class Node {
        int key;
        @Tree Node left, right;
    }

    @Tree Node root;
    int size;
    int changes;

    @Declarative boolean repOk() {
        return size == count(root) && changes >= 0 && isSorted(root, -9, 9);
    }

    @Declarative int count(Node n) {
        return n == null ? 0 : 1 + count(n.left) + count(n.right);
    }

    @Declarative boolean isSorted(Node n, int lo, int hi) {
        return n == null || lo < n.key && n.key < hi && isSorted(n.left, lo, n.key) && isSorted(n.right, n.key, hi);
    }

    public boolean isRoot(@Range("0..n-1") int key) {
        return size > 0 && root.key == key;
    }

    public void clear() {
        root = null;
        size = 0;
    }
}
