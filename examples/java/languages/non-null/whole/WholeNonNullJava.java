// Mini Java and its non-null types checked together, nothing assumed: for comparison with ../NonNullJava.java.

import glassbox.*;

public class WholeNonNullJava extends NonNullJava {
    @Declarative
    public boolean wellTyped() {
        return isMiniJava() && super.wellTyped();
    }
}
