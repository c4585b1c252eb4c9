// The twin of `Full` with the annotation that it asks for: the fifth call is found.
import glassbox.*;

class FullRange {
    int[] a = new int[4];
    @Range("0..4") int n;

    @Declarative
    boolean repOk() {
        return a != null && a.length == 4 && n >= 0;
    }

    public void add(int x) {
        a[n++] = x;
    }
}
