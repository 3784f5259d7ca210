package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.micros;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.RowCallbackHandler;

/** The table {@code run}: live runs, from enqueued to finished. */
public final class RunQueue {

    private final Database database;

    public RunQueue(Database database) {
        this.database = database;
    }

    /**
     * Gives the node the first runs in line that it can execute, each with a new attempt and token.
     *
     * <p>Yields nothing to a node that has been expelled or whose lease has run out: the lock on its row also keeps it from
     * being expelled before this statement is committed.
     */
    public List<ClaimedRun> claim(UUID node, String queue, Collection<String> jobs, int most) {
        return database.sql("""
                        with claimer as materialized (
                            select id from scheduler.node
                            where id = :node and lease_until > clock_timestamp()
                            for key share
                        ), first_in_line as materialized (
                            select r.id from scheduler.run r
                            where r.queue = :queue and r.state = 'READY' and r.job = any(:jobs)
                              and exists (select from claimer)
                            order by r.place, r.id
                            limit :most
                            for update skip locked
                        )
                        update scheduler.run r
                        set state = 'RUNNING',
                            node_id = :node,
                            attempt = r.attempt + 1,
                            token = nextval('scheduler.token'),
                            claimed_at = clock_timestamp()
                        from first_in_line f
                        where r.id = f.id
                        returning r.id, r.job, r.queue, r.node_id, r.attempt, r.token, r.failures,
                                  r.schedule_id, r.tick_at, r.run_at, r.claimed_at
                        """)
                .param("node", node)
                .param("queue", queue)
                .param("jobs", jobs.toArray(String[]::new))
                .param("most", most)
                .query((row, number) -> claimed(row))
                .list();
    }

    /** Runs in the hands of the given nodes, locked until the transaction ends. */
    public List<ClaimedRun> lockRunsOf(List<UUID> nodes) {
        return database.sql("""
                        select id, job, queue, node_id, attempt, token, failures, schedule_id, tick_at, run_at, claimed_at
                        from scheduler.run
                        where state = 'RUNNING' and node_id = any(cast(:nodes as uuid[]))
                        order by id
                        for update
                        """)
                .param("nodes", texts(nodes, node -> node))
                .query((row, number) -> claimed(row))
                .list();
    }

    private static ClaimedRun claimed(ResultSet row) throws SQLException {
        return new ClaimedRun(
                row.getLong("id"),
                row.getString("job"),
                row.getString("queue"),
                row.getObject("node_id", UUID.class),
                row.getInt("attempt"),
                row.getLong("token"),
                row.getInt("failures"),
                row.getObject("schedule_id", Long.class),
                Columns.instantOrNull(row, "tick_at"),
                Columns.instant(row, "run_at"),
                Columns.instant(row, "claimed_at"));
    }

    /**
     * Moves succeeded runs from the queue to the history.
     *
     * @return the runs whose attempt was still the current one; the others' results are void
     */
    public Set<Long> complete(List<FinishedAttempt> attempts) {
        return new HashSet<>(database.sql("""
                        with done as (
                            delete from scheduler.run r
                            using unnest(:ids, :tokens, cast(:waited as bigint[]), cast(:ran as bigint[]))
                                      as f (id, token, waited, ran)
                            where r.id = f.id and r.token = f.token and r.state = 'RUNNING'
                            returning r.*, r.claimed_at + f.waited * interval '1 microsecond' as started_at,
                                      r.claimed_at + (f.waited + f.ran) * interval '1 microsecond' as finished_at
                        ), recorded as (
                            insert into scheduler.execution
                                (run_id, job, queue, schedule_id, tick_at, attempt, token, node_id, outcome,
                                 run_at, claimed_at, started_at, finished_at)
                            select id, job, queue, schedule_id, tick_at, attempt, token, node_id, 'COMPLETED',
                                   run_at, claimed_at, started_at, finished_at
                            from done
                        ), repeated as (
                            update scheduler.schedule s
                            set next_tick_at = now() + s.trigger_expression::interval
                            from done d
                            where s.id = d.schedule_id and s.trigger_kind = 'FIXED_DELAY' and s.next_tick_at is null
                            returning s.id
                        )
                        select id, (select pg_notify(:channel, :due) from repeated limit 1)
                        from done
                        """)
                .param("ids", longs(attempts, attempt -> attempt.run().id()))
                .param("tokens", longs(attempts, attempt -> attempt.run().token()))
                .param("waited", texts(attempts, attempt -> micros(attempt.waited())))
                .param("ran", texts(attempts, attempt -> micros(attempt.ran())))
                .param("channel", database.channel())
                .param("due", WakeUp.DUE.payload())
                .query((row, number) -> row.getLong("id"))
                .list());
    }

    /**
     * Records attempts that did not succeed, and returns their runs to the queue or, when their attempts are used up, makes
     * them dead letters.
     *
     * @return the state that each run got; a run that is missing had been taken from the caller
     */
    public Map<Long, RunState> fail(List<FinishedAttempt> attempts) {
        Map<Long, RunState> states = new HashMap<>();
        database.sql("""
                        with failed as (
                            select r.*, f.outcome, f.error_type, f.error_message, f.stack_trace,
                                   r.failures + f.cost as failures_now,
                                   now() + f.retry_in * interval '1 microsecond' as retry_at,
                                   f.retry_in = 0 as at_once,
                                   r.claimed_at + f.waited * interval '1 microsecond' as started_at,
                                   coalesce(r.claimed_at + (f.waited + f.ran) * interval '1 microsecond', now()) as finished_at
                            from scheduler.run r
                                     join unnest(:ids, :tokens, cast(:outcomes as text[]), :costs, :retries,
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
                                node_id = null, token = null, claimed_at = null
                            from failed f
                            where r.id = f.id and f.failures_now < f.max_attempts
                            returning r.id, r.state, r.queue
                        ), dead as (
                            delete from scheduler.run r
                            using failed f
                            where r.id = f.id and f.failures_now >= f.max_attempts
                            returning r.id, r.schedule_id
                        ), buried as (
                            insert into scheduler.dead_letter
                                (run_id, job, queue, priority, schedule_id, tick_at, idempotency_key, payload, attempts,
                                 max_attempts, outcome, error_type, error_message, stack_trace, created_at)
                            select f.id, f.job, f.queue, f.priority, f.schedule_id, f.tick_at, f.idempotency_key, f.payload,
                                   f.attempt, f.max_attempts, f.outcome, f.error_type, f.error_message, f.stack_trace,
                                   f.created_at
                            from failed f join dead d on d.id = f.id
                        ), recorded as (
                            insert into scheduler.execution
                                (run_id, job, queue, schedule_id, tick_at, attempt, token, node_id, outcome, run_at,
                                 claimed_at, started_at, finished_at, error_type, error_message, stack_trace)
                            select id, job, queue, schedule_id, tick_at, attempt, token, node_id, outcome, run_at,
                                   claimed_at, started_at, finished_at, error_type, error_message, stack_trace
                            from failed
                        ), repeated as (
                            update scheduler.schedule s
                            set next_tick_at = now() + s.trigger_expression::interval
                            from dead d
                            where s.id = d.schedule_id and s.trigger_kind = 'FIXED_DELAY' and s.next_tick_at is null
                            returning s.id
                        )
                        select id, state,
                               pg_notify(:channel, case when state = 'READY' then :ready || queue else :due end)
                        from retried
                        union all
                        select id, 'DEAD', (select pg_notify(:channel, :due) from repeated limit 1)
                        from dead
                        """)
                .param("ids", longs(attempts, attempt -> attempt.run().id()))
                .param("tokens", longs(attempts, attempt -> attempt.run().token()))
                .param("outcomes", texts(attempts, FinishedAttempt::outcome))
                .param("costs", longs(attempts, attempt -> attempt.outcome().usesUpAttempt() ? 1 : 0))
                .param("retries", longs(attempts, attempt -> attempt.retryIn().toNanos() / 1_000))
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
                        row -> states.put(row.getLong("id"), RunState.valueOf(row.getString("state"))));
        return states;
    }

    /**
     * Gives back what the database says this node holds in a queue but the node does not know of: claims whose reply was
     * lost. Must not run beside a claim of the same node in the same queue.
     */
    public int giveBackUnheld(UUID node, String queue, Collection<Long> heldTokens) {
        return database.sql("""
                        with unheld as (
                            update scheduler.run
                            set state = 'READY', node_id = null, token = null, claimed_at = null
                            where state = 'RUNNING' and node_id = :node and queue = :queue and token <> all(:held)
                            returning queue
                        )
                        select count(*), (select pg_notify(:channel, :ready || queue) from unheld limit 1)
                        from unheld
                        """)
                .param("node", node)
                .param("queue", queue)
                .param("held", longs(heldTokens, Long::longValue))
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query((row, number) -> row.getInt(1))
                .single();
    }

    /** Puts delayed runs whose time has come in line, and tells the workers of their queues. */
    public int promoteDue(int most) {
        return database
                .sql("""
                        with due as (
                            select id from scheduler.run
                            where state = 'SCHEDULED' and run_at <= now()
                            order by run_at
                            limit :most
                            for update skip locked
                        ), promoted as (
                            update scheduler.run r set state = 'READY'
                            from due
                            where r.id = due.id
                            returning r.queue
                        )
                        select count(*) as runs, pg_notify(:channel, :ready || queue)
                        from promoted
                        group by queue
                        """)
                .param("most", most)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query((row, number) -> row.getInt("runs"))
                .list()
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Time until the next delayed run is due, by the database's clock; zero or less when one is. */
    public Optional<Duration> untilNextDelayed() {
        return database.sql("""
                        select (extract(epoch from min(run_at) - clock_timestamp()) * 1000000)::bigint
                        from scheduler.run
                        where state = 'SCHEDULED'
                        """).query(Long.class).optional().map(micros -> Duration.ofNanos(micros * 1_000));
    }
}
