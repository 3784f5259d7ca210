package dev.distributedscheduler.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.run.ClaimedRun;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Enqueues and attempts are observed, and a trace goes from one to the other. */
class ObservedRunsTests {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final ObservedAttempts attempts = new ObservedAttempts(registry, new DefaultRunObservationConvention(1));
    private final ObservedEnqueues enqueues = new ObservedEnqueues(registry, 1);

    private static ClaimedRun run(String job, String trace) {
        return new ClaimedRun(
                42,
                job,
                "default",
                new UUID(0, 1),
                2,
                7,
                1,
                null,
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                0,
                trace);
    }

    /** What a tracing library does, in short. */
    private static final class Tracing implements ObservationHandler<Observation.Context> {

        private final List<String> parents = new ArrayList<>();
        private final List<Observation.Context> stopped = new ArrayList<>();

        @Override
        @SuppressWarnings("unchecked")
        public void onStart(Observation.Context context) {
            if (context instanceof SenderContext<?> sender) {
                ((SenderContext<Map<String, String>>) sender)
                        .getSetter()
                        .set((Map<String, String>) sender.getCarrier(), "traceparent", "00-abc-def-01");
            } else if (context instanceof ReceiverContext<?> receiver) {
                parents.add(((ReceiverContext<Map<String, String>>) receiver)
                        .getGetter()
                        .get((Map<String, String>) receiver.getCarrier(), "traceparent"));
            }
        }

        @Override
        public void onStop(Observation.Context context) {
            stopped.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void traceGoesFromTheEnqueueToTheAttempt() throws Exception {
        Tracing tracing = new Tracing();
        registry.observationConfig().observationHandler(tracing);

        String carried = enqueues.around("job", 1, trace -> trace);
        attempts.around(run("job", carried), () -> {});
        attempts.around(run("job", null), () -> {});

        assertThat(carried).isEqualTo("traceparent=00-abc-def-01");
        assertThat(tracing.parents).containsExactly("00-abc-def-01", null);
    }

    @Test
    void attemptHasItsKeys() throws Exception {
        Tracing tracing = new Tracing();
        registry.observationConfig().observationHandler(tracing);
        AtomicReference<Observation> current = new AtomicReference<>();

        attempts.around(run("job", null), () -> current.set(registry.getCurrentObservation()));
        attempts.around(run("one too many", null), () -> {});

        assertThat(current.get()).isNotNull();
        assertThat(registry.getCurrentObservation()).isNull();
        Observation.Context context = tracing.stopped.get(0);
        assertThat(context.getName()).isEqualTo("scheduler.run");
        assertThat(context.getContextualName()).isEqualTo("run job");
        assertThat(context.getLowCardinalityKeyValues())
                .containsExactlyInAnyOrder(KeyValue.of("job.name", "job"), KeyValue.of("queue", "default"));
        assertThat(context.getHighCardinalityKeyValues())
                .contains(KeyValue.of("scheduler.run.id", "42"), KeyValue.of("scheduler.run.attempt", "2"));
        assertThat(tracing.stopped.get(1).getLowCardinalityKeyValue("job.name").getValue())
                .isEqualTo("other");
    }

    @Test
    void failureIsObservedAndPassedOn() {
        Tracing tracing = new Tracing();
        registry.observationConfig().observationHandler(tracing);
        IllegalStateException failure = new IllegalStateException("no luck");

        assertThatThrownBy(() -> attempts.around(run("job", null), () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThatThrownBy(() -> enqueues.around("job", 1, trace -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(tracing.stopped)
                .hasSize(2)
                .allSatisfy(context -> assertThat(context.getError()).isSameAs(failure));
    }

    @Test
    void observationThatFailsCostsNothing() throws Exception {
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStart(Observation.Context context) {
                throw new IllegalStateException("a broken handler");
            }

            @Override
            public void onStop(Observation.Context context) {
                throw new IllegalStateException("a broken handler");
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        AtomicReference<String> ran = new AtomicReference<>();

        attempts.around(run("job", null), () -> ran.set("yes"));

        assertThat(ran).hasValue("yes");
        assertThat(enqueues.<String>around("job", 1, trace -> "enqueued")).isEqualTo("enqueued");
    }

    @Test
    void textOfATraceIsReadAsItWasWritten() {
        Map<String, String> fields = Map.of("traceparent", "00-a=b-01");

        assertThat(TraceText.fields(TraceText.of(fields))).isEqualTo(fields);
        assertThat(TraceText.of(Map.of())).isNull();
        assertThat(TraceText.of(Map.of("a", "two\nlines"))).isNull();
        assertThat(TraceText.fields(null)).isEmpty();
        assertThat(TraceText.fields("no sense\n=\n\n")).isEmpty();
    }
}
