// Mini Java and its tainted data checked together, nothing assumed: for comparison with ../TaintedJava.java.

import glassbox.*;

public class WholeTaintedJava extends TaintedJava {
    @Declarative
    public boolean wellTyped() {
        return isMiniJava() && super.wellTyped();
    }
}
