// The twin of `Full` that is right: `n` stays within the array, and nothing is left out.
import glassbox.*;

class FullChecked {
    int[] a = new int[4];
    @Range("0..4") int n;

    @Declarative
    boolean repOk() {
        return a != null && a.length == 4 && n >= 0;
    }

    public void add(int x) {
        if (n < 4)
            a[n++] = x;
    }
}
