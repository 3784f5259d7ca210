package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.TestTables;
import dev.distributedscheduler.worker.WorkerSettings.Buffers;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.ReflectionUtils;

/** A claim that was carried out in time and answered too late. */
@PostgresTest
@Timeout(60)
class WorkerPoolIntegrationTests {

    private final DataSource dataSource;
    private final Deadlines deadlines = new Deadlines();
    private final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch answer = new CountDownLatch(1);
    private TestTables tables;
    private NodeHeartbeat heartbeat;
    private RunCompleter completer;
    private WorkerPool pool;

    WorkerPoolIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void emptyQueue() {
        tables = new TestTables(dataSource);
    }

    @AfterEach
    void close() throws InterruptedException {
        answer.countDown();
        pool.stopClaiming();
        pool.cutShort();
        completer.close(Duration.ZERO);
        deadlines.close();
    }

    /** A pool whose first claim the database has carried out, and nobody but the leader may know. */
    private UUID claimUnanswered(Duration lease) {
        tables.ready("job");
        heartbeat = new NodeHeartbeat(
                new NodeStore(tables.database()),
                new NodeSettings("slow", null, lease),
                id -> new Node(id, "slow", null, true, true, Set.of("job"), Declared.NOTHING),
                deadlines,
                events::add);
        heartbeat.round();
        UUID node = heartbeat.liveNode().orElseThrow();
        completer = new RunCompleter(new RunHistory(tables.database()), events::add);
        pool = pool();
        heartbeat.whenLost(pool::cutShort);
        completer.start();
        pool.start();
        await().until(() -> tables.count("select count(*) from scheduler.run where state = 'RUNNING'") == 1);
        return node;
    }

    private WorkerPool pool() {
        ThreadLocal<Integer> number = new ThreadLocal<>();
        JobDefinition job = JobDefinition.of("job", run -> {
            if (number.get() == 1) {
                new CountDownLatch(1).await();
            }
        });
        RunQueue queue = new RunQueue(new Database(answeringLate(), Database.DEFAULT_SCHEMA));
        return new WorkerPool(
                new RunClaimer(queue, "default", Set.of("job"), deadlines::now, event -> {}),
                new WorkerPool.Slots("default", 2, Thread::new, Duration.ofMillis(50), Buffers.DEFAULT),
                heartbeat,
                new RunExecutor(
                        new JobRegistry(List.of(job)),
                        attempt -> {
                            number.set(attempt.run().attempt());
                            return null;
                        },
                        null,
                        deadlines,
                        events::add),
                completer);
    }

    private DataSource answeringLate() {
        return new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            Object result = ReflectionUtils.invokeMethod(method, connection, arguments);
                            if (method.getName().equals("close")) {
                                answer.await();
                            }
                            return result;
                        });
            }
        };
    }

    private List<String> outcomes() {
        return tables.texts("select outcome from scheduler.execution order by token, outcome");
    }

    /** Fails without the second look at the lease in the pool's round: the handler would wait for ever. */
    @Test
    void attemptIsCutShortWhenTheLeaseWasLostBeforeTheAnswer() {
        UUID node = claimUnanswered(Duration.ofSeconds(2));
        await().until(() -> events.contains(new NodeLeaseLost(node, 0)));

        answer.countDown();

        await().until(() -> outcomes().equals(List.of("INTERRUPTED")));
        await().until(() -> pool.held() == 0);
    }

    /** Fails as above, and if that look asked only whether there is a lease, not whose. */
    @Test
    void attemptIsCutShortWhenTheNodeHasComeBackUnderANewIdBeforeTheAnswer() {
        UUID node = claimUnanswered(Duration.ofSeconds(30));
        tables.expire(node);
        rescue();
        heartbeat.round();
        heartbeat.round();
        assertThat(heartbeat.liveNode()).isPresent().get().isNotEqualTo(node);

        answer.countDown();

        await().untilAsserted(() -> assertThat(outcomes()).containsExactly("LOST", "STALE", "COMPLETED"));
        await().until(() -> pool.held() == 0);
    }

    private void rescue() {
        new NodeStore(tables.database()).expelExpired();
        List<FinishedAttempt> lost = new RunQueue(tables.database())
                .lockRunsOfLostNodes(10).stream().map(FinishedAttempt::lost).toList();
        new RunHistory(tables.database()).fail(lost);
    }
}
