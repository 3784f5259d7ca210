package dev.distributedscheduler.store;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.DeadLetter.Position;
import dev.distributedscheduler.DeadLetterDetails;
import dev.distributedscheduler.DeadLetterFilter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/** Looks dead letters up. */
public final class DeadLetterSearch {

    /** Rows that one search looks at, unless it takes all that it sees; and those that a search to the end does at a time. */
    public static final int WINDOW = 2_000;

    private static final int LARGE_WINDOW = 100_000;

    private final Database database;

    public DeadLetterSearch(Database database) {
        this.database = database;
    }

    /** Those that match, newest first, behind a position; without one, the end of the filter's time is where to begin. */
    public List<DeadLetter> list(DeadLetterFilter filter, @Nullable Position after, int most) {
        List<DeadLetter> all = new ArrayList<>();
        Position next = after;
        do {
            Found found = find(filter, next, most - all.size(), LARGE_WINDOW);
            all.addAll(found.letters());
            next = found.next();
        } while (next != null && all.size() < most);
        return all;
    }

    /**
     * What was found.
     *
     * @param next where to go on; null when all have been looked at
     */
    public record Found(List<DeadLetter> letters, @Nullable Position next) {}

    /**
     * As {@link #list}, but ends with a window: no index serves the type of an error. With or without a job, the window lies
     * in an index; they are apart so that the planner sees which one.
     */
    public Found find(DeadLetterFilter filter, @Nullable Position after, int most, int window) {
        List<DeadLetter> letters = new ArrayList<>();
        List<Position> end = new ArrayList<>();
        Instant before = after == null ? filter.diedBefore() : after.diedAt();
        database.sql("""
                        with looked as materialized (
                            (select run_id, died_at, error_type
                             from scheduler.dead_letter
                             where cast(:job as text) is null
                               and died_at >= coalesce(cast(:diedFrom as timestamptz), '-infinity')
                               and died_at < coalesce(cast(:diedBefore as timestamptz), 'infinity')
                               and (died_at, run_id) < (coalesce(cast(:before as timestamptz), 'infinity'),
                                                        cast(:beforeRun as bigint))
                             order by died_at desc, run_id desc
                             limit :window)
                            union all
                            (select run_id, died_at, error_type
                             from scheduler.dead_letter
                             where job = cast(:job as text)
                               and died_at >= coalesce(cast(:diedFrom as timestamptz), '-infinity')
                               and died_at < coalesce(cast(:diedBefore as timestamptz), 'infinity')
                               and (died_at, run_id) < (coalesce(cast(:before as timestamptz), 'infinity'),
                                                        cast(:beforeRun as bigint))
                             order by died_at desc, run_id desc
                             limit :window)
                        ), reached as (
                            select died_at, run_id from looked
                            where (select count(*) from looked) = :window
                            order by died_at, run_id
                            limit 1
                        ), found as materialized (
                            select run_id from looked
                            where cast(:errorType as text) is null or error_type = :errorType
                            order by died_at desc, run_id desc
                            limit :most
                        )
                        select d.*, reached.died_at as reached_at, reached.run_id as reached_run
                        from (select) one left join reached on true left join (
                            select l.run_id, job, queue, idempotency_key, tick_at, attempts, outcome, error_type, error_message,
                                   created_at, died_at
                            from found join scheduler.dead_letter l on l.run_id = found.run_id) d on true
                        order by d.died_at desc, d.run_id desc
                        """)
                .params(conditions(filter))
                .param("before", Columns.text(before))
                .param("beforeRun", after == null ? Long.MIN_VALUE : after.runId())
                .param("window", filter.errorType() == null ? most : window)
                .param("most", most)
                .query((RowCallbackHandler) row -> {
                    if (row.getObject("reached_at") != null) {
                        end.add(new Position(Columns.instant(row, "reached_at"), row.getLong("reached_run")));
                    }
                    if (row.getObject("died_at") != null) {
                        letters.add(letter(row));
                    }
                });
        Position next = letters.size() == most ? letters.get(most - 1).position() : end.isEmpty() ? null : end.get(0);
        return new Found(letters, next);
    }

    public long count(DeadLetterFilter filter) {
        return database.sql("""
                        select count(*)
                        from scheduler.dead_letter
                        where (cast(:job as text) is null or job = :job)
                          and died_at >= coalesce(cast(:diedFrom as timestamptz), '-infinity')
                          and died_at < coalesce(cast(:diedBefore as timestamptz), 'infinity')
                          and (cast(:errorType as text) is null or error_type = :errorType)
                        """).params(conditions(filter)).query(Long.class).single();
    }

    public Optional<DeadLetterDetails> find(long runId) {
        return database.sql("""
                        select run_id, job, queue, idempotency_key, tick_at, attempts, outcome, error_type, error_message,
                               created_at, died_at, max_attempts, payload, stack_trace
                        from scheduler.dead_letter
                        where run_id = :runId
                        """)
                .param("runId", runId)
                .query((row, number) -> new DeadLetterDetails(
                        letter(row),
                        row.getInt("max_attempts"),
                        row.getString("payload"),
                        row.getString("stack_trace")))
                .optional();
    }

    static Map<String, @Nullable Object> conditions(DeadLetterFilter filter) {
        Map<String, @Nullable Object> conditions = new HashMap<>();
        conditions.put("job", filter.job());
        conditions.put("diedFrom", Columns.text(filter.diedFrom()));
        conditions.put("diedBefore", Columns.text(filter.diedBefore()));
        conditions.put("errorType", filter.errorType());
        return conditions;
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong("run_id"),
                row.getString("job"),
                row.getString("queue"),
                row.getString("idempotency_key"),
                Columns.instantOrNull(row, "tick_at"),
                row.getInt("attempts"),
                row.getString("outcome"),
                row.getString("error_type"),
                row.getString("error_message"),
                Columns.instant(row, "created_at"),
                Columns.instant(row, "died_at"));
    }
}
