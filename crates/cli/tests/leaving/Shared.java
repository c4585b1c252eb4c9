// `link` makes two fields hold one array, though each says that nobody else has it; `swap` is its twin that does not. Whether
// `c` and `d` are one array, nobody can tell.
import glassbox.*;

class Shared {
    @Owned int[] a;
    @Owned int[] b;
    long[] c;
    long[] d;

    @Declarative
    boolean repOk() {
        return true;
    }

    public void link() {
        a = b;
    }

    public void swap() {
        int[] t = a;
        a = b;
        b = t;
    }

    public void tie() {
        c = d;
    }

    public void set(@Range("0..1") int x) {
        if (a != null && a.length > 0)
            a[0] = x;
    }
}
