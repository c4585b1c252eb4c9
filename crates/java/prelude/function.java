package java.util.function;

public interface Function<T, R> {
    R apply(T value);

    default <V> Function<T, V> andThen(Function<? super R, ? extends V> after) {
        return value -> after.apply(apply(value));
    }

    default <V> Function<V, R> compose(Function<? super V, ? extends T> before) {
        return value -> apply(before.apply(value));
    }

    static <T> Function<T, T> identity() {
        return value -> value;
    }
}

public interface BiFunction<T, U, R> {
    R apply(T first, U second);

    default <V> BiFunction<T, U, V> andThen(Function<? super R, ? extends V> after) {
        return (first, second) -> after.apply(apply(first, second));
    }
}

public interface UnaryOperator<T> extends Function<T, T> {
    static <T> UnaryOperator<T> identity() {
        return value -> value;
    }
}

public interface BinaryOperator<T> extends BiFunction<T, T, T> {}

public interface Supplier<T> {
    T get();
}

public interface Consumer<T> {
    void accept(T value);

    default Consumer<T> andThen(Consumer<? super T> after) {
        return value -> {
            accept(value);
            after.accept(value);
        };
    }
}

public interface BiConsumer<T, U> {
    void accept(T first, U second);
}

public interface Predicate<T> {
    boolean test(T value);

    default Predicate<T> negate() {
        return value -> !test(value);
    }

    default Predicate<T> and(Predicate<? super T> other) {
        return value -> test(value) && other.test(value);
    }

    default Predicate<T> or(Predicate<? super T> other) {
        return value -> test(value) || other.test(value);
    }
}

public interface BiPredicate<T, U> {
    boolean test(T first, U second);
}

public interface BooleanSupplier {
    boolean getAsBoolean();
}

public interface IntPredicate {
    boolean test(int value);

    default IntPredicate negate() {
        return value -> !test(value);
    }

    default IntPredicate and(IntPredicate other) {
        return value -> test(value) && other.test(value);
    }

    default IntPredicate or(IntPredicate other) {
        return value -> test(value) || other.test(value);
    }
}

public interface IntFunction<R> {
    R apply(int value);
}

public interface IntSupplier {
    int getAsInt();
}

public interface IntConsumer {
    void accept(int value);

    default IntConsumer andThen(IntConsumer after) {
        return value -> {
            accept(value);
            after.accept(value);
        };
    }
}

public interface IntUnaryOperator {
    int applyAsInt(int value);

    default IntUnaryOperator andThen(IntUnaryOperator after) {
        return value -> after.applyAsInt(applyAsInt(value));
    }

    default IntUnaryOperator compose(IntUnaryOperator before) {
        return value -> applyAsInt(before.applyAsInt(value));
    }
}

public interface IntBinaryOperator {
    int applyAsInt(int first, int second);
}

public interface ToIntFunction<T> {
    int applyAsInt(T value);
}

public interface ToIntBiFunction<T, U> {
    int applyAsInt(T first, U second);
}

public interface LongPredicate {
    boolean test(long value);

    default LongPredicate negate() {
        return value -> !test(value);
    }

    default LongPredicate and(LongPredicate other) {
        return value -> test(value) && other.test(value);
    }

    default LongPredicate or(LongPredicate other) {
        return value -> test(value) || other.test(value);
    }
}

public interface LongFunction<R> {
    R apply(long value);
}

public interface LongSupplier {
    long getAsLong();
}

public interface LongConsumer {
    void accept(long value);

    default LongConsumer andThen(LongConsumer after) {
        return value -> {
            accept(value);
            after.accept(value);
        };
    }
}

public interface LongUnaryOperator {
    long applyAsLong(long value);

    default LongUnaryOperator andThen(LongUnaryOperator after) {
        return value -> after.applyAsLong(applyAsLong(value));
    }

    default LongUnaryOperator compose(LongUnaryOperator before) {
        return value -> applyAsLong(before.applyAsLong(value));
    }
}

public interface LongBinaryOperator {
    long applyAsLong(long first, long second);
}

public interface ToLongFunction<T> {
    long applyAsLong(T value);
}

public interface ToLongBiFunction<T, U> {
    long applyAsLong(T first, U second);
}
