package java.io;

/** Prints to nowhere. What is printed is asked for its text, as in Java: that may do something, or throw. */
public final class PrintStream {
    public PrintStream() {}

    public void print(boolean b) {}

    public void print(char c) {}

    public void print(int i) {}

    public void print(long l) {}

    public void print(float f) {}

    public void print(double d) {}

    public void print(char[] s) {
        if (s == null) throw new NullPointerException();
    }

    public void print(String s) {}

    public void print(Object o) {
        if (o != null) o.toString();
    }

    public void println() {}

    public void println(boolean b) {}

    public void println(char c) {}

    public void println(int i) {}

    public void println(long l) {}

    public void println(float f) {}

    public void println(double d) {}

    public void println(char[] s) {
        print(s);
    }

    public void println(String s) {}

    public void println(Object o) {
        print(o);
    }

    public native PrintStream printf(String format, Object... arguments);

    public native PrintStream format(String format, Object... arguments);

    public void flush() {}
}
