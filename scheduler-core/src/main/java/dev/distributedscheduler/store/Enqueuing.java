package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.micros;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.RunState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * The way into the table {@code run}, past the table {@code idempotency}.
 *
 * <p>Whoever inserts the row of a key owns it. {@code on conflict do nothing} waits for a competitor that has not committed
 * yet, and locks nothing when the key is taken: an enqueue in a long transaction cannot hold up the end of the run that it
 * would have doubled. Keys are taken, and given up, in their order, so that two bulks do not wait in a circle.
 */
public final class Enqueuing {

    private static final int TRIES = 5;
    private static final String READY = RunState.READY.name();

    /** The runs as their jobs complete them; those of unknown jobs are missing. */
    private static final String KNOWN = """
            select i.n, j.name as job, coalesce(i.queue, j.queue) as queue,
                   coalesce(i.priority, j.priority) as priority, j.max_attempts,
                   j.max_concurrent is not null as job_limited, i.payload, i.key, i.concurrency_key, i.key_limit,
                   i.trace, i.reserve_for * interval '1 microsecond' as deduplicate_for,
                   greatest(now(), coalesce(i.at, now() + i.delay * interval '1 microsecond')) as run_at
            from %s as i (n, job, payload, key, reserve_for, delay, at, priority, queue,
                          concurrency_key, key_limit, trace)
                     join scheduler.job j on j.name = i.job
            order by i.n
            """;

    private static final String KNOWN_OF_MANY = KNOWN.formatted("""
            unnest(:numbers, cast(:jobs as text[]), cast(:payloads as text[]), cast(:keys as text[]),
                   cast(:windows as bigint[]), cast(:delays as bigint[]), cast(:ats as timestamptz[]),
                   cast(:priorities as bigint[]), cast(:queues as text[]),
                   cast(:concurrencyKeys as text[]), cast(:keyLimits as bigint[]), cast(:traces as text[]))
            """);

    /** Most enqueues are of one run; arrays would cost more than the run. */
    private static final String KNOWN_OF_ONE = KNOWN.formatted("""
            (select 0, cast(:job as text), cast(:payload as text), cast(null as text), cast(null as bigint),
                    cast(:delay as bigint), cast(:at as timestamptz), cast(:priority as bigint), cast(:queue as text),
                    cast(:concurrencyKey as text), cast(:keyLimit as bigint), cast(:trace as text))
            """);

    private static final String INSERT_WITHOUT_KEYS = """
            insert into scheduler.run
                (job, queue, state, priority, place, run_at, payload, max_attempts, concurrency_key, key_limit, job_limited,
                 blocked_by, trace)
            select job, queue,
                   case when run_at > now() then 'SCHEDULED'
                        when concurrency_key is not null or job_limited then 'BLOCKED'
                        else 'READY' end,
                   priority, run_at - priority * interval '1 minute', run_at, payload, max_attempts, concurrency_key, key_limit,
                   job_limited,
                   case when run_at > now() then null
                        when concurrency_key is not null then 'KEY'
                        when job_limited then 'JOB' end,
                   trace
            from (%s) known
            returning id, state, queue
            """;

    private static final String INSERT_ONE = INSERT_WITHOUT_KEYS.formatted(KNOWN_OF_ONE);
    private static final String INSERT_MANY = INSERT_WITHOUT_KEYS.formatted(KNOWN_OF_MANY);

    private final Database database;
    private final Tidings tidings;

    /** Who is told of new runs, in the transaction that inserts them. */
    public interface Tidings {

        /**
         * @param readyByQueue how many runs are in line
         * @param leaderWanted whether there are others, of which the leader has to know
         */
        void tell(Map<String, Integer> readyByQueue, boolean leaderWanted);
    }

    /** Notifies in the transaction that inserts. */
    public Enqueuing(Database database) {
        this(database, (ready, leaderWanted) -> WakeUps.notify(database, ready, leaderWanted));
    }

    public Enqueuing(Database database, Tidings tidings) {
        this.database = database;
        this.tidings = tidings;
    }

    /**
     * Puts runs in line, all or none; joins the caller's transaction, and has one of its own for several runs: those whose
     * keys are taken need more than one statement.
     *
     * @return what became of each run, in their order; a run of a job that does not exist is left out
     */
    public Map<Integer, EnqueuedRun> enqueue(List<NewRun> runs) {
        if (runs.stream().allMatch(run -> run.options().idempotencyKey() == null)) {
            return insertWithoutKeys(runs);
        }
        return runs.size() == 1 ? enqueueAll(runs) : database.inTransaction(() -> enqueueAll(runs));
    }

    /** What is new, by what must be done for it. */
    private final class News {

        private final Map<String, Integer> ready = new HashMap<>();
        private boolean leaderWanted;

        void add(String state, String queue) {
            if (state.equals(READY)) {
                ready.merge(queue, 1, Integer::sum);
            } else {
                leaderWanted = true;
            }
        }

        void tell() {
            if (leaderWanted || !ready.isEmpty()) {
                tidings.tell(ready, leaderWanted);
            }
        }
    }

    /** One plain insert; its rows come back in the order in which they went in. */
    private Map<Integer, EnqueuedRun> insertWithoutKeys(List<NewRun> runs) {
        List<EnqueuedRun> inserted = new ArrayList<>(runs.size());
        News news = new News();
        StatementSpec insert = runs.size() == 1
                ? parameters(runs.get(0))
                : parameters(
                        INSERT_MANY, IntStream.range(0, runs.size()).boxed().toList(), runs);
        insert.query((RowCallbackHandler) row -> {
            inserted.add(new EnqueuedRun(row.getLong("id"), true));
            news.add(row.getString("state"), row.getString("queue"));
        });
        news.tell();
        Map<Integer, EnqueuedRun> results = new HashMap<>();
        Iterator<EnqueuedRun> next = inserted.iterator();
        Set<String> known = inserted.size() == runs.size() ? Set.of() : knownOf(runs);
        for (int i = 0; i < runs.size(); i++) {
            if (inserted.size() == runs.size() || known.contains(runs.get(i).job())) {
                results.put(i, next.next());
            }
        }
        return results;
    }

    private Set<String> knownOf(List<NewRun> runs) {
        return new HashSet<>(database.sql("select name from scheduler.job where name = any(cast(:jobs as text[]))")
                .param("jobs", texts(runs, NewRun::job))
                .query(String.class)
                .list());
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
        Map<Integer, EnqueuedRun> results = new HashMap<>();
        News news = new News();
        parameters("with known as (" + KNOWN_OF_MANY + """
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
                        )
                        select i.n, i.id, e.id is not null as is_new, e.state, e.queue
                        from input i left join enqueued e on e.id = i.id
                        """, open.keySet(), open.values())
                .query((RowCallbackHandler) row -> {
                    boolean isNew = row.getBoolean("is_new");
                    results.put(row.getInt("n"), new EnqueuedRun(row.getLong("id"), isNew));
                    if (isNew) {
                        news.add(row.getString("state"), row.getString("queue"));
                    }
                });
        news.tell();
        return results;
    }

    private StatementSpec parameters(NewRun run) {
        EnqueueOptions options = run.options();
        return database.sql(INSERT_ONE)
                .param("job", run.job())
                .param("payload", run.payload())
                .param("delay", micros(options.delay()))
                .param("at", options.at() == null ? null : options.at().toString())
                .param("priority", options.headStartMinutes())
                .param("queue", options.queue())
                .param("concurrencyKey", options.concurrencyKey())
                .param("keyLimit", options.keyLimit())
                .param("trace", run.trace());
    }

    private StatementSpec parameters(String sql, Collection<Integer> numbers, Collection<NewRun> runs) {
        return database.sql(sql)
                .param("numbers", longs(numbers, Integer::longValue))
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
                .param("traces", texts(runs, NewRun::trace));
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
