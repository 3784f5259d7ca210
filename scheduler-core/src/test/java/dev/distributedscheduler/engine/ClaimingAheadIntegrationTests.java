package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.worker.WorkerSettings.Buffers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Quick handlers let a node claim ahead; then they turn out slow. */
@Timeout(60)
class ClaimingAheadIntegrationTests extends EngineTest {

    private final CountDownLatch free = new CountDownLatch(1);
    private final Set<Long> begun = ConcurrentHashMap.newKeySet();

    ClaimingAheadIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    private JobDefinition quickThenSlow() {
        return JobDefinition.of("job", context -> {
            begun.add(context.runId());
            if (context.runId() > 2_000) {
                free.await();
            }
        });
    }

    private void enqueueMany(int runs) {
        jdbc.sql("""
                        insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                        select 'job', 'default', 'READY', 0, now(), now(), 3 from generate_series(1, :runs)
                        """).param("runs", runs).update();
    }

    private long running() {
        return count("select count(*) from scheduler.run where state = 'RUNNING'");
    }

    @Test
    void whatWaitsBehindSlowHandlersIsGivenBackToOthers() {
        enqueueMany(3_000);
        TestNode first = node().job(quickThenSlow()).start();
        await().until(() -> count("select count(*) from scheduler.run") == 1_000);
        await().atMost(10, TimeUnit.SECONDS).until(() -> running() == 10);

        node().job(JobDefinition.of("job", context -> begun.add(context.runId())))
                .start();

        await().until(() -> begun.size() == 3_000);
        await().until(() -> count("select count(*) from scheduler.run") == 10);
        free.countDown();
        await().until(() -> count("select count(*) from scheduler.run") == 0);
        first.close();
        assertThat(count("select count(*) from scheduler.execution")).isEqualTo(3_000);
        assertThat(count("select count(*) from scheduler.execution where outcome <> 'COMPLETED'"))
                .isZero();
    }

    @Test
    void shutdownGivesBackWhatHasNotBegun() {
        enqueueMany(3_000);
        TestNode node = node().job(quickThenSlow()).start();
        await().until(() -> count("select count(*) from scheduler.run") == 1_000);

        Thread stopping = new Thread(node::close);
        stopping.start();

        await().until(() -> running() == 10);
        free.countDown();
        await().until(() -> !stopping.isAlive());
        assertThat(begun).hasSize(2_010);
        assertThat(count("select count(*) from scheduler.run where state = 'READY' and failures = 0"))
                .isEqualTo(990);
    }

    /** Fails if only the end of a handler wakes the pool: all have ended when their results are recorded. */
    @Test
    void poolThatMayHoldNoResultGoesOnWhenTheyAreRecorded() {
        enqueueMany(100);
        node().withPolling(Duration.ofMinutes(1))
                .withBuffers(new Buffers(0, 0))
                .job(JobDefinition.of("job", context -> {}))
                .start();

        await().atMost(20, TimeUnit.SECONDS).until(() -> count("select count(*) from scheduler.run") == 0);
    }
}
