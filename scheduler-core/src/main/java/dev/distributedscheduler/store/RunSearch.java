package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.instant;
import static dev.distributedscheduler.store.Columns.instantOrNull;

import dev.distributedscheduler.PreviousSuccess;
import dev.distributedscheduler.Progress;
import dev.distributedscheduler.RunDetails;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.run.RunState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks runs up, in the queue and in the history. */
public final class RunSearch {

    private final Database database;

    public RunSearch(Database database) {
        this.database = database;
    }

    /** What one row of the answer says: the run as it is, which is the same in all rows, and one of its attempts. */
    private record Row(
            String job,
            String queue,
            @Nullable Instant tick,
            @Nullable String state,
            RunDetails.@Nullable Live live,
            RunDetails.@Nullable Attempt attempt) {}

    /** One statement, so that a run which ends meanwhile is seen either live or ended. */
    public Optional<RunDetails> find(long runId) {
        List<Row> rows = database.sql("""
                        with past as (
                            select job, queue, tick_at, attempt, outcome, started_at, finished_at, error_type, error_message
                            from scheduler.execution
                            where run_id = :id
                        )
                        select coalesce(r.job, p.job) as job, coalesce(r.queue, p.queue) as queue,
                               coalesce(r.tick_at, p.tick_at) as tick_at,
                               r.state, r.run_at, r.blocked_by, r.idempotency_key, r.attempt as live_attempt, r.failures,
                               r.max_attempts, n.name as node, r.claimed_at, r.cancel_requested, r.progress_done,
                               r.progress_total, r.progress_message, r.stuck_since, r.stuck_stack,
                               p.attempt, p.outcome, p.started_at, p.finished_at, p.error_type, p.error_message
                        from (select * from scheduler.run where id = :id) r
                                 left join scheduler.node n on n.id = r.node_id
                                 full join past p on true
                        order by p.attempt, p.finished_at
                        """)
                .param("id", runId)
                .query((row, number) -> new Row(
                        row.getString("job"),
                        row.getString("queue"),
                        instantOrNull(row, "tick_at"),
                        row.getString("state"),
                        row.getString("state") == null ? null : live(row),
                        row.getString("outcome") == null ? null : attempt(row)))
                .list();
        return rows.stream().findFirst().map(first -> {
            List<RunDetails.Attempt> attempts =
                    rows.stream().map(Row::attempt).filter(Objects::nonNull).toList();
            String state = first.state() == null ? lastState(attempts) : first.state();
            return new RunDetails(runId, first.job(), first.queue(), state, first.tick(), first.live(), attempts);
        });
    }

    /** A result that came too late says nothing about what became of the run. */
    private static String lastState(List<RunDetails.Attempt> attempts) {
        String last = attempts.stream()
                .map(RunDetails.Attempt::outcome)
                .filter(outcome -> !outcome.equals(Outcome.STALE.name()))
                .reduce((earlier, later) -> later)
                .orElse("");
        boolean namesTheState = last.equals(RunState.COMPLETED.name()) || last.equals(RunState.CANCELLED.name());
        return namesTheState ? last : RunState.DEAD.name();
    }

    private static RunDetails.Live live(ResultSet row) throws SQLException {
        return new RunDetails.Live(
                instant(row, "run_at"),
                row.getString("blocked_by"),
                row.getString("idempotency_key"),
                row.getInt("live_attempt"),
                row.getInt("failures"),
                row.getInt("max_attempts"),
                row.getString("node"),
                instantOrNull(row, "claimed_at"),
                row.getBoolean("cancel_requested"),
                row.getObject("progress_done") == null
                        ? null
                        : new Progress(
                                row.getLong("progress_done"),
                                row.getLong("progress_total"),
                                row.getString("progress_message")),
                instantOrNull(row, "stuck_since"),
                row.getString("stuck_stack"));
    }

    private static RunDetails.Attempt attempt(ResultSet row) throws SQLException {
        return new RunDetails.Attempt(
                row.getInt("attempt"),
                row.getString("outcome"),
                instantOrNull(row, "started_at"),
                instant(row, "finished_at"),
                row.getString("error_type"),
                row.getString("error_message"));
    }

    /** The last completed run before this one, of its schedule or else of its job. */
    public Optional<PreviousSuccess> previousSuccess(ClaimedRun run) {
        return run.scheduleId() == null ? previousOfJob(run) : previousOfSchedule(run, run.scheduleId());
    }

    private Optional<PreviousSuccess> previousOfJob(ClaimedRun run) {
        return database.sql("""
                        select run_id, tick_at, started_at, finished_at
                        from scheduler.execution
                        where job = :job and schedule_id is null and outcome = 'COMPLETED'
                        order by finished_at desc
                        limit 1
                        """)
                .param("job", run.job())
                .query((row, number) -> previous(row))
                .optional();
    }

    private Optional<PreviousSuccess> previousOfSchedule(ClaimedRun run, long schedule) {
        return database.sql("""
                        select run_id, tick_at, started_at, finished_at
                        from scheduler.execution
                        where schedule_id = :schedule and tick_at < cast(:tick as timestamptz) and outcome = 'COMPLETED'
                        order by tick_at desc
                        limit 1
                        """)
                .param("schedule", schedule)
                .param("tick", String.valueOf(run.tickAt()))
                .query((row, number) -> previous(row))
                .optional();
    }

    private static PreviousSuccess previous(ResultSet row) throws SQLException {
        return new PreviousSuccess(
                row.getLong("run_id"),
                instantOrNull(row, "tick_at"),
                instant(row, "started_at"),
                instant(row, "finished_at"));
    }
}
