package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.micros;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.run.NewRun;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * The way into the table {@code run}, past the table {@code idempotency}.
 *
 * <p>Whoever inserts the row of a key owns it. {@code on conflict do nothing} waits for a competitor that has not committed
 * yet, and locks nothing when the key is taken: an enqueue in a long transaction cannot hold up the end of the run that it
 * would have doubled. Keys are taken, and given up, in their order, so that two bulks do not wait in a circle.
 */
public final class Enqueuing {

    private static final int TRIES = 5;

    private final Database database;

    public Enqueuing(Database database) {
        this.database = database;
    }

    /**
     * Puts runs in line, all or none; joins the caller's transaction, and has one of its own for several runs: those whose
     * keys are taken need more than one statement.
     *
     * @return what became of each run, in their order; a run of a job that does not exist is left out
     */
    public Map<Integer, EnqueuedRun> enqueue(List<NewRun> runs) {
        return runs.size() == 1 ? enqueueAll(runs) : database.inTransaction(() -> enqueueAll(runs));
    }

    private Map<Integer, EnqueuedRun> enqueueAll(List<NewRun> runs) {
        Map<Integer, EnqueuedRun> results = new HashMap<>();
        Map<Integer, NewRun> open = new TreeMap<>();
        IntStream.range(0, runs.size()).forEach(i -> open.put(i, runs.get(i)));
        for (int tries = 0; !open.isEmpty(); tries++) {
            if (tries == TRIES) {
                throw new ConcurrencyFailureException("An idempotency key was taken and given up again and again");
            }
            Map<Integer, EnqueuedRun> tried = insert(open);
            open.keySet().retainAll(tried.keySet()); // the others' jobs do not exist
            tried.values().removeIf(run -> !run.isNew());
            results.putAll(tried);
            open.keySet().removeAll(tried.keySet());
            if (!open.isEmpty()) {
                Map<Integer, EnqueuedRun> existing = findExisting(open);
                results.putAll(existing);
                open.keySet().removeAll(existing.keySet());
            }
        }
        return results;
    }

    private Map<Integer, EnqueuedRun> insert(Map<Integer, NewRun> open) {
        Collection<NewRun> runs = open.values();
        Map<Integer, EnqueuedRun> results = new HashMap<>();
        database.sql("""
                        with known as (
                            select i.n, j.name as job, coalesce(i.queue, j.queue) as queue,
                                   coalesce(i.priority, j.priority) as priority, j.max_attempts,
                                   j.max_concurrent is not null as job_limited, i.payload, i.trace, i.key, i.concurrency_key, i.key_limit,
                                   i.reserve_for * interval '1 microsecond' as deduplicate_for,
                                   greatest(now(), coalesce(i.at, now() + i.delay * interval '1 microsecond')) as run_at
                            from unnest(:numbers, cast(:jobs as text[]), cast(:payloads as text[]), cast(:keys as text[]),
                                        cast(:windows as bigint[]), cast(:delays as bigint[]), cast(:ats as timestamptz[]),
                                        cast(:priorities as bigint[]), cast(:queues as text[]),
                                        cast(:concurrencyKeys as text[]), cast(:keyLimits as bigint[]),
                                        cast(:traces as text[]))
                                     as i (n, job, payload, key, reserve_for, delay, at, priority, queue,
                                           concurrency_key, key_limit, trace)
                                     join scheduler.job j on j.name = i.job
                            order by i.n
                        ), input as (
                            select nextval('scheduler.run_id_seq') as id, k.* from known k
                        ), taken as (
                            insert into scheduler.idempotency (job, key, run_id, reserved_until)
                            select distinct on (job, key) job, key, id, 'infinity'
                            from input
                            where key is not null
                            order by job, key, n
                            on conflict do nothing
                            returning run_id
                        ), enqueued as (
                            insert into scheduler.run
                                (id, job, queue, state, priority, place, run_at, idempotency_key, deduplicate_for, payload,
                                 max_attempts, concurrency_key, key_limit, job_limited, blocked_by, trace)
                            overriding system value
                            select id, job, queue,
                                   case when run_at > now() then 'SCHEDULED'
                                        when concurrency_key is not null or job_limited then 'BLOCKED'
                                        else 'READY' end,
                                   priority,
                                   run_at - priority * interval '1 minute', run_at, key, deduplicate_for, payload, max_attempts,
                                   concurrency_key, key_limit, job_limited,
                                   case when run_at > now() then null
                                        when concurrency_key is not null then 'KEY'
                                        when job_limited then 'JOB' end,
                                   trace
                            from input
                            where key is null or id in (select run_id from taken)
                            order by n
                            returning id, state, queue
                        ), told as (
                            select pg_notify(:channel, message)
                            from (select distinct case when state = 'READY' then :ready || queue else :due end as message
                                  from enqueued) m
                        )
                        select i.n, i.id, e.id is not null as is_new, (select count(*) from told)
                        from input i left join enqueued e on e.id = i.id
                        """)
                .param("numbers", longs(open.keySet(), Integer::longValue))
                .param("jobs", texts(runs, NewRun::job))
                .param("payloads", texts(runs, NewRun::payload))
                .param("keys", texts(runs, run -> run.options().idempotencyKey()))
                .param("windows", texts(runs, run -> micros(run.options().deduplicateFor())))
                .param("delays", texts(runs, run -> micros(run.options().delay())))
                .param("ats", texts(runs, run -> run.options().at()))
                .param("priorities", texts(runs, run -> run.options().headStartMinutes()))
                .param("queues", texts(runs, run -> run.options().queue()))
                .param("concurrencyKeys", texts(runs, run -> run.options().concurrencyKey()))
                .param("keyLimits", texts(runs, run -> run.options().keyLimit()))
                .param("traces", texts(runs, NewRun::trace))
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .param("due", WakeUp.DUE.payload())
                .query((RowCallbackHandler) row ->
                        results.put(row.getInt("n"), new EnqueuedRun(row.getLong("id"), row.getBoolean("is_new"))));
        return results;
    }

    /** The runs that have the keys; a key whose time is over is given up, so that the next try can take it. */
    private Map<Integer, EnqueuedRun> findExisting(Map<Integer, NewRun> open) {
        Map<Integer, EnqueuedRun> results = new HashMap<>();
        database.sql("""
                        with wanted as (
                            select * from unnest(:numbers, cast(:jobs as text[]), cast(:keys as text[])) as w (n, job, key)
                        ), over as (
                            delete from scheduler.idempotency
                            where (job, key) in (select i.job, i.key
                                                 from scheduler.idempotency i join wanted w on i.job = w.job and i.key = w.key
                                                 where i.reserved_until <= now()
                                                 order by i.job, i.key
                                                 for update of i)
                        )
                        select w.n, i.run_id
                        from scheduler.idempotency i join wanted w on i.job = w.job and i.key = w.key
                        where i.reserved_until > now()
                        """)
                .param("numbers", longs(open.keySet(), Integer::longValue))
                .param("jobs", texts(open.values(), NewRun::job))
                .param("keys", texts(open.values(), run -> run.options().idempotencyKey()))
                .query((RowCallbackHandler)
                        row -> results.put(row.getInt("n"), new EnqueuedRun(row.getLong("run_id"), false)));
        return results;
    }

    /** Gives up keys whose time is over; the comparison with infinity lets the partial index serve. */
    public int forgetKeys(int most) {
        return database.sql("""
                        with over as materialized (
                            select job, key
                            from scheduler.idempotency
                            where reserved_until < now() and reserved_until < 'infinity'
                            limit :most
                            for update skip locked
                        )
                        delete from scheduler.idempotency i using over o where i.job = o.job and i.key = o.key
                        """).param("most", most).update();
    }
}
