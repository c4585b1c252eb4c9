package acme;

public interface Meter {
    int read();
}
