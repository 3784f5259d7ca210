package dev.distributedscheduler.autoconfigure.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Scope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An observation whose own failures stay its own: what is observed goes on without it. */
final class Observing implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Observing.class);
    private static volatile boolean told;

    private @Nullable Observation observation;
    private @Nullable Scope scope;

    Observing(Supplier<Observation> begin) {
        safely(() -> {
            Observation begun = begin.get();
            observation = begun;
            begun.start();
            scope = begun.openScope();
        });
    }

    void error(Throwable thrown) {
        safely(() -> {
            if (observation != null) {
                observation.error(thrown);
            }
        });
    }

    @Override
    public void close() {
        safely(() -> {
            if (scope != null) {
                scope.close();
            }
        });
        safely(() -> {
            if (observation != null) {
                observation.stop();
            }
        });
    }

    private static void safely(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError failure) {
            if (!told) {
                told = true;
                log.warn("An observation failed; what it observes goes on without it", failure);
            }
        }
    }
}
