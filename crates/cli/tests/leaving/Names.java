// More names than have copies, compared by `==` and by `equals`. The ninth that is no message is left out.
import glassbox.*;

class Names {
    String name;

    @Declarative
    boolean repOk() {
        return true;
    }

    public int number() throws IllegalStateException {
        if (name == "a") return 1;
        if (name == "b") return 2;
        if (name == "c") return 3;
        if (name == "d") return 4;
        if (name == "e") return 5;
        if (name == "f") return 6;
        if (name == "g") return 7;
        if (name == "h") return 8;
        if (name == "i") return 9;
        if (name == null) throw new IllegalStateException("no name");
        return name.equals("a") ? 1 : 0;
    }
}
