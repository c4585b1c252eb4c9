public class NoInvariant {
    int x;

    public void increment() {
        x++;
    }
}
