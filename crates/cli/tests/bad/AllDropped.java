import glassbox.*;

public class AllDropped {
    int x;

    public void increment() {
        GlassBox.assume(x < 0);
        x++;
    }

    @Declarative
    boolean repOk() {
        return x >= 0;
    }
}
