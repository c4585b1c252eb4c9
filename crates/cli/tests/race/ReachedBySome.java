import glassbox.*;

public class ReachedBySome {
    @Range("1..6")
    int a = 1;

    public void text() {
        if (a == 6) a = ("" + a).length();
    }

    @Declarative
    boolean repOk() {
        int x = a;
        while (x != 1)
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        return true;
    }
}
