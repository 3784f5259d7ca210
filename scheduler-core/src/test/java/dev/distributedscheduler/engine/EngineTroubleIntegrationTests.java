package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a node survives without dying. */
class EngineTroubleIntegrationTests extends EngineTest {

    EngineTroubleIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    @Test
    void runsOfADeadNodeAreTakenBackAndExecuted() {
        UUID dead = UUID.randomUUID();
        jdbc.sql("""
                insert into scheduler.node (id, name, dispatcher, worker, jobs, lease_until)
                values (:id, 'dead', true, true, '{}', now() + interval '1 second')
                """).param("id", dead).update();
        long run = enqueue("work", 2);
        jdbc.sql("""
                update scheduler.run
                set state = 'RUNNING', node_id = :node, attempt = 1, token = nextval('scheduler.token'), claimed_at = now()
                where id = :run
                """).param("node", dead).param("run", run).update();

        TestNode node = node().job(JobDefinition.of("work", context -> {})).start();

        await().until(() -> node.events(RunCompleted.class).size() == 1);
        assertThat(outcomes("work")).containsExactly("LOST", "COMPLETED");
    }

    @Test
    void runWhoseNodesKeepDyingIsDead() {
        UUID dead = UUID.randomUUID();
        long run = enqueue("killer", 1);
        jdbc.sql("""
                update scheduler.run
                set state = 'RUNNING', node_id = :node, attempt = 1, token = nextval('scheduler.token'), claimed_at = now()
                where id = :run
                """).param("node", dead).param("run", run).update();

        TestNode node = node().job(JobDefinition.of("killer", context -> {})).start();

        await().until(() -> node.events(RunDied.class).size() == 1);
        assertThat(outcomes("killer")).containsExactly("LOST");
        assertThat(jdbc.sql("select outcome from scheduler.dead_letter")
                        .query(String.class)
                        .single())
                .isEqualTo("LOST");
    }

    @Test
    void timeoutInterruptsAndCountsAsFailed() {
        TestNode node = node().job(JobDefinition.of("endless", context -> new CountDownLatch(1).await())
                        .withTimeout(Duration.ofMillis(100))
                        .withRetry(AT_ONCE))
                .start();
        enqueue("endless", 2);

        await().until(() -> node.events(RunDied.class).size() == 1);

        assertThat(outcomes("endless")).containsExactly("TIMED_OUT", "TIMED_OUT");
    }

    @Test
    void errorsCostTheAttemptAndNotTheWorker() {
        AtomicInteger calls = new AtomicInteger();
        TestNode node = node().job(JobDefinition.of("bad", context -> {
                            switch (calls.incrementAndGet()) {
                                case 1 -> throw new StackOverflowError();
                                case 2 -> throw new NoClassDefFoundError("gone");
                                case 3 -> throw new OutOfMemoryError("not really");
                                default -> Thread.currentThread().interrupt(); // left behind by a careless handler
                            }
                        })
                        .withRetry(AT_ONCE))
                .start();
        enqueue("bad", 10);
        await().until(() -> node.events(RunCompleted.class).size() == 1);

        enqueue("bad", 10);

        await().until(() -> node.events(RunCompleted.class).size() == 2);
        assertThat(outcomes("bad")).containsExactly("FAILED", "FAILED", "FAILED", "COMPLETED", "COMPLETED");
    }

    @Test
    void shutdownInterruptsWhatOutlastsTheDrainTimeAndGivesItBack() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        TestNode node = node().job(JobDefinition.of("slow", context -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                }))
                .withDrainTimeout(Duration.ofMillis(200))
                .start();
        enqueue("slow", 1);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        node.stop();

        assertThat(outcomes("slow")).containsExactly("INTERRUPTED");
        assertThat(count("select count(*) from scheduler.run where state = 'READY' and failures = 0"))
                .isOne();
        assertThat(count("select count(*) from scheduler.node")).isZero();
    }

    @Test
    void handlerThatIgnoresTheInterruptKeepsItsRunUntilTheLeaseEnds() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestNode node = node().job(JobDefinition.of("deaf", context -> {
                    started.countDown();
                    while (release.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }))
                .withDrainTimeout(Duration.ofMillis(100))
                .start();
        enqueue("deaf", 2);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        node.stop();
        release.countDown();

        assertThat(count("select count(*) from scheduler.node")).isOne();
        assertThat(count("select count(*) from scheduler.run where state = 'RUNNING'"))
                .isOne();
        TestNode other = node().job(JobDefinition.of("deaf", context -> {})).start();
        await().until(() -> other.events(RunCompleted.class).size() == 1);
        assertThat(outcomes("deaf")).containsExactly("LOST", "COMPLETED");
    }

    @Test
    void exhaustedPoolCostsNeitherLeaseNorLeadership() throws SQLException {
        TestNode node = node().scheduled(
                        JobDefinition.of("often", context -> {}),
                        new FixedRateTrigger(Duration.ofMillis(100)),
                        OVERLAPPING)
                .start();
        await().until(() -> node.events(LeadershipGained.class).size() == 1);
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < node.pool().getMaximumPoolSize(); i++) {
            all.add(node.pool().getConnection());
        }
        long runsThen = count("select count(*) from scheduler.run");

        await().until(() ->
                count("select count(*) from scheduler.run") > runsThen + 40); // 4 s: longer than both leases

        assertThat(node.events(NodeLeaseLost.class)).isEmpty();
        assertThat(count("select term from scheduler.leader")).isOne();
        for (Connection connection : all) {
            connection.close();
        }
        await().until(() -> count("select count(*) from scheduler.run") < 5);
    }

    @Test
    void cutConnectionsAreOpenedAgain() {
        TestNode node = node().withPolling(Duration.ofMinutes(1)) // too seldom to help
                .scheduled(
                        JobDefinition.of("often", context -> {}),
                        new FixedRateTrigger(Duration.ofMillis(50)),
                        OVERLAPPING)
                .start();
        await().until(() -> node.events(RunCompleted.class).size() > 5);

        for (int round = 0; round < 3; round++) {
            jdbc.sql("""
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()
                    """).query().listOfRows();
            int before = node.events(RunCompleted.class).size();
            await().until(() -> node.events(RunCompleted.class).size() > before + 10);
        }
        await().until(() -> count("select count(*) from scheduler.schedule where replay_at is not null") == 0);
        node.stop();

        assertThat(count("select count(*) from scheduler.execution where outcome = 'COMPLETED'"))
                .isEqualTo(count("select count(distinct tick_at) from scheduler.execution"))
                .isEqualTo(count("""
                        select extract(epoch from max(tick_at) - min(tick_at)) * 20 + 1 from scheduler.execution
                        """));
    }

    @Test
    void resultsWaitForADatabaseThatRefusesThem() {
        TestNode node = node().job(JobDefinition.of("work", context -> {})).start();
        jdbc.sql("alter table scheduler.execution rename to execution_away").update();
        for (int i = 0; i < 20; i++) {
            enqueue("work", 1);
        }
        await().until(() -> count("select count(*) from scheduler.run where state = 'RUNNING'") == 20);

        jdbc.sql("alter table scheduler.execution_away rename to execution").update();

        await().until(() -> node.events(RunCompleted.class).size() == 20);
        assertThat(outcomes("work")).hasSize(20).containsOnly("COMPLETED");
    }

    @Test
    void expelledNodeComesBackUnderANewIdAndItsLateResultIsStale() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        TestNode node = node().job(JobDefinition.of("work", context -> {
                    if (calls.incrementAndGet() == 1) {
                        started.countDown();
                        while (release.getCount() > 0) {
                            Thread.onSpinWait();
                        }
                    }
                }))
                .start();
        enqueue("work", 3);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        await().until(() -> {
            jdbc.sql("update scheduler.node set lease_until = now() where (select count(*) from scheduler.node) = 1")
                    .update();
            jdbc.sql("select pg_notify('scheduler_wake_up', 'due')").query().listOfRows();
            return node.events(NodeJoined.class).size() == 2;
        });
        assertThat(node.events(NodeLeaseLost.class)).hasSize(1);
        await().atMost(Duration.ofSeconds(90))
                .until(() -> node.events(RunCompleted.class).size() == 1);
        release.countDown();
        await().until(() -> outcomes("work").contains("STALE"));
        assertThat(outcomes("work")).containsExactlyInAnyOrder("LOST", "STALE", "COMPLETED");
        assertThat(node.events(RunRetried.class))
                .allMatch(event -> event.attempt().outcome() == Outcome.LOST);
    }

    @Test
    void behindAPoolerItWorksByPollingAndLeaseTimeAlone() {
        PoolerDataSource pooler = new PoolerDataSource(dataSource);
        TestNode first = node(pooler)
                .withPolling(Duration.ofMillis(100))
                .scheduled("often", new FixedRateTrigger(Duration.ofMillis(200)), context -> {})
                .start();

        await().until(() -> first.events(RunCompleted.class).size() > 5);

        assertThat(count("select count(*) from scheduler.leader where session_pid is null"))
                .isOne();
        assertThat(count("select count(*) from pg_stat_activity where query ilike 'listen %'"))
                .isZero();
    }
}
