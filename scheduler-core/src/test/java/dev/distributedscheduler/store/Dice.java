package dev.distributedscheduler.store;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Choices from a seed, out of so few jobs and keys that runs get in each other's way all the time. */
final class Dice {

    static final List<String> QUEUES = List.of("default", "slow");
    static final List<JobDefinition> JOBS = List.of(
            JobDefinition.of("free", run -> {}).withMaxAttempts(3),
            JobDefinition.of("keen", run -> {}).withPriority(Priority.HIGH).withMaxAttempts(2),
            limited("limited", 3).withMaxAttempts(2),
            limited("slow", 1).withQueue("slow").withMaxAttempts(3));
    static final List<String> JOB_NAMES = JOBS.stream().map(JobDefinition::name).toList();

    /** Limited ones less often, or the queue would hold nothing but what waits for a slot. */
    private static final List<String> ASKED_FOR = List.of("free", "free", "free", "keen", "keen", "limited", "slow");

    private static final List<String> KEYS = List.of("k1", "k2", "k3");
    private static final Failure FAILURE = Failure.of("SomeException", "no luck");

    private final Random random;
    private int payloads;

    Dice(long seed) {
        this.random = new Random(seed);
    }

    private static JobDefinition limited(String name, int limit) {
        JobDefinition job = JobDefinition.of(name, run -> {});
        return job.with(job.policy().withMaxConcurrent(limit));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int upTo(int most) {
        return 1 + random.nextInt(most);
    }

    /** From the seed as well, so that no order depends on chance. */
    UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    <T> T oneOf(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    <T> List<T> someOf(Collection<T> items, int most) {
        List<T> shuffled = new ArrayList<>(items);
        Collections.shuffle(shuffled, random);
        return List.copyOf(shuffled.subList(0, Math.min(most, shuffled.size())));
    }

    List<NewRun> newRuns() {
        return IntStream.range(0, upTo(4)).mapToObj(this::newRun).toList();
    }

    private NewRun newRun(int number) {
        String job = chance(2) ? "nobody's" : oneOf(ASKED_FOR);
        EnqueueOptions options = EnqueueOptions.NONE;
        if (chance(40)) {
            options = options.idempotencyKey(oneOf(KEYS));
            options = chance(50) ? options.deduplicateFor(oneOf(List.of(Duration.ZERO, TestTables.HOUR))) : options;
        }
        if (chance(15)) {
            options = options.concurrencyKey("a", 1);
        } else if (chance(15)) {
            options = options.concurrencyKey("b", upTo(2));
        }
        options = chance(25) ? options.delay(wait(number)) : options;
        options = chance(30) ? options.priority(oneOf(List.of(Priority.values()))) : options;
        options = chance(20) ? options.queue("slow") : options;
        return new NewRun(job, "payload-" + ++payloads, options);
    }

    /** Either over by the next step or after the test, and in a group different for each, so that order has no ties. */
    private Duration wait(int number) {
        return chance(50) ? Duration.ofNanos(1_000 * (number + 1)) : TestTables.HOUR;
    }

    List<FinishedAttempt> completed(List<ClaimedRun> runs) {
        return runs.stream()
                .map(run -> FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO))
                .toList();
    }

    /** Any end but success, as handlers, timeouts and shutdowns bring it about. */
    List<FinishedAttempt> failed(List<ClaimedRun> runs) {
        return IntStream.range(0, runs.size())
                .mapToObj(number -> failed(runs.get(number), number))
                .toList();
    }

    private FinishedAttempt failed(ClaimedRun run, int number) {
        Outcome outcome = oneOf(List.of(
                Outcome.FAILED,
                Outcome.FAILED,
                Outcome.FAILED,
                Outcome.TIMED_OUT,
                Outcome.SNOOZED,
                Outcome.INTERRUPTED,
                Outcome.CANCELLED));
        boolean last = outcome == Outcome.CANCELLED
                || ((outcome == Outcome.FAILED || outcome == Outcome.TIMED_OUT) && chance(25));
        Duration again = chance(40) ? Duration.ZERO : wait(number);
        return new FinishedAttempt(run, outcome, Duration.ZERO, Duration.ZERO, last ? null : again, FAILURE);
    }
}
