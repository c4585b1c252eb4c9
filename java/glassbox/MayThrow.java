package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Exceptions that may escape from the operation although its {@code throws} clause does not name
 * them. The invariant must hold all the same.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface MayThrow {
    /**
     * The exceptions; subclasses are included, unchecked ones too ({@code throws Exception} names
     * checked ones only).
     */
    Class<? extends Throwable>[] value();
}
