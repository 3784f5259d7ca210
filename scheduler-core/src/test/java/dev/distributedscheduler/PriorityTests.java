package dev.distributedscheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

class PriorityTests {

    @Test
    void higherPriorityHasTheGreaterHeadStart() {
        assertThat(Arrays.stream(Priority.values()).map(Priority::headStartMinutes))
                .isSortedAccordingTo(Comparator.reverseOrder())
                .doesNotHaveDuplicates();
    }

    @Test
    void normalRunsStandWhereTheyAreDue() {
        assertThat(Priority.NORMAL.headStartMinutes()).isZero();
    }

    @Test
    void lowRunOvertakesCriticalOnesThatAreSeventyMinutesYounger() {
        assertThat(Priority.CRITICAL.headStartMinutes() - Priority.LOW.headStartMinutes())
                .isEqualTo(70);
    }
}
