package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.AttemptFilter;
import dev.distributedscheduler.JobStatistics;
import dev.distributedscheduler.PastAttempt;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.store.HistorySearch.Found;
import dev.distributedscheduler.store.HistorySearch.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@PostgresTest
class HistorySearchIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private HistorySearch search;

    HistorySearchIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void prepare() {
        tables = new TestTables(dataSource);
        search = new HistorySearch(tables.database());
    }

    private void jobs(String... names) {
        for (String name : names) {
            tables.execute("insert into scheduler.job (name, queue, priority, max_attempts) values ('%s', 'q', 0, 3)"
                    .formatted(name));
        }
    }

    /** Of several jobs, with many ends at the same moment, in this month and in the default partition, and with skips. */
    private void fill(int rows) {
        tables.execute("""
                insert into scheduler.execution (run_id, job, queue, attempt, token, outcome, run_at, started_at, finished_at)
                select case when i %% 10 = 0 then null else i end, 'job-' || case when i %% 3 < 2 then 1 else i %% 4 end, 'q', 1,
                       case when i %% 7 = 0 then null else i end,
                       case when i %% 10 = 0 then 'SKIPPED' when i %% 25 = 1 then 'FAILED' else 'COMPLETED' end, now(), now(),
                       date_trunc('hour', now()) - (i / 8) * interval '1 hour'
                from generate_series(1, %d) i
                """.formatted(rows));
    }

    private List<Long> all(AttemptFilter filter, int most) {
        List<Long> seen = new ArrayList<>();
        Position after = null;
        do {
            Found found = search.find(filter, after, most);
            assertThat(found.attempts()).hasSizeLessThanOrEqualTo(most);
            found.attempts().forEach(attempt -> seen.add(attempt.runId()));
            after = found.next();
        } while (after != null);
        return seen;
    }

    private List<Long> expected(String condition) {
        return tables.texts("""
                        select run_id from scheduler.execution where outcome <> 'SKIPPED' and %s
                        order by finished_at desc, run_id desc, coalesce(token, 0) desc
                        """.formatted(condition)).stream()
                .map(Long::valueOf)
                .toList();
    }

    /** Jobs with few attempts would come long before their time without the horizon. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 50, 500})
    void pagesHaveEachAttemptOnceAndInOrder(int most) {
        jobs("job-0", "job-1", "job-2", "job-3", "never-ran");
        fill(most == 1 ? 300 : 3_000);

        assertThat(all(AttemptFilter.ALL, most)).isEqualTo(expected("true"));
        assertThat(all(AttemptFilter.ALL.job("job-1"), most)).isEqualTo(expected("job = 'job-1'"));
        assertThat(all(AttemptFilter.ALL.outcome("FAILED"), most)).isEqualTo(expected("outcome = 'FAILED'"));
    }

    @Test
    void timesAndOutcomesFilter() {
        jobs("job-0", "job-1", "job-2", "job-3");
        fill(500);
        Instant hour = tables.instant("select date_trunc('hour', now())");
        Instant from = hour.minus(Duration.ofHours(20));
        Instant before = hour.minus(Duration.ofHours(5));

        assertThat(all(AttemptFilter.ALL.finishedFrom(from).finishedBefore(before), 50))
                .isEqualTo(expected("finished_at >= '%s' and finished_at < '%s'".formatted(from, before)))
                .isNotEmpty();
        assertThat(all(AttemptFilter.ALL.job("job-1").outcome("FAILED").finishedBefore(before), 50))
                .isEqualTo(expected("job = 'job-1' and outcome = 'FAILED' and finished_at < '%s'".formatted(before)))
                .isNotEmpty();
        // a position later than the bound does not widen it
        assertThat(search.find(AttemptFilter.ALL.finishedBefore(before), new Position(hour.plusSeconds(9), 1, 1), 50)
                        .attempts())
                .allMatch(attempt -> attempt.finishedAt().isBefore(before));
    }

    @Test
    void jobThatNobodyDeclaresAnyMoreIsFoundByName() {
        fill(10);

        assertThat(all(AttemptFilter.ALL.job("job-1"), 50)).isEqualTo(expected("job = 'job-1'"));
        assertThat(all(AttemptFilter.ALL.job("unknown"), 50)).isEmpty();
        assertThat(all(AttemptFilter.ALL, 50)).isEmpty();
    }

    @Test
    void attemptHasItsDuration() {
        tables.execute("""
                insert into scheduler.execution (run_id, job, queue, attempt, outcome, run_at, started_at, finished_at, error_type)
                values (1, 'job', 'q', 2, 'FAILED', now(), now() - interval '90 seconds', now(), 'some.Error')
                """);

        PastAttempt attempt =
                search.find(AttemptFilter.ALL.job("job"), null, 1).attempts().get(0);

        assertThat(attempt.duration()).isEqualTo(Duration.ofSeconds(90));
        assertThat(attempt.attempt()).isEqualTo(2);
        assertThat(attempt.errorType()).isEqualTo("some.Error");
    }

    private void ended(String outcome, int seconds, int count) {
        tables.execute("""
                insert into scheduler.execution (run_id, job, queue, attempt, outcome, run_at, started_at, finished_at)
                select i, 'job', 'q', 1, '%s', now(), now() - interval '%d seconds', now() from generate_series(1, %d) i
                """.formatted(outcome, seconds, count));
    }

    private JobStatistics statistics(int sample) {
        Instant now = tables.now();
        return new HistoryStatistics(tables.database())
                .of("job", now.minus(TestTables.HOUR), now.plus(TestTables.HOUR), sample);
    }

    @Test
    void statisticsCountOutcomesAndDurations() {
        ended("COMPLETED", 1, 10);
        ended("COMPLETED", 20, 9);
        ended("COMPLETED", 300, 1);
        ended("FAILED", 1_000, 3);
        ended("LOST", 1_000, 2);
        ended("SNOOZED", 1_000, 7);

        JobStatistics statistics = statistics(100);

        assertThat(statistics.outcomes()).isEqualTo(Map.of("COMPLETED", 20L, "FAILED", 3L, "LOST", 2L, "SNOOZED", 7L));
        assertThat(statistics.attempts()).isEqualTo(32);
        assertThat(statistics.successRate()).isEqualTo(0.8);
        assertThat(statistics.p50()).isEqualTo(Duration.ofSeconds(1));
        assertThat(statistics.p95()).isEqualTo(Duration.ofSeconds(20));
        assertThat(statistics.longest()).isEqualTo(Duration.ofSeconds(300));
        assertThat(statistics.lastSuccess()).isNotNull();
        assertThat(statistics.sampled()).isFalse();
    }

    @Test
    void statisticsOfVeryManySayHowFarTheyGo() {
        ended("COMPLETED", 1, 20);
        tables.execute("update scheduler.execution set finished_at = now() - run_id * interval '1 minute'");

        JobStatistics statistics = statistics(10);

        assertThat(statistics.sampled()).isTrue();
        assertThat(statistics.attempts()).isEqualTo(10);
        assertThat(Duration.between(statistics.since(), statistics.lastSuccess()))
                .isEqualTo(Duration.ofMinutes(9));
    }

    @Test
    void statisticsOfNothing() {
        JobStatistics statistics = statistics(10);

        assertThat(statistics.attempts()).isZero();
        assertThat(statistics.successRate()).isNull();
        assertThat(statistics.p95()).isNull();
        assertThat(statistics.lastSuccess()).isNull();
    }
}
