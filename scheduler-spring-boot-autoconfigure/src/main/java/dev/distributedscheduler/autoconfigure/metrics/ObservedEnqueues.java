package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.engine.EnqueueInterceptor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Observes each enqueue, and lets a tracing library put its context into what the runs carry. */
final class ObservedEnqueues implements EnqueueInterceptor {

    private final ObservationRegistry registry;
    private final TagNames jobs;

    ObservedEnqueues(ObservationRegistry registry, int maxNames) {
        this.registry = registry;
        this.jobs = new TagNames(maxNames);
    }

    @Override
    public <T> T around(String job, int runs, Function<@Nullable String, T> enqueue) {
        if (registry.isNoop()) {
            return enqueue.apply(null);
        }
        Map<String, String> carrier = new LinkedHashMap<>();
        try (Observing observing = new Observing(() -> observation(job, runs, carrier))) {
            try {
                return enqueue.apply(TraceText.of(carrier));
            } catch (RuntimeException thrown) {
                observing.error(thrown);
                throw thrown;
            }
        }
    }

    private Observation observation(String job, int runs, Map<String, String> carrier) {
        return Observation.createNotStarted(
                        "scheduler.enqueue",
                        () -> {
                            SenderContext<Map<String, String>> context = new SenderContext<>(
                                    (fields, name, value) -> carrier.put(name, value), Kind.PRODUCER);
                            context.setCarrier(carrier);
                            return context;
                        },
                        registry)
                .contextualName("enqueue " + job)
                .lowCardinalityKeyValue("job.name", jobs.of(job))
                .highCardinalityKeyValue("scheduler.runs", Integer.toString(runs));
    }
}
