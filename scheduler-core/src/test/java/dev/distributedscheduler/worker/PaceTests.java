package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTests {

    private final Pace pace = new Pace(10, 2_000);

    private void ended(int runs, Duration each) {
        for (int i = 0; i < runs; i++) {
            pace.ended(each);
        }
    }

    @Test
    void nothingWaitsBeforeAnythingIsKnown() {
        assertThat(pace.mayWait()).isZero();
    }

    @Test
    void asManyWaitAsBeginInAMoment() {
        ended(100, Duration.ofMillis(5));

        assertThat(pace.mayWait()).isEqualTo(100);
        assertThat(pace.mayWait()).as("without news").isEqualTo(100);
    }

    @Test
    void nothingWaitsForSlowHandlers() {
        ended(3, Duration.ofSeconds(1));

        assertThat(pace.mayWait()).isZero();
    }

    @Test
    void thereIsABound() {
        ended(3, Duration.ZERO);

        assertThat(pace.mayWait()).isEqualTo(2_000);
    }

    @Test
    void followsAChangeOfPace() {
        ended(1_000, Duration.ofNanos(1_000));
        pace.mayWait();
        ended(1, Duration.ofMillis(100));

        assertThat(pace.mayWait()).isEqualTo(9);
    }

    @Test
    void beginsAnewWhenItStalled() {
        ended(1_000, Duration.ofNanos(1_000));
        pace.mayWait();
        pace.stalled();

        assertThat(pace.mayWait()).isZero();
    }

    @Test
    void attemptsThatNeverBeganSayNothing() {
        pace.ended(null);

        assertThat(pace.mayWait()).isZero();
    }
}
