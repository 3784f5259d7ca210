package dev.distributedscheduler.faults;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What happened according to the scheduler: its table {@code execution}. */
final class History {

    private final JdbcClient sql;

    History(JdbcClient sql) {
        this.sql = sql;
    }

    /** A row of the history. */
    record Execution(String job, Instant tick, long run, int attempt, long token, String outcome) {

        boolean isOf(long otherRun, int otherAttempt, long otherToken) {
            return run == otherRun && attempt == otherAttempt && token == otherToken;
        }
    }

    List<Execution> within(Period period) {
        return sql.sql("""
                        select job, tick_at, run_id, attempt, token, outcome
                        from scheduler.execution
                        where tick_at >= :start and tick_at < :end
                        order by finished_at
                        """)
                .param("start", period.startForSql())
                .param("end", period.endForSql())
                .query((row, number) -> new Execution(
                        row.getString("job"),
                        row.getObject("tick_at", OffsetDateTime.class).toInstant(),
                        row.getLong("run_id"),
                        row.getInt("attempt"),
                        row.getLong("token"),
                        row.getString("outcome")))
                .list();
    }

    /** Attempts and outcomes of a job's runs, such as {@code 1 LOST}, sorted. */
    List<String> outcomesOf(String job) {
        return sql.sql("""
                        select attempt || ' ' || outcome from scheduler.execution where job = :job order by 1
                        """).param("job", job).query(String.class).list();
    }
}
