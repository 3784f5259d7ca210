package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.ClusterSnapshot.Depth;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.util.Arrays;
import javax.sql.DataSource;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/**
 * Measures a look at a long queue: {@code -Dwatch.runs=1000000 -Dit.test=ClusterSurveyScaleIntegrationTests}.
 *
 * <p>The time that it asserts is a bound that counting all rows would break at a million runs, not what was measured.
 */
@PostgresTest
class ClusterSurveyScaleIntegrationTests {

    private static final int RUNS = Integer.getInteger("watch.runs", 100_000);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final TestTables tables;

    ClusterSurveyScaleIntegrationTests(DataSource dataSource) {
        this.tables = new TestTables(dataSource);
    }

    @Test
    void lookCostsTheSameHoweverLongTheQueueIs() {
        ClusterSurvey survey = new ClusterSurvey(tables.database(), Duration.ofSeconds(30));
        fill(1_000);
        Duration few = median(survey);
        fill(RUNS - 1_000);
        Duration many = median(survey);

        ClusterSnapshot snapshot = survey.look(PATIENCE, 2_000);
        long counted = System.nanoTime();
        long exact = tables.count("select count(*) from scheduler.run where state = 'READY' and queue = 'default'");
        Duration counting = Duration.ofNanos(System.nanoTime() - counted);
        long estimated = snapshot.depths().stream()
                .filter(depth ->
                        depth.queue().equals("default") && depth.state().equals("READY"))
                .mapToLong(Depth::runs)
                .sum();
        System.out.printf(
                "MEASURED look at 1,000 runs %d ms, at %,d runs %d ms (counting one queue: %d ms); depth %,d for %,d%n",
                few.toMillis(), RUNS, many.toMillis(), counting.toMillis(), estimated, exact);
        assertThat(many).isLessThan(Duration.ofMillis(500));
        assertThat(estimated).isCloseTo(exact, Percentage.withPercentage(15));
    }

    private Duration median(ClusterSurvey survey) {
        long[] nanos = new long[9];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = survey.look(PATIENCE, 2_000).took().toNanos();
        }
        Arrays.sort(nanos);
        return Duration.ofNanos(nanos[nanos.length / 2]);
    }

    /** In two queues, a fifth of it for later, as nobody has analyzed it yet. */
    private void fill(int runs) {
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts, payload)
                select 'job-' || n %% 20, case when n %% 10 = 0 then 'slow' else 'default' end,
                       case when n %% 5 = 1 then 'SCHEDULED' else 'READY' end, 0, due, due, 3, '{"number":' || n || '}'
                from generate_series(1, %d) n,
                     lateral (select now() + (n %% 5 - 0.5) * n * interval '10 ms' as due) d
                """.formatted(runs));
    }
}
