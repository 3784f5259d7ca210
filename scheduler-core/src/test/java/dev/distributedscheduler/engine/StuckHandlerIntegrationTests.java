package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.RunDetails;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.WhenStuck;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.RunCancelled;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunStuck;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.store.Cancelling;
import dev.distributedscheduler.store.Database;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that ignore their interrupt: seen, told, and never in the way of the others. */
class StuckHandlerIntegrationTests extends EngineTest {

    private static final Duration SOON = Duration.ofMillis(50);

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger starts = new AtomicInteger();
    private final Database database;
    private final Runs runs;

    StuckHandlerIntegrationTests(PostgresDatabase postgres) {
        super(postgres);
        this.database = new Database(dataSource, Database.DEFAULT_SCHEMA);
        this.runs = new RunLookup(database);
    }

    @AfterEach
    void releaseHandlers() {
        release.countDown();
    }

    /** Its first attempt hears nothing until it is released; the later ones return at once. */
    private JobDefinition deaf(WhenStuck whenStuck) {
        JobDefinition job = JobDefinition.of("deaf", context -> {
            if (starts.incrementAndGet() == 1) {
                standStill();
            }
        });
        return job.with(job.policy().withWhenStuck(whenStuck).withRetry(AT_ONCE));
    }

    private void standStill() {
        while (release.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private TestNode stuckNode(JobDefinition job) {
        TestNode node = node().job(job)
                .job(JobDefinition.of("other", context -> {}))
                .withStuckAfter(SOON)
                .withDrainTimeout(Duration.ZERO)
                .start();
        enqueue("deaf", 3);
        await().until(() -> node.events(RunStuck.class).size() == 1);
        return node;
    }

    @Test
    void stuckHandlerIsToldWithItsStackAndItsRunWaitsForIt() {
        TestNode node = stuckNode(deaf(WhenStuck.WAIT).withTimeout(SOON));

        RunStuck stuck = node.events(RunStuck.class).get(0);
        assertThat(stuck.cutShort()).isEqualTo(Outcome.TIMED_OUT);
        assertThat(stuck.stack()).contains("standStill");
        assertThat(stuck.abandoned()).isFalse();
        await().until(() -> details(stuck.run().id()).live().stuckSince() != null);
        assertThat(details(stuck.run().id()).state()).isEqualTo("RUNNING");
        assertThat(details(stuck.run().id()).live().stuckStack()).contains("standStill");
        enqueue("other", 1);
        await().until(() -> node.events(RunCompleted.class).size() == 1);
        assertThat(starts).hasValue(1);

        release.countDown();

        await().until(() -> node.events(RunCompleted.class).size() == 2);
        assertThat(outcomes("deaf")).containsExactly("TIMED_OUT", "COMPLETED");
        assertThat(jdbc.sql("select stack_trace from scheduler.execution where outcome = 'TIMED_OUT'")
                        .query(String.class)
                        .single())
                .contains("standStill");
    }

    @Test
    void abandonedRunGoesOnWithoutItsHandlerWhoseEndMeansNothing() {
        TestNode node = stuckNode(deaf(WhenStuck.ABANDON).withTimeout(SOON));

        assertThat(node.events(RunStuck.class).get(0).abandoned()).isTrue();
        await().until(() -> node.events(RunCompleted.class).size() == 1);
        assertThat(starts).hasValue(2);
        assertThat(outcomes("deaf")).containsExactly("TIMED_OUT", "COMPLETED");

        release.countDown();
        node.stop(); // waits for the handler

        assertThat(outcomes("deaf")).containsExactly("TIMED_OUT", "COMPLETED");
        assertThat(node.events(RunRetried.class)).hasSize(1);
        assertThat(node.events(ResultRefused.class)).isEmpty();
        assertThat(count("select count(*) from scheduler.node")).isZero();
    }

    @Test
    void abandonedHandlerOfATransactionalJobCannotCommit() {
        jdbc.sql("create table if not exists public.effect (attempt integer)").update();
        jdbc.sql("truncate public.effect").update();
        TestNode node = node();
        JobDefinition job = JobDefinition.of("deaf", context -> {
            org.springframework.jdbc.core.simple.JdbcClient.create(node.pool())
                    .sql("insert into public.effect values (:attempt)")
                    .param("attempt", context.attempt())
                    .update();
            if (context.attempt() == 1) {
                standStill();
            }
        });
        node.job(job.with(job.policy()
                        .withTransactional(true)
                        .withWhenStuck(WhenStuck.ABANDON)
                        .withTimeout(SOON)
                        .withRetry(AT_ONCE)))
                .withStuckAfter(SOON)
                .start();
        enqueue("deaf", 3);
        await().until(() -> node.events(RunCompleted.class).size() == 1);

        release.countDown();
        node.stop();

        assertThat(count("select sum(attempt) from public.effect")).isEqualTo(2);
    }

    @Test
    void cancelledRunThatIsAbandonedIsOver() {
        TestNode node = node().job(deaf(WhenStuck.ABANDON)).withStuckAfter(SOON).start();
        long run = enqueue("deaf", 3);
        await().until(() -> starts.get() == 1);

        new Cancelling(database).cancel(List.of(run));

        await().until(() -> node.events(RunCancelled.class).size() == 1);
        assertThat(details(run).state()).isEqualTo("CANCELLED");
        assertThat(count("select count(*) from scheduler.run")).isZero();
    }

    @Test
    void errorsOfEveryKindCostTheAttemptOnly() {
        List<Error> errors = List.of(
                new StackOverflowError(), new OutOfMemoryError(), new NoClassDefFoundError(), new AssertionError());
        JobDefinition job = JobDefinition.of("broken", context -> {
            int start = starts.getAndIncrement();
            if (start < errors.size()) {
                throw errors.get(start);
            }
        });
        TestNode node = node().job(job.withRetry(AT_ONCE)).start();

        enqueue("broken", 5);

        await().until(() -> node.events(RunCompleted.class).size() == 1);
        assertThat(outcomes("broken")).containsExactly("FAILED", "FAILED", "FAILED", "FAILED", "COMPLETED");
        assertThat(node.events(RunRetried.class))
                .extracting(retried -> retried.attempt().failure().type())
                .containsExactlyElementsOf(
                        errors.stream().map(error -> error.getClass().getName()).toList());
    }

    private RunDetails details(long run) {
        return runs.find(run).orElseThrow();
    }
}
