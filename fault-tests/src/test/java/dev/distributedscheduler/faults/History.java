package dev.distributedscheduler.faults;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What happened according to the scheduler: its table {@code execution}. */
final class History {

    private static final RowMapper<Execution> EXECUTION = (row, number) -> {
        OffsetDateTime tick = row.getObject("tick_at", OffsetDateTime.class);
        return new Execution(
                row.getString("job"),
                tick == null ? null : tick.toInstant(),
                row.getLong("run_id"),
                row.getInt("attempt"),
                row.getLong("token"),
                row.getObject("node_id", UUID.class),
                row.getString("outcome"));
    };

    private final JdbcClient sql;

    History(JdbcClient sql) {
        this.sql = sql;
    }

    /**
     * A row of the history.
     *
     * @param tick null for a run that was enqueued by the test
     */
    record Execution(String job, Instant tick, long run, int attempt, long token, UUID node, String outcome) {

        boolean isOf(long otherRun, int otherAttempt, long otherToken) {
            return run == otherRun && attempt == otherAttempt && token == otherToken;
        }
    }

    List<Execution> within(Period period) {
        return sql.sql("""
                        select job, tick_at, run_id, attempt, token, node_id, outcome
                        from scheduler.execution
                        where tick_at >= :start and tick_at < :end
                        order by finished_at
                        """)
                .param("start", period.startForSql())
                .param("end", period.endForSql())
                .query(EXECUTION)
                .list();
    }

    List<Execution> of(String job) {
        return sql.sql("""
                        select job, tick_at, run_id, attempt, token, node_id, outcome
                        from scheduler.execution
                        where job = :job
                        order by finished_at
                        """).param("job", job).query(EXECUTION).list();
    }

    /** Attempts and outcomes of a job's runs, such as {@code 1 LOST}, sorted. */
    List<String> outcomesOf(String job) {
        return sql.sql("""
                        select attempt || ' ' || outcome from scheduler.execution where job = :job order by 1
                        """).param("job", job).query(String.class).list();
    }

    /** Attempts and outcomes of one run. */
    List<String> outcomesOf(long run) {
        return sql.sql("""
                        select attempt || ' ' || outcome from scheduler.execution where run_id = :run order by 1
                        """).param("run", run).query(String.class).list();
    }

    /** How long after their ticks the first attempts of runs began, by the database's clock. */
    String lateness(Period period) {
        return sql.sql("""
                        select format('p50 %s ms, p95 %s ms, p99 %s ms, most %s ms',
                                      round(p[1]::numeric, 1), round(p[2]::numeric, 1), round(p[3]::numeric, 1),
                                      round(p[4]::numeric, 1))
                        from (select percentile_cont(array[0.5, 0.95, 0.99, 1]) within group (
                                  order by extract(epoch from started_at - tick_at) * 1000) as p
                              from scheduler.execution
                              where attempt = 1 and tick_at >= :start and tick_at < :end) l
                        """)
                .param("start", period.startForSql())
                .param("end", period.endForSql())
                .query(String.class)
                .single();
    }
}
