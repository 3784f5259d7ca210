package dev.distributedscheduler.store;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters.Replay;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways out of the table {@code dead_letter}: back into the table {@code run}, or for good.
 *
 * <p>Letters are inserted where runs die, in {@link RunHistory}, and never changed: whoever deletes one owns what becomes of
 * it. Every change is one statement, so each joins the caller's transaction or is one of its own.
 */
public final class DeadLetterStore {

    private final Database database;

    public DeadLetterStore(Database database) {
        this.database = database;
    }

    /** Puts a run back in line as it was. */
    public Replay replay(long runId) {
        return replay(runId, false, null);
    }

    /** Puts a run back in line with another payload. */
    public Replay replayWith(long runId, @Nullable String payload) {
        return replay(runId, true, payload);
    }

    /**
     * A key whose time is over is given up first; the count makes that happen before the key is taken. If the letter is
     * somebody else's at the moment, this waits for what becomes of it.
     */
    private Replay replay(long runId, boolean changed, @Nullable String payload) {
        return database.sql("""
                        with chosen as materialized (
                            select run_id, job, idempotency_key, schedule_id
                            from scheduler.dead_letter
                            where run_id = :runId
                            for update
                        ), over as (
                            delete from scheduler.idempotency i
                            using chosen c
                            where i.job = c.job and i.key = c.idempotency_key and i.reserved_until <= now()
                            returning i.key
                        ), taken as (
                            insert into scheduler.idempotency (job, key, run_id, reserved_until)
                            select job, idempotency_key, run_id, 'infinity'
                            from chosen
                            where idempotency_key is not null and (select count(*) from over) >= 0
                            on conflict do nothing
                            returning run_id
                        ), revived as (
                            delete from scheduler.dead_letter d
                            using chosen c
                            where d.run_id = c.run_id
                              and (c.idempotency_key is null or c.run_id in (select run_id from taken))
                            returning d.*
                        ), held as ( -- whoever makes a run of a schedule holds its row
                            select id from scheduler.schedule
                            where id in (select schedule_id from chosen) order by id for no key update
                        ), enqueued as (
                            insert into scheduler.run
                                (id, job, queue, state, priority, place, run_at, schedule_id, tick_at, idempotency_key,
                                 deduplicate_for, payload, attempt, max_attempts, created_at, concurrency_key, key_limit,
                                 job_limited, blocked_by)
                            overriding system value
                            select run_id, job, queue,
                                   case when concurrency_key is not null or job_limited then 'BLOCKED' else 'READY' end,
                                   priority, now() - priority * interval '1 minute', now(),
                                   schedule_id, tick_at, idempotency_key, deduplicate_for,
                                   case when :changed then cast(:payload as text) else payload end, attempts, max_attempts,
                                   created_at, concurrency_key, key_limit, job_limited,
                                   case when concurrency_key is not null then 'KEY' when job_limited then 'JOB' end
                            from revived
                            where (select count(*) from held) >= 0
                            returning id, queue, state
                        )
                        select e.id is not null as replayed,
                               case when e.state = 'READY' then pg_notify(:channel, :ready || e.queue)
                                    when e.state = 'BLOCKED' then pg_notify(:channel, :due) end
                        from chosen c left join enqueued e on e.id = c.run_id
                        """)
                .param("runId", runId)
                .param("changed", changed)
                .param("payload", payload)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .param("due", WakeUp.DUE.payload())
                .query((row, number) -> row.getBoolean("replayed") ? Replay.REPLAYED : Replay.KEY_TAKEN)
                .optional()
                .orElse(Replay.NOT_FOUND);
    }

    /**
     * Puts runs back in line, as {@link #replay(long)} does for one, but passes over what somebody else has locked and what
     * cannot be replayed because of its key: neither may keep the others from their turn.
     */
    public int replayAll(DeadLetterFilter filter, int most) {
        giveUpKeys();
        return replayMatching(filter, most).size();
    }

    /** As {@link #replayAll}, but gives up no keys; returns the runs. */
    public List<Long> replayMatching(DeadLetterFilter filter, int most) {
        return database
                .sql("""
                        with chosen as materialized (
                            select d.run_id, d.job, d.idempotency_key, d.died_at, d.schedule_id
                            from scheduler.dead_letter d
                            where (cast(:job as text) is null or d.job = :job)
                              and d.died_at >= coalesce(cast(:diedFrom as timestamptz), '-infinity')
                              and d.died_at < coalesce(cast(:diedBefore as timestamptz), 'infinity')
                              and (cast(:errorType as text) is null or d.error_type = :errorType)
                              and not exists (select from scheduler.idempotency i
                                              where i.job = d.job and i.key = d.idempotency_key and i.reserved_until > now())
                            order by d.died_at desc, d.run_id desc
                            limit :most
                            for update skip locked
                        ), taken as (
                            insert into scheduler.idempotency (job, key, run_id, reserved_until)
                            select distinct on (job, idempotency_key) job, idempotency_key, run_id,
                                   cast('infinity' as timestamptz)
                            from chosen
                            where idempotency_key is not null
                            order by job, idempotency_key, died_at desc, run_id desc
                            on conflict do nothing
                            returning run_id
                        ), revived as (
                            delete from scheduler.dead_letter d
                            using chosen c
                            where d.run_id = c.run_id
                              and (c.idempotency_key is null or c.run_id in (select run_id from taken))
                            returning d.*
                        ), held as ( -- whoever makes a run of a schedule holds its row
                            select id from scheduler.schedule
                            where id in (select schedule_id from chosen) order by id for no key update
                        ), enqueued as (
                            insert into scheduler.run
                                (id, job, queue, state, priority, place, run_at, schedule_id, tick_at, idempotency_key,
                                 deduplicate_for, payload, attempt, max_attempts, created_at, concurrency_key, key_limit,
                                 job_limited, blocked_by)
                            overriding system value
                            select run_id, job, queue,
                                   case when concurrency_key is not null or job_limited then 'BLOCKED' else 'READY' end,
                                   priority, now() - priority * interval '1 minute', now(),
                                   schedule_id, tick_at, idempotency_key, deduplicate_for, payload, attempts, max_attempts,
                                   created_at, concurrency_key, key_limit, job_limited,
                                   case when concurrency_key is not null then 'KEY' when job_limited then 'JOB' end
                            from revived
                            where (select count(*) from held) >= 0
                            returning id, queue, state
                        )
                        select array_agg(id) as runs,
                               pg_notify(:channel, case when state = 'READY' then :ready || queue else :due end)
                        from enqueued
                        group by queue, state
                        """)
                .params(DeadLetterSearch.conditions(filter))
                .param("most", most)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .param("due", WakeUp.DUE.payload())
                .query((row, number) -> List.of((Long[]) row.getArray("runs").getArray()))
                .list()
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Keys whose time is over; by itself, because giving up one key and then taking another could end in a circle. */
    public void giveUpKeys() {
        database.sql("""
                        delete from scheduler.idempotency where (job, key) in (
                            select i.job, i.key
                            from scheduler.idempotency i join scheduler.dead_letter d on d.job = i.job and d.idempotency_key = i.key
                            where i.reserved_until <= now() and i.reserved_until < 'infinity' for update of i skip locked)
                        """).update();
    }

    public boolean discard(long runId) {
        return database.sql("delete from scheduler.dead_letter where run_id = :runId")
                        .param("runId", runId)
                        .update()
                == 1;
    }

    /** Deletes the newest that match and that nobody else has locked. */
    public int discardAll(DeadLetterFilter filter, int most) {
        return discardMatching(filter, most).size();
    }

    /** As {@link #discardAll}; returns the runs. */
    public List<Long> discardMatching(DeadLetterFilter filter, int most) {
        return database.sql("""
                        with chosen as materialized (
                            select run_id
                            from scheduler.dead_letter
                            where (cast(:job as text) is null or job = :job)
                              and died_at >= coalesce(cast(:diedFrom as timestamptz), '-infinity')
                              and died_at < coalesce(cast(:diedBefore as timestamptz), 'infinity')
                              and (cast(:errorType as text) is null or error_type = :errorType)
                            order by died_at desc, run_id desc
                            limit :most
                            for update skip locked
                        )
                        delete from scheduler.dead_letter d using chosen c where d.run_id = c.run_id
                        returning d.run_id
                        """)
                .params(DeadLetterSearch.conditions(filter))
                .param("most", most)
                .query(Long.class)
                .list();
    }

    /** Deletes the oldest of those that died longer ago than the retention. */
    public int forget(Duration retention, int most) {
        return database.sql("""
                        with chosen as materialized (
                            select run_id
                            from scheduler.dead_letter
                            where died_at < now() - :retention * interval '1 second'
                            order by died_at, run_id
                            limit :most
                            for update skip locked
                        )
                        delete from scheduler.dead_letter d using chosen c where d.run_id = c.run_id
                        """)
                .param("retention", retention.toSeconds())
                .param("most", most)
                .update();
    }
}
