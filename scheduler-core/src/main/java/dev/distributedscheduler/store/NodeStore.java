package dev.distributedscheduler.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table {@code node}: who is alive. */
public final class NodeStore {

    private final Database database;

    public NodeStore(Database database) {
        this.database = database;
    }

    /** A node as it presents itself. */
    public record Node(
            UUID id,
            String name,
            @Nullable String version,
            boolean dispatcher,
            boolean worker,
            Set<String> jobs,
            Declared declared) {}

    /**
     * What a node declares beside jobs.
     *
     * @param partitioned whether it may own partitions
     * @param deployment number of what is declared together; null for none
     * @param schedules names of the declared schedules
     */
    public record Declared(boolean partitioned, @Nullable Long deployment, Set<String> schedules) {

        public static final Declared NOTHING = new Declared(false, null, Set.of());
    }

    /** Makes an incarnation known, and tells the leader; repeating it after a lost reply is harmless. */
    public void register(Node node, Duration ttl) {
        database.sql("""
                        with joined as (
                            insert into scheduler.node (id, name, version, dispatcher, worker, jobs, deployment, schedules,
                                                        partitioned, lease_until, session_pid, session_started_at)
                            select :id, :name, :version, :dispatcher, :worker, :jobs, cast(:deployment as bigint), :schedules,
                                   :partitioned, now() + :ttl * interval '1 millisecond', s.pid, s.backend_start
                            from (select) one left join pg_stat_activity s
                                on s.pid = pg_backend_pid() and s.pid = cast(:backend as integer)
                            on conflict (id) do update set lease_until = excluded.lease_until
                            returning id
                        )
                        select pg_notify(:channel, :due) from joined
                        """)
                .param("id", node.id())
                .param("name", node.name())
                .param("version", node.version())
                .param("dispatcher", node.dispatcher())
                .param("worker", node.worker())
                .param("jobs", node.jobs().toArray(String[]::new))
                .param("partitioned", node.declared().partitioned())
                .param("backend", database.ownBackend())
                .param("deployment", node.declared().deployment())
                .param("schedules", node.declared().schedules().toArray(String[]::new))
                .param("ttl", ttl.toMillis())
                .param("channel", database.channel())
                .param("due", WakeUp.DUE.payload())
                .query()
                .listOfRows();
    }

    /**
     * What a node learns with its heartbeat.
     *
     * @param liveWorkers nodes that execute runs
     * @param newestDeployment of all live nodes; 0 for none
     * @param cancelled tokens of its attempts that somebody wants cancelled
     */
    public record Pulse(int liveWorkers, long newestDeployment, List<Long> cancelled) {}

    /**
     * Extends the lease of a node that has not been expelled.
     *
     * @return nothing when this node's row is gone
     */
    public Optional<Pulse> heartbeat(UUID id, Duration ttl) {
        return database.sql("""
                        update scheduler.node h
                        set lease_until = now() + :ttl * interval '1 millisecond',
                            session_pid = s.pid,
                            session_started_at = s.backend_start
                        from (select) one left join pg_stat_activity s
                            on s.pid = pg_backend_pid() and s.pid = cast(:backend as integer)
                        where h.id = :id
                        returning (select count(*) from scheduler.node n
                                   where n.worker and not n.draining and n.lease_until > now()) as live_workers,
                                  (select max(n.deployment) from scheduler.node n where n.lease_until > now())
                                      as newest_deployment,
                                  array(select r.token from scheduler.run r
                                        where r.state = 'RUNNING' and r.node_id = :id and r.cancel_requested) as cancelled
                        """)
                .param("id", id)
                .param("ttl", ttl.toMillis())
                .param("backend", database.ownBackend())
                .query((row, number) ->
                        new Pulse(row.getInt("live_workers"), row.getLong("newest_deployment"), List.of((Long[])
                                row.getArray("cancelled").getArray())))
                .optional();
    }

    /** Shows that the node takes no new work. */
    public void startDraining(UUID id) {
        database.sql("update scheduler.node set draining = true where id = :id")
                .param("id", id)
                .update();
    }

    /** Leaves in order; only for a node that holds no run any more. */
    public void deregister(UUID id) {
        database.sql("delete from scheduler.node where id = :id")
                .param("id", id)
                .update();
    }

    /**
     * Expels the nodes whose lease has run out. Part of the transaction that takes their runs back.
     *
     * <p>A claim holds its node's row {@code for key share}, which keeps it from being deleted: after this statement every
     * run that an expelled node ever claimed is visible, and it can claim no more.
     */
    public List<UUID> expelExpired() {
        return database.sql("""
                        delete from scheduler.node
                        where id in (select id from scheduler.node where lease_until <= now() for update skip locked)
                        returning id
                        """).query(UUID.class).list();
    }
}
