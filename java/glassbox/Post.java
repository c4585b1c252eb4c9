package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A declarative boolean method that says what an operation achieves. It takes a copy of the object
 * as it was before, then the parameters of the operation, then the result; the last ones may be
 * left out.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Post {
    /** The operations, as {@code add} or {@code add(int,int)}; every method if empty. */
    String[] value() default {};
}
