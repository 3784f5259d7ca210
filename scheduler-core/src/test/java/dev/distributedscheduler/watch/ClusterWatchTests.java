package dev.distributedscheduler.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.ClusterSnapshot.Leader;
import dev.distributedscheduler.event.ClusterSnapshot.Nodes;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.ClusterSeen;
import dev.distributedscheduler.event.SchedulerEvent.JobFreshAgain;
import dev.distributedscheduler.event.SchedulerEvent.JobOverdue;
import dev.distributedscheduler.event.SchedulerEvent.RunFoundStuck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said about what was seen, and by whom. */
class ClusterWatchTests {

    private static final StuckRun STUCK = new StuckRun(
            7,
            "report",
            "default",
            2,
            "web-1",
            Instant.EPOCH,
            Duration.ofHours(2),
            StuckRun.Reason.OVER_TIMEOUT,
            "because");
    private static final JobFreshness LATE =
            new JobFreshness("nightly", Duration.ofHours(26), Duration.ofHours(27), true);
    private static final JobFreshness FRESH =
            new JobFreshness("nightly", Duration.ofHours(26), Duration.ofHours(1), true);

    private final List<SchedulerEvent> events = new ArrayList<>();
    private boolean leads = true;
    private boolean leaderPresent = true;
    private RuntimeException trouble;
    private List<StuckRun> stuck = List.of();
    private List<JobFreshness> freshness = List.of();

    private final ClusterWatch watch = new ClusterWatch(this::look, WatchSettings.DEFAULT, () -> leads, events::add);

    private ClusterSnapshot look() {
        if (trouble != null) {
            throw trouble;
        }
        return new ClusterSnapshot(
                new Leader(leaderPresent, "web-1", 1),
                new Nodes(1, 0, 0),
                List.of(),
                Map.of(),
                Duration.ZERO,
                Map.of(),
                0,
                0,
                stuck,
                freshness,
                Duration.ZERO);
    }

    private List<SchedulerEvent> round() {
        events.clear();
        watch.round();
        return events.stream().filter(event -> !(event instanceof ClusterSeen)).toList();
    }

    @Test
    void leaderTellsOfAStuckRunOnce() {
        stuck = List.of(STUCK);

        assertThat(round()).containsExactly(new RunFoundStuck(STUCK));
        assertThat(round()).isEmpty();
        stuck = List.of();
        assertThat(round()).isEmpty();
        stuck = List.of(STUCK);
        assertThat(round()).containsExactly(new RunFoundStuck(STUCK));
    }

    @Test
    void jobIsToldOverdueOnceAndFreshOnce() {
        freshness = List.of(LATE);

        assertThat(round()).containsExactly(new JobOverdue(LATE));
        assertThat(round()).isEmpty();
        freshness = List.of(FRESH);
        assertThat(round()).containsExactly(new JobFreshAgain(FRESH));
        assertThat(round()).isEmpty();
    }

    @Test
    void othersOnlyLook() {
        leads = false;
        stuck = List.of(STUCK);
        freshness = List.of(LATE);

        assertThat(round()).isEmpty();
        assertThat(events).hasSize(1).first().isInstanceOf(ClusterSeen.class);
    }

    @Test
    void withoutLeaderEverybodyTells() {
        leads = false;
        leaderPresent = false;
        freshness = List.of(LATE);

        assertThat(round()).containsExactly(new JobOverdue(LATE));
    }

    @Test
    void failedLookIsNotRepeatedSooner() {
        trouble = new IllegalStateException("the database is busy");

        assertThat(watch.round()).isBetween(Duration.ofSeconds(27), Duration.ofSeconds(33));
        assertThat(events).isEmpty();
        trouble = null;
        watch.round();
        assertThat(events).hasSize(1);
    }
}
