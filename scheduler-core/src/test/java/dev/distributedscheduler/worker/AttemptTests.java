package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Outcome;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttemptTests {

    private static final ClaimedRun RUN = new ClaimedRun(
            1,
            "job",
            "default",
            UUID.randomUUID(),
            1,
            1,
            0,
            null,
            null,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            0,
            null);

    private final Attempt attempt = new Attempt(RUN, 0);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void attemptThatIsLeftAloneEndsWithoutAReason() {
        assertThat(attempt.begin(System.nanoTime())).isTrue();
        assertThat(attempt.end()).isNull();
    }

    @Test
    void interruptReachesTheHandler() {
        attempt.begin(System.nanoTime());

        assertThat(attempt.cutShort(Outcome.TIMED_OUT, System.nanoTime())).isTrue();

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(attempt.end()).isEqualTo(Outcome.TIMED_OUT);
    }

    @Test
    void interruptDoesNotOutliveTheHandler() {
        attempt.begin(System.nanoTime());
        attempt.cutShort(Outcome.TIMED_OUT, System.nanoTime());

        attempt.end();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void attemptThatHasEndedCannotBeCutShort() {
        attempt.begin(System.nanoTime());
        attempt.end();

        assertThat(attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime())).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(attempt.end()).isNull();
    }

    @Test
    void attemptThatWasCutBeforeItsThreadDoesNotBegin() {
        assertThat(attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime())).isTrue();

        assertThat(attempt.begin(System.nanoTime())).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(attempt.end()).isEqualTo(Outcome.INTERRUPTED);
    }

    @Test
    void firstReasonCounts() {
        attempt.begin(System.nanoTime());
        attempt.cutShort(Outcome.TIMED_OUT, System.nanoTime());
        attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime());

        assertThat(attempt.end()).isEqualTo(Outcome.TIMED_OUT);
    }

    @Test
    void handlerThatSwallowedTheInterruptIsInterruptedAgain() {
        attempt.begin(System.nanoTime());
        attempt.cutShort(Outcome.TIMED_OUT, System.nanoTime());
        Thread.interrupted();

        attempt.cutShort(Outcome.INTERRUPTED, System.nanoTime());

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void interruptNeverLeaksToTheNextWorkOfTheThread() throws Exception {
        int rounds = 20_000;
        AtomicReference<Attempt> current = new AtomicReference<>();
        CyclicBarrier together = new CyclicBarrier(2);
        CompletableFuture<Integer> leaks = CompletableFuture.supplyAsync(() -> {
            together(together);
            int leaked = 0;
            for (int i = 0; i < rounds; i++) {
                Attempt next = new Attempt(RUN, 0);
                current.set(next);
                next.begin(System.nanoTime());
                next.end();
                for (int work = 0; work < 20; work++) {
                    leaked += Thread.interrupted() ? 1 : 0;
                }
            }
            return leaked;
        });
        together(together);
        while (!leaks.isDone()) {
            Attempt victim = current.get();
            if (victim != null) {
                victim.cutShort(Outcome.INTERRUPTED, System.nanoTime());
            }
        }

        assertThat(leaks.get(10, TimeUnit.SECONDS)).isZero();
    }

    private static void together(CyclicBarrier barrier) {
        await().until(() -> barrier.await() >= 0);
    }
}
