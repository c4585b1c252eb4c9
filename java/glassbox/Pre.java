package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A declarative boolean method that says when an operation may be called. It takes the parameters
 * of the operation, or none.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Pre {
    /** The operations, as {@code add} or {@code add(int,int)}; every method if empty. */
    String[] value() default {};
}
