import glassbox.*;

public class UnsupportedReached {
    @Range("0..n-1") int x;

    public void fine() {
        x = 0;
    }

    public void measured() {
        String text = "" + x;
        if (x == 1) x = text.length();
    }

    public void notReached() {
        String text = "" + x;
        if (x == 99) x = text.length();
    }

    @Declarative
    boolean repOk() {
        return x >= 0;
    }
}
