package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The values that a field or parameter of an integral type starts from; on an array, those of its
 * elements. What the program computes is not bounded.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.LOCAL_VARIABLE})
public @interface Range {
    /** Both ends, included, over {@code n}, such as {@code "0..n-1"}. */
    String value();
}
