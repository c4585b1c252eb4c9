import glassbox.*;

public class Endless {
    int x;

    public void count() {
        int i = 1;
        while (i != x - 1)
            i += 2;
    }

    @Declarative
    boolean repOk() {
        return x >= 0;
    }
}
