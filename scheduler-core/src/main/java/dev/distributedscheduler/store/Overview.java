package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.instant;
import static dev.distributedscheduler.store.Columns.instantOrNull;

import dev.distributedscheduler.ClusterOverview;
import dev.distributedscheduler.ClusterOverview.Count;
import dev.distributedscheduler.ClusterOverview.Depth;
import dev.distributedscheduler.ClusterOverview.Leader;
import dev.distributedscheduler.ClusterOverview.Node;
import dev.distributedscheduler.ClusterOverview.Orphans;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * The cluster and its queue at a moment. Everything is counted up to a bound and no further, so that it costs the same with
 * a million runs as with five thousand, and never reads the whole queue while that is in trouble.
 */
public final class Overview {

    /** How far runs of a state, or dead letters, are counted. */
    static final int COUNTED = 5_000;

    /** How far those in line are counted in each queue, however many queues there are. */
    private static final int LEAST_PER_QUEUE = 100;

    private static final int MOST_NODES = 1_000;

    private final Database database;

    public Overview(Database database) {
        this.database = database;
    }

    private record Cluster(Instant now, long term, @Nullable Leader leader) {}

    /** The runs, summed up while they are read. */
    private static final class Queue {
        final List<Depth> depths = new ArrayList<>();
        final List<Orphans> orphans = new ArrayList<>();

        @Nullable
        Instant oldestDue;

        long stuck;

        void due(@Nullable Instant runAt) {
            if (runAt != null && (oldestDue == null || runAt.isBefore(oldestDue))) {
                oldestDue = runAt;
            }
        }
    }

    public ClusterOverview look() {
        Cluster cluster = cluster();
        Queue queue = new Queue();
        inLine(queue);
        elsewhere(queue);
        orphaned(queue);
        return new ClusterOverview(
                cluster.now(),
                cluster.term(),
                cluster.leader(),
                nodes(),
                live(queue.depths),
                queue.depths,
                age(queue.oldestDue, cluster.now()),
                queue.stuck,
                dead(),
                queue.orphans);
    }

    private static @Nullable Duration age(@Nullable Instant due, Instant now) {
        return due == null || due.isAfter(now) ? null : Duration.between(due, now);
    }

    private Cluster cluster() {
        return database.sql("""
                        select now() as now, l.term, l.node_id, n.name, l.acquired_at, l.lease_until, l.lease_until > now() as leads
                        from scheduler.leader l left join scheduler.node n on n.id = l.node_id
                        """)
                .query((row, number) -> new Cluster(
                        instant(row, "now"), row.getLong("term"), row.getBoolean("leads") ? leader(row) : null))
                .single();
    }

    private static @Nullable Leader leader(ResultSet row) throws SQLException {
        UUID node = row.getObject("node_id", UUID.class);
        return node == null
                ? null
                : new Leader(node, row.getString("name"), instant(row, "acquired_at"), instant(row, "lease_until"));
    }

    private List<Node> nodes() {
        return database.sql("""
                        with running as materialized (
                            select node_id, count(*) as runs
                            from (select node_id from scheduler.run where state = 'RUNNING' limit :counted) r
                            group by node_id
                        )
                        select n.id, n.name, n.version, n.dispatcher, n.worker, n.draining, n.lease_until > now() as alive,
                               n.started_at, n.lease_until, coalesce(r.runs, 0) as running
                        from scheduler.node n left join running r on r.node_id = n.id
                        order by n.started_at, n.id
                        limit :most
                        """)
                .param("counted", COUNTED)
                .param("most", MOST_NODES)
                .query((row, number) -> new Node(
                        row.getObject("id", UUID.class),
                        row.getString("name"),
                        row.getString("version"),
                        row.getBoolean("dispatcher"),
                        row.getBoolean("worker"),
                        row.getBoolean("draining"),
                        row.getBoolean("alive"),
                        instant(row, "started_at"),
                        instant(row, "lease_until"),
                        row.getLong("running")))
                .list();
    }

    /** Queue by queue along the index; of each the head of the line. */
    private void inLine(Queue queue) {
        database.sql("""
                        with recursive named (queue) as (
                            (select queue from scheduler.run where state = 'READY' order by queue limit 1)
                            union all
                            select n.queue
                            from named q, lateral (
                                select r.queue from scheduler.run r
                                where r.state = 'READY' and r.queue > q.queue
                                order by r.queue limit 1) n
                        ), bound as materialized (
                            select greatest(:least, :counted / greatest(count(*), 1)) as runs from named
                        )
                        select q.queue, c.runs, c.due_at, (select runs from bound) as bound
                        from named q, lateral (
                            select count(*) as runs, min(r.run_at) as due_at
                            from (select i.run_at from scheduler.run i
                                  where i.state = 'READY' and i.queue = q.queue
                                  order by i.place, i.id
                                  limit (select runs + 1 from bound)) r) c
                        order by q.queue
                        """)
                .param("least", LEAST_PER_QUEUE)
                .param("counted", COUNTED)
                .query((RowCallbackHandler) row -> {
                    long runs = row.getLong("runs");
                    long bound = row.getLong("bound");
                    queue.depths.add(new Depth(row.getString("queue"), "READY", Math.min(runs, bound), runs > bound));
                    queue.due(instantOrNull(row, "due_at"));
                });
    }

    private void elsewhere(Queue queue) {
        database.sql("""
                        with waiting as materialized (
                            select queue, 'SCHEDULED' as state, run_at as due_at, null as stuck_since
                            from (select queue, run_at from scheduler.run where state = 'SCHEDULED'
                                  order by run_at limit :counted + 1) r
                            union all
                            select queue, 'RUNNING', null, stuck_since
                            from (select queue, stuck_since from scheduler.run where state = 'RUNNING' limit :counted + 1) r
                            union all
                            select queue, 'BLOCKED', null, null
                            from ((select queue from scheduler.run where blocked_by = 'KEY' limit :counted + 1)
                                  union all
                                  (select queue from scheduler.run where blocked_by = 'JOB' limit :counted + 1)
                                  union all
                                  (select queue from scheduler.run where blocked_by = 'ORPHAN' limit :counted + 1)
                                  limit :counted + 1) r
                        )
                        select queue, state, count(*) as runs, min(due_at) as due_at, count(stuck_since) as stuck,
                               sum(count(*)) over (partition by state) > :counted as more
                        from waiting
                        group by queue, state
                        order by queue, state
                        """).param("counted", COUNTED).query((RowCallbackHandler) row -> {
            queue.depths.add(new Depth(
                    row.getString("queue"), row.getString("state"), row.getLong("runs"), row.getBoolean("more")));
            queue.stuck += row.getLong("stuck");
            queue.due(instantOrNull(row, "due_at"));
        });
    }

    private void orphaned(Queue queue) {
        database.sql("""
                        select job, count(*) as runs, sum(count(*)) over () > :counted as more
                        from (select job from scheduler.run where blocked_by = 'ORPHAN' order by job limit :counted + 1) r
                        group by job
                        order by job
                        """).param("counted", COUNTED).query((RowCallbackHandler) row ->
                queue.orphans.add(new Orphans(row.getString("job"), row.getLong("runs"), row.getBoolean("more"))));
    }

    private Count live(List<Depth> depths) {
        long runs = depths.stream().mapToLong(Depth::runs).sum();
        boolean more = depths.stream().anyMatch(Depth::more);
        return new Count(runs, more, more ? estimate("run") : null);
    }

    private Count dead() {
        long letters =
                database.sql("""
                        select count(*) from (select run_id from scheduler.dead_letter order by run_id limit :counted + 1) d
                        """).param("counted", COUNTED).query(Long.class).single();
        boolean more = letters > COUNTED;
        return new Count(Math.min(letters, COUNTED), more, more ? estimate("dead_letter") : null);
    }

    /** What the last vacuum or analyze of the table counted; null before the first. */
    private @Nullable Long estimate(String table) {
        return database.sql("""
                        select cast(c.reltuples as bigint)
                        from pg_class c
                        where c.relname = :table and c.relkind = 'r' and c.reltuples >= 0
                          and c.relnamespace = (select r.relnamespace from pg_class r where r.oid = cast('scheduler.run' as regclass))
                        """)
                .param("table", table)
                .query(Long.class)
                .optional()
                .orElse(null);
    }
}
