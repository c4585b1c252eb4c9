import glassbox.*;

public class NothingToCheck {
    int x;

    @Declarative
    boolean repOk() {
        return x >= 0;
    }
}
