// A constructor, elements and a box leave their ranges too. `keep` is the twin of `put`: what is
// kept as it is may be all that the argument may be.
import glassbox.*;

class Built {
    int seed;
    int[] cells;
    Integer boxed;

    @Declarative
    boolean repOk() {
        return true;
    }

    public Built(int x) {
        seed = x + 10;
    }

    public void put(int x) {
        if (cells != null && cells.length > 0)
            cells[0] = x - 2;
        boxed = x + 4;
    }

    public void keep(int x) {
        if (cells != null && cells.length > 0)
            cells[0] = x;
        boxed = x;
    }

    public boolean isHigh() {
        return seed > 4 || boxed != null && boxed > 3 || cells != null && cells.length > 0 && cells[0] < 0;
    }
}
