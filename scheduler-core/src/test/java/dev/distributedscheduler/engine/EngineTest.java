package dev.distributedscheduler.engine;

import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.ExponentialBackoff;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.SchemaMigrator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Whole nodes in one JVM on an empty schema; each test starts its own and leaves none behind. */
@PostgresTest
abstract class EngineTest {

    /** So that no tick is skipped, however slow the machine is. */
    static final SchedulePolicy OVERLAPPING = SchedulePolicy.DEFAULT.with(Overlap.ALLOW);

    static final RetryPolicy AT_ONCE = new ExponentialBackoff(Duration.ZERO, Duration.ZERO);

    final DataSource dataSource;
    final JdbcClient jdbc;
    private final List<TestNode> nodes = new CopyOnWriteArrayList<>();

    EngineTest(PostgresDatabase database) {
        this.dataSource = database.dataSource();
        this.jdbc = JdbcClient.create(dataSource);
    }

    @BeforeEach
    void freshSchema() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        new SchemaMigrator(dataSource, Database.DEFAULT_SCHEMA).migrate();
    }

    @AfterEach
    void closeNodes() {
        nodes.forEach(TestNode::close);
    }

    TestNode node() {
        return node(dataSource);
    }

    /** @param unpooled where the node's own connections come from */
    TestNode node(DataSource unpooled) {
        TestNode node = new TestNode(dataSource, unpooled);
        nodes.add(node);
        return node;
    }

    long count(String sql) {
        return jdbc.sql(sql).query(Long.class).single();
    }

    List<String> outcomes(String job) {
        return jdbc.sql("select outcome from scheduler.execution where job = :job order by token")
                .param("job", job)
                .query(String.class)
                .list();
    }

    /** A run in line that no schedule made. */
    long enqueue(String job, int maxAttempts) {
        return jdbc.sql("""
                        insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                        values (:job, 'default', 'READY', 0, now(), now(), :maxAttempts)
                        returning id, pg_notify('scheduler_wake_up', 'ready:default')
                        """)
                .param("job", job)
                .param("maxAttempts", maxAttempts)
                .query((row, number) -> row.getLong("id"))
                .single();
    }
}
