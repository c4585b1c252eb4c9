import glassbox.*;
public class UnionRec {
    @NonNull @Length("n..n") @Range("0..n-1") int[] p = new int[2];
    @Declarative int root(int x) { return p[x] == x ? x : root(p[x]); }
    @Declarative boolean repOk() { return GlassBox.forall(0, p.length, i -> root(i) >= 0); }
    @Check public void union(@Range("0..n-1") int a, @Range("0..n-1") int b) { int ra = root(a), rb = root(b); p[ra] = rb; }
}
