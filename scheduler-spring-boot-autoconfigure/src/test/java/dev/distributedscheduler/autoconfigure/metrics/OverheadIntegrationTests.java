package dev.distributedscheduler.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Measures what meters and observations cost a queue that is drained, with and without them in turn:
 * {@code -Doverhead.runs=50000 -Doverhead.repeats=7 -Dit.test=OverheadIntegrationTests}.
 *
 * <p>The bound that it asserts leaves room for a busy machine and a short run; the figure to go by is the one it prints.
 */
@PostgresTest
class OverheadIntegrationTests {

    private static final int RUNS = Integer.getInteger("overhead.runs", 3_000);
    private static final int REPEATS = Integer.getInteger("overhead.repeats", 3);
    private static final AtomicInteger done = new AtomicInteger();

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    OverheadIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = ObservedApplication.on(database)
                .withBean(Jobs.class)
                .withPropertyValues("distributed-scheduler.watch.every=15s");
    }

    static class Jobs {

        @DistributedJob("nothing")
        void nothing() {
            done.incrementAndGet();
        }
    }

    @Test
    @Timeout(1_800)
    void metersAndObservationsCostLittle() {
        List<Double> with = new ArrayList<>();
        List<Double> without = new ArrayList<>();
        for (int i = 0; i < REPEATS; i++) {
            if (i % 2 == 0) {
                with.add(throughput(true));
                without.add(throughput(false));
            } else {
                without.add(throughput(false));
                with.add(throughput(true));
            }
        }
        double ratio = median(with) / median(without);
        System.out.printf(
                "MEASURED %,d runs, %d times each: %,.0f/s with meters and observations, %,.0f/s without: %.3f%n"
                        + "MEASURED with %s, without %s%n",
                RUNS, REPEATS, median(with), median(without), ratio, rounded(with), rounded(without));
        assertThat(ratio).isGreaterThan(0.6);
    }

    private double throughput(boolean observed) {
        double[] perSecond = new double[1];
        jdbc.sql("drop schema if exists scheduler cascade").update();
        application
                .withPropertyValues(
                        "distributed-scheduler.metrics.enabled=" + observed,
                        "distributed-scheduler.metrics.observations=" + observed)
                .run(context -> {
                    JobScheduler scheduler = context.getBean(JobScheduler.class);
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    drain(scheduler, transaction, RUNS / 5); // warms up
                    perSecond[0] = RUNS / (drain(scheduler, transaction, RUNS).toNanos() / 1e9);
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.find("scheduler.run.duration").timers().isEmpty())
                            .isEqualTo(!observed);
                });
        return perSecond[0];
    }

    private Duration drain(JobScheduler scheduler, TransactionTemplate transaction, int runs) {
        done.set(0);
        transaction.executeWithoutResult(status ->
                scheduler.enqueueAll("nothing", IntStream.range(0, runs).boxed().toList()));
        long began = System.nanoTime();
        await().atMost(Duration.ofMinutes(5))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> done.get() >= runs);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> jdbc.sql("select count(*) from scheduler.run")
                                .query(Long.class)
                                .single()
                        == 0);
        return took;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static List<Long> rounded(List<Double> values) {
        return values.stream().map(Math::round).toList();
    }
}
