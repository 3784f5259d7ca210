package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.schedule.MisfireRules;
import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.schedule.TickPlan.Span;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * The way from the table {@code schedule} to the table {@code run}: ticks whose time has come.
 *
 * <p>Who makes a run of a schedule holds the lock of the schedule's row. So what is seen of its live runs after the lock was
 * taken cannot become more before the commit: a tick that finds none of them may go straight in line, as if it had been
 * admitted past its limit of one at a time (see {@code Admission}).
 */
public final class DueTicks {

    private final Database database;

    public DueTicks(Database database) {
        this.database = database;
    }

    /** A schedule at whose next tick the time has come. */
    public record DueSchedule(
            long id,
            ScheduleKey key,
            StoredTiming timing,
            Instant nextTick,
            Misfire misfire,
            @Nullable Duration grace,
            @Nullable Instant pausedAt,
            @Nullable Instant resumedAt) {

        static DueSchedule of(ResultSet row) throws SQLException {
            long grace = row.getLong("grace");
            return new DueSchedule(
                    row.getLong("id"),
                    new ScheduleKey(row.getString("tenant"), row.getString("name")),
                    StoredTiming.of(row),
                    Columns.instant(row, "next_tick_at"),
                    Misfire.valueOf(row.getString("misfire")),
                    grace == 0 ? null : Duration.ofMillis(grace),
                    Columns.instantOrNull(row, "paused_at"),
                    Columns.instantOrNull(row, "resumed_at"));
        }

        public MisfireRules rules(Duration usualGrace, Duration after) {
            return new MisfireRules(misfire, grace == null ? usualGrace : grace, after);
        }

        private String reasonToSkip(Span span) {
            boolean paused = pausedAt != null
                    && resumedAt != null
                    && !span.from().isBefore(pausedAt)
                    && span.from().isBefore(resumedAt);
            return paused ? "paused" : "misfire";
        }
    }

    /** A due schedule and what is to become of it. */
    public record Advance(DueSchedule schedule, TickPlan plan) {

        /** Of all ticks that are not missed. */
        public static List<Duration> lateness(List<Advance> advances, Instant now) {
            return advances.stream()
                    .flatMap(advance -> advance.plan().ticks().stream())
                    .map(tick -> Duration.between(tick, now))
                    .toList();
        }
    }

    /**
     * What became of ticks.
     *
     * @param runsByQueue new runs
     * @param skipped ticks that were skipped because their predecessor is still live
     */
    public record Dispatched(Map<String, Integer> runsByQueue, int skipped) {

        public static final Dispatched NOTHING = new Dispatched(Map.of(), 0);
    }

    /**
     * Locks the schedules whose next tick is due, most overdue first, leaving out those that somebody else is changing.
     *
     * @param beans names of the trigger beans that this node has
     * @param partitions whose schedules; null for all
     */
    public List<DueSchedule> lockDue(Collection<String> beans, @Nullable Collection<Integer> partitions, int most) {
        return database.sql("""
                        select id, tenant, name, trigger_kind, trigger_expression, zone, dst_gap, dst_overlap,
                               cast(extract(epoch from shift) * 1000 as bigint) as shift, starts_at, ends_at, next_tick_at,
                               misfire, cast(extract(epoch from misfire_grace) * 1000 as bigint) as grace, paused_at,
                               resumed_at
                        from scheduler.schedule
                        where state = 'ACTIVE' and next_tick_at <= now()
                          and (trigger_kind <> 'BEAN' or trigger_expression = any(:beans))
                          and (cast(:partitions as smallint[]) is null or partition = any(cast(:partitions as smallint[])))
                        order by next_tick_at
                        limit :most
                        for no key update skip locked
                        """)
                .param("beans", beans.toArray(String[]::new))
                .param("partitions", partitions == null ? null : texts(partitions, partition -> partition))
                .param("most", most)
                .query((row, number) -> DueSchedule.of(row))
                .list();
    }

    private record Tick(long scheduleId, Instant at) {}

    private record Skip(long scheduleId, Span span, String reason) {}

    /**
     * Moves schedules on from the tick at which they stand, makes runs of the ticks in between, keeps the missed ones for
     * later, and records what was skipped. One statement: a schedule that does not stand where the plan saw it yields
     * nothing. A schedule without a further tick has ended.
     *
     * <p>The state is compared in a way that no index knows: the planner would look through all due schedules for each.
     */
    public Dispatched advance(List<Advance> advances) {
        List<Tick> ticks = new ArrayList<>();
        List<Skip> skips = new ArrayList<>();
        for (Advance advance : advances) {
            DueSchedule schedule = advance.schedule();
            advance.plan().ticks().forEach(tick -> ticks.add(new Tick(schedule.id(), tick)));
            advance.plan()
                    .skipped()
                    .forEach(span -> skips.add(new Skip(schedule.id(), span, schedule.reasonToSkip(span))));
        }
        Map<String, Integer> runsByQueue = new HashMap<>();
        int[] skipped = {0};
        database.sql("""
                        with advanced as (
                            update scheduler.schedule s
                            set last_tick_at = a.last_tick,
                                next_tick_at = a.next_tick,
                                missed = case when a.missed_from is null then s.missed
                                              else s.missed + tstzmultirange(tstzrange(a.missed_from, a.missed_until)) end,
                                replay_at = case when a.missed_from is null then s.replay_at
                                                 else coalesce(s.replay_at, now()) end,
                                state = case when a.next_tick is null and a.missed_from is null and isempty(s.missed)
                                                  and (s.delay is null or s.ends_at <= s.next_tick_at)
                                             then 'ENDED' else s.state end,
                                updated_at = case when a.next_tick is null then now() else s.updated_at end
                            from unnest(:ids, cast(:expected as timestamptz[]), cast(:lasts as timestamptz[]),
                                        cast(:nexts as timestamptz[]), cast(:missedFrom as timestamptz[]),
                                        cast(:missedUntil as timestamptz[]))
                                     as a (id, expected, last_tick, next_tick, missed_from, missed_until)
                            where s.id = a.id and s.next_tick_at = a.expected and s.state || '' = 'ACTIVE'
                            returning s.id, s.job, s.queue, s.priority, s.payload, s.overlap, s.max_overlap
                        ), tick as (
                            select s.*, t.tick, j.max_concurrent is not null as job_limited,
                                   coalesce(s.queue, j.queue, 'default') as to_queue,
                                   coalesce(s.priority, j.priority, 0) as head_start,
                                   coalesce(j.max_attempts, 5) as max_attempts,
                                   case s.overlap when 'ALLOW' then s.max_overlap else 1 end as most,
                                   l.runs + row_number() over (partition by s.id order by t.tick) as number,
                                   s.overlap = 'SKIP' and l.by_tick as too_early
                            from unnest(:tickIds, cast(:ticks as timestamptz[])) as t (id, tick)
                                     join advanced s on s.id = t.id
                                     left join scheduler.job j on j.name = s.job
                                     cross join lateral (
                                         select count(*) as runs, coalesce(bool_or(not r.replayed), false) as by_tick
                                         from scheduler.run r where r.schedule_id = s.id) l
                        ), skipped as (
                            insert into scheduler.execution
                                (job, queue, schedule_id, tick_at, tick_until, outcome, run_at, error_type, error_message)
                            select s.job, coalesce(s.queue, j.queue, 'default'), s.id, t.tick, t.until, 'SKIPPED', t.tick, t.reason,
                                   case t.reason when 'paused' then 'the schedule was paused'
                                                 else 'it was missed, and not to be made up for' end
                            from unnest(:skippedIds, cast(:skippedFrom as timestamptz[]), cast(:skippedUntil as timestamptz[]),
                                        cast(:reasons as text[])) as t (id, tick, until, reason)
                                     join advanced s on s.id = t.id
                                     left join scheduler.job j on j.name = s.job
                            union all
                            select job, to_queue, id, tick, null, 'SKIPPED', tick, 'overlap',
                                   'the run of an earlier tick was still live'
                            from tick
                            where too_early
                        ), enqueued as (
                            insert into scheduler.run
                                (job, queue, state, priority, place, run_at, schedule_id, tick_at, payload, max_attempts,
                                 concurrency_key, key_limit, job_limited, blocked_by)
                            select job, to_queue,
                                   case when number > most or job_limited then 'BLOCKED' else 'READY' end,
                                   head_start, tick - head_start * interval '1 minute', tick, id, tick, payload, max_attempts,
                                   case when most is not null then 'schedule:' || id end, most, job_limited,
                                   case when number > most then 'KEY' when job_limited then 'JOB' end
                            from tick
                            where not too_early
                            on conflict (schedule_id, tick_at) where schedule_id is not null do nothing
                            returning queue
                        )
                        select queue, count(*) as ticks, pg_notify(:channel, :many || count(*) || ':' || queue)
                        from enqueued
                        group by queue
                        union all
                        select null, count(*), null from tick where too_early
                        """)
                .param("ids", longs(advances, advance -> advance.schedule().id()))
                .param("expected", texts(advances, advance -> advance.schedule().nextTick()))
                .param("lasts", texts(advances, DueTicks::lastTick))
                .param("nexts", texts(advances, advance -> advance.plan().next()))
                .param(
                        "missedFrom",
                        texts(advances, advance -> from(advance.plan().missed())))
                .param(
                        "missedUntil",
                        texts(advances, advance -> until(advance.plan().missed())))
                .param("skippedIds", longs(skips, Skip::scheduleId))
                .param("skippedFrom", texts(skips, skip -> skip.span().from()))
                .param("skippedUntil", texts(skips, skip -> skip.span().until()))
                .param("reasons", texts(skips, Skip::reason))
                .param("tickIds", longs(ticks, Tick::scheduleId))
                .param("ticks", texts(ticks, Tick::at))
                .param("channel", database.channel())
                .param("many", WakeUp.MANY.payload())
                .query((RowCallbackHandler) row -> {
                    String queue = row.getString("queue");
                    if (queue == null) {
                        skipped[0] = row.getInt("ticks");
                    } else {
                        runsByQueue.put(queue, row.getInt("ticks"));
                    }
                });
        return new Dispatched(runsByQueue, skipped[0]);
    }

    private static Instant lastTick(Advance advance) {
        List<Instant> ticks = advance.plan().ticks();
        return ticks.isEmpty() ? advance.schedule().nextTick() : ticks.get(ticks.size() - 1);
    }

    private static @Nullable Instant from(@Nullable Span span) {
        return span == null ? null : span.from();
    }

    private static @Nullable Instant until(@Nullable Span span) {
        return span == null ? null : span.until();
    }

    /** Gives a tick to fixed-delay schedules that wait for the end of a run which is not there any more. */
    public int revive() {
        return database.sql("""
                        update scheduler.schedule s
                        set next_tick_at = greatest(now(), s.last_tick_at + interval '1 microsecond')
                        where s.id in (select i.id from scheduler.schedule i
                                       where i.state = 'ACTIVE' and i.delay is not null and i.next_tick_at is null
                                         and not exists (select from scheduler.run r where r.schedule_id = i.id)
                                       order by i.id
                                       for no key update skip locked)
                        """).update();
    }

    /** Sets aside a schedule that cannot be understood, so that the others go on. */
    public boolean isolate(long id, String reason) {
        return database.sql("""
                                update scheduler.schedule
                                set state = 'FAILED', state_reason = :reason, updated_at = now()
                                where id = :id and state = 'ACTIVE'
                                """).param("id", id).param("reason", reason).update() == 1;
    }
}
