import acme.Step;
import glassbox.*;

public class Stairs {
    int height;

    public void climb() {
        height = Step.after(height);
    }

    @Declarative
    boolean repOk() {
        return height >= 0;
    }
}
