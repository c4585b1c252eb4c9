// `link` makes two fields hold one array; `swap` is its twin that does not.
import glassbox.*;

class Shared {
    int[] a;
    int[] b;

    @Declarative
    boolean repOk() {
        return true;
    }

    public void link() {
        a = b;
    }

    public void swap() {
        int[] c = a;
        a = b;
        b = c;
    }
}
