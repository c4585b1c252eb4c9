
    public static void sort(P[] a) {
        sort(a, 0, a.length);
    }

    public static void sort(P[] a, int from, int to) {
        checkRange(a.length, from, to);
        for (int i = from + 1; i < to; i++) {
            P moved = a[i];
            int at = i;
            for (; at > from && a[at - 1] > moved; at--) a[at] = a[at - 1];
            a[at] = moved;
        }
    }

    public static int binarySearch(P[] a, P key) {
        return binarySearch(a, 0, a.length, key);
    }

    public static int binarySearch(P[] a, int from, int to, P key) {
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
