package java.util.function;

import java.util.Comparator;
import java.util.Objects;

public interface Function<T, R> {
    R apply(T value);

    default <V> Function<T, V> andThen(Function<? super R, ? extends V> after) {
        Objects.requireNonNull(after);
        return value -> after.apply(apply(value));
    }

    default <V> Function<V, R> compose(Function<? super V, ? extends T> before) {
        Objects.requireNonNull(before);
        return value -> apply(before.apply(value));
    }

    static <T> Function<T, T> identity() {
        return value -> value;
    }
}

public interface BiFunction<T, U, R> {
    R apply(T first, U second);

    default <V> BiFunction<T, U, V> andThen(Function<? super R, ? extends V> after) {
        Objects.requireNonNull(after);
        return (first, second) -> after.apply(apply(first, second));
    }
}

public interface UnaryOperator<T> extends Function<T, T> {
    static <T> UnaryOperator<T> identity() {
        return value -> value;
    }
}

public interface BinaryOperator<T> extends BiFunction<T, T, T> {
    static <T> BinaryOperator<T> minBy(Comparator<? super T> order) {
        Objects.requireNonNull(order);
        return (a, b) -> order.compare(a, b) <= 0 ? a : b;
    }

    static <T> BinaryOperator<T> maxBy(Comparator<? super T> order) {
        Objects.requireNonNull(order);
        return (a, b) -> order.compare(a, b) >= 0 ? a : b;
    }
}

public interface Supplier<T> {
    T get();
}

public interface Consumer<T> {
    void accept(T value);

    default Consumer<T> andThen(Consumer<? super T> after) {
        Objects.requireNonNull(after);
        return value -> {
            accept(value);
            after.accept(value);
        };
    }
}

public interface BiConsumer<T, U> {
    void accept(T first, U second);

    default BiConsumer<T, U> andThen(BiConsumer<? super T, ? super U> after) {
        Objects.requireNonNull(after);
        return (first, second) -> {
            accept(first, second);
            after.accept(first, second);
        };
    }
}

public interface Predicate<T> {
    boolean test(T value);

    default Predicate<T> negate() {
        return value -> !test(value);
    }

    default Predicate<T> and(Predicate<? super T> other) {
        Objects.requireNonNull(other);
        return value -> test(value) && other.test(value);
    }

    default Predicate<T> or(Predicate<? super T> other) {
        Objects.requireNonNull(other);
        return value -> test(value) || other.test(value);
    }

    static <T> Predicate<T> not(Predicate<? super T> target) {
        Objects.requireNonNull(target);
        return value -> !target.test(value);
    }

    static <T> Predicate<T> isEqual(Object target) {
        return value -> Objects.equals(target, value);
    }
}

public interface BiPredicate<T, U> {
    boolean test(T first, U second);

    default BiPredicate<T, U> negate() {
        return (first, second) -> !test(first, second);
    }

    default BiPredicate<T, U> and(BiPredicate<? super T, ? super U> other) {
        Objects.requireNonNull(other);
        return (first, second) -> test(first, second) && other.test(first, second);
    }

    default BiPredicate<T, U> or(BiPredicate<? super T, ? super U> other) {
        Objects.requireNonNull(other);
        return (first, second) -> test(first, second) || other.test(first, second);
    }
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
        Objects.requireNonNull(other);
        return value -> test(value) && other.test(value);
    }

    default IntPredicate or(IntPredicate other) {
        Objects.requireNonNull(other);
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
        Objects.requireNonNull(after);
        return value -> {
            accept(value);
            after.accept(value);
        };
    }
}

public interface IntUnaryOperator {
    int applyAsInt(int value);

    default IntUnaryOperator andThen(IntUnaryOperator after) {
        Objects.requireNonNull(after);
        return value -> after.applyAsInt(applyAsInt(value));
    }

    default IntUnaryOperator compose(IntUnaryOperator before) {
        Objects.requireNonNull(before);
        return value -> applyAsInt(before.applyAsInt(value));
    }

    static IntUnaryOperator identity() {
        return value -> value;
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
        Objects.requireNonNull(other);
        return value -> test(value) && other.test(value);
    }

    default LongPredicate or(LongPredicate other) {
        Objects.requireNonNull(other);
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
        Objects.requireNonNull(after);
        return value -> {
            accept(value);
            after.accept(value);
        };
    }
}

public interface LongUnaryOperator {
    long applyAsLong(long value);

    default LongUnaryOperator andThen(LongUnaryOperator after) {
        Objects.requireNonNull(after);
        return value -> after.applyAsLong(applyAsLong(value));
    }

    default LongUnaryOperator compose(LongUnaryOperator before) {
        Objects.requireNonNull(before);
        return value -> applyAsLong(before.applyAsLong(value));
    }

    static LongUnaryOperator identity() {
        return value -> value;
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

public interface IntToLongFunction {
    long applyAsLong(int value);
}

public interface LongToIntFunction {
    int applyAsInt(long value);
}

public interface ObjIntConsumer<T> {
    void accept(T first, int second);
}

public interface ObjLongConsumer<T> {
    void accept(T first, long second);
}
