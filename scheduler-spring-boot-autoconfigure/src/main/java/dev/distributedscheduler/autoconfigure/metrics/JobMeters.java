package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one job, looked up once.
 *
 * <p>What is counted begins with zero when the job becomes known: a counter that appears with its first event hides that
 * event from everybody who asks for an increase.
 */
final class JobMeters {

    private final MeterRegistry registry;
    private final String job;
    private final Map<Outcome, Timer> durations = new ConcurrentHashMap<>();
    final Counter retries;
    final Counter dead;
    final Counter ignoredInterrupts;

    JobMeters(MeterRegistry registry, String job) {
        this.registry = registry;
        this.job = job;
        this.retries = Counter.builder("scheduler.run.retries")
                .description("Attempts that did not succeed and will be followed by another")
                .tag("job.name", job)
                .register(registry);
        this.dead = Counter.builder("scheduler.run.dead")
                .description("Runs that became dead letters")
                .tag("job.name", job)
                .register(registry);
        this.ignoredInterrupts = Counter.builder("scheduler.run.ignored.interrupts")
                .description("Attempts whose handler was interrupted and did not return")
                .tag("job.name", job)
                .register(registry);
        duration(Outcome.COMPLETED);
        duration(Outcome.FAILED);
    }

    void ended(FinishedAttempt attempt) {
        long nanos = attempt.ran() == null ? 0 : attempt.ran().toNanos();
        duration(attempt.outcome()).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer duration(Outcome outcome) {
        Timer known = durations.get(outcome);
        return known != null ? known : durations.computeIfAbsent(outcome, this::newDuration);
    }

    private Timer newDuration(Outcome outcome) {
        return Timer.builder("scheduler.run.duration")
                .description("Time that attempts took, from the start of the handler to its end")
                .tag("job.name", job)
                .tag("outcome", outcome.name())
                .register(registry);
    }
}
