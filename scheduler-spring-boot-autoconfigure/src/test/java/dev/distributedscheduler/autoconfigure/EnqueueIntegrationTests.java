package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Enqueueing as a user does it, from the bean to the handler. */
@PostgresTest
class EnqueueIntegrationTests {

    private static final List<Object> received = new CopyOnWriteArrayList<>();

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    EnqueueIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = SchedulerApplication.on(database).withBean(Jobs.class);
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        received.clear();
    }

    @Test
    void payloadReachesItsHandler() {
        application.run(context -> {
            JobScheduler scheduler = context.getBean(JobScheduler.class);
            Invoice invoice = new Invoice(42, List.of("a", "b\0"), Map.of("x", Duration.ofMinutes(5)));

            EnqueuedRun run = scheduler.enqueue("send-invoice", invoice, options -> options.idempotencyKey("42"));

            await().until(() -> received.size() == 3);
            assertThat(received).containsExactly(invoice, run.id(), "42");
        });
    }

    @Test
    void bulkReachesItsHandlers() {
        application.run(context -> {
            List<List<Integer>> payloads =
                    IntStream.range(0, 1_000).mapToObj(List::of).toList();

            context.getBean(JobScheduler.class).enqueueAll("numbers", payloads);

            await().until(() -> received.size() == 1_000);
            assertThat(received).containsExactlyInAnyOrderElementsOf(payloads);
        });
    }

    @Test
    void enqueueCommitsAndRollsBackWithTheTransaction() {
        application.run(context -> {
            JobScheduler scheduler = context.getBean(JobScheduler.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            transaction.executeWithoutResult(status -> {
                scheduler.enqueue("numbers", List.of(1));
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> {
                scheduler.enqueue("numbers", List.of(2));
                assertThat(jdbc.sql("select count(*) from scheduler.run")
                                .query(Long.class)
                                .single())
                        .isZero();
            });

            await().until(() -> !received.isEmpty());
            assertThat(received).containsExactly(List.of(2));
        });
    }

    @Test
    void payloadThatNoLongerFitsIsADeadLetterAtOnce() {
        application.run(context -> {
            context.getBean(JobScheduler.class).enqueue("numbers", Map.of("not", "a list"));

            await().until(() -> jdbc.sql("select count(*) from scheduler.dead_letter")
                            .query(Long.class)
                            .single()
                    == 1);
            assertThat(jdbc.sql("select attempts || ' ' || error_message from scheduler.dead_letter")
                            .query(String.class)
                            .single())
                    .startsWith("1 The payload does not fit: ");
            assertThat(received).isEmpty();
        });
    }

    @Test
    void mistakesAreRefusedWithAReason() {
        application.withPropertyValues("distributed-scheduler.max-payload=1KB").run(context -> {
            JobScheduler scheduler = context.getBean(JobScheduler.class);

            assertThatThrownBy(() -> scheduler.enqueue("send-invoce", null))
                    .hasMessageContaining("No node has declared a job 'send-invoce'")
                    .hasMessageContaining("send-invoice");
            assertThatThrownBy(() -> scheduler.enqueue("numbers", "x".repeat(2_000)))
                    .hasMessageContaining(
                            "2002 bytes, more than the 1024 that distributed-scheduler.max-payload allows");
            assertThatThrownBy(() ->
                            scheduler.enqueue("numbers", null, options -> options.deduplicateFor(Duration.ofHours(1))))
                    .hasMessageContaining("needs an idempotency key");
        });
    }

    record Invoice(long id, List<String> lines, Map<String, Duration> terms) {}

    static class Jobs {

        @DistributedJob("send-invoice")
        void send(Invoice invoice, JobContext context) {
            received.add(invoice);
            received.add(context.runId());
            received.add(context.idempotencyKey());
        }

        @DistributedJob("numbers")
        void numbers(List<Integer> numbers) {
            received.add(numbers);
        }
    }
}
