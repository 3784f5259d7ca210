package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.instant;
import static dev.distributedscheduler.store.Columns.instantOrNull;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleFilter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.TickTrace;
import dev.distributedscheduler.TickTrace.Fate;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/** Looks schedules up, and what became of their ticks. */
public final class ScheduleSearch {

    /** Rows that one search looks at, unless it takes all that it sees; and those that a search to the end does at a time. */
    public static final int WINDOW = 2_000;

    private static final int LARGE_WINDOW = 100_000;

    /** How many rows before the time asked for may stand between it and a row that reaches into it. */
    private static final int LOOK_BACK = 1_000;

    private final Database database;

    public ScheduleSearch(Database database) {
        this.database = database;
    }

    public Optional<ScheduleDetails> find(ScheduleKey key) {
        return database.sql("""
                        select tenant, name, job, trigger_kind, trigger_expression, zone,
                               cast(extract(epoch from shift) * 1000 as bigint) as shift, misfire, overlap, state,
                               case when state = 'RETIRED' and paused_at is not null and resumed_at is null
                                    then concat_ws(': ', 'switched off while paused', state_reason)
                                    else state_reason end as state_reason, changed_by, declared_by is not null as declared, last_tick_at, next_tick_at,
                               replay_at is not null as missed_ticks, payload
                        from scheduler.schedule
                        where tenant = :tenant and name = :name
                        """)
                .param("tenant", key.tenant())
                .param("name", key.name())
                .query((row, number) -> details(row))
                .optional();
    }

    public List<ScheduleDetails> list(ScheduleFilter filter, @Nullable ScheduleKey after, int most) {
        List<ScheduleDetails> all = new ArrayList<>();
        ScheduleKey next = after;
        do {
            Found found = find(filter, next, most - all.size(), LARGE_WINDOW);
            all.addAll(found.schedules());
            next = found.next();
        } while (next != null && all.size() < most);
        return all;
    }

    /**
     * What was found.
     *
     * @param next where to go on; null when all have been looked at
     */
    public record Found(
            List<ScheduleDetails> schedules, @Nullable ScheduleKey next) {}

    /** As {@link #list}, but ends with a window: only the order of the list has an index. */
    public Found find(ScheduleFilter filter, @Nullable ScheduleKey after, int most, int window) {
        List<ScheduleDetails> schedules = new ArrayList<>();
        List<ScheduleKey> end = new ArrayList<>();
        boolean takesAll = filter.namePrefix() == null && filter.job() == null && filter.state() == null;
        database.sql("""
                        with looked as materialized (
                            select tenant, name, job, state
                            from scheduler.schedule
                            where (tenant, name) > (:afterTenant, :afterName)
                              and tenant <= coalesce(cast(:tenant as text), tenant)
                            order by tenant, name
                            limit :window
                        ), reached as (
                            select tenant, name from looked
                            where (select count(*) from looked) = :window
                            order by tenant desc, name desc
                            limit 1
                        ), found as materialized (
                            select tenant, name from looked
                            where (cast(:tenant as text) is null or tenant = :tenant)
                              and (cast(:prefix as text) is null or starts_with(name, :prefix))
                              and (cast(:job as text) is null or job = :job)
                              and (cast(:state as text) is null or state = :state)
                            order by tenant, name
                            limit :most
                        )
                        select s.*, reached.tenant as reached_tenant, reached.name as reached_name
                        from (select) one left join reached on true left join (
                            select f.tenant, f.name, job, trigger_kind, trigger_expression, zone,
                                   cast(extract(epoch from shift) * 1000 as bigint) as shift, misfire, overlap, state,
                                   case when state = 'RETIRED' and paused_at is not null and resumed_at is null
                                        then concat_ws(': ', 'switched off while paused', state_reason)
                                        else state_reason end as state_reason,
                                   changed_by, declared_by is not null as declared, last_tick_at, next_tick_at,
                                   replay_at is not null as missed_ticks, payload
                            from found f join scheduler.schedule i on i.tenant = f.tenant and i.name = f.name) s on true
                        order by s.tenant, s.name
                        """)
                .param("afterTenant", after != null ? after.tenant() : filter.tenant() == null ? "" : filter.tenant())
                .param("afterName", after == null ? "" : after.name())
                .param("tenant", filter.tenant())
                .param("prefix", filter.namePrefix())
                .param("job", filter.job())
                .param("state", filter.state())
                .param("window", takesAll ? most : window)
                .param("most", most)
                .query((RowCallbackHandler) row -> {
                    if (row.getString("reached_name") != null) {
                        end.add(new ScheduleKey(row.getString("reached_tenant"), row.getString("reached_name")));
                    }
                    if (row.getString("name") != null) {
                        schedules.add(details(row));
                    }
                });
        ScheduleKey next = schedules.size() == most ? schedules.get(most - 1).key() : end.isEmpty() ? null : end.get(0);
        return new Found(schedules, next);
    }

    private static ScheduleDetails details(ResultSet row) throws SQLException {
        return new ScheduleDetails(
                new ScheduleKey(row.getString("tenant"), row.getString("name")),
                row.getString("job"),
                row.getString("trigger_kind"),
                row.getString("trigger_expression"),
                row.getString("zone"),
                Duration.ofMillis(row.getLong("shift")),
                Misfire.valueOf(row.getString("misfire")),
                Overlap.valueOf(row.getString("overlap")),
                row.getString("state"),
                row.getString("state_reason"),
                row.getString("changed_by"),
                row.getBoolean("declared"),
                instantOrNull(row, "last_tick_at"),
                instantOrNull(row, "next_tick_at"),
                row.getBoolean("missed_ticks"),
                row.getString("payload"));
    }

    /** When it ticks, and where it stands. */
    public record Position(StoredTiming timing, @Nullable Instant nextTick, Instant now) {}

    public Optional<Position> position(ScheduleKey key) {
        return database.sql("""
                        select trigger_kind, trigger_expression, zone, dst_gap, dst_overlap,
                               cast(extract(epoch from shift) * 1000 as bigint) as shift, starts_at, ends_at, next_tick_at,
                               now() as now
                        from scheduler.schedule
                        where tenant = :tenant and name = :name
                        """)
                .param("tenant", key.tenant())
                .param("name", key.name())
                .query((row, number) ->
                        new Position(StoredTiming.of(row), instantOrNull(row, "next_tick_at"), instant(row, "now")))
                .optional();
    }

    /**
     * What became of ticks, the first of them; runs are found live or in the history, whatever their attempts.
     *
     * <p>Skipped ticks may be one row from before the time asked for. Such a row stands for all ticks up to its end, so few
     * others come after it: it is looked for among the last ones before that time, not in the whole history.
     */
    public List<TickTrace> trace(ScheduleKey key, Instant from, Instant until, int most) {
        return database.sql("""
                        with chosen as materialized (
                            select id, missed from scheduler.schedule where tenant = :tenant and name = :name
                        ), span as materialized (
                            select cast(:from as timestamptz) as from_at, cast(:until as timestamptz) as until_at
                        ), past as materialized (
                            select e.*
                            from chosen c, span, lateral (
                                select distinct i.tick_at, i.run_id, i.tick_until, -- not one for each attempt
                                       case when i.outcome = 'SKIPPED' then i.error_type end as reason
                                from scheduler.execution i
                                where i.schedule_id = c.id and i.tick_at >= from_at and i.tick_at < until_at
                                order by i.tick_at, i.run_id
                                limit :most) e
                        ), earlier as materialized (
                            select e.*
                            from chosen c, span, lateral (
                                select i.tick_at, i.tick_until, i.error_type, i.outcome
                                from scheduler.execution i
                                where i.schedule_id = c.id and i.tick_at < from_at
                                order by i.tick_at desc
                                limit :lookBack) e
                            where e.tick_until > from_at and e.outcome = 'SKIPPED'
                        )
                        select tick, until, fate, run_id, reason
                        from (
                            (select r.tick_at as tick, cast(null as timestamptz) as until, 'ENQUEUED' as fate, r.id as run_id,
                                    null as reason
                             from chosen c join scheduler.run r on r.schedule_id = c.id, span
                             where r.tick_at >= from_at and r.tick_at < until_at
                             order by r.tick_at
                             limit :most)
                            union
                            select tick_at, null, 'ENQUEUED', run_id, null from past where run_id is not null
                            union all
                            select tick_at, tick_until, 'SKIPPED', null, reason from past where run_id is null
                            union all
                            select tick_at, tick_until, 'SKIPPED', null, error_type from earlier
                            union all
                            select lower(m), upper(m), 'OWED', null, 'misfire'
                            from chosen c, unnest(c.missed) m, span
                            where lower(m) < until_at and upper(m) > from_at) t
                        order by tick, run_id
                        limit :most
                        """)
                .param("tenant", key.tenant())
                .param("name", key.name())
                .param("from", from.toString())
                .param("until", until.toString())
                .param("most", most)
                .param("lookBack", LOOK_BACK)
                .query((row, number) -> new TickTrace(
                        instant(row, "tick"),
                        instantOrNull(row, "until"),
                        Fate.valueOf(row.getString("fate")),
                        row.getObject("run_id", Long.class),
                        row.getString("reason")))
                .list();
    }
}
