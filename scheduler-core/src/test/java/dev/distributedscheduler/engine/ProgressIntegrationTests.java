package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.PreviousSuccess;
import dev.distributedscheduler.Progress;
import dev.distributedscheduler.RunDetails;
import dev.distributedscheduler.Runs;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.store.Database;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a handler can tell about its run, and learn of the run before it. */
class ProgressIntegrationTests extends EngineTest {

    private final Runs runs;

    ProgressIntegrationTests(PostgresDatabase postgres) {
        super(postgres);
        this.runs = new RunLookup(new Database(dataSource, Database.DEFAULT_SCHEMA));
    }

    @Test
    void progressIsSeenOnTheRunWithoutAWritePerCall() {
        CountDownLatch goOn = new CountDownLatch(1);
        node().job(JobDefinition.of("long", context -> {
                    for (int i = 1; i <= 100_000; i++) {
                        context.progress(i, 100_000, "row\u0000 " + i);
                    }
                    goOn.await();
                }))
                .start();
        long run = enqueue("long", 1);

        await().until(() -> progress(run).map(Progress::done).equals(Optional.of(100_000L)));

        assertThat(progress(run)).contains(new Progress(100_000, 100_000, "row\uFFFD 100000"));
        assertThat(jdbc.sql(
                                "select n_tup_upd from pg_stat_user_tables where schemaname = 'scheduler' and relname = 'run'")
                        .query(Long.class)
                        .single())
                .isLessThan(20);
        goOn.countDown();
        await().until(() -> state(run).equals("COMPLETED"));
    }

    private Optional<Progress> progress(long run) {
        return runs.find(run).map(RunDetails::live).map(RunDetails.Live::progress);
    }

    private String state(long run) {
        return runs.find(run).orElseThrow().state();
    }

    @Test
    void nextAttemptStartsWithoutProgress() {
        CountDownLatch told = new CountDownLatch(1);
        JobDefinition job = JobDefinition.of("long", context -> {
            if (context.attempt() == 1) {
                context.progress(7, 0);
                told.await();
                throw new IllegalStateException("no luck");
            }
        });
        node().job(job.withRetry((failures, error) -> Optional.of(Duration.ofHours(1))))
                .start();
        long run = enqueue("long", 2);
        await().until(() -> progress(run).isPresent());

        told.countDown();

        await().until(() -> state(run).equals("SCHEDULED"));
        assertThat(progress(run)).isEmpty();
        assertThat(runs.find(run).orElseThrow().attempts())
                .extracting(RunDetails.Attempt::outcome)
                .containsExactly("FAILED");
    }

    @Test
    void scheduledRunLearnsOfTheTickBeforeIt() {
        List<Optional<PreviousSuccess>> learnt = new CopyOnWriteArrayList<>();
        List<PreviousSuccess> expected = new CopyOnWriteArrayList<>();
        node().scheduled("often", new FixedRateTrigger(Duration.ofMillis(700)), context -> {
                    learnt.add(context.previousSuccess());
                    expected.add(new PreviousSuccess(
                            context.runId(),
                            context.scheduledTime(),
                            context.scheduledTime(),
                            context.scheduledTime()));
                })
                .start();

        await().until(() -> learnt.size() >= 3);

        assertThat(learnt.get(0)).isEmpty();
        PreviousSuccess second = learnt.get(2).orElseThrow();
        assertThat(second.runId()).isEqualTo(expected.get(1).runId());
        assertThat(second.scheduledTime()).isEqualTo(expected.get(1).scheduledTime());
        assertThat(second.startedAt()).isAfterOrEqualTo(second.scheduledTime());
        assertThat(second.finishedAt()).isAfterOrEqualTo(second.startedAt());
    }

    @Test
    void enqueuedRunLearnsOfTheLastSuccessOfItsJob() {
        List<Optional<PreviousSuccess>> learnt = new CopyOnWriteArrayList<>();
        node().job(JobDefinition.of("import", context -> learnt.add(context.previousSuccess())))
                .start();
        long first = enqueue("import", 1);
        await().until(() -> state(first).equals("COMPLETED"));

        enqueue("import", 1);

        await().until(() -> learnt.size() == 2);
        assertThat(learnt.get(0)).isEmpty();
        assertThat(learnt.get(1).orElseThrow().runId()).isEqualTo(first);
        assertThat(learnt.get(1).orElseThrow().scheduledTime()).isNull();
    }

    @Test
    void runThatNeverWasIsNotFound() {
        assertThat(runs.find(4711)).isEmpty();
    }
}
