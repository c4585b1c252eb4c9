// Disjoint sets as nodes that point towards the root of their set, with union by rank and path compression.
// The nodes are no tree from the outside in, so that the pointers have no cycle is said by a bounded walk.

import glassbox.*;

public class UnionFind {
    @Max("n")
    static class Node {
        Node parent;
        @Range("0..n-1") int rank;
    }

    @NonNull @Length("1..n") Node[] nodes;

    public UnionFind(@Range("1..n") int count) {
        nodes = new Node[count];
        for (int i = 0; i < count; i++) nodes[i] = new Node();
    }

    public Node find(@Range("0..n-1") int i) {
        Node n = nodes[i];
        Node root = n;
        while (root.parent != null) root = root.parent;
        while (n != root) {
            Node next = n.parent;
            n.parent = root;
            n = next;
        }
        return root;
    }

    public void union(@Range("0..n-1") int i, @Range("0..n-1") int j) {
        Node a = find(i);
        Node b = find(j);
        if (a == b) return;
        if (a.rank < b.rank) {
            a.parent = b;
        } else {
            b.parent = a;
            if (a.rank == b.rank) a.rank++;
        }
    }

    @Declarative
    boolean repOk() {
        return GlassBox.forall(0, nodes.length, i ->
            nodes[i] != null
                && reachesRoot(nodes[i], GlassBox.size())
                && GlassBox.forall(0, i, j -> nodes[i] != nodes[j]));
    }

    @Declarative
    static boolean reachesRoot(Node n, int steps) {
        if (n.parent == null) return true;
        return steps > 0 && n.rank < n.parent.rank && reachesRoot(n.parent, steps - 1);
    }

    @Declarative
    static Node rootOf(Node n) {
        return n.parent == null ? n : rootOf(n.parent);
    }

    @Declarative
    @Pre("find")
    boolean exists(int i) {
        return i < nodes.length;
    }

    @Declarative
    @Pre("union")
    boolean exist(int i, int j) {
        return i < nodes.length && j < nodes.length;
    }

    @Declarative
    @Post("find")
    boolean isRoot(UnionFind before, int i, Node result) {
        return result == rootOf(nodes[i])
            && GlassBox.forall(0, nodes.length,
                   k -> GlassBox.isSameObject(rootOf(nodes[k]), rootOf(before.nodes[k])));
    }

    /** Two nodes are together now if they were, or if one was with i and the other with j. */
    @Declarative
    @Post("union")
    boolean areUnited(UnionFind before, int i, int j) {
        return GlassBox.forall(0, nodes.length, k -> GlassBox.forall(0, nodes.length, l ->
            together(k, l) == (before.together(k, l)
                || before.together(k, i) && before.together(l, j)
                || before.together(k, j) && before.together(l, i))));
    }

    @Declarative
    boolean together(int k, int l) {
        return rootOf(nodes[k]) == rootOf(nodes[l]);
    }
}
