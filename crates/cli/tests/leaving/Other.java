// What a field holds may be of a class that no start state has there.
import glassbox.*;

class Other {
    interface Shape { int area(); }
    static class Square implements Shape { public int area() { return 4; } }

    Shape shape;
    @OneOf({Square.class}) Shape named;
    Object any;

    @Declarative
    boolean repOk() {
        return true;
    }

    public void lambda() {
        shape = () -> 7;
    }

    /** Nobody ever asks what it is. */
    public void keep() {
        any = shape;
    }

    public void square() {
        shape = new Square();
        named = shape;
    }
}
