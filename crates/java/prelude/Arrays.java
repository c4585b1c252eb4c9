package java.util;

import glassbox.Declarative;

/** What the collections use of it. */
public final class Arrays {
    private Arrays() {}

    /** An array of the same type: see `lower/by_class.rs`. */
    private static native Object[] like(Object[] original, int length);

    private static native Object[] make(Class<?> type, int length);

    private static void checkRange(int length, int from, int to) {
        if (from > to) throw new IllegalArgumentException("from > to");
        if (from < 0) throw new ArrayIndexOutOfBoundsException(from);
        if (to > length) throw new ArrayIndexOutOfBoundsException(to);
    }

    public static <T> T[] copyOf(T[] original, int newLength) {
        if (newLength == original.length) return original.clone();
        T[] copy = (T[]) like(original, newLength);
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static <T, U> T[] copyOf(U[] original, int newLength, Class<? extends T[]> newType) {
        T[] copy = (T[]) make(newType, newLength);
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static <T> T[] copyOfRange(T[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        T[] copy = (T[]) like(original, newLength);
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(Object[] a, Object value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(Object[] a, int from, int to, Object value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(Object[] a, Object[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (!Objects.equals(a[i], b[i])) return false;
        }
        return true;
    }

    @Declarative
    public static int hashCode(Object[] a) {
        if (a == null) return 0;
        int result = 1;
        for (int i = 0; i < a.length; i++) result = 31 * result + (a[i] == null ? 0 : a[i].hashCode());
        return result;
    }

    public static boolean[] copyOf(boolean[] original, int newLength) {
        boolean[] copy = new boolean[newLength];
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static boolean[] copyOfRange(boolean[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        boolean[] copy = new boolean[newLength];
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(boolean[] a, boolean value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(boolean[] a, int from, int to, boolean value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(boolean[] a, boolean[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    public static byte[] copyOf(byte[] original, int newLength) {
        byte[] copy = new byte[newLength];
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static byte[] copyOfRange(byte[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        byte[] copy = new byte[newLength];
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(byte[] a, byte value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(byte[] a, int from, int to, byte value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(byte[] a, byte[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    public static char[] copyOf(char[] original, int newLength) {
        char[] copy = new char[newLength];
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static char[] copyOfRange(char[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        char[] copy = new char[newLength];
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(char[] a, char value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(char[] a, int from, int to, char value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(char[] a, char[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    public static short[] copyOf(short[] original, int newLength) {
        short[] copy = new short[newLength];
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static short[] copyOfRange(short[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        short[] copy = new short[newLength];
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(short[] a, short value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(short[] a, int from, int to, short value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(short[] a, short[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    public static int[] copyOf(int[] original, int newLength) {
        int[] copy = new int[newLength];
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static int[] copyOfRange(int[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        int[] copy = new int[newLength];
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(int[] a, int value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(int[] a, int from, int to, int value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(int[] a, int[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    public static long[] copyOf(long[] original, int newLength) {
        long[] copy = new long[newLength];
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static long[] copyOfRange(long[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        long[] copy = new long[newLength];
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(long[] a, long value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(long[] a, int from, int to, long value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(long[] a, long[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    // How often and in which order elements are compared matters where a comparison is no order: so the JDK's own code does it.
    public static void sort(Object[] a) {
        ComparableTimSort.sort(a, 0, a.length, null, 0, 0);
    }

    public static void sort(Object[] a, int from, int to) {
        checkRange(a.length, from, to);
        ComparableTimSort.sort(a, from, to, null, 0, 0);
    }

    public static <T> void sort(T[] a, Comparator<? super T> order) {
        if (order == null) sort(a);
        else TimSort.sort(a, 0, a.length, order, null, 0, 0);
    }

    public static <T> void sort(T[] a, int from, int to, Comparator<? super T> order) {
        if (order == null) {
            sort(a, from, to);
        } else {
            checkRange(a.length, from, to);
            TimSort.sort(a, from, to, order, null, 0, 0);
        }
    }

    @SafeVarargs
    public static <T> List<T> asList(T... a) {
        return new ArrayList<>(a);
    }

    private static class ArrayList<E> extends AbstractList<E> implements RandomAccess {
        private final E[] a;

        ArrayList(E[] array) {
            a = Objects.requireNonNull(array);
        }

        @Override
        public int size() {
            return a.length;
        }

        @Override
        public Object[] toArray() {
            Object[] copy = new Object[a.length];
            System.arraycopy(a, 0, copy, 0, a.length);
            return copy;
        }

        @Override
        public E get(int index) {
            return a[index];
        }

        @Override
        public E set(int index, E element) {
            E old = a[index];
            a[index] = element;
            return old;
        }

        @Override
        public int indexOf(Object o) {
            for (int i = 0; i < a.length; i++) {
                if (Objects.equals(o, a[i])) return i;
            }
            return -1;
        }

        @Override
        public boolean contains(Object o) {
            return indexOf(o) >= 0;
        }

        @Override
        public void sort(Comparator<? super E> order) {
            Arrays.sort(a, order);
        }

        // None that removes: not even one that asks first whether there is something to remove.
        @Override
        public Iterator<E> iterator() {
            return new Iterator<E>() {
                private int cursor;

                @Override
                public boolean hasNext() {
                    return cursor < a.length;
                }

                @Override
                public E next() {
                    if (cursor >= a.length) throw new NoSuchElementException();
                    return a[cursor++];
                }
            };
        }
    }

    public static void sort(byte[] a) {
        sort(a, 0, a.length);
    }

    public static void sort(byte[] a, int from, int to) {
        checkRange(a.length, from, to);
        for (int i = from + 1; i < to; i++) {
            byte moved = a[i];
            int at = i;
            for (; at > from && a[at - 1] > moved; at--) a[at] = a[at - 1];
            a[at] = moved;
        }
    }

    public static int binarySearch(byte[] a, byte key) {
        return binarySearch(a, 0, a.length, key);
    }

    public static int binarySearch(byte[] a, int from, int to, byte key) {
        checkRange(a.length, from, to);
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }

    public static void sort(char[] a) {
        sort(a, 0, a.length);
    }

    public static void sort(char[] a, int from, int to) {
        checkRange(a.length, from, to);
        for (int i = from + 1; i < to; i++) {
            char moved = a[i];
            int at = i;
            for (; at > from && a[at - 1] > moved; at--) a[at] = a[at - 1];
            a[at] = moved;
        }
    }

    public static int binarySearch(char[] a, char key) {
        return binarySearch(a, 0, a.length, key);
    }

    public static int binarySearch(char[] a, int from, int to, char key) {
        checkRange(a.length, from, to);
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }

    public static void sort(short[] a) {
        sort(a, 0, a.length);
    }

    public static void sort(short[] a, int from, int to) {
        checkRange(a.length, from, to);
        for (int i = from + 1; i < to; i++) {
            short moved = a[i];
            int at = i;
            for (; at > from && a[at - 1] > moved; at--) a[at] = a[at - 1];
            a[at] = moved;
        }
    }

    public static int binarySearch(short[] a, short key) {
        return binarySearch(a, 0, a.length, key);
    }

    public static int binarySearch(short[] a, int from, int to, short key) {
        checkRange(a.length, from, to);
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }

    public static void sort(int[] a) {
        sort(a, 0, a.length);
    }

    public static void sort(int[] a, int from, int to) {
        checkRange(a.length, from, to);
        for (int i = from + 1; i < to; i++) {
            int moved = a[i];
            int at = i;
            for (; at > from && a[at - 1] > moved; at--) a[at] = a[at - 1];
            a[at] = moved;
        }
    }

    public static int binarySearch(int[] a, int key) {
        return binarySearch(a, 0, a.length, key);
    }

    public static int binarySearch(int[] a, int from, int to, int key) {
        checkRange(a.length, from, to);
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }

    public static void sort(long[] a) {
        sort(a, 0, a.length);
    }

    public static void sort(long[] a, int from, int to) {
        checkRange(a.length, from, to);
        for (int i = from + 1; i < to; i++) {
            long moved = a[i];
            int at = i;
            for (; at > from && a[at - 1] > moved; at--) a[at] = a[at - 1];
            a[at] = moved;
        }
    }

    public static int binarySearch(long[] a, long key) {
        return binarySearch(a, 0, a.length, key);
    }

    public static int binarySearch(long[] a, int from, int to, long key) {
        checkRange(a.length, from, to);
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (a[middle] < key) low = middle + 1;
            else if (a[middle] > key) high = middle - 1;
            else return middle;
        }
        return -(low + 1);
    }

    public static String toString(boolean[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }

    public static String toString(byte[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }

    public static String toString(char[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }

    public static String toString(short[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }

    public static String toString(int[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }

    public static String toString(long[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }

    public static String toString(Object[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }
}
