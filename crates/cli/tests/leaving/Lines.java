// Lines that no state gets to: a constant beyond all bounds, a class that never occurs.
import glassbox.*;

class Lines {
    int n;

    @Declarative
    boolean repOk() {
        return n >= 0 && n < 3;
    }

    public int grow(@Range("0..n-1") int by) {
        if (n > 100) {
            n = 0;
            return -1;
        }
        return twice(by);
    }

    private int twice(int by) {
        int sum = by;
        sum += by;
        if (by < -1000)
            throw new IllegalStateException();
        return sum;
    }
}
