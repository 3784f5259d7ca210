package dev.distributedscheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(30)
class LoopTests {

    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final Logger logger = (Logger) LoggerFactory.getLogger(Loop.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private Loop loop;

    @BeforeEach
    void captureLog() {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void closeLoop() {
        loop.close(Duration.ZERO);
        logger.detachAppender(logged);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private void start(Loop.Step step) {
        loop = new Loop("test-loop", () -> {
            thread.set(Thread.currentThread());
            rounds.incrementAndGet();
            return step.run();
        });
        loop.start();
    }

    private void awaitSleep() {
        await().until(() -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void repeatsAsSoonAsTheStepSays() {
        start(() -> Duration.ofMillis(1));

        await().until(() -> rounds.get() > 5);
    }

    @Test
    void wakingEndsTheSleep() {
        start(() -> FOR_EVER);
        awaitSleep();

        loop.wake();

        await().until(() -> rounds.get() == 2);
    }

    @Test
    void manyWakeUpsDuringARoundMakeOneMoreRound() {
        CountDownLatch woken = new CountDownLatch(1);
        start(() -> {
            woken.await();
            return FOR_EVER;
        });
        await().until(() -> rounds.get() == 1);

        for (int i = 0; i < 100; i++) {
            loop.wake();
        }
        woken.countDown();

        await().until(() -> rounds.get() >= 2);
        awaitSleep();
        assertThat(rounds).hasValue(2);
    }

    @Test
    void survivesExceptionsAndErrors() {
        List<Throwable> trouble = List.of(
                new IllegalStateException("exception"), new Exception("checked"), new OutOfMemoryError("error"));
        start(() -> {
            if (rounds.get() <= trouble.size()) {
                sneakyThrow(trouble.get(rounds.get() - 1));
            }
            return FOR_EVER;
        });

        await().until(() -> rounds.get() == 4);
        awaitSleep();
        assertThat(thread.get().isAlive()).isTrue();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneakyThrow(Throwable any) throws T {
        throw (T) any;
    }

    @Test
    void survivesAnExceptionThatCannotBePrinted() {
        start(() -> {
            if (rounds.get() == 1) {
                throw new Unprintable();
            }
            return FOR_EVER;
        });

        await().until(() -> rounds.get() == 2);
        assertThat(logged.list.get(0).getFormattedMessage())
                .isEqualTo("test-loop failed with " + Unprintable.class.getName());
    }

    private static final class Unprintable extends RuntimeException {

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void survivesAnInterruptThatTheStepLeavesBehind() {
        start(() -> {
            if (rounds.get() == 1) {
                Thread.currentThread().interrupt();
            }
            return FOR_EVER;
        });

        await().until(() -> rounds.get() == 2);
        awaitSleep();
    }

    @Test
    void wakingDoesNotShortenTheBackoff() {
        List<Long> starts = new CopyOnWriteArrayList<>();
        start(() -> {
            starts.add(System.nanoTime());
            throw new IllegalStateException("down");
        });

        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            loop.wake();
            return starts.size() >= 4;
        });

        assertThat(Duration.ofNanos(starts.get(1) - starts.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(Duration.ofNanos(starts.get(2) - starts.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        assertThat(Duration.ofNanos(starts.get(3) - starts.get(2))).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void logsWhenTroubleStartsAndWhenItEnds() {
        start(() -> {
            if (rounds.get() <= 3) {
                throw new IllegalStateException("down");
            }
            return FOR_EVER;
        });

        await().until(() -> rounds.get() == 4);
        awaitSleep();

        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "test-loop failed and will try again until it works",
                        "test-loop works again after 3 failed tries");
    }

    @Test
    void newTroubleIsLoggedAgain() {
        start(() -> {
            if (rounds.get() % 2 == 1) {
                throw new IllegalStateException("down");
            }
            return Duration.ZERO;
        });

        await().until(() -> rounds.get() >= 5);

        assertThat(logged.list)
                .extracting(ILoggingEvent::getLevel)
                .startsWith(Level.WARN, Level.INFO, Level.WARN, Level.INFO);
    }

    @Test
    void closingWaitsForTheRoundUnderWay() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        start(() -> {
            release.await();
            ended.set(true);
            return Duration.ZERO;
        });
        await().until(() -> rounds.get() == 1);

        AtomicReference<Thread> closer = new AtomicReference<>();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
            closer.set(Thread.currentThread());
            loop.close(Duration.ofSeconds(20));
        });
        await().until(() -> closer.get() != null && closer.get().getState() == Thread.State.TIMED_WAITING);
        assertThat(closing).isNotDone();
        release.countDown();

        closing.join();
        assertThat(ended).isTrue();
        assertThat(rounds).hasValue(1);
        assertThat(thread.get().isAlive()).isFalse();
    }

    @Test
    void closingInterruptsARoundThatOutlastsThePatience() {
        AtomicBoolean interrupted = new AtomicBoolean();
        start(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupted.set(true);
            }
            return Duration.ZERO;
        });
        await().until(() -> rounds.get() == 1);

        loop.close(Duration.ofMillis(20));

        assertThat(interrupted).isTrue();
        assertThat(rounds).hasValue(1);
    }

    @Test
    void closingEndsTheSleepAndTheBackoff() {
        start(() -> FOR_EVER);
        awaitSleep();

        loop.close(Duration.ofSeconds(20));

        assertThat(thread.get().isAlive()).isFalse();
        assertThat(rounds).hasValue(1);
    }

    @Test
    void stepMayCloseItsOwnLoop() {
        start(() -> {
            loop.close(FOR_EVER);
            return Duration.ZERO;
        });

        await().until(() -> thread.get() != null && !thread.get().isAlive());
        assertThat(rounds).hasValue(1);
    }
}
