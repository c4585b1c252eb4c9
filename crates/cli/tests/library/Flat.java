import acme.AbstractMeter;
import acme.Meter;
import glassbox.*;

/** The only implementer is one by way of the library. */
public class Flat {
    Meter meter = new Own();

    static class Own extends AbstractMeter {
        int shown;

        public int read() {
            return shown;
        }
    }

    public int read() {
        return meter.read();
    }

    @Declarative
    boolean repOk() {
        return meter != null;
    }
}
