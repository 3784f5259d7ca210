package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.store.Agenda.Look;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AgendaLookTests {

    private static final Duration LONGEST = Duration.ofSeconds(5);

    @Test
    void dutyIsDueWhenItsTimeHasCome() {
        assertThat(Look.isDue(Duration.ZERO)).isTrue();
        assertThat(Look.isDue(Duration.ofNanos(-1))).isTrue();
        assertThat(Look.isDue(Duration.ofNanos(1))).isFalse();
        assertThat(Look.isDue(null)).isFalse();
    }

    @Test
    void firstOfTheDutiesCounts() {
        assertThat(new Look(seconds(1), seconds(2), seconds(3), seconds(4), false, false).first(LONGEST))
                .isEqualTo(seconds(1));
        assertThat(new Look(seconds(3), seconds(1), seconds(2), seconds(4), false, false).first(LONGEST))
                .isEqualTo(seconds(1));
        assertThat(new Look(seconds(4), seconds(3), seconds(1), seconds(2), false, false).first(LONGEST))
                .isEqualTo(seconds(1));
        assertThat(new Look(seconds(2), seconds(3), seconds(4), seconds(1), false, false).first(LONGEST))
                .isEqualTo(seconds(1));
    }

    @Test
    void nothingInSightMeansTheLongestSleep() {
        assertThat(new Look(null, null, null, null, false, false).first(LONGEST))
                .isEqualTo(LONGEST);
        assertThat(new Look(seconds(60), null, null, seconds(30), false, false).first(LONGEST))
                .isEqualTo(LONGEST);
    }

    @Test
    void overdueDutyIsFirst() {
        assertThat(new Look(null, null, seconds(-4), seconds(1), false, false).first(LONGEST))
                .isEqualTo(seconds(-4));
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
