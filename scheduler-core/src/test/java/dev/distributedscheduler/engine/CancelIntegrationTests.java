package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.event.SchedulerEvent.RunCancelled;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.store.Cancelling;
import dev.distributedscheduler.store.Database;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CancelIntegrationTests extends EngineTest {

    private final Cancelling cancelling;

    CancelIntegrationTests(PostgresDatabase database) {
        super(database);
        this.cancelling = new Cancelling(new Database(dataSource, Database.DEFAULT_SCHEMA));
    }

    @Test
    void waitingRunIsGoneAtOnce() {
        long run = enqueue("work", 1);
        long other = enqueue("work", 1);

        assertThat(cancelling.cancel(List.of(run))).containsExactly(run);

        assertThat(count("select id from scheduler.run")).isEqualTo(other);
        assertThat(outcomes("work")).containsExactly("CANCELLED");
    }

    @Test
    void cancellingTwiceIsHarmless() {
        long run = enqueue("work", 1);
        cancelling.cancel(List.of(run));

        assertThat(cancelling.cancel(List.of(run))).isEmpty();

        assertThat(outcomes("work")).containsExactly("CANCELLED");
    }

    @Test
    void runningRunIsInterruptedAndNotTriedAgain() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        TestNode node = node().job(JobDefinition.of("slow", context -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                }))
                .start();
        long run = enqueue("slow", 5);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(cancelling.cancel(List.of(run))).containsExactly(run);

        await().until(() -> node.events(RunCancelled.class).size() == 1);
        assertThat(outcomes("slow")).containsExactly("CANCELLED");
        assertThat(count("select count(*) from scheduler.run")).isZero();
        assertThat(count("select count(*) from scheduler.dead_letter")).isZero();
    }

    @Test
    void lostNotificationIsMadeUpForByTheHeartbeat() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        TestNode node = node().job(JobDefinition.of("slow", context -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                }))
                .start();
        long run = enqueue("slow", 5);
        assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();

        jdbc.sql("update scheduler.run set cancel_requested = true where id = :run")
                .param("run", run)
                .update();

        await().until(() -> node.events(RunCancelled.class).size() == 1);
    }
}
