package dev.distributedscheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.ResultsFlushed;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.TestTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@PostgresTest
@Timeout(60)
class RunCompleterIntegrationTests {

    private final DataSource dataSource;
    private final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger flushed = new AtomicInteger();
    private final AtomicInteger recorded = new AtomicInteger();
    private final AtomicInteger failuresLeft = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private TestTables tables;
    private RunCompleter completer;

    RunCompleterIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void start() {
        tables = new TestTables(dataSource);
        DataSource troubled = new DelegatingDataSource(dataSource) {
            @Override
            public Connection getConnection() throws SQLException {
                calls.incrementAndGet();
                if (failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new SQLException("down");
                }
                return super.getConnection();
            }
        };
        completer = new RunCompleter(new RunHistory(new Database(troubled, Database.DEFAULT_SCHEMA)), event -> {
            if (event instanceof ResultsFlushed flush) {
                flushed.addAndGet(flush.results());
            } else {
                events.add(event);
            }
        });
    }

    @AfterEach
    void close() throws InterruptedException {
        completer.close(Duration.ZERO);
    }

    private void record(FinishedAttempt attempt) {
        completer.record(attempt, recorded::incrementAndGet);
    }

    private FinishedAttempt completed() {
        return FinishedAttempt.completed(tables.running("job"), Duration.ZERO, Duration.ZERO);
    }

    private static FinishedAttempt failed(ClaimedRun run) {
        Failure failure = Failure.of("SomeException", "no luck");
        return new FinishedAttempt(run, Outcome.FAILED, Duration.ZERO, Duration.ZERO, Duration.ZERO, failure);
    }

    @Test
    void everyResultIsRecordedAndTold() {
        FinishedAttempt completed = completed();
        FinishedAttempt retried = failed(tables.running("job"));
        completer.start();

        record(completed);
        record(retried);

        await().until(() -> recorded.get() == 2);
        assertThat(events).containsExactlyInAnyOrder(new RunCompleted(completed), new RunRetried(retried));
        await().untilAsserted(() -> assertThat(flushed).hasValue(2));
        assertThat(tables.texts("select outcome from scheduler.execution order by 1"))
                .containsExactly("COMPLETED", "FAILED");
    }

    @Test
    void resultSurvivesFailedRecordingsAndIsToldOnce() {
        FinishedAttempt completed = completed();
        failuresLeft.set(4);
        completer.start();

        record(completed);

        await().until(() -> recorded.get() == 1);
        assertThat(failuresLeft).hasValue(0);
        assertThat(events).containsExactly(new RunCompleted(completed));
        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
    }

    /** Three results, then the poison alone, one good, one good with the poison, and that good one alone. */
    @Test
    void resultThatTheDatabaseRefusesHoldsUpTheOthersForAFewCallsOnly() {
        AtomicInteger callsUntilRecorded = new AtomicInteger();
        ClaimedRun poison = tables.running("job");
        tables.execute("update scheduler.run set claimed_at = '294276-12-31' where id = " + poison.id());
        record(FinishedAttempt.completed(poison, Duration.ofDays(1), Duration.ofDays(1)));
        for (FinishedAttempt good : List.of(completed(), completed())) {
            completer.record(good, () -> {
                callsUntilRecorded.set(calls.get());
                recorded.incrementAndGet();
            });
        }

        completer.start();

        await().until(() -> recorded.get() == 2);
        assertThat(callsUntilRecorded).hasValue(5);
    }

    @Test
    void lateResultIsRefusedAndNotHeldAnyLonger() {
        FinishedAttempt late = completed();
        new RunHistory(tables.database()).fail(List.of(FinishedAttempt.lost(late.run())));
        completer.start();

        record(late);

        await().until(() -> recorded.get() == 1);
        assertThat(events).containsExactly(new ResultRefused(late));
    }

    @Test
    void resultWhoseRecordingWentUnansweredIsNotRefused() {
        FinishedAttempt completed = completed();
        new RunHistory(tables.database()).complete(List.of(completed));
        completer.start();

        record(completed);

        await().until(() -> recorded.get() == 1);
        assertThat(events).isEmpty();
    }

    @Test
    void lastFailureIsToldAsADeath() {
        tables.insert("job", "default", "READY", Priority.NORMAL, Duration.ZERO, 1);
        FinishedAttempt last = failed(tables.claim("job"));
        completer.start();

        record(last);

        await().until(() -> recorded.get() == 1);
        assertThat(events).containsExactly(new RunDied(last));
    }

    @Test
    void closingWaitsForWhatIsNotRecordedYet() throws InterruptedException {
        List<FinishedAttempt> results = List.of(completed(), completed(), completed());
        failuresLeft.set(1);
        completer.start();
        results.forEach(this::record);

        completer.close(Duration.ofSeconds(20));

        assertThat(recorded).hasValue(3);
    }
}
