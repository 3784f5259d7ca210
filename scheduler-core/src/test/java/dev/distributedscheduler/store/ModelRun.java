package dev.distributedscheduler.store;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.run.RunState;
import java.time.Duration;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A run of the {@link QueueModel}: what it was enqueued with, and how far it has come. */
final class ModelRun {

    static final Comparator<ModelRun> LINE =
            Comparator.comparingLong(ModelRun::place).thenComparingLong(run -> run.id);

    private static final long MINUTE = 1_000_000_000;

    final long id;
    final String job;
    final String queue;
    final int maxAttempts;
    final Integer jobLimit;
    private final EnqueueOptions options;
    private final int priority;
    String payload;

    RunState state = RunState.SCHEDULED;
    ModelGate blockedBy;
    int attempt;
    int failures;
    int snoozes;
    boolean cancelRequested;
    Long token;
    UUID node;
    long runAt;
    long diedAt;
    private Outcome diedOf;

    ModelRun(long id, NewRun asked, JobPolicy policy) {
        this.id = id;
        this.job = asked.job();
        this.payload = asked.payload();
        this.options = asked.options();
        this.queue = options.queue() == null ? policy.queue() : options.queue();
        this.priority =
                options.headStartMinutes() == null ? policy.priority().headStartMinutes() : options.headStartMinutes();
        this.maxAttempts = policy.maxAttempts();
        this.jobLimit = policy.maxConcurrent();
    }

    /** In the model's time: short waits are shorter than a step, long ones longer than all steps together. */
    static long span(Duration wait) {
        return wait == null ? 0 : wait.toMinutes() * MINUTE + wait.toNanosPart() / 1_000;
    }

    String key() {
        return options.idempotencyKey() == null ? null : job + " " + options.idempotencyKey();
    }

    Duration window() {
        return options.deduplicateFor();
    }

    String concurrencyKey() {
        return options.concurrencyKey();
    }

    int keyLimit() {
        return options.keyLimit();
    }

    long place() {
        return runAt - priority * MINUTE;
    }

    boolean isAdmitted() {
        return state == RunState.READY || state == RunState.RUNNING;
    }

    void move(RunState next) {
        check(state.next().contains(next), "no run goes from %s to %s".formatted(state, next));
        state = next;
        blockedBy = null;
    }

    void waitUntil(long now, long delay) {
        runAt = now + delay;
        if (delay == 0) {
            comeDue();
        }
    }

    /** To the first of its gates, or past them. */
    void comeDue() {
        if (concurrencyKey() == null && jobLimit == null) {
            move(RunState.READY);
        } else {
            move(RunState.BLOCKED);
            blockedBy = concurrencyKey() != null ? ModelGate.KEY : ModelGate.JOB;
        }
    }

    void passGate() {
        if (blockedBy == ModelGate.KEY && jobLimit != null) {
            blockedBy = ModelGate.JOB;
        } else {
            move(RunState.READY);
        }
    }

    void claim(UUID claimer, long newToken) {
        move(RunState.RUNNING);
        attempt++;
        node = claimer;
        token = newToken;
    }

    void release() {
        node = null;
        token = null;
    }

    /** A run that waits gives its slots back; one that is in line again at once keeps them. */
    void retry(long now, long delay) {
        move(delay == 0 ? RunState.READY : RunState.SCHEDULED);
        runAt = now + delay;
    }

    void die(Outcome outcome, long now) {
        diedOf = outcome;
        diedAt = now;
    }

    /** The next life: attempts go on, all else is as it was at first. */
    void beginAnew(long now, String newPayload) {
        payload = newPayload == null ? payload : newPayload;
        state = RunState.SCHEDULED;
        failures = 0;
        snoozes = 0;
        cancelRequested = false;
        waitUntil(now, 0);
    }

    /** As the claimer gets it. */
    String claimed() {
        return words(id, job, queue, node, attempt, token, failures, snoozes, options.idempotencyKey(), payload);
    }

    /** A claim in the same words. */
    static String claimed(ClaimedRun run) {
        return words(
                run.id(),
                run.job(),
                run.queue(),
                run.nodeId(),
                run.attempt(),
                run.token(),
                run.failures(),
                run.snoozes(),
                run.idempotencyKey(),
                run.payload());
    }

    /** The row of {@code run} as {@link QueueTables} reads it. */
    String live() {
        return words(
                "run",
                common(attempt),
                state,
                blockedBy,
                failures,
                snoozes,
                cancelRequested,
                token,
                node,
                "place is run_at less priority: true");
    }

    /** The row of {@code dead_letter} as {@link QueueTables} reads it. */
    String letter() {
        return words("letter", common(attempt), diedOf);
    }

    private String common(int attempts) {
        return words(
                id,
                job,
                queue,
                priority,
                attempts,
                maxAttempts,
                options.idempotencyKey(),
                window() == null ? null : window().toSeconds(),
                concurrencyKey(),
                options.keyLimit(),
                jobLimit != null,
                payload);
    }

    static String words(Object... values) {
        return Stream.of(values)
                .map(value -> value == null ? "" : value.toString())
                .collect(Collectors.joining(" "));
    }

    static void check(boolean holds, String promise) {
        if (!holds) {
            throw new AssertionError("Broken: " + promise);
        }
    }
}
