import glassbox.*;
import java.lang.reflect.Array;
import java.util.Arrays;

/** Classes as values, copies, characters, and initialisers that run when their class is first used. */
class Library {
    enum Color {
        RED, GREEN { int weight() { return 7; } }, BLUE;

        int weight() { return 1; }
    }

    interface Shape {}

    static class Point implements Cloneable, Shape {
        int x;
        int[] data = {1, 2};
        Point next;

        Point copy() {
            try {
                return (Point) clone();
            } catch (CloneNotSupportedException e) {
                return null;
            }
        }
    }

    static class Colored extends Point { Color color = Color.GREEN; }

    static class Plain {
        Object copy() throws CloneNotSupportedException { return clone(); }
    }

    static int log;
    static int[] shared = {3};

    static int note(int digit) {
        log = log * 10 + digit;
        return digit;
    }

    static class Late { static int seen = note(1) + shared[0]; static int more; static void touch() { more = note(2); } }

    static class Called { static int seen = note(1); static void touch(int x) { note(2); } }

    static class Above { static int above = note(4); }

    static class Below extends Above { static int below = note(5); Below(int x) { note(6); } }

    static class AboveField { static int above = note(4); }

    static class BelowField extends AboveField { static int below = note(5); }

    static class Inherited { static int above = note(4); }

    static class Inheriting extends Inherited { static int below = note(5); }

    static class Written { static int at = note(7); static int value; }

    @Declarative boolean repOk() { return true; }

    @Check static long clones() {
        Colored a = new Colored();
        a.x = 5;
        a.next = a;
        Point b = a.copy();
        b.x = 6;
        b.data[0] = 9;
        return a.x * 1000 + a.data[0] * 100 + (b.next == a ? 10 : 0) + (b instanceof Colored && ((Colored) b).color == Color.GREEN ? 1 : 0);
    }

    @Check static long clonesNothing() throws CloneNotSupportedException { return new Plain().copy() == null ? 0 : 1; }

    @Check static long enums() {
        long r = Color.valueOf("GREEN").weight() * 1000 + Color.valueOf("BLUE").ordinal() * 100;
        r += Color.GREEN.getClass() != Color.class && Color.GREEN.getDeclaringClass() == Color.class ? 10 : 0;
        return r + Color.class.getEnumConstants().length;
    }

    @Check static long noSuchConstant() { return Color.valueOf("PINK").ordinal(); }

    @Check static long nullConstant() { return Color.valueOf(null).ordinal(); }

    @Check static long classes() {
        Object o = new Colored();
        long r = o.getClass().getSuperclass() == Point.class ? 1 : 0;
        r += Point.class.getSuperclass() == Object.class ? 10 : 0;
        r += Object.class.getSuperclass() == null && Shape.class.getSuperclass() == null ? 100 : 0;
        r += Shape.class.isInstance(o) && !Color.class.isInstance(o) && !Point.class.isInstance(null) ? 1000 : 0;
        r += new int[0].getClass().getComponentType() == int.class ? 10000 : 0;
        r += new Point[0].getClass().getSuperclass() == Object.class && Point.class.getComponentType() == null ? 100000 : 0;
        return r;
    }

    @Check static long names() {
        Object o = new Colored();
        long r = o.getClass().getSimpleName().equals("Colored") && Integer.class.getName().equals("java.lang.Integer") ? 1 : 0;
        r += o.getClass().getName().equals("Library$Colored") && !o.getClass().getName().equals("Colored") ? 10 : 0;
        return r + (Library.class.getName() == Library.class.getName() ? 100 : 0);
    }

    @Check static long arrays() {
        Point[] points = {new Colored(), null};
        Object[] copy = Arrays.copyOf((Object[]) points, 3);
        Object[] of = Arrays.copyOf(points, 1, Colored[].class);
        Object[] range = Arrays.copyOfRange((Object[]) new Integer[] {1, 2, 3}, 1, 5);
        Object made = Array.newInstance(Point.class, 4);
        long r = copy instanceof Point[] && copy.length == 3 && copy[0] == points[0] ? 1 : 0;
        r += of.getClass() == Colored[].class ? 10 : 0;
        r += range instanceof Integer[] && range.length == 4 && range[3] == null ? 100 : 0;
        return r + (made instanceof Point[] && ((Point[]) made).length == 4 ? 1000 : 0);
    }

    @Check static long badStore() {
        Object[] copy = Arrays.copyOf((Object[]) new Integer[1], 2);
        copy[1] = "x";
        return 0;
    }

    @Check static long characters() {
        long r = 0;
        for (char c = 0; c < 256; c++) {
            int bits = (Character.isDigit(c) ? 1 : 0) + (Character.isLetter(c) ? 2 : 0) + (Character.isWhitespace(c) ? 4 : 0)
                + (Character.isUpperCase(c) ? 8 : 0) + (Character.isLowerCase(c) ? 16 : 0) + (Character.isLetterOrDigit(c) ? 32 : 0);
            r = r * 31 + bits;
        }
        return r;
    }

    @Check static long digits() {
        long r = 0;
        for (char c = 0; c < 128; c++) {
            r = r * 31 + Character.toUpperCase(c) + Character.toLowerCase(c) + Character.getNumericValue(c) + Character.digit(c, 16);
        }
        return r;
    }

    @Check static long late() {
        log = 9;
        shared[0] = 8;
        int seen = Late.seen;
        Late.touch();
        return log * 100 + seen;
    }

    @Check static long lateMethod() {
        log = 9;
        Called.touch(note(3));
        return log;
    }

    @Check static long lateSuperclass() {
        log = 9;
        new Below(note(8));
        return log;
    }

    @Check static long lateField() {
        log = 9;
        int below = BelowField.below;
        return log * 10 + below;
    }

    @Check static long lateInherited() {
        log = 9;
        int above = Inheriting.above;
        return log * 10 + above;
    }

    @Check static long lateWrite() {
        log = 9;
        Written.value = note(3);
        return log * 10 + Written.at;
    }
}
