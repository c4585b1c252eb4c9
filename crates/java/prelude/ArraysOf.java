
    public static P[] copyOf(P[] original, int newLength) {
        P[] copy = new P[newLength];
        System.arraycopy(original, 0, copy, 0, Math.min(original.length, newLength));
        return copy;
    }

    public static P[] copyOfRange(P[] original, int from, int to) {
        int newLength = to - from;
        if (newLength < 0) throw new IllegalArgumentException("from > to");
        P[] copy = new P[newLength];
        System.arraycopy(original, from, copy, 0, Math.min(original.length - from, newLength));
        return copy;
    }

    public static void fill(P[] a, P value) {
        for (int i = 0; i < a.length; i++) a[i] = value;
    }

    public static void fill(P[] a, int from, int to, P value) {
        checkRange(a.length, from, to);
        for (int i = from; i < to; i++) a[i] = value;
    }

    @Declarative
    public static boolean equals(P[] a, P[] b) {
        if (a == b) return true;
        if (a == null || b == null || a.length != b.length) return false;
        for (int i = 0; i < a.length; i++) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    public static boolean equals(P[] a, int from, int to, P[] b, int bFrom, int bTo) {
        return mismatch(a, from, to, b, bFrom, bTo) < 0;
    }

    @Declarative
    public static int hashCode(P[] a) {
        if (a == null) return 0;
        int result = 1;
        for (int i = 0; i < a.length; i++) result = 31 * result + W.hashCode(a[i]);
        return result;
    }

    @Declarative
    public static int mismatch(P[] a, P[] b) {
        int length = Math.min(a.length, b.length);
        for (int i = 0; i < length; i++) {
            if (a[i] != b[i]) return i;
        }
        return a.length == b.length ? -1 : length;
    }

    public static int mismatch(P[] a, int from, int to, P[] b, int bFrom, int bTo) {
        checkRange(a.length, from, to);
        checkRange(b.length, bFrom, bTo);
        int length = Math.min(to - from, bTo - bFrom);
        for (int i = 0; i < length; i++) {
            if (a[from + i] != b[bFrom + i]) return i;
        }
        return to - from == bTo - bFrom ? -1 : length;
    }

    @Declarative
    public static int compare(P[] a, P[] b) {
        if (a == b) return 0;
        if (a == null || b == null) return a == null ? -1 : 1;
        int at = mismatch(a, b);
        return 0 <= at && at < Math.min(a.length, b.length) ? W.compare(a[at], b[at]) : a.length - b.length;
    }

    public static int compare(P[] a, int from, int to, P[] b, int bFrom, int bTo) {
        int at = mismatch(a, from, to, b, bFrom, bTo);
        boolean differs = 0 <= at && at < Math.min(to - from, bTo - bFrom);
        return differs ? W.compare(a[from + at], b[bFrom + at]) : (to - from) - (bTo - bFrom);
    }

    public static String toString(P[] a) {
        if (a == null) return "null";
        String text = "[";
        for (int i = 0; i < a.length; i++) text = i == 0 ? text + a[i] : text + ", " + a[i];
        return text + "]";
    }
