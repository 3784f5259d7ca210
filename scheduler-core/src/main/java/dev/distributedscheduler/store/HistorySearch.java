package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.instant;
import static dev.distributedscheduler.store.Columns.instantOrNull;

import dev.distributedscheduler.AttemptFilter;
import dev.distributedscheduler.PastAttempt;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Lists attempts of the history, however long that is: latest first, looking at a window of each job's at a time.
 *
 * <p>The index of (job, finished_at) is all there is, so that the end of a run has no further index to pay for. A search
 * over all jobs merges their latest attempts. Below the place where the window of any of them ended nothing is certain: that
 * is as far as a search goes, and where the next one goes on.
 */
public final class HistorySearch {

    /** Rows that one search looks at, all jobs together. */
    static final int WINDOW = 2_000;

    /** Rows that it looks at of each job, however many jobs there are. */
    private static final int LEAST_PER_JOB = 10;

    private final Database database;

    public HistorySearch(Database database) {
        this.database = database;
    }

    /** A place between attempts; the token is 0 for a run that was cancelled before an attempt. */
    public record Position(Instant finishedAt, long runId, long token) {}

    /**
     * What was found.
     *
     * @param next where to go on; null when all have been looked at
     */
    public record Found(
            List<PastAttempt> attempts, @Nullable Position next) {}

    public Found find(AttemptFilter filter, @Nullable Position after, int most) {
        List<PastAttempt> attempts = new ArrayList<>();
        List<Position> places = new ArrayList<>();
        List<Position> horizon = new ArrayList<>();
        Instant before = after == null ? filter.finishedBefore() : after.finishedAt();
        database.sql("""
                        with asked as materialized (
                            select cast(:job as text) as job where cast(:job as text) is not null
                            union all
                            select name from scheduler.job where cast(:job as text) is null
                        ), window_of_job as materialized (
                            select greatest(:least, least(:wanted, :window / greatest(count(*), 1))) as rows from asked
                        ), looked as materialized (
                            select l.*, row_number() over (partition by a.job order by l.finished_at desc, l.run_id desc,
                                                           l.token desc) as number
                            from asked a, lateral (
                                select coalesce(e.run_id, 0) as run_id, e.job, e.queue, e.tick_at, e.attempt, e.outcome, e.run_at,
                                       e.started_at, e.finished_at, e.error_type, e.error_message, coalesce(e.token, 0) as token
                                from scheduler.execution e
                                where e.job = a.job
                                  and e.finished_at >= coalesce(cast(:from as timestamptz), '-infinity')
                                  and e.finished_at < coalesce(cast(:finishedBefore as timestamptz), 'infinity')
                                  and e.finished_at <= coalesce(cast(:before as timestamptz), 'infinity')
                                  and (e.finished_at, coalesce(e.run_id, 0), coalesce(e.token, 0))
                                      < (coalesce(cast(:before as timestamptz), 'infinity'), :beforeRun, :beforeToken)
                                order by e.finished_at desc, coalesce(e.run_id, 0) desc, coalesce(e.token, 0) desc
                                limit (select rows from window_of_job)) l
                        ), horizon as materialized (
                            select finished_at, run_id, token
                            from looked
                            where number = (select rows from window_of_job)
                            order by finished_at desc, run_id desc, token desc
                            limit 1
                        )
                        select f.*, h.finished_at as horizon_at, h.run_id as horizon_run, h.token as horizon_token
                        from (select) one left join horizon h on true left join lateral (
                            select l.*
                            from looked l
                            where (h.run_id is null
                                   or (l.finished_at, l.run_id, l.token) >= (h.finished_at, h.run_id, h.token))
                              and l.outcome <> 'SKIPPED'
                              and (cast(:outcome as text) is null or l.outcome = :outcome)
                            order by l.finished_at desc, l.run_id desc, l.token desc
                            limit :most) f on true
                        order by f.finished_at desc, f.run_id desc, f.token desc
                        """)
                .param("job", filter.job())
                .param("outcome", filter.outcome())
                .param("from", Columns.text(filter.finishedFrom()))
                .param("finishedBefore", Columns.text(filter.finishedBefore()))
                .param("before", Columns.text(before))
                .param("beforeRun", after == null ? Long.MIN_VALUE : after.runId())
                .param("beforeToken", after == null ? Long.MIN_VALUE : after.token())
                .param("least", LEAST_PER_JOB)
                .param("wanted", filter.outcome() == null ? most : WINDOW)
                .param("window", WINDOW)
                .param("most", most)
                .query((RowCallbackHandler) row -> {
                    if (row.getObject("horizon_at") != null) {
                        horizon.add(position(row, "horizon_at", "horizon_run", "horizon_token"));
                    }
                    if (row.getObject("finished_at") != null) {
                        attempts.add(attempt(row));
                        places.add(position(row, "finished_at", "run_id", "token"));
                    }
                });
        Position next = attempts.size() == most ? places.get(most - 1) : horizon.isEmpty() ? null : horizon.get(0);
        return new Found(attempts, next);
    }

    private static Position position(ResultSet row, String at, String run, String token) throws SQLException {
        return new Position(instant(row, at), row.getLong(run), row.getLong(token));
    }

    private static PastAttempt attempt(ResultSet row) throws SQLException {
        Instant startedAt = instantOrNull(row, "started_at");
        Instant finishedAt = instant(row, "finished_at");
        return new PastAttempt(
                row.getLong("run_id"),
                row.getString("job"),
                row.getString("queue"),
                instantOrNull(row, "tick_at"),
                row.getInt("attempt"),
                row.getString("outcome"),
                instant(row, "run_at"),
                startedAt,
                finishedAt,
                startedAt == null ? null : Duration.between(startedAt, finishedAt),
                row.getString("error_type"),
                row.getString("error_message"));
    }
}
