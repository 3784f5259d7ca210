package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ways back in line. */
@PostgresTest
class RunQueueIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private RunQueue queue;

    RunQueueIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void emptyQueue() {
        tables = new TestTables(dataSource);
        queue = new RunQueue(tables.database());
    }

    private List<String> ids(String state) {
        return tables.texts("select id from scheduler.run where state = '%s' order by id".formatted(state));
    }

    @Test
    void delayedRunsGetInLineWhenTheirTimeHasCome() {
        long due = tables.delayed("job", Duration.ofSeconds(-1));
        long later = tables.delayed("job", Duration.ofHours(1));

        assertThat(new Promotion(tables.database()).promoteDue(10)).isEqualTo(1);

        assertThat(ids("READY")).containsExactly(Long.toString(due));
        assertThat(ids("SCHEDULED")).containsExactly(Long.toString(later));
        assertThat(new Promotion(tables.database()).promoteDue(10)).isZero();
    }

    @Test
    void promotionIsBoundedAndTakesTheMostOverdueFirst() {
        tables.delayed("job", Duration.ofSeconds(-1));
        long oldest = tables.delayed("job", Duration.ofSeconds(-9));
        long old = tables.delayed("job", Duration.ofSeconds(-8));

        assertThat(new Promotion(tables.database()).promoteDue(2)).isEqualTo(2);

        assertThat(ids("READY")).containsExactly(Long.toString(oldest), Long.toString(old));
    }

    @Test
    void promotionCountsTheRunsOfAllQueues() {
        tables.insert("job", "one", "SCHEDULED", Priority.NORMAL, Duration.ofSeconds(-1), 3);
        tables.insert("job", "two", "SCHEDULED", Priority.NORMAL, Duration.ofSeconds(-1), 3);
        tables.insert("job", "two", "SCHEDULED", Priority.NORMAL, Duration.ofSeconds(-1), 3);

        assertThat(new Promotion(tables.database()).promoteDue(10)).isEqualTo(3);
    }

    @Test
    void claimsWhoseReplyWasLostAreGivenBack() {
        UUID node = tables.node("job");
        tables.ready("job");
        ClaimedRun known = tables.claim(node, "job");
        tables.ready("job");
        ClaimedRun unknown = tables.claim(node, "job");

        assertThat(queue.giveBackUnheld(node, "default", Set.of(known.token()))).isEqualTo(1);

        assertThat(ids("READY")).containsExactly(Long.toString(unknown.id()));
        assertThat(ids("RUNNING")).containsExactly(Long.toString(known.id()));
        assertThat(tables.text("select concat(token, node_id, claimed_at) from scheduler.run where state = 'READY'"))
                .isEmpty();
    }

    @Test
    void nothingIsTakenFromAnotherNodeOrQueue() {
        ClaimedRun run = tables.running("job");

        assertThat(queue.giveBackUnheld(UUID.randomUUID(), "default", Set.of())).isZero();
        assertThat(queue.giveBackUnheld(run.nodeId(), "slow", Set.of())).isZero();
        assertThat(queue.giveBackUnheld(run.nodeId(), "default", Set.of(run.token())))
                .isZero();
        assertThat(ids("RUNNING")).hasSize(1);
    }

    @Test
    void runsOfLostNodesAreFoundAndThoseOfLiveOnesAreNot() {
        ClaimedRun lost = tables.running("job");
        ClaimedRun alsoLost = tables.running("job");
        tables.running("job");
        tables.ready("job");
        NodeStore nodes = new NodeStore(tables.database());
        nodes.deregister(lost.nodeId());
        nodes.deregister(alsoLost.nodeId());

        assertThat(queue.lockRunsOfLostNodes(10)).containsExactly(lost, alsoLost);
        assertThat(queue.lockRunsOfLostNodes(1)).containsExactly(lost);
    }

    @Test
    void nodeWhoseLeaseHasRunOutIsNotLostBeforeItIsExpelled() {
        tables.expire(tables.running("job").nodeId());

        assertThat(queue.lockRunsOfLostNodes(10)).isEmpty();
    }

    @Test
    void lostRunThatSomebodyElseHasLockedIsLeftOut() throws SQLException {
        ClaimedRun lost = tables.running("job");
        new NodeStore(tables.database()).deregister(lost.nodeId());
        try (OpenTransaction other = new OpenTransaction(dataSource)) {
            assertThat(new RunQueue(other.database()).lockRunsOfLostNodes(10)).hasSize(1);

            assertThat(queue.lockRunsOfLostNodes(10)).isEmpty();
        }
    }
}
