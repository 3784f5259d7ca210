package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.micros;
import static dev.distributedscheduler.store.Columns.texts;
import static java.util.Objects.requireNonNull;

import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * The table {@code execution}: what happened, one row per attempt and per skipped tick.
 *
 * <p>An attempt is recorded in the statement that takes its run out of the queue or puts it back in line: neither is ever
 * seen without the other.
 */
public final class RunHistory {

    private final Database database;

    public RunHistory(Database database) {
        this.database = database;
    }

    /**
     * Moves succeeded runs from the queue to the history.
     *
     * @return the tokens of the attempts that were still the current ones; the others' results are void
     */
    public Set<Long> complete(List<FinishedAttempt> attempts) {
        long[] tokens = longs(attempts, attempt -> attempt.run().token());
        Set<Long> accepted = new HashSet<>();
        Arrays.stream(tokens).forEach(accepted::add);
        database.sql("""
                        select unnest(scheduler.complete(:ids, :tokens, :waited, :ran, :channel, :due)) as refused
                        """)
                .param("ids", longs(attempts, attempt -> attempt.run().id()))
                .param("tokens", tokens)
                .param("waited", longs(attempts, attempt -> requireNonNull(micros(attempt.waited()))))
                .param("ran", longs(attempts, attempt -> requireNonNull(micros(attempt.ran()))))
                .param("channel", database.channel())
                .param("due", WakeUp.DUE.payload())
                .query(Long.class)
                .list()
                .forEach(accepted::remove);
        return accepted;
    }

    /**
     * As {@link #complete}, for one run and as the last act of the caller's transaction. From now on that holds the run's
     * row: if its worker freezes before the commit, the server ends it after the patience, and the run can be rescued.
     */
    public boolean completeInTransaction(FinishedAttempt attempt, Duration patience) {
        database.sql("select set_config('idle_in_transaction_session_timeout', :patience, true)")
                .param("patience", Long.toString(patience.toMillis()))
                .query()
                .listOfRows();
        return complete(List.of(attempt)).contains(attempt.run().token());
    }

    /**
     * Records attempts that did not succeed. Their runs return to the queue, become dead letters when their attempts are
     * used up or trying again is of no use, or leave for good when somebody asked for their cancellation.
     *
     * @return the state that each run got, by the token of the attempt; one that is missing had been taken from the caller
     */
    public Map<Long, RunState> fail(List<FinishedAttempt> attempts) {
        Map<Long, RunState> states = new HashMap<>();
        database.sql("""
                        with failed as (
                            select r.*, f.outcome, f.error_type, f.error_message, f.stack_trace,
                                   r.failures + f.cost as failures_now,
                                   now() + f.retry_in * interval '1 microsecond' as retry_at,
                                   f.retry_in = 0 as at_once,
                                   case when r.cancel_requested or f.outcome = 'CANCELLED' then 'CANCELLED'
                                        when f.retry_in is null or r.failures + f.cost >= r.max_attempts then 'DEAD'
                                   end as end_state,
                                   r.claimed_at + f.waited * interval '1 microsecond' as started_at,
                                   coalesce(r.claimed_at + (f.waited + f.ran) * interval '1 microsecond', now()) as finished_at
                            from scheduler.run r
                                     join unnest(:ids, :tokens, cast(:outcomes as text[]), :costs, cast(:retries as bigint[]),
                                                 cast(:waited as bigint[]), cast(:ran as bigint[]), cast(:types as text[]),
                                                 cast(:messages as text[]), cast(:traces as text[]))
                                         as f (id, token, outcome, cost, retry_in, waited, ran,
                                               error_type, error_message, stack_trace)
                                         on r.id = f.id and r.token = f.token
                            where r.state = 'RUNNING'
                            for update of r
                        ), retried as (
                            update scheduler.run r
                            set state = case when f.at_once then 'READY' else 'SCHEDULED' end,
                                run_at = f.retry_at,
                                place = f.retry_at - r.priority * interval '1 minute',
                                failures = f.failures_now,
                                snoozes = r.snoozes + case when f.outcome = 'SNOOZED' then 1 else 0 end,
                                node_id = null, token = null, claimed_at = null,
                                progress_done = null, progress_total = null, progress_message = null,
                                stuck_since = null, stuck_stack = null
                            from failed f
                            where r.id = f.id and f.end_state is null
                            returning r.id, r.state, r.queue
                        ), ended as (
                            delete from scheduler.run r
                            using failed f
                            where r.id = f.id and f.end_state is not null
                            returning r.id, r.schedule_id, r.job, r.idempotency_key, f.end_state
                        ), buried as (
                            insert into scheduler.dead_letter
                                (run_id, job, queue, priority, schedule_id, tick_at, idempotency_key, deduplicate_for, payload,
                                 attempts, max_attempts, outcome, error_type, error_message, stack_trace, created_at,
                                 concurrency_key, key_limit, job_limited)
                            select f.id, f.job, f.queue, f.priority, f.schedule_id, f.tick_at, f.idempotency_key,
                                   f.deduplicate_for, f.payload, f.attempt, f.max_attempts, f.outcome, f.error_type,
                                   f.error_message, f.stack_trace, f.created_at, f.concurrency_key, f.key_limit,
                                   f.job_limited
                            from failed f
                            where f.end_state = 'DEAD'
                        ), recorded as (
                            insert into scheduler.execution
                                (run_id, job, queue, schedule_id, tick_at, attempt, token, node_id, outcome, run_at,
                                 claimed_at, started_at, finished_at, error_type, error_message, stack_trace)
                            select id, job, queue, schedule_id, tick_at, attempt, token, node_id,
                                   case when end_state = 'CANCELLED' and outcome <> 'LOST' then 'CANCELLED' else outcome end,
                                   run_at, claimed_at, started_at, finished_at, error_type, error_message, stack_trace
                            from failed
                        ), released as (
                            delete from scheduler.idempotency i
                            using ended d
                            where i.job = d.job and i.key = d.idempotency_key and i.run_id = d.id
                        ), repeated as (
                            update scheduler.schedule s
                            set next_tick_at = greatest(now() + s.delay, s.last_tick_at + interval '1 microsecond')
                            from (select i.id from scheduler.schedule i
                                  where i.id in (select schedule_id from ended) and i.delay is not null
                                    and i.next_tick_at is null
                                    and not exists (select from scheduler.run r where r.schedule_id = i.id
                                                      and r.id not in (select id from ended))
                                  order by i.id
                                  for no key update) i
                            where s.id = i.id
                            returning s.id
                        )
                        select f.token, r.state,
                               pg_notify(:channel, case when r.state = 'READY' then :ready || r.queue else :due end)
                        from retried r join failed f on f.id = r.id
                        union all
                        select f.token, e.end_state, pg_notify(:channel, :due)
                        from ended e join failed f on f.id = e.id
                        """)
                .param("ids", longs(attempts, attempt -> attempt.run().id()))
                .param("tokens", longs(attempts, attempt -> attempt.run().token()))
                .param("outcomes", texts(attempts, FinishedAttempt::outcome))
                .param("costs", longs(attempts, attempt -> attempt.outcome().usesUpAttempt() ? 1 : 0))
                .param("retries", texts(attempts, attempt -> micros(attempt.retryIn())))
                .param("waited", texts(attempts, attempt -> micros(attempt.waited())))
                .param("ran", texts(attempts, attempt -> micros(attempt.ran())))
                .param(
                        "types",
                        texts(
                                attempts,
                                attempt -> attempt.failure() == null
                                        ? null
                                        : attempt.failure().type()))
                .param(
                        "messages",
                        texts(
                                attempts,
                                attempt -> attempt.failure() == null
                                        ? null
                                        : attempt.failure().message()))
                .param(
                        "traces",
                        texts(
                                attempts,
                                attempt -> attempt.failure() == null
                                        ? null
                                        : attempt.failure().stackTrace()))
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .param("due", WakeUp.DUE.payload())
                .query((RowCallbackHandler)
                        row -> states.put(row.getLong("token"), RunState.valueOf(row.getString("state"))));
        return states;
    }

    /**
     * Keeps results that came too late, unless they are in the history already: then it was only the reply to an earlier
     * write that got lost.
     *
     * @return the tokens of those that were late indeed
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
                        returning token
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
