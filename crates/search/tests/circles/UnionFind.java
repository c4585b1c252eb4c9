import glassbox.*;
public class UnionFind {
    @NonNull @Length("n..n") @Range("0..n-1") int[] parent = new int[2];
    @Declarative int root(int x) { while (parent[x] != x) x = parent[x]; return x; }
    @Declarative boolean repOk() {
        for (int i = 0; i < parent.length; i++) if (root(i) < 0) return false;
        return true;
    }
    @Declarative @Post("union") boolean joined(UnionFind before, int a, int b) { return root(a) == root(b); }
    @Check public void union(@Range("0..n-1") int a, @Range("0..n-1") int b) {
        int ra = find(a), rb = find(b);
        if (ra != rb) parent[ra] = rb;
    }
    @Check public int find(@Range("0..n-1") int x) {
        int r = x; while (parent[r] != r) r = parent[r];
        while (parent[x] != r) { int y = parent[x]; parent[x] = r; x = y; }
        return r;
    }
}
