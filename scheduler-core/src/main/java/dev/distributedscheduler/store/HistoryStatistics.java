package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.instantOrNull;

import dev.distributedscheduler.JobStatistics;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sums the history of a job up: of its latest attempts in a span of time, so that the effort is the same however many. */
public final class HistoryStatistics {

    private final Database database;

    public HistoryStatistics(Database database) {
        this.database = database;
    }

    /** @param sample how many of the latest attempts are counted */
    public JobStatistics of(String job, Instant from, Instant until, int sample) {
        return database.sql("""
                        with counted as materialized (
                            select outcome, finished_at,
                                   case when outcome = 'COMPLETED'
                                        then extract(epoch from finished_at - started_at) * 1000000 end as ran
                            from scheduler.execution
                            where job = :job
                              and finished_at >= cast(:from as timestamptz) and finished_at < cast(:until as timestamptz)
                            order by finished_at desc
                            limit :sample
                        )
                        select count(*) as attempts, min(finished_at) as since,
                               max(finished_at) filter (where outcome = 'COMPLETED') as last_success,
                               percentile_disc(0.5) within group (order by ran) as p50,
                               percentile_disc(0.95) within group (order by ran) as p95,
                               max(ran) as longest,
                               array(select outcome from counted group by outcome order by outcome) as outcomes,
                               array(select count(*) from counted group by outcome order by outcome) as counts
                        from counted
                        """)
                .param("job", job)
                .param("from", from.toString())
                .param("until", until.toString())
                .param("sample", sample)
                .query((row, number) -> statistics(row, job, from, until, sample))
                .single();
    }

    private static JobStatistics statistics(ResultSet row, String job, Instant from, Instant until, int sample)
            throws SQLException {
        long attempts = row.getLong("attempts");
        boolean sampled = attempts == sample;
        Map<String, Long> outcomes = outcomes(row);
        return new JobStatistics(
                job,
                sampled ? Objects.requireNonNull(instantOrNull(row, "since")) : from,
                until,
                sampled,
                attempts,
                outcomes,
                successRate(outcomes),
                micros(row, "p50"),
                micros(row, "p95"),
                micros(row, "longest"),
                instantOrNull(row, "last_success"));
    }

    private static Map<String, Long> outcomes(ResultSet row) throws SQLException {
        String[] names = (String[]) row.getArray("outcomes").getArray();
        Long[] counts = (Long[]) row.getArray("counts").getArray();
        Map<String, Long> outcomes = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            outcomes.put(names[i], counts[i]);
        }
        return outcomes;
    }

    /** Attempts that were put off, interrupted by a shutdown or cancelled are neither successes nor failures. */
    private static @Nullable Double successRate(Map<String, Long> outcomes) {
        long completed = outcomes.getOrDefault("COMPLETED", 0L);
        long decided = completed
                + outcomes.getOrDefault("FAILED", 0L)
                + outcomes.getOrDefault("TIMED_OUT", 0L)
                + outcomes.getOrDefault("LOST", 0L);
        return decided == 0 ? null : (double) completed / decided;
    }

    private static @Nullable Duration micros(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Duration.ofNanos(micros * 1_000);
    }
}
