package dev.distributedscheduler.store;

import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.StuckRun.Reason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs that are RUNNING and should not be any more.
 *
 * <p>What is unusual for a job, its own history says: more than {@value #TIMES} times the time that 95 of its last 100
 * successes stayed below. It is asked only about jobs that have a run of more than {@link #LEAST_UNUSUAL}, which is why this
 * costs nothing most of the time. No more rows are read than there are slots in the cluster, and a thousand per such job.
 */
public final class StuckSearch {

    private static final int TIMES = 10;
    private static final int SUCCESSES_TO_JUDGE_BY = 10;
    private static final Duration LEAST_UNUSUAL = Duration.ofMinutes(1);
    /** For an interrupted handler to end and its result to be recorded. */
    private static final Duration BEYOND_TIMEOUT = Duration.ofSeconds(30);

    private final Database database;
    private final Duration nodeLease;

    /** @param nodeLease of the nodes: one that has used up two thirds of it has missed heartbeats */
    public StuckSearch(Database database, Duration nodeLease) {
        this.database = database;
        this.nodeLease = nodeLease;
    }

    /** Longest first. */
    public List<StuckRun> list() {
        return database.sql("""
                        with suspect as materialized (
                            select r.id, r.job, r.queue, r.attempt, r.claimed_at, now() - r.claimed_at as running,
                                   now() - r.stuck_since as stuck_for, n.name as node, j.timeout,
                                   :lease * interval '1 millisecond' - (n.lease_until - now()) as silent_for,
                                   coalesce(n.lease_until < now() + :lease * interval '1 millisecond' / 3, true) as late
                            from scheduler.run r
                                     left join scheduler.node n on n.id = r.node_id
                                     left join scheduler.job j on j.name = r.job
                            where r.state = 'RUNNING'
                              and (n.id is null
                                   or n.lease_until < now() + :lease * interval '1 millisecond' / 3
                                   or r.stuck_since is not null
                                   or r.claimed_at < now() - j.timeout - :beyond * interval '1 millisecond'
                                   or r.claimed_at < now() - :unusual * interval '1 millisecond')
                            order by r.claimed_at
                            limit 5000
                        ), usual as materialized (
                            select s.job, h.successes, h.p95
                            from (select distinct job from suspect) s,
                                 lateral (select count(*) as successes,
                                                 percentile_disc(0.95) within group (order by e.ran) as p95
                                          from (select e.finished_at - e.started_at as ran
                                                from (select outcome, started_at, finished_at from scheduler.execution
                                                      where job = s.job
                                                      order by finished_at desc limit 1000) e
                                                where e.outcome = 'COMPLETED' and e.started_at is not null
                                                limit 100) e) h
                        )
                        select s.id, s.job, s.queue, s.attempt, s.node, s.claimed_at, s.late,
                               extract(epoch from s.running) as running,
                               extract(epoch from s.stuck_for) as stuck_for,
                               extract(epoch from s.silent_for) as silent_for,
                               extract(epoch from s.timeout) as timeout,
                               s.running > s.timeout + :beyond * interval '1 millisecond' as over_timeout,
                               u.successes, extract(epoch from u.p95) as p95
                        from suspect s join usual u on u.job = s.job
                        where s.late or s.stuck_for is not null
                           or s.running > s.timeout + :beyond * interval '1 millisecond'
                           or (u.successes >= :enough
                               and s.running > greatest(:times * u.p95, :unusual * interval '1 millisecond'))
                        order by s.claimed_at
                        limit 1000
                        """)
                .param("lease", nodeLease.toMillis())
                .param("beyond", BEYOND_TIMEOUT.toMillis())
                .param("unusual", LEAST_UNUSUAL.toMillis())
                .param("enough", SUCCESSES_TO_JUDGE_BY)
                .param("times", TIMES)
                .query((row, number) -> stuck(row))
                .list();
    }

    private static StuckRun stuck(ResultSet row) throws SQLException {
        Reason reason = reason(row);
        Duration running = seconds(row, "running");
        return new StuckRun(
                row.getLong("id"),
                row.getString("job"),
                row.getString("queue"),
                row.getInt("attempt"),
                row.getString("node"),
                Columns.instant(row, "claimed_at"),
                running,
                reason,
                explain(reason, running, row));
    }

    private static Reason reason(ResultSet row) throws SQLException {
        if (row.getBoolean("late")) {
            return Reason.NODE_LATE;
        }
        if (row.getObject("stuck_for") != null) {
            return Reason.IGNORES_INTERRUPT;
        }
        return row.getBoolean("over_timeout") ? Reason.OVER_TIMEOUT : Reason.UNUSUALLY_LONG;
    }

    private static String explain(Reason reason, Duration running, ResultSet row) throws SQLException {
        @Nullable String node = row.getString("node");
        return switch (reason) {
            case NODE_LATE ->
                node == null
                        ? "its node is gone; the leader takes the run back"
                        : "its node %s has given no sign of life for %s; the leader takes the run back when its lease ends"
                                .formatted(node, text(seconds(row, "silent_for")));
            case IGNORES_INTERRUPT ->
                "its handler was interrupted and ignores that for %s; the run's details have the stack of its thread"
                        .formatted(text(seconds(row, "stuck_for")));
            case OVER_TIMEOUT ->
                "it has been running for %s, and its timeout is %s"
                        .formatted(text(running), text(seconds(row, "timeout")));
            case UNUSUALLY_LONG ->
                "it has been running for %s; 95 %% of the last %d successes of its job took at most %s, and %d times that, but at least %s, is the limit"
                        .formatted(
                                text(running),
                                row.getInt("successes"),
                                text(seconds(row, "p95")),
                                TIMES,
                                text(LEAST_UNUSUAL));
        };
    }

    private static Duration seconds(ResultSet row, String column) throws SQLException {
        return Duration.ofMillis(Math.round(row.getDouble(column) * 1_000));
    }

    /** As people write it: 1h2m3.004s. */
    private static String text(Duration span) {
        return span.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
