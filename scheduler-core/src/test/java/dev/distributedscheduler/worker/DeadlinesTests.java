package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlinesTests {

    private final Deadlines deadlines = new Deadlines();
    private final List<String> acts = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        deadlines.close();
    }

    @Test
    void actComesAtItsTimeAndNotBefore() {
        AtomicLong acted = new AtomicLong();
        long asked = deadlines.now();

        Future<?> unused = deadlines.in(Duration.ofMillis(30), () -> acted.set(deadlines.now()));

        await().until(() -> acted.get() != 0);
        assertThat(Duration.ofNanos(acted.get() - asked)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void deadlineInThePastIsActedUponAtOnce() {
        Future<?> unused = deadlines.in(Duration.ofHours(-1), () -> acts.add("late"));

        await().until(() -> acts.equals(List.of("late")));
    }

    @Test
    void deadlineThatIsCalledOffDoesNotHappen() {
        Future<?> calledOff = deadlines.in(Duration.ofMillis(20), () -> acts.add("called off"));
        Future<?> unused = deadlines.in(Duration.ofMillis(40), () -> acts.add("other"));

        assertThat(calledOff.cancel(false)).isTrue();

        await().until(() -> acts.contains("other"));
        assertThat(acts).containsExactly("other");
    }

    @Test
    void actThatThrowsDoesNotHarmTheNext() {
        Future<?> throwing = deadlines.in(Duration.ZERO, () -> {
            throw new AssertionError("on purpose");
        });
        Future<?> unused = deadlines.in(Duration.ofMillis(1), () -> acts.add("next"));

        await().until(() -> acts.equals(List.of("next")));
        assertThat(throwing).isDone();
    }

    @Test
    void nothingHappensAfterClosing() {
        try (Deadlines other = new Deadlines()) {
            Future<?> pending = deadlines.in(Duration.ofMillis(20), () -> acts.add("too late"));
            deadlines.close();
            Future<?> unused = other.in(Duration.ofMillis(100), () -> acts.add("other"));

            await().until(() -> acts.contains("other"));
            assertThat(pending).isNotDone();
        }

        assertThat(acts).containsExactly("other");
    }
}
