package acme;

public class Step {
    public static int after(int x) {
        return x + 1;
    }
}
