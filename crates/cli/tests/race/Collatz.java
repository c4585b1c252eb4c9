import glassbox.*;

public class Collatz {
    @Range("1..6")
    int a;

    public void step() {
        if (a > 1) a = a % 2 == 0 ? a / 2 : 3 * a + 1;
    }

    public void reset() {
        a = 0;
    }

    @Declarative
    boolean repOk() {
        int x = a;
        while (x != 1)
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        return true;
    }
}
