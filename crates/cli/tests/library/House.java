import acme.AbstractMeter;
import acme.Meter;
import glassbox.*;

/** Only through a class of the library does {@code Broken} implement the interface. */
public class House {
    Meter meter;

    static class Good implements Meter {
        public int read() {
            return 1;
        }
    }

    static class Broken extends AbstractMeter {
        public int read() {
            return 2;
        }
    }

    public void read() {
        if (meter != null) assert meter.read() == 1;
    }

    public void readEither() {
        if (meter != null) assert meter.read() == 1 || meter.read() == 2;
    }

    @Declarative
    boolean repOk() {
        return true;
    }
}
