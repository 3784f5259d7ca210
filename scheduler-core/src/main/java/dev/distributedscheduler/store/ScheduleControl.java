package dev.distributedscheduler.store;

import dev.distributedscheduler.ScheduleKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What people do to schedules, each in one conditional statement.
 *
 * <p>Against a dispatching leader, which holds the locks of the schedules it moves: whoever comes second waits for the
 * first and then sees what that did. A pause that comes second finds the tick enqueued, and its run goes on; a dispatch
 * that comes second does not find the schedule, or finds it changed and does nothing. Deleting leaves live runs alone.
 */
public final class ScheduleControl {

    private final Database database;

    public ScheduleControl(Database database) {
        this.database = database;
    }

    /** Stops new ticks; false when the schedule is not active. */
    public boolean pause(ScheduleKey key, @Nullable String reason, @Nullable String who) {
        return database.sql("""
                                update scheduler.schedule
                                set state = 'PAUSED', state_reason = :reason, changed_by = :who, paused_at = now(),
                                    resumed_at = null, updated_at = now()
                                where tenant = :tenant and name = :name and state = 'ACTIVE'
                                """)
                        .param("tenant", key.tenant())
                        .param("name", key.name())
                        .param("reason", reason)
                        .param("who", who)
                        .update()
                == 1;
    }

    /**
     * Lets ticks come again, the missed ones by the misfire policy; one that has none any more has ended.
     *
     * @return false when the schedule is not paused or failed
     */
    public boolean resume(ScheduleKey key, @Nullable String who) {
        return database.sql("""
                        with resumed as (
                            update scheduler.schedule
                            set state = case when next_tick_at is null and isempty(missed)
                                                  and (delay is null or ends_at <= now())
                                             then 'ENDED' else 'ACTIVE' end,
                                state_reason = null, changed_by = :who, updated_at = now(),
                                resumed_at = case when state = 'PAUSED' then now() else resumed_at end
                            where tenant = :tenant and name = :name and state in ('PAUSED', 'FAILED')
                            returning id
                        )
                        select pg_notify(:channel, :due) from resumed
                        """)
                .param("tenant", key.tenant())
                .param("name", key.name())
                .param("who", who)
                .param("channel", database.channel())
                .param("due", WakeUp.DUE.payload())
                .query((row, number) -> true)
                .optional()
                .orElse(false);
    }

    /**
     * Makes a run now, whatever the schedule's state. It waits for its predecessor unless runs may overlap: only the leader
     * lets it pass.
     *
     * @param payload instead of the schedule's, if it is changed
     * @return the run's id; nothing when there is no such schedule
     */
    public Optional<Long> trigger(ScheduleKey key, boolean changed, @Nullable String payload) {
        return database.sql("""
                        with chosen as materialized (
                            select id, job, queue, priority, payload, overlap, max_overlap
                            from scheduler.schedule
                            where tenant = :tenant and name = :name
                            for no key update
                        ), enqueued as (
                            insert into scheduler.run
                                (job, queue, state, priority, place, run_at, schedule_id, tick_at, payload, max_attempts,
                                 concurrency_key, key_limit, job_limited, blocked_by)
                            select s.job, coalesce(s.queue, j.queue, 'default'),
                                   case when l.key_limit is not null or j.max_concurrent is not null
                                        then 'BLOCKED' else 'READY' end,
                                   coalesce(s.priority, j.priority, 0),
                                   now() - coalesce(s.priority, j.priority, 0) * interval '1 minute', now(), s.id,
                                   clock_timestamp(), case when :changed then cast(:payload as text) else s.payload end,
                                   coalesce(j.max_attempts, 5),
                                   case when l.key_limit is not null then 'schedule:' || s.id end, l.key_limit,
                                   j.max_concurrent is not null,
                                   case when l.key_limit is not null then 'KEY' when j.max_concurrent is not null then 'JOB' end
                            from chosen s
                                     left join scheduler.job j on j.name = s.job,
                                 lateral (select case s.overlap when 'ALLOW' then s.max_overlap else 1 end as key_limit) l
                            returning id, queue, state
                        )
                        select id, pg_notify(:channel, case when state = 'READY' then :ready || queue else :due end)
                        from enqueued
                        """)
                .param("tenant", key.tenant())
                .param("name", key.name())
                .param("changed", changed)
                .param("payload", payload)
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .param("due", WakeUp.DUE.payload())
                .query((row, number) -> row.getLong("id"))
                .optional();
    }

    /** Removes a schedule that is not declared in code; its live runs go on. */
    public boolean delete(ScheduleKey key) {
        return database.sql("""
                        with deleted as (
                            delete from scheduler.schedule
                            where tenant = :tenant and name = :name and declared_by is null
                            returning tenant
                        ), counted as (
                            update scheduler.tenant t
                            set schedules = t.schedules - 1
                            from deleted d
                            where t.name = d.tenant
                        )
                        select true from deleted
                        """)
                .param("tenant", key.tenant())
                .param("name", key.name())
                .query(Boolean.class)
                .optional()
                .orElse(false);
    }

    /** Removes registered schedules that ended longer ago than this; returns how many. */
    public int forgetEnded(long hours, int most) {
        return database.sql("""
                        with ended as materialized (
                            select id, tenant from scheduler.schedule
                            where state = 'ENDED' and declared_by is null and updated_at < now() - :hours * interval '1 hour'
                            limit :most
                            for update skip locked
                        ), deleted as (
                            delete from scheduler.schedule s using ended e where s.id = e.id returning s.tenant
                        ), gone as (
                            select tenant, count(*) as schedules from deleted group by tenant
                        ), counted as (
                            update scheduler.tenant t
                            set schedules = t.schedules - l.schedules
                            from (select i.name, g.schedules from scheduler.tenant i join gone g on g.tenant = i.name
                                  order by i.name
                                  for update of i) l
                            where t.name = l.name
                        )
                        select coalesce(sum(schedules), 0) from gone
                        """)
                .param("hours", hours)
                .param("most", most)
                .query(Integer.class)
                .single();
    }
}
