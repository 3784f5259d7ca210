package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.ClusterOverview;
import dev.distributedscheduler.ClusterOverview.Count;
import dev.distributedscheduler.ClusterOverview.Depth;
import dev.distributedscheduler.ClusterOverview.Orphans;
import dev.distributedscheduler.JobDetails;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class OverviewIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;

    OverviewIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void prepare() {
        tables = new TestTables(dataSource);
    }

    private ClusterOverview look() {
        return new Overview(tables.database()).look();
    }

    private void many(String queue, int runs) {
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                select 'job', '%s', 'READY', 0, now() - i * interval '1 second', now() - i * interval '1 second', 3
                from generate_series(1, %d) i
                """.formatted(queue, runs));
    }

    @Test
    void emptyClusterHasNothing() {
        ClusterOverview seen = look();

        assertThat(seen.leader()).isNull();
        assertThat(seen.nodes()).isEmpty();
        assertThat(seen.queues()).isEmpty();
        assertThat(seen.oldestDueAge()).isNull();
        assertThat(seen.live()).isEqualTo(new Count(0, false, null));
        assertThat(seen.dead()).isEqualTo(new Count(0, false, null));
    }

    @Test
    void leaderIsShownWhileItsLeaseHolds() {
        UUID node = tables.node("job");
        new LeaseStore(tables.database()).acquire(node, TestTables.HOUR);
        assertThat(look().leader().name()).isEqualTo("node");
        assertThat(look().term()).isEqualTo(1);

        tables.expireLeader();
        tables.expire(node);

        assertThat(look().leader()).isNull();
        assertThat(look().term()).isEqualTo(1);
        assertThat(look().nodes())
                .singleElement()
                .satisfies(seen -> assertThat(seen.alive()).isFalse());
    }

    @Test
    void runsAreCountedByQueueAndState() {
        tables.ready("job", "mail", Priority.NORMAL, Duration.ofMinutes(3));
        tables.ready("job", "mail", Priority.HIGH, Duration.ZERO);
        tables.delayed("job", TestTables.HOUR);
        long stuck = tables.running("job").id();
        tables.execute("update scheduler.run set stuck_since = now() where id = " + stuck);
        long orphan = tables.ready("gone");
        tables.execute("update scheduler.run set state = 'BLOCKED', blocked_by = 'ORPHAN' where id = " + orphan);

        ClusterOverview seen = look();

        assertThat(seen.queues())
                .containsExactlyInAnyOrder(
                        new Depth("mail", "READY", 2, false),
                        new Depth("default", "SCHEDULED", 1, false),
                        new Depth("default", "RUNNING", 1, false),
                        new Depth("default", "BLOCKED", 1, false));
        assertThat(seen.live()).isEqualTo(new Count(5, false, null));
        assertThat(seen.stuck()).isEqualTo(1);
        assertThat(seen.orphaned()).containsExactly(new Orphans("gone", 1, false));
        assertThat(seen.oldestDueAge()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(30));
        assertThat(seen.nodes())
                .singleElement()
                .satisfies(node -> assertThat(node.running()).isEqualTo(1));
    }

    /** What nobody puts in line, because there is no leader, waits too. */
    @Test
    void delayedRunWhoseTimeHasComeIsDue() {
        tables.delayed("job", Duration.ofMinutes(-2));

        assertThat(look().oldestDueAge()).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(30));
    }

    @Test
    void longLineIsNotCountedToItsEnd() {
        many("a", Overview.COUNTED + 10);
        many("b", 3);
        tables.execute("""
                insert into scheduler.dead_letter (run_id, job, queue, priority, attempts, max_attempts, outcome, created_at)
                select i, 'job', 'a', 0, 3, 3, 'FAILED', now() from generate_series(1, %d) i
                """.formatted(Overview.COUNTED + 1));
        tables.execute("analyze scheduler.run, scheduler.dead_letter");

        ClusterOverview seen = look();

        assertThat(seen.queues())
                .containsExactly(
                        new Depth("a", "READY", Overview.COUNTED / 2, true), new Depth("b", "READY", 3, false));
        assertThat(seen.live()).isEqualTo(new Count(Overview.COUNTED / 2 + 3, true, Overview.COUNTED + 13L));
        assertThat(seen.dead()).isEqualTo(new Count(Overview.COUNTED, true, Overview.COUNTED + 1L));
        // the head of the line is its oldest part
        assertThat(seen.oldestDueAge()).isGreaterThanOrEqualTo(Duration.ofSeconds(Overview.COUNTED + 10));
    }

    @Test
    void jobsAreShownWithTheNodesThatKnowThem() {
        tables.execute("""
                insert into scheduler.job (name, queue, priority, max_attempts, max_concurrent)
                values ('known', 'q', 5, 3, 2), ('forgotten', 'q', 0, 1, null)
                """);
        tables.node("known");
        tables.node("known");
        tables.expire(tables.node("known", "forgotten"));
        JobSearch search = new JobSearch(tables.database());
        JobDetails known = new JobDetails("known", "q", 5, 3, 2, 2);

        assertThat(search.list(null, 10)).containsExactly(new JobDetails("forgotten", "q", 0, 1, null, 0), known);
        assertThat(search.list("kn", 10)).containsExactly(known);
        assertThat(search.find("known")).contains(known);
        assertThat(search.find("unknown")).isEmpty();
    }
}
