// Goes on in steps of 7 to a number that is among the start states, over numbers that are not.
import glassbox.*;

class Steps {
    int n;

    @Declarative
    boolean repOk() {
        return n >= 0;
    }

    public void step() {
        if (n < 50) n += 7;
    }
}
