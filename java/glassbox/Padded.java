package glassbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a list of cells that say whether they are present: in the states of a client in which this class has the place of a
 * module, the list is as long as it can be. A shorter one is equal to it, and equal ones behave alike. For the ready-made
 * abstractions only: of these it is known.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface Padded {}
