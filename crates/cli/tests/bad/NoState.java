import glassbox.*;

public class NoState {
    int x;

    public void increment() {
        x++;
    }

    @Declarative
    boolean repOk() {
        return x > GlassBox.size();
    }
}
