// The issue's own: `add` is right on every start state and fails on its fifth call.
import glassbox.*;

class Full {
    int[] a = new int[4];
    int n;

    @Declarative
    boolean repOk() {
        return a != null && a.length == 4 && n >= 0;
    }

    public void add(int x) {
        a[n++] = x;
    }
}
