package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.Enqueuing;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitIntegrationTests extends EngineTest {

    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

    ConcurrencyLimitIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    @Test
    void neverMoreThanTheLimitOnAllNodesTogether() {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        JobDefinition job = JobDefinition.of("limited", context -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            atOnce.decrementAndGet();
            done.incrementAndGet();
        });
        JobDefinition limited = job.with(job.policy().withMaxConcurrent(3));
        TestNode leader = node().job(limited).start();
        node().job(limited).start();
        node().job(limited).start();

        new Enqueuing(new Database(dataSource, Database.DEFAULT_SCHEMA))
                .enqueue(IntStream.range(0, 200)
                        .mapToObj(i -> new NewRun("limited", null, EnqueueOptions.NONE))
                        .toList());
        await().atMost(ONE_MINUTE).until(() -> done.get() > 80);
        leader.stop();

        await().atMost(ONE_MINUTE).until(() -> count("select count(*) from scheduler.run") == 0);
        assertThat(most.get()).isBetween(1, 3);
        assertThat(count("select count(*) from scheduler.execution where outcome = 'COMPLETED'"))
                .isEqualTo(200);
    }
}
