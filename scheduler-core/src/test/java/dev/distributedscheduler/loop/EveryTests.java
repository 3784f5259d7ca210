package dev.distributedscheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EveryTests {

    private final AtomicLong nanoTime = new AtomicLong();

    @Test
    void isDueAtOnce() {
        assertThat(new Every(Duration.ofSeconds(1), nanoTime::get).isDue()).isTrue();
    }

    /** The monotonic clock may start anywhere and overflow. */
    @ParameterizedTest
    @ValueSource(longs = {0, -5, Long.MAX_VALUE - 500_000_000, Long.MIN_VALUE})
    void isDueAgainAfterThePeriod(long start) {
        nanoTime.set(start);
        Every every = new Every(Duration.ofSeconds(1), nanoTime::get);
        every.done();

        nanoTime.addAndGet(999_999_999);
        assertThat(every.isDue()).isFalse();

        nanoTime.addAndGet(1);
        assertThat(every.isDue()).isTrue();
    }

    @Test
    void periodCountsFromTheLastTimeItWasDone() {
        Every every = new Every(Duration.ofSeconds(1), nanoTime::get);
        nanoTime.addAndGet(Duration.ofHours(1).toNanos());

        every.done();

        assertThat(every.isDue()).isFalse();
    }
}
