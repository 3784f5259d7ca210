package dev.distributedscheduler.faults;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test of one of the scenarios that {@code fault-tests/scenarios} lists, as often as {@code -Dfaults.repeats} says: once by
 * default. Where it takes a {@link Chance}, that depends on {@code -Dfaults.seed} and on the repetition only.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(Repetitions.class)
@interface Scenario {

    /** Its number in the list. */
    int value();
}
