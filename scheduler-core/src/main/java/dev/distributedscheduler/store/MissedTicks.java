package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.ScheduleKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ticks that were missed and are made up for: kept as ranges in the row of their schedule, however many they are, and made
 * runs of one by one.
 *
 * <p>A replay waits until no run of its schedule is live (unless those may overlap), so it is never in the way of a live tick
 * and never beside another replay. Its place in line counts from the present, not from the tick: it overtakes nobody.
 */
public final class MissedTicks {

    /** On average: at a constant distance it could meet a live run every time. */
    private static final Duration WHILE_BUSY = Duration.ofSeconds(1);

    private final Database database;

    public MissedTicks(Database database) {
        this.database = database;
    }

    /** A schedule of which a missed tick may be made up for now: the first, and the end of the range that it is in. */
    public record Owing(long id, ScheduleKey key, StoredTiming timing, Instant tick, Instant until) {}

    /** Locks schedules that may replay a tick now; the parameters mean what they do for due ones. */
    public List<Owing> lockOwing(Collection<String> beans, @Nullable Collection<Integer> partitions, int most) {
        return database.sql("""
                        with owing as materialized (
                            select id, tenant, name, trigger_kind, trigger_expression, zone, dst_gap, dst_overlap,
                                   cast(extract(epoch from shift) * 1000 as bigint) as shift, starts_at, ends_at,
                                   missed
                            from scheduler.schedule
                            where state = 'ACTIVE' and replay_at <= now()
                              and (trigger_kind <> 'BEAN' or trigger_expression = any(:beans))
                              and (cast(:partitions as smallint[]) is null or partition = any(cast(:partitions as smallint[])))
                            order by replay_at
                            limit :most
                            for no key update skip locked
                        )
                        select o.*, lower(f.first) as tick, upper(f.first) as until
                        from owing o, lateral (select r as first from unnest(o.missed) r order by r limit 1) f
                        """)
                .param("beans", beans.toArray(String[]::new))
                .param("partitions", partitions == null ? null : texts(partitions, partition -> partition))
                .param("most", most)
                .query((row, number) -> new Owing(
                        row.getLong("id"),
                        new ScheduleKey(row.getString("tenant"), row.getString("name")),
                        StoredTiming.of(row),
                        Columns.instant(row, "tick"),
                        Columns.instant(row, "until")))
                .list();
    }

    /**
     * A tick to be made up for.
     *
     * @param next the missed tick after it in the same range; null when it is the range's last
     * @param pause before the next one of the schedule
     */
    public record Replay(Owing schedule, @Nullable Instant next, Duration pause) {}

    /** Makes runs of the ticks whose schedules have none that is live; the others are looked at again soon. */
    public int replay(List<Replay> replays) {
        return database
                .sql("""
                        with wish as (
                            select w.id, w.tick, w.pause * interval '1 millisecond' as pause,
                                   s.missed - tstzmultirange(tstzrange(w.tick, coalesce(w.next_tick, w.until))) as rest,
                                   s.overlap <> 'ALLOW' and exists (select from scheduler.run r where r.schedule_id = w.id)
                                       as busy
                            from unnest(:ids, cast(:ticks as timestamptz[]), cast(:untils as timestamptz[]),
                                        cast(:nexts as timestamptz[]), :pauses)
                                     as w (id, tick, until, next_tick, pause)
                                     join scheduler.schedule s on s.id = w.id
                        ), postponed as (
                            update scheduler.schedule s
                            set replay_at = now() + (0.5 + random()) * :whileBusy * interval '1 millisecond'
                            from wish w
                            where s.id = w.id and w.busy
                        ), replayed as (
                            update scheduler.schedule s
                            set missed = w.rest,
                                replay_at = case when isempty(w.rest) then null else now() + w.pause end,
                                state = case when isempty(w.rest) and s.next_tick_at is null and s.delay is null
                                             then 'ENDED' else s.state end,
                                updated_at = case when isempty(w.rest) and s.next_tick_at is null then now()
                                                  else s.updated_at end
                            from wish w
                            where s.id = w.id and not w.busy and s.state = 'ACTIVE' and lower(s.missed) = w.tick
                            returning s.id, s.job, s.queue, s.priority, s.payload, s.overlap, s.max_overlap, w.tick
                        ), enqueued as (
                            insert into scheduler.run
                                (job, queue, state, priority, place, run_at, schedule_id, tick_at, payload, max_attempts,
                                 concurrency_key, key_limit, job_limited, blocked_by, replayed)
                            select s.job, coalesce(s.queue, j.queue, 'default'),
                                   case when j.max_concurrent is not null or s.max_overlap is not null
                                        then 'BLOCKED' else 'READY' end,
                                   coalesce(s.priority, j.priority, 0),
                                   now() - coalesce(s.priority, j.priority, 0) * interval '1 minute', now(), s.id, s.tick,
                                   s.payload, coalesce(j.max_attempts, 5),
                                   case when s.overlap <> 'ALLOW' or s.max_overlap is not null then 'schedule:' || s.id end,
                                   case when s.overlap <> 'ALLOW' then 1 else s.max_overlap end,
                                   j.max_concurrent is not null,
                                   case when s.max_overlap is not null then 'KEY'
                                        when j.max_concurrent is not null then 'JOB' end,
                                   true
                            from replayed s left join scheduler.job j on j.name = s.job
                            on conflict (schedule_id, tick_at) where schedule_id is not null do nothing
                            returning queue
                        )
                        select count(*) as runs, pg_notify(:channel, :many || count(*) || ':' || queue)
                        from enqueued
                        group by queue
                        """)
                .param("ids", longs(replays, replay -> replay.schedule().id()))
                .param("ticks", texts(replays, replay -> replay.schedule().tick()))
                .param("untils", texts(replays, replay -> replay.schedule().until()))
                .param("nexts", texts(replays, Replay::next))
                .param("pauses", longs(replays, replay -> replay.pause().toMillis()))
                .param("whileBusy", WHILE_BUSY.toMillis())
                .param("channel", database.channel())
                .param("many", WakeUp.MANY.payload())
                .query((row, number) -> row.getInt("runs"))
                .list()
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }
}
