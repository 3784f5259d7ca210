package dev.distributedscheduler.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.engine.ListenerState;
import dev.distributedscheduler.engine.NodeStatus;
import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.ClusterSnapshot.Depth;
import dev.distributedscheduler.event.ClusterSnapshot.Leader;
import dev.distributedscheduler.event.ClusterSnapshot.Nodes;
import dev.distributedscheduler.event.SchedulerEvent.ClusterSeen;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunsClaimed;
import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.worker.SlotUse;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SchedulerMetersTests {

    private static final UUID NODE = new UUID(0, 1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private NodeStatus status;
    private final SchedulerMeters meters = new SchedulerMeters(() -> status, 3);

    SchedulerMetersTests() {
        meters.bindTo(registry);
    }

    private static FinishedAttempt completed(String job) {
        ClaimedRun run = new ClaimedRun(
                1, job, "default", NODE, 1, 1, 0, null, null, Instant.EPOCH, Instant.EPOCH, null, null, 0, null);
        return FinishedAttempt.completed(run, Duration.ZERO, Duration.ofMillis(20));
    }

    private static ClusterSnapshot snapshot(List<JobFreshness> freshness, Depth... depths) {
        return new ClusterSnapshot(
                new Leader(true, "web-1", 7),
                new Nodes(2, 1, 0),
                Arrays.asList(depths),
                Map.of("default", Duration.ofSeconds(9)),
                Duration.ofSeconds(3),
                Map.of(Duration.ofMinutes(1), 5L),
                4,
                2,
                List.of(),
                freshness,
                Duration.ofMillis(6));
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void jobIsCountedFromZeroAsSoonAsItIsKnown() {
        meters.onEvent(new NodeJoined(NODE, "web-1", Set.of("report")));
        assertThat(registry.get("scheduler.run.dead")
                        .tag("job.name", "report")
                        .counter()
                        .count())
                .isZero();

        meters.onEvent(new RunDied(completed("report")));

        assertThat(registry.get("scheduler.run.dead")
                        .tag("job.name", "report")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void namesBeyondTheCapAreOther() {
        IntStream.range(0, 1_000).forEach(i -> meters.onEvent(new RunCompleted(completed("job-" + i))));

        assertThat(registry.find("scheduler.run.duration")
                        .tag("outcome", "COMPLETED")
                        .timers())
                .extracting(timer -> timer.getId().getTag("job.name"))
                .containsExactlyInAnyOrder("job-0", "job-1", "job-2", "other");
        assertThat(registry.get("scheduler.run.duration")
                        .tags("job.name", "other", "outcome", "COMPLETED")
                        .timer()
                        .count())
                .isEqualTo(997);
    }

    @Test
    void queuesBeyondTheCapAreAddedUp() {
        meters.onEvent(new ClusterSeen(snapshot(
                List.of(),
                IntStream.range(0, 10)
                        .mapToObj(i -> new Depth("queue-" + i, "READY", 10))
                        .toArray(Depth[]::new))));

        assertThat(gauge("scheduler.queue.depth", "queue", "queue-0", "state", "READY"))
                .isEqualTo(10);
        assertThat(gauge("scheduler.queue.depth", "queue", "other", "state", "READY"))
                .isEqualTo(70);
    }

    @Test
    void emptyQueueIsZeroNotGone() {
        meters.onEvent(new ClusterSeen(snapshot(List.of(), new Depth("default", "READY", 10))));
        assertThat(gauge("scheduler.queue.depth", "queue", "default", "state", "READY"))
                .isEqualTo(10);
        assertThat(gauge("scheduler.queue.depth", "queue", "default", "state", "BLOCKED"))
                .isZero();
        assertThat(gauge("scheduler.queue.oldest.due.age", "queue", "default")).isEqualTo(9);

        meters.onEvent(new ClusterSeen(snapshot(List.of())));

        assertThat(gauge("scheduler.queue.depth", "queue", "default", "state", "READY"))
                .isZero();
        assertThat(gauge("scheduler.queue.oldest.due.age", "queue", "default")).isZero();
    }

    @Test
    void overdueJobsBeyondTheCapAreNotHidden() {
        List<JobFreshness> freshness = IntStream.range(0, 5)
                .mapToObj(
                        i -> new JobFreshness("job-" + i, Duration.ofHours(1), Duration.ofHours(i == 3 ? 2 : 0), true))
                .toList();

        meters.onEvent(new ClusterSeen(snapshot(freshness)));

        assertThat(gauge("scheduler.job.overdue", "job.name", "job-0")).isZero();
        assertThat(gauge("scheduler.job.overdue", "job.name", "other")).isEqualTo(1);
    }

    @Test
    void whatIsNotKnownIsNotZero() {
        assertThat(gauge("scheduler.leader.present")).isNaN();
        assertThat(gauge("scheduler.dead.letters")).isNaN();
        assertThat(gauge("scheduler.heartbeat.age")).isNaN();
        assertThat(gauge("scheduler.node.alive")).isZero();
    }

    @Test
    void nodeShowsItself() {
        meters.onEvent(new RunsClaimed("default", 3, Duration.ofMillis(2)));
        status = new NodeStatus(
                NODE,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                7L,
                Duration.ofSeconds(30),
                ListenerState.LISTENING,
                Map.of("default", new SlotUse(3, 10)));

        assertThat(gauge("scheduler.leader")).isEqualTo(1);
        assertThat(gauge("scheduler.node.alive")).isEqualTo(1);
        assertThat(gauge("scheduler.listener.connected")).isEqualTo(1);
        assertThat(gauge("scheduler.heartbeat.age")).isEqualTo(2);
        assertThat(gauge("scheduler.slots", "queue", "default")).isEqualTo(10);
        assertThat(gauge("scheduler.slots.used", "queue", "default")).isEqualTo(3);
        assertThat(registry.get("scheduler.claim.runs").counter().count()).isEqualTo(3);
    }

    @Test
    void latenessOfEveryTickIsTimed() {
        meters.onEvent(new TicksEnqueued(
                1, Map.of("default", 2), List.of(Duration.ofSeconds(3), Duration.ofMillis(-1), Duration.ZERO)));

        assertThat(registry.get("scheduler.tick.lateness").timer().count()).isEqualTo(3);
        assertThat(registry.get("scheduler.tick.lateness").timer().max(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(registry.get("scheduler.tick.enqueued").counter().count()).isEqualTo(2);
    }

    @Test
    void runMakesNoNewMeters() {
        meters.onEvent(new RunCompleted(completed("report")));
        List<Meter> before = registry.getMeters();

        meters.onEvent(new RunCompleted(completed("report")));

        assertThat(registry.getMeters()).containsExactlyInAnyOrderElementsOf(before);
    }
}
