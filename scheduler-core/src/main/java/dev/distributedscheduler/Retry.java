package dev.distributedscheduler;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * When a failed run is tried again: after a random wait between zero and a bound that doubles with every failure.
 *
 * <p>Part of {@link DistributedJob} and {@link DistributedScheduled}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface Retry {

    /** Bound of the wait after the first failure, such as {@code 2s}; 5 seconds when empty. */
    String base() default "";

    /** Bound that is never exceeded, such as {@code 10m}; one hour when empty. */
    String cap() default "";

    /** Exceptions, subclasses included, after which trying again is of no use. */
    Class<? extends Throwable>[] noRetryFor() default {};

    /** Name of a {@code RetryPolicy} bean that decides instead. */
    String policy() default "";
}
