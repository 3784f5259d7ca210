package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;
import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.schedule.Trigger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/** The table {@code schedule}: which ticks come next. */
public final class ScheduleStore {

    private final Database database;

    public ScheduleStore(Database database) {
        this.database = database;
    }

    /** A schedule at whose next tick the time has come, as stored: it may not be readable. */
    public record DueSchedule(
            long id,
            String name,
            String kind,
            String expression,
            @Nullable String zone,
            Instant nextTick) {

        /** Throws when kind, expression or zone are not valid, or no longer. */
        public Trigger trigger() {
            return Trigger.of(Trigger.Kind.valueOf(kind), expression, zone);
        }
    }

    /** A due schedule and what is to become of it. */
    public record Advance(DueSchedule schedule, TickPlan plan) {}

    /**
     * Makes the declared schedules the stored ones.
     *
     * <p>A schedule whose trigger is unchanged keeps its place in time, so that restarts neither repeat nor lose ticks; a
     * changed or new one starts from the present. A paused schedule stays paused.
     */
    public void declare(List<Schedule> schedules, JobRegistry jobs) {
        database.inTransaction(() -> {
            Instant now = now();
            List<Schedule> active =
                    schedules.stream().filter(s -> s.trigger() != null).toList();
            List<Schedule> off =
                    schedules.stream().filter(s -> s.trigger() == null).toList();
            lock(schedules);
            retire(off);
            upsert(active, jobs, now);
            return database.sql("select pg_notify(:channel, :wakeUp)")
                    .param("channel", database.channel())
                    .param("wakeUp", WakeUp.DUE.payload())
                    .query()
                    .listOfRows();
        });
    }

    /** One declaration at a time, and its rows in the order in which completions lock them: nobody waits in a circle. */
    private void lock(List<Schedule> schedules) {
        database.sql("select pg_advisory_xact_lock(hashtext('distributed-scheduler declare'), hashtext(:channel))")
                .param("channel", database.channel())
                .query()
                .listOfRows();
        database.sql("""
                        select id from scheduler.schedule
                        where tenant = '' and name = any(:names)
                        order by id
                        for no key update
                        """)
                .param("names", texts(schedules, Schedule::name))
                .query()
                .listOfRows();
    }

    private Instant now() {
        return database.sql("select now()").query(OffsetDateTime.class).single().toInstant();
    }

    private void retire(List<Schedule> schedules) {
        database.sql("""
                        update scheduler.schedule
                        set state = 'RETIRED', state_reason = 'switched off', next_tick_at = null, updated_at = now()
                        where tenant = '' and name = any(:names) and state <> 'RETIRED'
                        """).param("names", texts(schedules, Schedule::name)).update();
    }

    private void upsert(List<Schedule> schedules, JobRegistry jobs, Instant now) {
        List<JobDefinition> definitions =
                schedules.stream().map(schedule -> jobs.get(schedule.job())).toList();
        List<Trigger> triggers = schedules.stream().map(ScheduleStore::trigger).toList();
        database.sql("""
                        insert into scheduler.schedule as s
                            (name, job, queue, priority, max_attempts, trigger_kind, trigger_expression, zone, delay,
                             next_tick_at)
                        select *
                        from unnest(cast(:names as text[]), cast(:jobs as text[]), cast(:queues as text[]),
                                    cast(:priorities as bigint[]), cast(:attempts as bigint[]), cast(:kinds as text[]),
                                    cast(:expressions as text[]), cast(:zones as text[]), cast(:delays as interval[]),
                                    cast(:firsts as timestamptz[]))
                                 as d (name, job, queue, priority, max_attempts, kind, expression, zone, delay, first_tick_at)
                        order by d.name
                        on conflict (tenant, name) do update
                        set job = excluded.job,
                            queue = excluded.queue,
                            priority = excluded.priority,
                            max_attempts = excluded.max_attempts,
                            trigger_kind = excluded.trigger_kind,
                            trigger_expression = excluded.trigger_expression,
                            zone = excluded.zone,
                            delay = excluded.delay,
                            state = case when s.state in ('RETIRED', 'FAILED') then 'ACTIVE' else s.state end,
                            state_reason = case when s.state in ('RETIRED', 'FAILED') then null else s.state_reason end,
                            next_tick_at = case
                                when excluded.delay is not null
                                    and exists (select from scheduler.run r where r.schedule_id = s.id)
                                then null -- the end of its live run decides
                                when s.state in ('RETIRED', 'FAILED')
                                    or (s.trigger_kind, s.trigger_expression, s.zone)
                                        is distinct from (excluded.trigger_kind, excluded.trigger_expression, excluded.zone)
                                then greatest(excluded.next_tick_at, s.last_tick_at + interval '1 microsecond')
                                else s.next_tick_at
                            end,
                            updated_at = now()
                        where s.state in ('RETIRED', 'FAILED')
                           or (s.job, s.queue, s.priority, s.max_attempts, s.trigger_kind, s.trigger_expression, s.zone)
                               is distinct from
                              (excluded.job, excluded.queue, excluded.priority, excluded.max_attempts,
                               excluded.trigger_kind, excluded.trigger_expression, excluded.zone)
                        """)
                .param("names", texts(schedules, Schedule::name))
                .param("jobs", texts(schedules, Schedule::job))
                .param("queues", texts(definitions, job -> job.policy().queue()))
                .param(
                        "priorities",
                        longs(definitions, job -> job.policy().priority().headStartMinutes()))
                .param("attempts", longs(definitions, job -> job.policy().maxAttempts()))
                .param("kinds", texts(triggers, Trigger::kind))
                .param("expressions", texts(triggers, Trigger::expression))
                .param("zones", texts(triggers, Trigger::zone))
                .param("delays", texts(triggers, t -> t.kind() == Trigger.Kind.FIXED_DELAY ? t.expression() : null))
                .param("firsts", texts(schedules, s -> trigger(s).first(now, s.initialDelay())))
                .update();
    }

    private static Trigger trigger(Schedule schedule) {
        Trigger trigger = schedule.trigger();
        if (trigger == null) {
            throw new IllegalArgumentException("Schedule '%s' is switched off".formatted(schedule.name()));
        }
        return trigger;
    }

    /** Locks the schedules whose next tick is due, most overdue first, leaving out those that somebody else is changing. */
    public List<DueSchedule> lockDue(int most) {
        return database.sql("""
                        select id, name, trigger_kind, trigger_expression, zone, next_tick_at
                        from scheduler.schedule
                        where state = 'ACTIVE' and next_tick_at <= now()
                        order by next_tick_at
                        limit :most
                        for no key update skip locked
                        """)
                .param("most", most)
                .query((row, number) -> new DueSchedule(
                        row.getLong("id"),
                        row.getString("name"),
                        row.getString("trigger_kind"),
                        row.getString("trigger_expression"),
                        row.getString("zone"),
                        Columns.instant(row, "next_tick_at")))
                .list();
    }

    /**
     * Moves schedules on from the tick at which they stand, makes runs of the ticks in between, and records what was
     * skipped. One statement: a schedule that does not stand where the plan saw it yields nothing.
     *
     * @return how many runs each queue got
     */
    public Map<String, Integer> advance(List<Advance> advances) {
        List<Advance> skips = advances.stream()
                .filter(advance -> advance.plan().skippedFrom() != null)
                .toList();
        List<Tick> ticks = new ArrayList<>();
        advances.forEach(advance -> advance.plan()
                .ticks()
                .forEach(tick -> ticks.add(new Tick(advance.schedule().id(), tick))));
        Map<String, Integer> runsByQueue = new HashMap<>();
        database.sql("""
                        with advanced as (
                            update scheduler.schedule s
                            set last_tick_at = a.last_tick, next_tick_at = a.next_tick
                            from unnest(:ids, cast(:expected as timestamptz[]),
                                        cast(:lasts as timestamptz[]), cast(:nexts as timestamptz[]))
                                     as a (id, expected, last_tick, next_tick)
                            where s.id = a.id and s.next_tick_at = a.expected and s.state = 'ACTIVE'
                            returning s.id, s.job, s.queue, s.priority, s.max_attempts, s.payload
                        ), skipped as (
                            insert into scheduler.execution
                                (job, queue, schedule_id, tick_at, outcome, run_at, error_type, error_message)
                            select s.job, s.queue, s.id, t.tick, 'SKIPPED', t.tick, 'misfire', t.reason
                            from unnest(:skippedIds, cast(:skippedTicks as timestamptz[]), cast(:reasons as text[]))
                                     as t (id, tick, reason)
                                     join advanced s on s.id = t.id
                        ), enqueued as (
                            insert into scheduler.run
                                (job, queue, state, priority, place, run_at, schedule_id, tick_at, payload, max_attempts,
                                 job_limited, blocked_by)
                            select s.job, s.queue, case when j.max_concurrent is null then 'READY' else 'BLOCKED' end,
                                   s.priority, t.tick - s.priority * interval '1 minute',
                                   t.tick, s.id, t.tick, s.payload, s.max_attempts,
                                   j.max_concurrent is not null, case when j.max_concurrent is not null then 'JOB' end
                            from unnest(:tickIds, cast(:ticks as timestamptz[])) as t (id, tick)
                                     join advanced s on s.id = t.id
                                     left join scheduler.job j on j.name = s.job
                            on conflict (schedule_id, tick_at) where schedule_id is not null do nothing
                            returning queue
                        )
                        select queue, count(*) as runs, pg_notify(:channel, :ready || queue)
                        from enqueued
                        group by queue
                        """)
                .param("ids", longs(advances, advance -> advance.schedule().id()))
                .param("expected", texts(advances, advance -> advance.schedule().nextTick()))
                .param("lasts", texts(advances, advance -> advance.plan().lastTick()))
                .param("nexts", texts(advances, advance -> advance.plan().next()))
                .param("skippedIds", longs(skips, advance -> advance.schedule().id()))
                .param("skippedTicks", texts(skips, advance -> advance.plan().skippedFrom()))
                .param("reasons", texts(skips, advance -> "older than the misfire grace; all ticks up to the next one"))
                .param("tickIds", longs(ticks, Tick::scheduleId))
                .param("ticks", texts(ticks, Tick::at))
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query((RowCallbackHandler) row -> runsByQueue.put(row.getString("queue"), row.getInt("runs")));
        return runsByQueue;
    }

    private record Tick(long scheduleId, Instant at) {}

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
