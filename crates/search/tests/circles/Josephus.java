import glassbox.*;
public class Josephus {  // rings of successors that skip the dead
    @NonNull @Length("n..n") boolean[] alive = new boolean[2];
    @Range("0..n-1") int at;
    @Declarative int next(int i) { do { i = (i + 1) % alive.length; } while (!alive[i]); return i; }
    @Declarative boolean repOk() { return alive[at] && next(at) >= 0; }
    @Check public void kill() { int i = next(at); if (i == at) return; alive[i] = false; }
    @Check public void move() { at = next(at); }
}
