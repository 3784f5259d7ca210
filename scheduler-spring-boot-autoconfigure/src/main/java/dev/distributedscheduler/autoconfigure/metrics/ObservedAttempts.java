package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.worker.AttemptInterceptor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/** Observes each attempt, as the continuation of the trace in which its run was enqueued. */
final class ObservedAttempts implements AttemptInterceptor {

    private final ObservationRegistry registry;
    private final RunObservationConvention convention;

    ObservedAttempts(ObservationRegistry registry, RunObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public void around(ClaimedRun run, Execution attempt) throws Exception {
        if (registry.isNoop()) {
            attempt.run();
            return;
        }
        try (Observing observing = new Observing(
                () -> Observation.createNotStarted(convention, () -> new RunObservationContext(run), registry))) {
            try {
                attempt.run();
            } catch (Throwable thrown) {
                observing.error(thrown);
                throw thrown;
            }
        }
    }
}
