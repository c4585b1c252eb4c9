// The issue's own: `add` fails on its fifth call, from a state that the default range of `n` holds.
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
