package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.texts;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The table {@code partition_owner}: which node turns the ticks of which partitions into runs.
 *
 * <p>Only the leader changes it, in its fenced transactions. An owner's transaction holds its own row {@code for key share};
 * giving it more partitions does not conflict with that, taking one away needs the row {@code for update}. So a partition
 * changes hands only when no transaction of its former owner is open, and no two owners ever commit for it at once.
 */
public final class PartitionStore {

    public static final int PARTITIONS = 256;

    private final Database database;

    public PartitionStore(Database database) {
        this.database = database;
    }

    /** The right to dispatch some partitions, held until the transaction ends. */
    public record Holding(Instant now, List<Integer> partitions, long term) {}

    /** First statement of every transaction of an owner; nothing when the node owns none. */
    public Optional<Holding> hold(UUID node, Duration patience) {
        return database.sql("""
                        select now() as now, partitions, term,
                               set_config('idle_in_transaction_session_timeout', :patience, true),
                               set_config('lock_timeout', :patience, true),
                               set_config('enable_seqscan', 'off', true), -- a plan for few rows must do for millions
                               set_config('jit', 'off', true)
                        from scheduler.partition_owner
                        where node_id = :node and cardinality(partitions) > 0
                        for key share
                        """)
                .param("node", node)
                .param("patience", Long.toString(patience.toMillis()))
                .query((row, number) ->
                        new Holding(Columns.instant(row, "now"), List.copyOf(partitions(row)), row.getLong("term")))
                .optional();
    }

    /** What a node owns, for those who only look. */
    public List<Integer> ownedBy(UUID node) {
        return database.sql("select partitions from scheduler.partition_owner where node_id = :node")
                .param("node", node)
                .query((row, number) -> List.copyOf(partitions(row)))
                .optional()
                .orElse(List.of());
    }

    public Map<UUID, Set<Integer>> owners() {
        Map<UUID, Set<Integer>> owners = new TreeMap<>();
        database.sql("select node_id, partitions from scheduler.partition_owner")
                .query(row -> {
                    owners.put(row.getObject("node_id", UUID.class), partitions(row));
                });
        return owners;
    }

    /** Nodes that may own partitions: alive, as far as their lease and their database session tell, and not leaving. */
    public Set<UUID> eligible() {
        return new TreeSet<>(database.sql("""
                        select n.id
                        from scheduler.node n
                        where n.dispatcher and n.partitioned and not n.draining and n.lease_until > now()
                          and (n.session_pid is null
                               or exists (select from pg_stat_activity a
                                          where a.pid = n.session_pid
                                            and coalesce(a.backend_start = n.session_started_at, true)))
                        """).query(UUID.class).list());
    }

    /** Those of the nodes whose partitions may be taken away now, because no transaction of theirs is open. */
    public Set<UUID> lockToTakeFrom(Collection<UUID> nodes) {
        return new HashSet<>(database.sql("""
                        select node_id from scheduler.partition_owner
                        where node_id = any(cast(:nodes as uuid[]))
                        order by node_id
                        for update skip locked
                        """)
                .param("nodes", texts(nodes, node -> node))
                .query(UUID.class)
                .list());
    }

    /** Makes these the partitions of the nodes; those that end up without any lose their row. */
    public void assign(Map<UUID, Set<Integer>> owners) {
        List<UUID> nodes = List.copyOf(owners.keySet());
        database.sql("""
                        with wish as (
                            select node_id, cast(partitions as smallint[]) as partitions
                            from unnest(cast(:nodes as uuid[]), cast(:partitions as text[])) as w (node_id, partitions)
                        ), gone as (
                            delete from scheduler.partition_owner o
                            using wish w
                            where o.node_id = w.node_id and cardinality(w.partitions) = 0
                        ), told as (
                            select pg_notify(:channel, :due)
                        )
                        insert into scheduler.partition_owner as o (node_id, partitions, term)
                        select node_id, partitions, 1
                        from wish, told
                        where cardinality(partitions) > 0
                        order by node_id
                        on conflict (node_id) do update set partitions = excluded.partitions, term = o.term + 1
                        """)
                .param("nodes", texts(nodes, node -> node))
                .param("partitions", texts(nodes, node -> array(owners.getOrDefault(node, Set.of()))))
                .param("channel", database.channel())
                .param("due", WakeUp.DUE.payload())
                .update();
    }

    /** Gives up what a node owns that leaves in order; waits for its transaction. */
    public void release(UUID node) {
        database.sql("""
                        with released as (
                            delete from scheduler.partition_owner where node_id = :node returning node_id
                        )
                        select pg_notify(:channel, :due) from released
                        """)
                .param("node", node)
                .param("channel", database.channel())
                .param("due", WakeUp.DUE.payload())
                .query()
                .listOfRows();
    }

    private static String array(Set<Integer> partitions) {
        return partitions.toString().replace('[', '{').replace(']', '}');
    }

    private static Set<Integer> partitions(ResultSet row) throws SQLException {
        Set<Integer> partitions = new TreeSet<>();
        Arrays.stream((Short[]) row.getArray("partitions").getArray()).forEach(p -> partitions.add(p.intValue()));
        return partitions;
    }
}
