import glassbox.*;

public class NoState {
    @Range("0..n-1") int x;

    public void increment() {
        x++;
    }

    @Declarative
    boolean repOk() {
        return x > GlassBox.size();
    }
}
