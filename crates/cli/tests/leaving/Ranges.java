import glassbox.*;

/** Two boxes with ranges of their own: that of one says nothing about the other. */
public class Ranges {
    @NonNull @Range("0..2") Integer low = 0;
    @NonNull @Range("0..9") Integer high = 7;

    public void raise() {
        high = low + 7;
    }

    @Declarative
    boolean repOk() {
        return high > 5;
    }
}
