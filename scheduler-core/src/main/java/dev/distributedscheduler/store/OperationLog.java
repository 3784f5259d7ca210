package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.instant;
import static dev.distributedscheduler.store.Columns.longs;

import dev.distributedscheduler.Operation;
import dev.distributedscheduler.Operation.Act;
import dev.distributedscheduler.Operations.Note;
import dev.distributedscheduler.ScheduleKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code operation}: who did what. Part of the transaction that does it. */
public final class OperationLog {

    private final Database database;

    public OperationLog(Database database) {
        this.database = database;
    }

    /** @param runId the run that came of it */
    public void ofSchedule(Act act, ScheduleKey key, @Nullable Long runId, Note note) {
        database.sql("""
                        insert into scheduler.operation (act, who, reason, tenant, schedule, run_id)
                        values (:act, :who, :reason, :tenant, :schedule, cast(:runId as bigint))
                        """)
                .param("act", act.name())
                .param("who", note.who())
                .param("reason", note.reason())
                .param("tenant", key.tenant())
                .param("schedule", key.name())
                .param("runId", runId)
                .update();
    }

    public void ofRuns(Act act, Collection<Long> runs, Note note) {
        ofRuns(act, null, runs, note);
    }

    /** @param job whose runs came of it; null when something was done to the runs themselves */
    public void ofRuns(Act act, @Nullable String job, Collection<Long> runs, Note note) {
        database.sql("""
                        insert into scheduler.operation (act, who, reason, job, run_id)
                        select :act, :who, :reason, :job, r.id from unnest(:runs) as r (id)
                        """)
                .param("act", act.name())
                .param("who", note.who())
                .param("reason", note.reason())
                .param("job", job)
                .param("runs", longs(runs, Long::longValue))
                .update();
    }

    public List<Operation> listOfSchedule(ScheduleKey key, int most) {
        return database.sql("""
                        select done_at, act, who, reason, tenant, schedule, job, run_id
                        from scheduler.operation
                        where tenant = :tenant and schedule = :schedule
                        order by id desc
                        limit :most
                        """)
                .param("tenant", key.tenant())
                .param("schedule", key.name())
                .param("most", most)
                .query((row, number) -> operation(row))
                .list();
    }

    public List<Operation> listOfJob(String job, int most) {
        return database.sql("""
                        select done_at, act, who, reason, tenant, schedule, job, run_id
                        from scheduler.operation
                        where job = :job
                        order by id desc
                        limit :most
                        """)
                .param("job", job)
                .param("most", most)
                .query((row, number) -> operation(row))
                .list();
    }

    public List<Operation> listOfRun(long runId, int most) {
        return database.sql("""
                        select done_at, act, who, reason, tenant, schedule, job, run_id
                        from scheduler.operation
                        where run_id = :runId
                        order by id desc
                        limit :most
                        """)
                .param("runId", runId)
                .param("most", most)
                .query((row, number) -> operation(row))
                .list();
    }

    private static Operation operation(ResultSet row) throws SQLException {
        String schedule = row.getString("schedule");
        return new Operation(
                instant(row, "done_at"),
                Act.valueOf(row.getString("act")),
                row.getString("who"),
                row.getString("reason"),
                schedule == null ? null : new ScheduleKey(row.getString("tenant"), schedule),
                row.getString("job"),
                row.getObject("run_id", Long.class));
    }

    /** Deletes the oldest of those that were done longer ago than the retention; returns how many. */
    public int forget(Duration retention, int most) {
        return database.sql("""
                        delete from scheduler.operation
                        where id in (select id from scheduler.operation
                                     where done_at < now() - :retention * interval '1 second'
                                     order by done_at
                                     limit :most
                                     for update skip locked)
                        """)
                .param("retention", retention.toSeconds())
                .param("most", most)
                .update();
    }
}
