package dev.distributedscheduler.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.engine.ListenerState;
import dev.distributedscheduler.engine.NodeStatus;
import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.ClusterSnapshot.Leader;
import dev.distributedscheduler.event.ClusterSnapshot.Nodes;
import dev.distributedscheduler.event.SchedulerEvent.ClusterSeen;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class SchedulerHealthIndicatorTests {

    private static final UUID NODE = new UUID(0, 1);

    private long now;
    private NodeStatus status = status(NODE, Duration.ofSeconds(3), null, ListenerState.LISTENING);
    private final SchedulerHealthIndicator health =
            new SchedulerHealthIndicator(() -> status, Duration.ofSeconds(15), () -> now);

    private static NodeStatus status(UUID node, Duration sinceHeartbeat, Long term, ListenerState listener) {
        return new NodeStatus(
                node, sinceHeartbeat, Duration.ofSeconds(10), term, Duration.ofSeconds(30), listener, Map.of());
    }

    private void see(boolean leader, JobFreshness... freshness) {
        health.onEvent(new ClusterSeen(new ClusterSnapshot(
                new Leader(leader, leader ? "web-1" : null, 7),
                new Nodes(2, 0, 0),
                List.of(),
                Map.of(),
                Duration.ZERO,
                Map.of(),
                0,
                0,
                List.of(),
                List.of(freshness),
                Duration.ofMillis(4))));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void assertDegraded(String problem) {
        Health answer = health.health();
        assertThat(answer.getStatus()).isEqualTo(SchedulerHealthIndicator.DEGRADED);
        assertThat(answer.getDetails().get("problems").toString()).contains(problem);
    }

    @Test
    void nodeThatWorksIsUp() {
        see(true);

        Health answer = health.health();

        assertThat(answer.getStatus()).isEqualTo(Status.UP);
        assertThat(answer.getDetails())
                .containsEntry("node", NODE)
                .containsEntry("leader", "web-1")
                .containsEntry("term", 7L)
                .containsEntry("leads", false)
                .containsEntry("listener", ListenerState.LISTENING)
                .containsEntry("sinceHeartbeat", Duration.ofSeconds(3))
                .containsEntry("database", "answered PT0S ago in PT0.004S")
                .doesNotContainKey("problems");
    }

    @Test
    void changeOfLeaderIsNothing() {
        see(true);
        see(false);
        pass(Duration.ofSeconds(15));
        see(false);

        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        see(true);
        pass(Duration.ofSeconds(45));
        see(false);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void clusterWithoutLeaderIsDegraded() {
        see(false);
        pass(Duration.ofSeconds(31));
        see(false);

        assertDegraded("no leader for PT31S");
    }

    @Test
    void lateHeartbeatIsDegradedAndALostLeaseIsDown() {
        see(true);
        status = status(NODE, Duration.ofSeconds(21), null, ListenerState.LISTENING);
        assertDegraded("the last heartbeat that the database answered was PT21S ago");

        status = status(null, Duration.ofSeconds(28), null, ListenerState.CONNECTING);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void nodeThatDoesNotRunIsDown() {
        status = null;

        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void listenerThatIsNotConnectedIsDegradedButAPoolerIsNot() {
        see(true);
        status = status(NODE, Duration.ZERO, 7L, ListenerState.CONNECTING);
        assertDegraded("does not hear the notifications");

        status = status(NODE, Duration.ZERO, 7L, ListenerState.POLLING);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void nodeThatCannotLookIsDegraded() {
        see(true);
        pass(Duration.ofSeconds(61));

        assertDegraded("the last look at the database that succeeded was PT1M1S ago");
    }

    @Test
    void overdueJobIsDegraded() {
        see(true, new JobFreshness("nightly", Duration.ofHours(26), Duration.ofHours(27), true));

        assertDegraded("nightly has not succeeded for PT27H, and must every PT26H");
    }
}
