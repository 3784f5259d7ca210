package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.LostOwnershipException;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.Failure;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What a worker may do in the database that lost its run without knowing: nothing. */
class OwnershipIntegrationTests extends EngineTest {

    OwnershipIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    @BeforeEach
    void effects() {
        jdbc.sql("create table if not exists public.effect (run bigint, attempt integer)")
                .update();
        jdbc.sql("truncate public.effect").update();
    }

    private static JobDefinition transactional(JobDefinition job) {
        return job.with(job.policy().withTransactional(true).withRetry(AT_ONCE));
    }

    private static void effect(TestNode node, long run, int attempt) {
        JdbcClient.create(node.pool())
                .sql("insert into public.effect values (:run, :attempt)")
                .param("run", run)
                .param("attempt", attempt)
                .update();
    }

    /** What the leader does when it thinks the node dead; the run goes back in line. */
    private void takeBack(long run) {
        jdbc.sql("""
                update scheduler.run
                set state = 'READY', node_id = null, token = null, claimed_at = null where id = :run
                """).param("run", run).update();
        jdbc.sql("select pg_notify('scheduler_wake_up', 'ready:default')")
                .query()
                .listOfRows();
    }

    @Test
    void transactionalJobLeavesItsEffectAndItsCompletionTogether() {
        TestNode node = node();
        node.job(transactional(JobDefinition.of("work", context -> {
                    effect(node, context.runId(), context.attempt());
                    assertThat(count("select count(*) from public.effect")).isZero(); // not committed yet
                })))
                .start();

        enqueue("work", 3);

        await().until(() -> node.events(RunCompleted.class).size() == 1);
        assertThat(count("select count(*) from public.effect")).isOne();
        assertThat(outcomes("work")).containsExactly("COMPLETED");
        assertThat(count("select count(*) from scheduler.run")).isZero();
    }

    @Test
    void failedTransactionalJobLeavesNoEffect() {
        AtomicInteger calls = new AtomicInteger();
        TestNode node = node();
        node.job(transactional(JobDefinition.of("work", context -> {
                    effect(node, context.runId(), context.attempt());
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("after its effect");
                    }
                })))
                .start();

        enqueue("work", 3);

        await().until(() -> node.events(RunCompleted.class).size() == 1);
        assertThat(count("select attempt from public.effect")).isEqualTo(2);
        assertThat(outcomes("work")).containsExactly("FAILED", "COMPLETED");
    }

    @Test
    void transactionalJobThatLostItsRunCommitsNothing() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        TestNode node = node();
        node.job(transactional(JobDefinition.of("work", context -> {
                    effect(node, context.runId(), context.attempt());
                    if (context.attempt() == 1) {
                        started.countDown();
                        goOn.await();
                    }
                })))
                .start();
        long run = enqueue("work", 3);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        takeBack(run);
        await().until(() -> node.events(RunCompleted.class).size() == 1);
        goOn.countDown();

        await().until(() -> node.events(ResultRefused.class).size() == 1);
        assertThat(count("select sum(attempt) from public.effect")).isEqualTo(2);
        assertThat(outcomes("work")).containsExactlyInAnyOrder("STALE", "COMPLETED");
    }

    @Test
    void assertOwnedKeepsAStaleWorkerFromCommitting() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        TestNode node = node();
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(node.pool()));
        node.job(JobDefinition.of("work", context -> {
                    if (context.attempt() == 1) {
                        started.countDown();
                        goOn.await();
                    }
                    transaction.executeWithoutResult(status -> {
                        effect(node, context.runId(), context.attempt());
                        context.assertOwned();
                    });
                }))
                .start();
        long run = enqueue("work", 3);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        takeBack(run);
        await().until(() -> node.events(RunCompleted.class).size() == 1);
        goOn.countDown();

        await().until(() -> node.events(ResultRefused.class).size() == 1);
        Failure refused = node.events(ResultRefused.class).get(0).attempt().failure();
        assertThat(refused.type()).isEqualTo(LostOwnershipException.class.getName());
        assertThat(count("select sum(attempt) from public.effect")).isEqualTo(2);
        assertThat(node.events(RunRetried.class)).isEmpty();
    }
}
