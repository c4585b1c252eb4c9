import glassbox.*;

public class NothingToCheck {
    int x;

    private NothingToCheck() {}

    @Declarative
    boolean repOk() {
        return x >= 0;
    }
}
