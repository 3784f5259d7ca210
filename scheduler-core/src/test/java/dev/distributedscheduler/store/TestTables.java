package dev.distributedscheduler.store;

import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The scheduler's tables in the database of a test class: made once, emptied for each test, filled and read with ease. */
public final class TestTables {

    public static final Duration HOUR = Duration.ofHours(1);

    private final Database database;
    private final JdbcClient jdbc;

    public TestTables(DataSource dataSource) {
        this.database = new Database(dataSource, Database.DEFAULT_SCHEMA);
        this.jdbc = JdbcClient.create(dataSource);
        if (count("select count(*) from pg_namespace where nspname = 'scheduler'") == 0) {
            new SchemaMigrator(dataSource, Database.DEFAULT_SCHEMA).migrate();
        }
        execute(
                "truncate scheduler.node, scheduler.schedule, scheduler.run, scheduler.execution, scheduler.dead_letter,"
                        + " scheduler.job, scheduler.idempotency, scheduler.tenant, scheduler.deployment,"
                        + " scheduler.operation");
        execute("""
                update scheduler.leader
                set node_id = null, term = 0, lease_until = '-infinity', session_pid = null, session_started_at = null
                """);
    }

    public Database database() {
        return database;
    }

    public void execute(String sql) {
        jdbc.sql(sql).update();
    }

    public long count(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }

    public List<String> texts(String sql) {
        return jdbc.sql(sql).query(String.class).list();
    }

    /** The one value; null when it is. */
    public String text(String sql) {
        return texts(sql).get(0);
    }

    public Instant instant(String sql) {
        return jdbc.sql(sql).query(OffsetDateTime.class).single().toInstant();
    }

    public Instant now() {
        return instant("select now()");
    }

    /** A live node that knows the jobs. */
    public UUID node(String... jobs) {
        UUID id = UUID.randomUUID();
        new NodeStore(database).register(new Node(id, "node", null, true, true, Set.of(jobs), Declared.NOTHING), HOUR);
        return id;
    }

    public void expire(UUID node) {
        jdbc.sql("update scheduler.node set lease_until = now() - interval '1 second' where id = :id")
                .param("id", node)
                .update();
    }

    public void expireLeader() {
        execute("update scheduler.leader set lease_until = now() - interval '1 second'");
    }

    /** A run that is first tried now. */
    public long ready(String job) {
        return ready(job, "default", Priority.NORMAL, Duration.ZERO);
    }

    public long ready(String job, String queue, Priority priority, Duration age) {
        return insert(job, queue, "READY", priority, age.negated(), 3);
    }

    /** A run that gets in line after the delay. */
    public long delayed(String job, Duration delay) {
        return insert(job, "default", "SCHEDULED", Priority.NORMAL, delay, 3);
    }

    public long insert(String job, String queue, String state, Priority priority, Duration dueIn, int maxAttempts) {
        return jdbc.sql("""
                        insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                        select :job, :queue, :state, :priority, due - :priority * interval '1 minute', due, :attempts
                        from (select now() + :dueIn * interval '1 millisecond' as due) d
                        returning id
                        """)
                .param("job", job)
                .param("queue", queue)
                .param("state", state)
                .param("priority", priority.headStartMinutes())
                .param("dueIn", dueIn.toMillis())
                .param("attempts", maxAttempts)
                .query(Long.class)
                .single();
    }

    /** The first run in line, in the hands of a node of its own. */
    public ClaimedRun claim(String job) {
        return claim(node(job), job);
    }

    public ClaimedRun claim(UUID node, String job) {
        return new RunQueue(database).claim(node, "default", Set.of(job), 1).get(0);
    }

    /** A new run, in the hands of a node of its own. */
    public ClaimedRun running(String job) {
        ready(job);
        return claim(job);
    }

    /** From the next connection on, rows are joined as they lie in the table, so that no order comes about by chance. */
    public void joinWithoutOrder() {
        execute("""
                do $$ begin
                    execute format('alter database %I set enable_nestloop = off', current_database());
                    execute format('alter database %I set enable_mergejoin = off', current_database());
                end $$
                """);
    }

    /** Waits until a connection that was cut is gone, and its locks with it. */
    public void awaitNoTransaction() {
        await().pollInterval(Duration.ofMillis(10)).until(() -> count("""
                        select count(*) from pg_stat_activity
                        where datname = current_database() and state like 'idle in transaction%'
                        """) == 0);
    }

    /** Waits until a statement in this database stands behind a lock. */
    public void awaitWaiter() {
        awaitWaiters(1);
    }

    public void awaitWaiters(int least) {
        await().pollInterval(Duration.ofMillis(10)).until(() -> count("""
                        select count(*) from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock'
                        """) >= least);
    }
}
