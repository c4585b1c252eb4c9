import glassbox.*;

public class SyntaxError {
    int x;

    public void increment() {
        x = x + ;
    }

    @Declarative
    boolean repOk() {
        return x >= 0;
    }
}
