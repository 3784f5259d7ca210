package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.longs;

import dev.distributedscheduler.run.ClaimedRun;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;

/** The table {@code run}: live runs in line, and in the hands of the node that claimed them. */
public final class RunQueue {

    private final Database database;

    public RunQueue(Database database) {
        this.database = database;
    }

    /**
     * How much of the line is wanted.
     *
     * @param most at most so many runs
     * @param mostFailed at most so many when the first in line has failed before
     * @param from where in line to begin; null for its head
     */
    public record Portion(
            int most, int mostFailed, @Nullable Instant from) {}

    /** What was claimed, in the order of the line, and the place of the first; that is null when there was nothing. */
    public record Claim(List<ClaimedRun> runs, @Nullable Instant place) {}

    /** The first runs in line, from its head. */
    public List<ClaimedRun> claim(UUID node, String queue, Collection<String> jobs, int most) {
        return claim(node, queue, jobs, new Portion(most, most, null)).runs();
    }

    /**
     * Gives the node the first runs in line that it can execute, each with a new attempt and token.
     *
     * <p>Yields nothing to a node that has been expelled or whose lease has run out: the lock on its row also keeps it from
     * being expelled before this statement is committed.
     */
    public Claim claim(UUID node, String queue, Collection<String> jobs, Portion portion) {
        List<ClaimedRun> runs = new ArrayList<>();
        Instant[] first = new Instant[1];
        database.sql("""
                        select * from scheduler.claim(:node, :queue, :jobs, :most, :mostFailed, cast(:from as timestamptz))
                        """)
                .param("node", node)
                .param("queue", queue)
                .param("jobs", jobs.toArray(String[]::new))
                .param("most", portion.most())
                .param("mostFailed", portion.mostFailed())
                .param(
                        "from",
                        portion.from() == null ? "-infinity" : portion.from().toString())
                .query((RowCallbackHandler) row -> {
                    if (runs.isEmpty()) {
                        first[0] = Columns.instant(row, "place");
                    }
                    runs.add(claimed(row, queue, node));
                });
        return new Claim(runs, first[0]);
    }

    /**
     * Runs in the hands of nodes that are no more, locked until the transaction ends. Leaves out what somebody else has
     * locked: a late result that is about to be recorded, which is as good as a rescue.
     */
    public List<ClaimedRun> lockRunsOfLostNodes(int most) {
        return database.sql("""
                        with recursive holder (node_id) as (
                            (select node_id from scheduler.run where state = 'RUNNING' order by node_id limit 1)
                            union all
                            select (select r.node_id from scheduler.run r
                                    where r.state = 'RUNNING' and r.node_id > h.node_id
                                    order by r.node_id limit 1)
                            from holder h
                            where h.node_id is not null
                        ), lost as (
                            select node_id from holder h
                            where not exists (select from scheduler.node n where n.id = h.node_id)
                        )
                        select id, job, queue, node_id, attempt, token, failures, schedule_id, tick_at, run_at, claimed_at,
                               idempotency_key, payload, snoozes, trace
                        from scheduler.run
                        where state = 'RUNNING' and node_id in (select node_id from lost)
                        order by id
                        limit :most
                        for update skip locked
                        """)
                .param("most", most)
                .query((row, number) -> claimed(row, row.getString("queue"), row.getObject("node_id", UUID.class)))
                .list();
    }

    private static ClaimedRun claimed(ResultSet row, String queue, UUID node) throws SQLException {
        return new ClaimedRun(
                row.getLong("id"),
                row.getString("job"),
                queue,
                node,
                row.getInt("attempt"),
                row.getLong("token"),
                row.getInt("failures"),
                row.getObject("schedule_id", Long.class),
                Columns.instantOrNull(row, "tick_at"),
                Columns.instant(row, "run_at"),
                Columns.instant(row, "claimed_at"),
                row.getString("idempotency_key"),
                row.getString("payload"),
                row.getInt("snoozes"),
                row.getString("trace"));
    }

    /**
     * Whether the attempt is still the current one; in a transaction, nobody can take the run away before that ends. If its
     * worker freezes before that, the server ends it after the patience, and the run can be rescued.
     */
    public boolean owns(ClaimedRun run, Duration patience) {
        return database.sql("""
                        select set_config('idle_in_transaction_session_timeout', :patience, true) is not null
                        from scheduler.run
                        where id = :id and token = :token and state = 'RUNNING'
                        for share
                        """)
                .param("id", run.id())
                .param("token", run.token())
                .param("patience", Long.toString(patience.toMillis()))
                .query(Boolean.class)
                .optional()
                .isPresent();
    }

    /**
     * Puts claimed runs that have not begun in line again, at their old places. The number of the attempt is used up, but
     * costs nothing: it may be on record already, as a late result. What is not the node's any more is left alone.
     */
    public void giveBack(Collection<ClaimedRun> runs) {
        database.sql("""
                        with given_back as (
                            update scheduler.run
                            set state = 'READY', node_id = null, token = null, claimed_at = null
                            where id = any(:ids) and token = any(:tokens) and state = 'RUNNING'
                            returning queue
                        )
                        select pg_notify(:channel, :ready || queue) from (select distinct queue from given_back) q
                        """)
                .param("ids", longs(runs, ClaimedRun::id))
                .param("tokens", longs(runs, ClaimedRun::token))
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query()
                .listOfRows();
    }

    /**
     * Gives back what the database says this node holds in a queue but the node does not know of: claims whose reply was
     * lost, so that nothing of them has begun. Must not run beside a claim of the same node in the same queue.
     */
    public int giveBackUnheld(UUID node, String queue, Collection<Long> heldTokens) {
        return database.sql("""
                        with unheld as (
                            update scheduler.run
                            set state = 'READY', node_id = null, token = null, claimed_at = null
                            where state = 'RUNNING' and node_id = :node and queue = :queue and token <> all(:held)
                            returning queue
                        )
                        select count(*), (select pg_notify(:channel, :ready || queue) from unheld limit 1)
                        from unheld
                        """)
                .param("node", node)
                .param("queue", queue)
                .param("held", longs(heldTokens, Long::longValue))
                .param("channel", database.channel())
                .param("ready", WakeUp.READY.payload())
                .query((row, number) -> row.getInt(1))
                .single();
    }
}
