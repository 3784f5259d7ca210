package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.texts;

import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/** The table {@code schedule}: which schedules there are, declared in code or registered by a program. */
public final class ScheduleStore {

    private final Database database;

    public ScheduleStore(Database database) {
        this.database = database;
    }

    /** The number of what is declared together; a greater one was seen first later. */
    public long deployment(String fingerprint) {
        database.sql("insert into scheduler.deployment (fingerprint) values (:fingerprint) on conflict do nothing")
                .param("fingerprint", fingerprint)
                .update();
        return database.sql("select id from scheduler.deployment where fingerprint = :fingerprint")
                .param("fingerprint", fingerprint)
                .query(Long.class)
                .single();
    }

    /**
     * Makes the declared schedules the stored ones, except those that a newer deployment with live nodes has declared.
     *
     * <p>A schedule whose timing is unchanged keeps its place in time, so that restarts neither repeat nor lose ticks; a
     * changed or new one starts from the present. A paused schedule stays paused, also while it is switched off.
     */
    public void declare(List<Schedule> schedules, long deployment) {
        database.inTransaction(() -> {
            oneAtATime();
            lock(schedules);
            retire(schedules.stream().filter(s -> s.timing() == null).toList(), deployment);
            upsert(schedules.stream().filter(s -> s.timing() != null).toList(), deployment);
            return tellLeader();
        });
    }

    /**
     * Makes schedules that a program wants the stored ones; repeating it changes nothing.
     *
     * @return how many of them are new, by tenant; those whose names are declared in code are left alone
     */
    public Map<String, Integer> register(List<Schedule> schedules) {
        lock(schedules);
        Map<String, Integer> added = upsert(schedules, null);
        tellLeader();
        return added;
    }

    /** Those of the keys that are declared in code. */
    public List<String> declared(Collection<ScheduleKey> keys) {
        return database.sql("""
                        select name from scheduler.schedule
                        where tenant = '' and declared_by is not null and name = any(:names)
                        """)
                .param("names", texts(keys, key -> key.tenant().isEmpty() ? key.name() : null))
                .query(String.class)
                .list();
    }

    private void oneAtATime() {
        database.sql("select pg_advisory_xact_lock(hashtext('distributed-scheduler declare'), hashtext(:channel))")
                .param("channel", database.channel())
                .query()
                .listOfRows();
    }

    /** The rows that there are, in the order in which completions lock them: nobody waits in a circle. */
    private void lock(List<Schedule> schedules) {
        database.sql("""
                        select s.id
                        from scheduler.schedule s
                                 join unnest(cast(:tenants as text[]), cast(:names as text[])) as k (tenant, name)
                                     on s.tenant = k.tenant and s.name = k.name
                        order by s.id
                        for no key update of s
                        """)
                .param("tenants", texts(schedules, schedule -> schedule.key().tenant()))
                .param("names", texts(schedules, Schedule::name))
                .query()
                .listOfRows();
    }

    private List<Map<String, @Nullable Object>> tellLeader() {
        return database.sql("select pg_notify(:channel, :wakeUp)")
                .param("channel", database.channel())
                .param("wakeUp", WakeUp.DUE.payload())
                .query()
                .listOfRows();
    }

    private Instant now() {
        return database.sql("select now()").query(OffsetDateTime.class).single().toInstant();
    }

    /** One that is paused keeps reason and time of that: it comes back as it went. */
    private void retire(List<Schedule> schedules, long deployment) {
        database.sql("""
                        update scheduler.schedule s
                        set state = 'RETIRED', next_tick_at = null, missed = '{}', replay_at = null,
                            state_reason = case when s.state = 'PAUSED' then s.state_reason else 'switched off' end,
                            paused_at = case when s.state = 'PAUSED' then coalesce(s.paused_at, now()) else s.paused_at end,
                            declared_by = :deployment, undeclared_since = null, updated_at = now()
                        where tenant = '' and name = any(:names) and state <> 'RETIRED'
                          and (declared_by is null or declared_by <= :deployment
                               or not exists (select from scheduler.node n
                                              where n.deployment = s.declared_by and n.lease_until > now()))
                        """)
                .param("names", texts(schedules, Schedule::name))
                .param("deployment", deployment)
                .update();
    }

    private Map<String, Integer> upsert(List<Schedule> schedules, @Nullable Long deployment) {
        Instant now = now();
        List<Timing> timings = schedules.stream().map(Schedule::knownTiming).toList();
        Map<String, Integer> added = new HashMap<>();
        database.sql("""
                        with changed as (
                            insert into scheduler.schedule as s
                                (tenant, name, job, queue, priority, payload, trigger_kind, trigger_expression, zone, dst_gap,
                                 dst_overlap, delay, shift, starts_at, ends_at, misfire, misfire_grace, overlap, max_overlap,
                                 next_tick_at, declared_by, state)
                            select d.*, cast(:deployment as bigint),
                                   case when d.first_tick_at is null then 'ENDED' else 'ACTIVE' end
                            from unnest(cast(:tenants as text[]), cast(:names as text[]), cast(:jobs as text[]),
                                        cast(:queues as text[]), cast(:priorities as smallint[]), cast(:payloads as text[]),
                                        cast(:kinds as text[]), cast(:expressions as text[]), cast(:zones as text[]),
                                        cast(:gaps as text[]), cast(:overlaps as text[]), cast(:delays as interval[]),
                                        cast(:shifts as interval[]), cast(:froms as timestamptz[]),
                                        cast(:untils as timestamptz[]), cast(:misfires as text[]),
                                        cast(:graces as interval[]), cast(:policies as text[]),
                                        cast(:limits as integer[]), cast(:firsts as timestamptz[]))
                                     as d (tenant, name, job, queue, priority, payload, kind, expression, zone, dst_gap,
                                           dst_overlap, delay, shift, starts_at, ends_at, misfire, grace, overlap,
                                           max_overlap, first_tick_at)
                            order by d.tenant, d.name
                            on conflict (tenant, name) do update
                            set (job, queue, priority, payload, trigger_kind, trigger_expression, zone, dst_gap, dst_overlap,
                                 delay, shift, starts_at, ends_at, misfire, misfire_grace, overlap, max_overlap, declared_by)
                                    = row (excluded.job, excluded.queue, excluded.priority, excluded.payload,
                                           excluded.trigger_kind, excluded.trigger_expression, excluded.zone,
                                           excluded.dst_gap, excluded.dst_overlap, excluded.delay, excluded.shift,
                                           excluded.starts_at, excluded.ends_at, excluded.misfire, excluded.misfire_grace,
                                           excluded.overlap, excluded.max_overlap, excluded.declared_by),
                                (state, state_reason, next_tick_at, missed, replay_at) = (
                                    select case when paused then 'PAUSED'
                                                when restarted or retimed then excluded.state
                                                else s.state end,
                                           case when paused then s.state_reason end,
                                           case when excluded.delay is not null
                                                     and exists (select from scheduler.run r where r.schedule_id = s.id)
                                                then null -- the end of its live run decides
                                                when not (restarted or retimed) then s.next_tick_at
                                                when excluded.next_tick_at is not null
                                                then greatest(excluded.next_tick_at,
                                                              s.last_tick_at + interval '1 microsecond') end,
                                           case when retriggered then '{}' else s.missed end,
                                           case when not retriggered then s.replay_at end
                                    from (select s.state in ('RETIRED', 'FAILED') as restarted,
                                                 s.state = 'PAUSED'
                                                     or s.state = 'RETIRED' and s.paused_at is not null and s.resumed_at is null
                                                     as paused,
                                                 (s.trigger_kind, s.trigger_expression, s.zone, s.shift)
                                                     is distinct from
                                                     (excluded.trigger_kind, excluded.trigger_expression, excluded.zone,
                                                      excluded.shift) as retriggered) before,
                                         lateral (select retriggered
                                                         or (s.dst_gap, s.dst_overlap, s.starts_at, s.ends_at)
                                                            is distinct from
                                                            (excluded.dst_gap, excluded.dst_overlap, excluded.starts_at,
                                                             excluded.ends_at) as retimed) timing),
                                undeclared_since = null,
                                updated_at = now()
                            where (case when excluded.declared_by is null then s.declared_by is null
                                        else s.declared_by is null or s.declared_by <= excluded.declared_by
                                             or not exists (select from scheduler.node n
                                                            where n.deployment = s.declared_by and n.lease_until > now())
                                   end)
                              and (s.state in ('RETIRED', 'FAILED')
                                   or s.undeclared_since is not null
                                   or (s.job, s.queue, s.priority, s.payload, s.trigger_kind, s.trigger_expression, s.zone,
                                       s.dst_gap, s.dst_overlap, s.shift, s.starts_at, s.ends_at, s.misfire, s.misfire_grace,
                                       s.overlap, s.max_overlap, s.declared_by)
                                      is distinct from
                                      (excluded.job, excluded.queue, excluded.priority, excluded.payload,
                                       excluded.trigger_kind, excluded.trigger_expression, excluded.zone, excluded.dst_gap,
                                       excluded.dst_overlap, excluded.shift, excluded.starts_at, excluded.ends_at,
                                       excluded.misfire, excluded.misfire_grace, excluded.overlap, excluded.max_overlap,
                                       excluded.declared_by))
                            returning tenant, xmax = 0 as is_new
                        )
                        select tenant, count(*) as added from changed where is_new group by tenant
                        """)
                .param("deployment", deployment)
                .param("tenants", texts(schedules, schedule -> schedule.key().tenant()))
                .param("names", texts(schedules, Schedule::name))
                .param("jobs", texts(schedules, Schedule::job))
                .param("queues", texts(schedules, schedule -> schedule.work().queue()))
                .param("priorities", texts(schedules, ScheduleStore::headStart))
                .param("payloads", texts(schedules, schedule -> schedule.work().payload()))
                .param("kinds", texts(timings, timing -> timing.trigger().kind()))
                .param("expressions", texts(timings, timing -> timing.trigger().expression()))
                .param("zones", texts(timings, timing -> timing.trigger().zone()))
                .param("gaps", texts(timings, timing -> ofCron(timing, CronTrigger::gap)))
                .param("overlaps", texts(timings, timing -> ofCron(timing, CronTrigger::overlap)))
                .param("delays", texts(timings, ScheduleStore::delay))
                .param("shifts", texts(timings, Timing::shift))
                .param("froms", texts(timings, Timing::from))
                .param("untils", texts(timings, Timing::until))
                .param(
                        "misfires",
                        texts(schedules, schedule -> schedule.policy().misfire()))
                .param("graces", texts(schedules, schedule -> schedule.policy().grace()))
                .param(
                        "policies",
                        texts(schedules, schedule -> schedule.policy().overlap()))
                .param("limits", texts(schedules, schedule -> schedule.policy().maxOverlap()))
                .param("firsts", texts(schedules, schedule -> schedule.first(now)))
                .query((RowCallbackHandler) row -> added.put(row.getString("tenant"), row.getInt("added")));
        return added;
    }

    private static @Nullable Integer headStart(Schedule schedule) {
        return schedule.work().priority() == null
                ? null
                : schedule.work().priority().headStartMinutes();
    }

    private static @Nullable Object ofCron(Timing timing, Function<CronTrigger, Object> value) {
        return timing.trigger() instanceof CronTrigger cron ? value.apply(cron) : null;
    }

    private static @Nullable String delay(Timing timing) {
        Trigger trigger = timing.trigger();
        return trigger.kind() == Trigger.Kind.FIXED_DELAY ? trigger.expression() : null;
    }

    /**
     * Retires declared schedules that no live node has declared for so long; they come back when one does. A paused one
     * stays what it is.
     */
    public List<String> retireUndeclared(Duration grace) {
        return database.sql("""
                        with declared as materialized (
                            select distinct unnest(schedules) as name from scheduler.node where lease_until > now()
                        ), noted as (
                            update scheduler.schedule s
                            set undeclared_since = case when s.undeclared_since is null then now() end
                            where s.declared_by is not null and s.state = 'ACTIVE' and s.tenant = ''
                              and (s.undeclared_since is null) = (s.name not in (select name from declared))
                        )
                        update scheduler.schedule s
                        set state = 'RETIRED', state_reason = 'no live node declares it', next_tick_at = null, missed = '{}',
                            replay_at = null, updated_at = now()
                        where s.declared_by is not null and s.state = 'ACTIVE' and s.tenant = ''
                          and s.undeclared_since < now() - :grace * interval '1 millisecond'
                          and s.name not in (select name from declared)
                        returning s.name
                        """)
                .param("grace", grace.toMillis())
                .query(String.class)
                .list();
    }
}
