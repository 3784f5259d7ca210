package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.DeadLetterDetails;
import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters;
import dev.distributedscheduler.DeadLetters.Replay;
import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.PermanentFailureException;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Dead letters as a user meets them, from the failing handler to the replay that mends it. */
@PostgresTest
class DeadLettersIntegrationTests {

    private static final DeadLetterFilter TRANSFERS = DeadLetterFilter.ALL.job("transfer");
    private static final List<String> executed = new CopyOnWriteArrayList<>();

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    DeadLettersIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = SchedulerApplication.on(database)
                .withBean(Jobs.class)
                .withPropertyValues("distributed-scheduler.max-payload=1KB");
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        executed.clear();
    }

    @Test
    void failedRunIsReplayedWithAnotherPayload() {
        application.run(context -> {
            DeadLetters letters = context.getBean(DeadLetters.class);
            EnqueuedRun run = context.getBean(JobScheduler.class).enqueue("transfer", new Transfer("nobody", 5));
            await().until(() -> letters.count(TRANSFERS) == 1);

            DeadLetterDetails details = letters.find(run.id()).orElseThrow();
            assertThat(letters.list(TRANSFERS)).containsExactly(details.letter());
            assertThat(details.letter().errorType()).isEqualTo(PermanentFailureException.class.getName());
            assertThat(details.letter().errorMessage()).isEqualTo("No account 'nobody'");
            assertThat(details.payload()).isEqualTo("{\"to\":\"nobody\",\"amount\":5}");
            assertThat(details.stackTrace()).contains("Jobs.transfer");

            assertThat(letters.replay(run.id(), new Transfer("somebody", 5))).isEqualTo(Replay.REPLAYED);

            await().until(() -> !executed.isEmpty());
            assertThat(executed).containsExactly("run %d, attempt 2: 5 to somebody".formatted(run.id()));
            assertThat(letters.count(DeadLetterFilter.ALL)).isZero();
        });
    }

    @Test
    void replayCommitsAndRollsBackWithTheTransaction() {
        application.run(context -> {
            DeadLetters letters = context.getBean(DeadLetters.class);
            context.getBean(JobScheduler.class)
                    .enqueueAll("transfer", List.of(new Transfer("nobody", 1), new Transfer("nobody", 2)));
            await().until(() -> letters.count(TRANSFERS) == 2);

            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                assertThat(letters.replayAll(TRANSFERS, 10)).isEqualTo(2);
                status.setRollbackOnly();
            });

            assertThat(letters.list(TRANSFERS)).extracting(DeadLetter::attempts).containsExactly(1, 1);
        });
    }

    @Test
    void mistakesAreRefusedWithAReason() {
        application.run(context -> {
            DeadLetters letters = context.getBean(DeadLetters.class);

            assertThatThrownBy(() -> letters.replay(42, "x".repeat(2_000)))
                    .hasMessageContaining("The payload of run 42 has 2002 bytes, more than the 1024");
            assertThatThrownBy(() -> letters.list(TRANSFERS, null, 0)).hasMessageContaining("at least one");
            assertThatThrownBy(() -> letters.replayAll(TRANSFERS, 10_001)).hasMessageContaining("1 to 10000");
            assertThatThrownBy(() -> letters.discardAll(TRANSFERS, 0)).hasMessageContaining("1 to 10000");
            assertThat(letters.replay(42, null)).isEqualTo(Replay.NOT_FOUND);
        });
    }

    record Transfer(String to, int amount) {}

    static class Jobs {

        @DistributedJob("transfer")
        void transfer(Transfer transfer, JobContext context) {
            if (transfer.to().equals("nobody")) {
                throw new PermanentFailureException("No account 'nobody'");
            }
            executed.add("run %d, attempt %d: %d to %s"
                    .formatted(context.runId(), context.attempt(), transfer.amount(), transfer.to()));
        }
    }
}
