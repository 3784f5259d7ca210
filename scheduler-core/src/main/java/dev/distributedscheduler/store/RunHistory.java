package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.micros;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.run.FinishedAttempt;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The table {@code execution}: what happened, one row per attempt and per skipped tick. */
public final class RunHistory {

    private final Database database;

    public RunHistory(Database database) {
        this.database = database;
    }

    /**
     * Keeps results that came too late, unless they are in the history already: then it was only the reply to an earlier
     * write that got lost.
     *
     * @return the runs whose result was late indeed
     */
    public Set<Long> recordStale(List<FinishedAttempt> attempts) {
        return new HashSet<>(database.sql("""
                        insert into scheduler.execution
                            (run_id, job, queue, schedule_id, tick_at, attempt, token, node_id, outcome, run_at,
                             claimed_at, started_at, error_type, error_message)
                        select f.id, f.job, f.queue, f.schedule_id, f.tick_at, f.attempt, f.token, f.node_id, 'STALE', f.run_at,
                               f.claimed_at, f.claimed_at + f.waited * interval '1 microsecond', f.outcome, f.message
                        from unnest(:ids, :tokens, :attempts, cast(:nodes as uuid[]), cast(:jobs as text[]),
                                    cast(:queues as text[]), cast(:schedules as bigint[]), cast(:ticks as timestamptz[]),
                                    cast(:runAts as timestamptz[]), cast(:claimedAts as timestamptz[]),
                                    cast(:waited as bigint[]), cast(:outcomes as text[]), cast(:messages as text[]))
                                 as f (id, token, attempt, node_id, job, queue, schedule_id, tick_at, run_at, claimed_at,
                                       waited, outcome, message)
                        where not exists (
                            select from scheduler.execution e
                            where e.run_id = f.id and e.token = f.token and e.outcome <> 'LOST')
                        returning run_id
                        """)
                .param("ids", longs(attempts, attempt -> attempt.run().id()))
                .param("tokens", longs(attempts, attempt -> attempt.run().token()))
                .param("attempts", longs(attempts, attempt -> attempt.run().attempt()))
                .param("nodes", texts(attempts, attempt -> attempt.run().nodeId()))
                .param("jobs", texts(attempts, attempt -> attempt.run().job()))
                .param("queues", texts(attempts, attempt -> attempt.run().queue()))
                .param("schedules", texts(attempts, attempt -> attempt.run().scheduleId()))
                .param("ticks", texts(attempts, attempt -> attempt.run().tickAt()))
                .param("runAts", texts(attempts, attempt -> attempt.run().runAt()))
                .param("claimedAts", texts(attempts, attempt -> attempt.run().claimedAt()))
                .param("waited", texts(attempts, attempt -> micros(attempt.waited())))
                .param("outcomes", texts(attempts, FinishedAttempt::outcome))
                .param(
                        "messages",
                        texts(
                                attempts,
                                attempt -> attempt.failure() == null
                                        ? null
                                        : attempt.failure().message()))
                .query(Long.class)
                .list());
    }

    /** Makes the partitions of the coming months and drops those beyond the retention. */
    public void keep(int monthsAhead, Duration retention) {
        database.sql("select scheduler.keep_history(:ahead, :retention * interval '1 second')")
                .param("ahead", monthsAhead)
                .param("retention", retention.toSeconds())
                .query()
                .listOfRows();
    }
}
