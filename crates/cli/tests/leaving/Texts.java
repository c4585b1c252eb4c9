// Strings that operations make are like those that start states have: one that is built is like none that the code names.
import glassbox.*;

class Texts {
    String s, t;
    Object any;

    @Declarative
    boolean repOk() {
        return true;
    }

    public void build(int x) {
        s = "k" + x;
        t = s;
    }

    public void name() {
        s = "k";
    }

    public void keep() {
        any = s;
    }

    public boolean isNamed() {
        return s == "k" || s == t;
    }
}
