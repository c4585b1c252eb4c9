import glassbox.*;

public class UnknownOperation {
    int x;

    public void increment() {
        x++;
    }

    @Post("decrement")
    @Declarative
    boolean isLess(UnknownOperation before) {
        return x < before.x;
    }

    @Declarative
    boolean repOk() {
        return x >= 0;
    }
}
