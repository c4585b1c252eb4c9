import glassbox.*;

public class UnknownType {
    Nood first;

    public void clear() {
        first = null;
    }

    @Declarative
    boolean repOk() {
        return true;
    }
}
