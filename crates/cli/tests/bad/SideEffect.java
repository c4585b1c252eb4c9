import glassbox.*;

public class SideEffect {
    int x;

    public void increment() {
        x++;
    }

    @Declarative
    boolean repOk() {
        x = 0;
        return x >= 0;
    }
}
