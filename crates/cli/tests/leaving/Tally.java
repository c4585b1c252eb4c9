// Wrong only if `now` and `last` are one array, which `link` makes them.
import glassbox.*;

class Tally {
    int[] now = new int[1];
    int[] last = new int[1];

    @Declarative
    boolean repOk() {
        return now != null && last != null && now.length == 1 && last.length == 1;
    }

    public void link() {
        last = now;
    }

    public void tick() {
        now[0] = 1;
        last[0] = 0;
        assert now[0] == 1;
    }
}
