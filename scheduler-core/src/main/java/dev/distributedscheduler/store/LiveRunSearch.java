package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.instant;
import static dev.distributedscheduler.store.Columns.instantOrNull;

import dev.distributedscheduler.RunFilter;
import dev.distributedscheduler.RunSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Lists live runs, however many there are: newest first, by id, looking at a window of them at a time.
 *
 * <p>No index serves a job or a queue in the order of the ids, and one for that would be paid for by every run. So a search
 * ends with its window, and tells where to go on. A state narrows the window itself: each has an index of its own, which the
 * planner sees only if the state is spelled out.
 */
public final class LiveRunSearch {

    /** Rows that one search looks at, unless it takes all that it sees. */
    static final int WINDOW = 2_000;

    private final Database database;

    public LiveRunSearch(Database database) {
        this.database = database;
    }

    /**
     * What was found.
     *
     * @param next where to go on; null when all have been looked at
     */
    public record Found(List<RunSummary> runs, @Nullable Long next) {}

    /** @param before only runs with smaller ids */
    public Found find(RunFilter filter, long before, int most) {
        List<RunSummary> runs = new ArrayList<>();
        long[] looked = new long[2];
        int window = filter.job() == null && filter.queue() == null ? most : WINDOW;
        database.sql("""
                        with looked as materialized (
                            (select id, job, queue from scheduler.run
                             where cast(:state as text) is null and id < :before
                             order by id desc limit :window)
                            union all
                            (select id, job, queue from scheduler.run
                             where cast(:state as text) = 'SCHEDULED' and state = 'SCHEDULED' and id < :before
                             order by id desc limit :window)
                            union all
                            (select id, job, queue from scheduler.run
                             where cast(:state as text) = 'READY' and state = 'READY' and id < :before
                             order by id desc limit :window)
                            union all
                            (select id, job, queue from scheduler.run
                             where cast(:state as text) = 'RUNNING' and state = 'RUNNING' and id < :before
                             order by id desc limit :window)
                            union all
                            (select id, job, queue from (
                                (select id, job, queue from scheduler.run
                                 where cast(:state as text) = 'BLOCKED' and blocked_by = 'KEY' and id < :before
                                 order by id desc limit :window)
                                union all
                                (select id, job, queue from scheduler.run
                                 where cast(:state as text) = 'BLOCKED' and blocked_by = 'JOB' and id < :before
                                 order by id desc limit :window)
                                union all
                                (select id, job, queue from scheduler.run
                                 where cast(:state as text) = 'BLOCKED' and blocked_by = 'ORPHAN' and id < :before
                                 order by id desc limit :window)) b
                             order by id desc limit :window)
                        ), found as materialized (
                            select id from looked
                            where (cast(:job as text) is null or job = :job)
                              and (cast(:queue as text) is null or queue = :queue)
                            order by id desc
                            limit :most
                        )
                        select (select count(*) from looked) as looked, (select min(id) from looked) as reached, f.*
                        from (select) one left join (
                            select r.id, r.job, r.queue, r.state, r.tick_at, r.created_at, r.run_at, r.blocked_by, r.attempt,
                                   r.failures, r.max_attempts, n.name as node, r.claimed_at, r.cancel_requested, r.stuck_since
                            from found
                                     join scheduler.run r on r.id = found.id
                                     left join scheduler.node n on n.id = r.node_id) f on true
                        order by f.id desc
                        """)
                .param("state", filter.state())
                .param("before", before)
                .param("window", window)
                .param("job", filter.job())
                .param("queue", filter.queue())
                .param("most", most)
                .query((RowCallbackHandler) row -> {
                    looked[0] = row.getLong("looked");
                    looked[1] = row.getLong("reached");
                    if (row.getObject("id") != null) {
                        runs.add(summary(row));
                    }
                });
        return new Found(runs, next(runs, most, looked[0] == window ? looked[1] : null));
    }

    private static @Nullable Long next(List<RunSummary> runs, int most, @Nullable Long reached) {
        return runs.size() == most ? Long.valueOf(runs.get(most - 1).runId()) : reached;
    }

    private static RunSummary summary(ResultSet row) throws SQLException {
        return new RunSummary(
                row.getLong("id"),
                row.getString("job"),
                row.getString("queue"),
                row.getString("state"),
                instantOrNull(row, "tick_at"),
                instant(row, "created_at"),
                instant(row, "run_at"),
                row.getString("blocked_by"),
                row.getInt("attempt"),
                row.getInt("failures"),
                row.getInt("max_attempts"),
                row.getString("node"),
                instantOrNull(row, "claimed_at"),
                row.getBoolean("cancel_requested"),
                instantOrNull(row, "stuck_since"));
    }
}
