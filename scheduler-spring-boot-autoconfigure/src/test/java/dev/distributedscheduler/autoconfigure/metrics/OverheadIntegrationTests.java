package dev.distributedscheduler.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
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
    private static final OperatingSystemMXBean process =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
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

    /** One drained queue: how fast, and what it cost this process (not the database). */
    private record Drained(double perSecond, double cpuMicrosPerRun) {}

    /** Each pair is measured back to back, in turn first with and first without; the median of the pairs' ratios counts. */
    @Test
    @Timeout(1_800)
    void metersAndObservationsCostLittle() {
        List<Double> speed = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        drained(true); // warms the JVM up
        drained(false);
        for (int i = 0; i < REPEATS; i++) {
            boolean first = i % 2 == 0;
            Drained one = drained(first);
            Drained other = drained(!first);
            Drained with = first ? one : other;
            Drained without = first ? other : one;
            speed.add(with.perSecond() / without.perSecond());
            cpu.add(with.cpuMicrosPerRun() / without.cpuMicrosPerRun());
            System.out.printf("MEASURED with %s, without %s%n", with, without);
        }
        System.out.printf(
                "MEASURED %,d runs, %d pairs: throughput with meters and observations %.3f of that without, CPU %.3f%n",
                RUNS, REPEATS, median(speed), median(cpu));
        assertThat(median(speed)).isGreaterThan(0.6);
    }

    private Drained drained(boolean observed) {
        List<Drained> result = new ArrayList<>();
        jdbc.sql("drop schema if exists scheduler cascade").update();
        application
                .withPropertyValues(
                        "distributed-scheduler.metrics.enabled=" + observed,
                        "distributed-scheduler.metrics.observations=" + observed)
                .run(context -> {
                    drain(context, RUNS / 5);
                    result.add(drain(context, RUNS));
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.find("scheduler.run.duration").timers().isEmpty())
                            .isEqualTo(!observed);
                });
        return result.get(0);
    }

    /** The table is analyzed with its runs in it, so that the plans of the claims are no matter of luck. */
    private Drained drain(ApplicationContext context, int runs) {
        done.set(0);
        JobScheduler scheduler = context.getBean(JobScheduler.class);
        JdbcClient sameTransaction = JdbcClient.create(context.getBean(DataSource.class));
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            scheduler.enqueueAll("nothing", IntStream.range(0, runs).boxed().toList());
            sameTransaction.sql("analyze scheduler.run").update();
        });
        long cpu = process.getProcessCpuTime();
        long began = System.nanoTime();
        await().atMost(Duration.ofMinutes(5))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> done.get() >= runs);
        double seconds = (System.nanoTime() - began) / 1e9;
        await().atMost(Duration.ofMinutes(1))
                .until(() -> jdbc.sql("select count(*) from scheduler.run")
                                .query(Long.class)
                                .single()
                        == 0);
        return new Drained(runs / seconds, (process.getProcessCpuTime() - cpu) / 1e3 / runs);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
