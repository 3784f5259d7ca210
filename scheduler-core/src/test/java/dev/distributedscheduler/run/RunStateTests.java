package dev.distributedscheduler.run;

import static dev.distributedscheduler.run.RunState.BLOCKED;
import static dev.distributedscheduler.run.RunState.CANCELLED;
import static dev.distributedscheduler.run.RunState.COMPLETED;
import static dev.distributedscheduler.run.RunState.DEAD;
import static dev.distributedscheduler.run.RunState.READY;
import static dev.distributedscheduler.run.RunState.RUNNING;
import static dev.distributedscheduler.run.RunState.SCHEDULED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunStateTests {

    @Test
    void threeStatesAreTerminal() {
        assertThat(Arrays.stream(RunState.values()).filter(RunState::isTerminal))
                .containsExactlyInAnyOrder(COMPLETED, DEAD, CANCELLED);
    }

    @Test
    void onlyARunningRunCanBeCompletedOrDie() {
        assertThat(Arrays.stream(RunState.values())
                        .filter(state ->
                                state.next().contains(COMPLETED) || state.next().contains(DEAD)))
                .containsExactly(RUNNING);
    }

    @Test
    void onlyAReadyRunCanBeClaimed() {
        assertThat(Arrays.stream(RunState.values()).filter(state -> state.next().contains(RUNNING)))
                .containsExactly(READY);
    }

    @Test
    void runningRunCanGoBackInLine() {
        assertThat(RUNNING.next()).contains(READY, SCHEDULED).doesNotContain(BLOCKED);
    }

    @ParameterizedTest
    @EnumSource(
            value = RunState.class,
            names = {"SCHEDULED", "READY", "BLOCKED", "RUNNING"})
    void liveRunCanBeCancelled(RunState live) {
        assertThat(live.next()).contains(CANCELLED).doesNotContain(live);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    void onlyWhatTheRunIsToBlameForUsesUpAnAttempt(Outcome outcome) {
        boolean costly = outcome == Outcome.FAILED || outcome == Outcome.TIMED_OUT || outcome == Outcome.LOST;

        assertThat(outcome.usesUpAttempt()).isEqualTo(costly);
    }
}
