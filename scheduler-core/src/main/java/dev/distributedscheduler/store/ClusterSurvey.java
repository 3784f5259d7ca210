package dev.distributedscheduler.store;

import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.ClusterSnapshot.Leader;
import dev.distributedscheduler.event.ClusterSnapshot.Nodes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A look at everything that a person wants to know about the cluster, at a cost that does not grow with it.
 *
 * <p>What is counted is counted along an index, up to a bound. What has reached the bound is estimated from a sample of the
 * table's pages, of which there are never more than {@value #PAGES}. Neither locks anything.
 */
public final class ClusterSurvey {

    private static final int PAGES = 500;
    private static final int MOST_QUEUES = 100;
    /** The first in line by priority need not be the one that has waited for the longest. */
    private static final int FIRST_IN_LINE = 1_000;

    private final Database database;
    private final Duration nodeLease;
    private final StuckSearch stuck;
    private final FreshnessSearch freshness;

    /** @param nodeLease of the nodes: one that has used up two thirds of it has missed heartbeats */
    public ClusterSurvey(Database database, Duration nodeLease) {
        this.database = database;
        this.nodeLease = nodeLease;
        this.stuck = new StuckSearch(database, nodeLease);
        this.freshness = new FreshnessSearch(database);
    }

    /** What is counted: the number, exact or estimated, under one or two names. */
    record Count(
            String kind,
            @Nullable String name,
            @Nullable String detail,
            boolean estimated,
            long number,
            @Nullable Duration age) {

        private static Count of(ResultSet row) throws SQLException {
            double age = row.getDouble("age");
            return new Count(
                    row.getString("kind"),
                    row.getString("name"),
                    row.getString("detail"),
                    row.getBoolean("estimated"),
                    Math.round(row.getDouble("number")),
                    row.wasNull() || age < 0 ? null : Duration.ofMillis(Math.round(age * 1_000)));
        }
    }

    /**
     * @param patience of each statement
     * @param exactUpTo where counting ends and estimating begins
     */
    public ClusterSnapshot look(Duration patience, int exactUpTo) {
        return database.inTransaction(() -> {
            long began = System.nanoTime();
            bound(patience);
            Tally tally = new Tally(counts(exactUpTo), exactUpTo);
            return new ClusterSnapshot(
                    leader(),
                    nodes(),
                    tally.depths(),
                    tally.oldestDue(),
                    tally.age("tick"),
                    tally.dueWithin(),
                    tally.number("dead"),
                    tally.number("orphan"),
                    stuck.list(),
                    freshness.list(),
                    Duration.ofNanos(System.nanoTime() - began));
        });
    }

    /**
     * Besides the time, the plans are bounded: along the indexes, whatever the statistics say about a table that was empty a
     * minute ago. Compiling would cost more than executing.
     */
    private void bound(Duration patience) {
        database.sql("""
                        select set_config('statement_timeout', :patience, true),
                               set_config('transaction_read_only', 'on', true),
                               set_config('enable_seqscan', 'off', true),
                               set_config('enable_bitmapscan', 'off', true),
                               set_config('enable_sort', 'off', true),
                               set_config('jit', 'off', true)
                        """)
                .param("patience", Long.toString(patience.toMillis()))
                .query()
                .listOfRows();
    }

    private Leader leader() {
        return database.sql("""
                        select l.node_id is not null and l.lease_until > now() as present, n.name, l.term
                        from scheduler.leader l left join scheduler.node n on n.id = l.node_id
                        """)
                .query((row, number) ->
                        new Leader(row.getBoolean("present"), row.getString("name"), row.getLong("term")))
                .single();
    }

    private Nodes nodes() {
        return database.sql("""
                        select count(*) filter (where lease_until > now()) as live,
                               count(*) filter (where draining and lease_until > now()) as draining,
                               count(*) filter (where lease_until < now() + :lease * interval '1 millisecond' / 3) as late
                        from scheduler.node
                        """)
                .param("lease", nodeLease.toMillis())
                .query((row, number) -> new Nodes(row.getInt("live"), row.getInt("draining"), row.getInt("late")))
                .single();
    }

    private List<Count> counts(int most) {
        return new ArrayList<>(database.sql("""
                        with recursive in_line (queue, number) as (
                            (select queue, 1 from scheduler.run where state = 'READY' order by queue limit 1)
                            union all
                            select (select r.queue from scheduler.run r
                                    where r.state = 'READY' and r.queue > l.queue
                                    order by r.queue limit 1), l.number + 1
                            from in_line l
                            where l.queue is not null and l.number < :queues
                        ), others as materialized (
                            (select queue, state, run_at from scheduler.run where state = 'SCHEDULED'
                             order by run_at limit :most)
                            union all
                            (select queue, state, run_at from scheduler.run where state = 'RUNNING'
                             order by node_id limit :most)
                            union all
                            (select queue, state, run_at from scheduler.run where blocked_by = 'KEY'
                             order by job, concurrency_key, place, id limit :most)
                            union all
                            (select queue, state, run_at from scheduler.run where blocked_by = 'JOB'
                             order by job, place, id limit :most)
                            union all
                            (select queue, state, run_at from scheduler.run where blocked_by = 'ORPHAN'
                             order by job, place, id limit :most)
                        ), part as materialized (
                            select least(100, 100.0 * :pages * block / greatest(1, pg_relation_size('scheduler.run')))
                                       as runs,
                                   least(100, 100.0 * :pages * block / greatest(1, pg_relation_size('scheduler.schedule')))
                                       as schedules
                            from (select current_setting('block_size')::integer as block) b
                        ), some_runs as materialized (
                            select queue, state, blocked_by, run_at
                            from scheduler.run tablesample system ((select runs from part))
                        ), span (name, until) as (
                            select s, now() + s::interval from unnest(array['PT1M', 'PT5M', 'PT1H']) s
                        ), some_ticks as materialized (
                            select next_tick_at
                            from scheduler.schedule tablesample system ((select schedules from part))
                            where state = 'ACTIVE' and next_tick_at <= now() + interval '1 hour'
                        )
                        select 'depth' as kind, l.queue as name, 'READY' as detail, false as estimated, c.number as number,
                               o.age as age
                        from in_line l,
                             lateral (select count(*) as number
                                      from (select from scheduler.run r where r.state = 'READY' and r.queue = l.queue
                                            order by r.place, r.id limit :most) r) c,
                             lateral (select extract(epoch from now() - min(r.run_at)) as age
                                      from (select r.run_at from scheduler.run r
                                            where r.state = 'READY' and r.queue = l.queue
                                            order by r.place, r.id limit :first) r) o
                        where l.queue is not null
                        union all
                        select 'depth', queue, state, false, count(*),
                               extract(epoch from now() - min(run_at) filter (where state = 'SCHEDULED'))
                        from others
                        group by queue, state
                        union all
                        select 'depth', queue, state, true, count(*) * 100 / (select runs from part),
                               extract(epoch from now() - min(run_at) filter (where state in ('READY', 'SCHEDULED')))
                        from some_runs
                        group by queue, state
                        union all
                        select 'due', s.name, 'runs', false, c.number, null
                        from span s,
                             lateral (select count(*) as number
                                      from (select from scheduler.run r where r.state = 'SCHEDULED' and r.run_at <= s.until
                                            order by r.run_at limit :most) r) c
                        union all
                        select 'due', s.name, 'runs', true, c.number * 100 / (select runs from part), null
                        from span s,
                             lateral (select count(*) as number from some_runs r
                                      where r.state = 'SCHEDULED' and r.run_at <= s.until) c
                        union all
                        select 'due', s.name, 'ticks', false, c.number, null
                        from span s,
                             lateral (select count(*) as number
                                      from (select from scheduler.schedule t
                                            where t.state = 'ACTIVE' and t.next_tick_at <= s.until
                                            order by t.next_tick_at limit :most) t) c
                        union all
                        select 'due', s.name, 'ticks', true, c.number * 100 / (select schedules from part), null
                        from span s,
                             lateral (select count(*) as number from some_ticks t where t.next_tick_at <= s.until) c
                        union all
                        select 'tick', null, null, false, 0, extract(epoch from now() - next_tick_at)
                        from (select next_tick_at from scheduler.schedule
                              where state = 'ACTIVE' and next_tick_at is not null
                              order by next_tick_at limit 1) t
                        union all
                        select 'dead', null, null, false, count(*), null
                        from (select from scheduler.dead_letter order by died_at, run_id limit :most) d
                        union all
                        select 'dead', null, null, true, reltuples, null
                        from pg_class where oid = 'scheduler.dead_letter'::regclass
                        union all
                        select 'orphan', null, null, false, count(*), null
                        from (select from scheduler.run where blocked_by = 'ORPHAN' order by job, place, id limit :most) o
                        union all
                        select 'orphan', null, null, true, count(*) * 100 / (select runs from part), null
                        from some_runs where blocked_by = 'ORPHAN'
                        """)
                .param("queues", MOST_QUEUES)
                .param("most", most)
                .param("first", FIRST_IN_LINE)
                .param("pages", PAGES)
                .query((row, number) -> Count.of(row))
                .list());
    }
}
