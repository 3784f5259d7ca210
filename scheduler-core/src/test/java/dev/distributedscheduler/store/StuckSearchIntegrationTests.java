package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.StuckRun.Reason;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Each way in which a run can be stuck, and what is not. */
@PostgresTest
class StuckSearchIntegrationTests {

    private final TestTables tables;
    private final StuckSearch search;

    StuckSearchIntegrationTests(DataSource dataSource) {
        this.tables = new TestTables(dataSource);
        this.search = new StuckSearch(tables.database(), TestTables.HOUR);
    }

    private void claimedAgo(ClaimedRun run, String interval) {
        tables.execute("update scheduler.run set claimed_at = now() - interval '%s' where id = %d"
                .formatted(interval, run.id()));
    }

    private void history(String job, String outcome, int attempts, String each) {
        tables.execute("""
                insert into scheduler.execution (run_id, job, queue, attempt, token, outcome, run_at, started_at, finished_at)
                select n, '%s', 'default', 1, n, '%s', now(), now() - interval '%s', now()
                from generate_series(1, %d) n
                """.formatted(job, outcome, each, attempts));
    }

    @Test
    void runThatTakesAsLongAsUsualIsNotStuck() {
        claimedAgo(tables.running("job"), "59 minutes");
        history("job", "COMPLETED", 100, "6 minutes");

        assertThat(search.list()).isEmpty();
    }

    @Test
    void runFarBeyondItsHistoryIsStuck() {
        ClaimedRun run = tables.running("job");
        claimedAgo(run, "61 minutes");
        history("job", "COMPLETED", 100, "6 minutes");
        history("job", "FAILED", 500, "1 millisecond");

        assertThat(search.list()).singleElement().satisfies(stuck -> {
            assertThat(stuck.runId()).isEqualTo(run.id());
            assertThat(stuck.reason()).isEqualTo(Reason.UNUSUALLY_LONG);
            assertThat(stuck.node()).isEqualTo("node");
            assertThat(stuck.running()).isBetween(Duration.ofMinutes(61), Duration.ofMinutes(62));
            assertThat(stuck.explanation()).contains("1h1m", "last 100 successes", "at most 6m", "10 times");
        });
    }

    @Test
    void historyOfAFewRunsProvesNothing() {
        claimedAgo(tables.running("job"), "5 hours");
        history("job", "COMPLETED", 9, "1 second");

        assertThat(search.list()).isEmpty();
    }

    @Test
    void quickJobMayTakeAMinute() {
        claimedAgo(tables.running("job"), "55 seconds");
        history("job", "COMPLETED", 100, "1 millisecond");

        assertThat(search.list()).isEmpty();
    }

    @Test
    void runBeyondItsTimeoutIsStuck() {
        tables.execute("""
                insert into scheduler.job (name, queue, priority, max_attempts, timeout)
                values ('job', 'default', 0, 3, interval '10 seconds')
                """);
        claimedAgo(tables.running("job"), "35 seconds");
        assertThat(search.list()).isEmpty();

        tables.execute("update scheduler.run set claimed_at = now() - interval '41 seconds'");

        assertThat(search.list()).singleElement().satisfies(stuck -> {
            assertThat(stuck.reason()).isEqualTo(Reason.OVER_TIMEOUT);
            assertThat(stuck.explanation()).contains("its timeout is 10s");
        });
    }

    @Test
    void runOfASilentNodeIsStuckAndSoIsOneOfAMissingNode() {
        ClaimedRun silent = tables.running("silent");
        ClaimedRun missing = tables.running("missing");
        tables.execute("update scheduler.node set lease_until = now() + interval '19 minutes' where id = '%s'"
                .formatted(silent.nodeId()));
        tables.execute("delete from scheduler.node where id = '%s'".formatted(missing.nodeId()));

        List<StuckRun> stuck = search.list();

        assertThat(stuck).extracting(StuckRun::reason).containsExactly(Reason.NODE_LATE, Reason.NODE_LATE);
        assertThat(stuck.get(0).explanation()).contains("node has given no sign of life for 41m");
        assertThat(stuck.get(1).node()).isNull();
        assertThat(stuck.get(1).explanation()).contains("its node is gone");
    }

    @Test
    void handlerThatIgnoresItsInterruptIsStuck() {
        ClaimedRun run = tables.running("job");
        new RunReports(tables.database()).stuck(run, "at here");

        assertThat(search.list())
                .singleElement()
                .satisfies(stuck -> assertThat(stuck.reason()).isEqualTo(Reason.IGNORES_INTERRUPT));
    }
}
