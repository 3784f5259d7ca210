package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.PermanentFailureException;
import dev.distributedscheduler.RetryLaterException;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.RunStarted;
import dev.distributedscheduler.job.ExponentialBackoff;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobDefinition.Action;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

@Timeout(30)
class RunExecutorTests {

    private static final ClaimedRun RUN = new ClaimedRun(
            42,
            "job",
            "default",
            UUID.randomUUID(),
            3,
            99,
            2,
            7L,
            Instant.EPOCH,
            Instant.EPOCH,
            Instant.EPOCH,
            "key",
            "text",
            RetryLaterException.MOST - 1,
            null);
    private static final RetryPolicy SECONDS = new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final Deadlines deadlines = new Deadlines();
    private final List<SchedulerEvent> events = new ArrayList<>();
    private final Attempt attempt = new Attempt(RUN, deadlines.now());

    @AfterEach
    void close() {
        Thread.interrupted();
        deadlines.close();
    }

    private FinishedAttempt execute(Action handler) {
        return execute(handler, null);
    }

    private FinishedAttempt execute(Action handler, Duration timeout) {
        return execute(JobDefinition.of("job", handler).withTimeout(timeout).withRetry(SECONDS));
    }

    private RunExecutor executor(JobDefinition job) {
        return new RunExecutor(
                new JobRegistry(List.of(job)),
                held -> new AttemptContext(held, null, null, Duration.ZERO),
                null,
                deadlines,
                events::add);
    }

    private FinishedAttempt execute(JobDefinition job) {
        return executor(job).execute(attempt);
    }

    @Test
    void handlerThatReturnsCompletesItsAttempt() {
        FinishedAttempt result = execute(run -> {});

        assertThat(result.outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(result.failure()).isNull();
        assertThat(result.waited()).isPositive();
        assertThat(result.ran()).isPositive();
        assertThat(events).containsExactly(new RunStarted(RUN));
    }

    @Test
    void handlerIsToldWhatItNeedsToBeIdempotent() {
        AtomicReference<JobContext> told = new AtomicReference<>();

        execute(told::set);

        assertThat(told.get().job()).isEqualTo("job");
        assertThat(told.get().runId()).isEqualTo(42);
        assertThat(told.get().attempt()).isEqualTo(3);
        assertThat(told.get().token()).isEqualTo(99);
        assertThat(told.get().idempotencyKey()).isEqualTo("key");
        assertThat(told.get().scheduledTime()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void runIsNamedInTheLogWhileItsHandlerRuns() {
        AtomicReference<Map<String, String>> named = new AtomicReference<>();

        execute(run -> named.set(MDC.getCopyOfContextMap()));

        assertThat(named.get())
                .containsOnly(
                        entry("scheduler.run", "42"), entry("scheduler.job", "job"), entry("scheduler.attempt", "3"));
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    void interceptorStandsAroundTheHandler() {
        List<String> steps = new ArrayList<>();
        AttemptInterceptor interceptor = (run, handler) -> {
            steps.add("before " + run.id());
            try {
                handler.run();
            } finally {
                steps.add("after");
            }
        };
        JobDefinition job = JobDefinition.of("job", run -> {
            steps.add("handler");
            throw new IllegalStateException("no luck");
        });

        FinishedAttempt result = executor(job).intercepted(interceptor).execute(attempt);

        assertThat(steps).containsExactly("before 42", "handler", "after");
        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.failure().message()).isEqualTo("no luck");
    }

    @Test
    void exceptionAndErrorCostTheAttemptOnly() {
        FinishedAttempt result = execute(run -> {
            throw new StackOverflowError("deep");
        });

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.failure().type()).isEqualTo("java.lang.StackOverflowError");
        assertThat(result.retryIn()).isBetween(Duration.ZERO, Duration.ofSeconds(4));
    }

    @Test
    void payloadIsReadForTheHandler() {
        AtomicReference<Object> given = new AtomicReference<>();

        execute(JobDefinition.of("job", text -> "read " + text, (payload, context) -> given.set(payload)));

        assertThat(given).hasValue("read text");
    }

    @Test
    void payloadThatDoesNotFitIsAPermanentFailure() {
        FinishedAttempt result = execute(JobDefinition.of(
                "job",
                text -> {
                    throw new IllegalArgumentException("no such field");
                },
                (payload, context) -> {}));

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.retryIn()).isNull();
        assertThat(result.failure().message()).isEqualTo("The payload does not fit: no such field");
    }

    @Test
    void permanentFailureIsNotTriedAgain() {
        FinishedAttempt result = execute(run -> {
            throw new PermanentFailureException("closed account");
        });

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.retryIn()).isNull();
    }

    @Test
    void handlerMayAskForAnotherTime() {
        FinishedAttempt result = execute(run -> {
            throw new RetryLaterException(Duration.ofMinutes(7));
        });

        assertThat(result.outcome()).isEqualTo(Outcome.SNOOZED);
        assertThat(result.retryIn()).isEqualTo(Duration.ofMinutes(7));
    }

    @Test
    void handlerThatAsksTooOftenFails() {
        ClaimedRun asking = new ClaimedRun(
                42,
                "job",
                "default",
                UUID.randomUUID(),
                3,
                99,
                2,
                null,
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                RetryLaterException.MOST,
                null);
        JobDefinition job = JobDefinition.of("job", run -> {
            throw new RetryLaterException(Duration.ZERO);
        });

        FinishedAttempt result = executor(job).execute(new Attempt(asking, deadlines.now()));

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
    }

    @Test
    void brokenRetryPolicyIsReplacedByTheDefault() {
        FinishedAttempt result = execute(JobDefinition.of("job", run -> {
                    throw new IllegalStateException("first");
                })
                .withRetry((failures, error) -> {
                    throw new UnsupportedOperationException("second");
                }));

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.retryIn()).isNotNull();
        assertThat(result.failure().stackTrace()).contains("first").contains("second");
    }

    @Test
    void handlerThatOutlastsItsTimeoutIsInterrupted() {
        FinishedAttempt result = execute(run -> new CountDownLatch(1).await(), Duration.ofMillis(20));

        assertThat(result.outcome()).isEqualTo(Outcome.TIMED_OUT);
        assertThat(result.failure().message()).isEqualTo("Interrupted after PT0.02S");
        assertThat(result.failure().stackTrace()).contains("InterruptedException");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void returnAfterAnInterruptProvesNothing() {
        FinishedAttempt result = execute(run -> {
            attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime());
            Thread.interrupted();
        });

        assertThat(result.outcome()).isEqualTo(Outcome.INTERRUPTED);
        assertThat(result.retryIn()).isZero();
        assertThat(result.failure().message()).contains("the node stopped or could not renew its lease");
    }

    @Test
    void attemptThatWasCutBeforeItBeganIsNotExecuted() {
        attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime());

        FinishedAttempt result = execute(run -> {
            throw new AssertionError("must not run");
        });

        assertThat(result.outcome()).isEqualTo(Outcome.INTERRUPTED);
        assertThat(events).isEmpty();
    }

    @Test
    void interruptThatTheHandlerLeavesBehindIsCleared() {
        FinishedAttempt result = execute(run -> Thread.currentThread().interrupt());

        assertThat(result.outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void timeoutOfAHandlerThatReturnedInTimeReachesNobody() {
        execute(run -> {}, Duration.ofMillis(30));

        AtomicReference<Boolean> later = new AtomicReference<>();
        assertThat(deadlines.in(Duration.ofMillis(60), () -> later.set(true))).isNotNull();
        await().until(() -> later.get() != null);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
