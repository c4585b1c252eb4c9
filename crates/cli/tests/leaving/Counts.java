// Numbers that decide nothing may be any: no word about `changes`. `low` goes below its range, and `room` is the user's own.
import glassbox.*;

class Counts {
    int changes;
    int low;
    @Range("0..2") int room;

    @Declarative
    boolean repOk() {
        return true;
    }

    public void change() {
        changes++;
    }

    public boolean lower() {
        low--;
        return low < 0;
    }

    public boolean take() {
        room++;
        return room > 2;
    }
}
