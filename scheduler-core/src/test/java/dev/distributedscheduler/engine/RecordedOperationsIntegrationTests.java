package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters.Replay;
import dev.distributedscheduler.Operation;
import dev.distributedscheduler.Operation.Act;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.Operations.Note;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.store.TestTables;
import dev.distributedscheduler.store.WakeUps;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done and who did it are committed together, or neither is. */
@PostgresTest
class RecordedOperationsIntegrationTests {

    private static final ScheduleKey KEY = new ScheduleKey("tenant-1", "weekly");
    private static final Note ANN = new Note("ann", "because");

    private final DataSource dataSource;
    private TestTables tables;
    private Operations operations;

    RecordedOperationsIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void prepare() {
        tables = new TestTables(dataSource);
        Schedules schedules = TestSchedules.on(tables);
        schedules
                .schedule(KEY.name())
                .tenant(KEY.tenant())
                .job("report")
                .fixedRate(Duration.ofDays(7))
                .register();
        operations = new RecordedOperations(
                tables.database(),
                schedules,
                new RunEnqueuer(
                        tables.database(),
                        new WakeUps(tables.database()),
                        TestSchedules.TEXT,
                        TestSchedules.MAX_PAYLOAD,
                        schedules,
                        EnqueueInterceptor.NONE),
                new DeadLetterOperations(tables.database(), TestSchedules.TEXT, TestSchedules.MAX_PAYLOAD));
    }

    private List<String> records() {
        return tables.texts("select act || ' ' || who || ' ' || reason from scheduler.operation order by id");
    }

    private void bury(long... runs) {
        for (long run : runs) {
            tables.execute("""
                    insert into scheduler.dead_letter
                        (run_id, job, queue, priority, attempts, max_attempts, outcome, created_at)
                    values (%d, 'mail', 'default', 0, 3, 3, 'FAILED', now())
                    """.formatted(run));
        }
    }

    @Test
    void whatIsDoneToAScheduleIsOnItsRecord() {
        assertThat(operations.pause(KEY, ANN)).isTrue();
        assertThat(operations.resume(KEY, new Note("bob", null))).isTrue();
        long run = operations.trigger(KEY, ANN).orElseThrow();
        long other = operations.trigger(KEY, "payload", ANN).orElseThrow();

        assertThat(operations.ofSchedule(KEY, 10))
                .extracting(Operation::act, Operation::who, Operation::runId)
                .containsExactly(
                        tuple(Act.TRIGGER, "ann", other),
                        tuple(Act.TRIGGER, "ann", run),
                        tuple(Act.RESUME, "bob", null),
                        tuple(Act.PAUSE, "ann", null));
        assertThat(operations.ofSchedule(KEY, 1)).hasSize(1);
        assertThat(operations.ofRun(run, 10)).singleElement().satisfies(operation -> {
            assertThat(operation.schedule()).isEqualTo(KEY);
            assertThat(operation.reason()).isEqualTo("because");
        });
        assertThat(operations.ofSchedule(ScheduleKey.of(KEY.name()), 10)).isEmpty();
    }

    @Test
    void whatIsDoneToRunsIsOnTheirs() {
        long enqueued = operations.enqueue("mail", "text", ANN).id();
        long delayed = tables.delayed("mail", TestTables.HOUR);
        bury(901, 902, 903, 904);

        assertThat(operations.cancel(enqueued, ANN)).isTrue();
        assertThat(operations.retryNow(delayed, ANN)).isTrue();
        assertThat(operations.replay(901, ANN)).isEqualTo(Replay.REPLAYED);
        assertThat(operations.replay(902, "other", ANN)).isEqualTo(Replay.REPLAYED);
        assertThat(operations.discard(903, ANN)).isTrue();
        assertThat(operations.discardAll(DeadLetterFilter.ALL, 10, ANN)).isEqualTo(1);

        assertThat(operations.ofJob("mail", 10)).extracting(Operation::runId).containsExactly(enqueued);
        assertThat(operations.ofRun(enqueued, 10)).extracting(Operation::act).containsExactly(Act.CANCEL, Act.TRIGGER);
        assertThat(operations.ofRun(delayed, 10)).extracting(Operation::act).containsExactly(Act.RETRY);
        assertThat(operations.ofRun(901, 10)).extracting(Operation::act).containsExactly(Act.REPLAY);
        assertThat(operations.ofRun(904, 10)).extracting(Operation::act).containsExactly(Act.DISCARD);
    }

    @Test
    void manyAtOnceAreOnRecordEach() {
        bury(901, 902, 903);

        assertThat(operations.replayAll(DeadLetterFilter.ALL.job("mail"), 2, ANN))
                .isEqualTo(2);

        assertThat(tables.texts("select run_id from scheduler.operation where act = 'REPLAY'"))
                .containsExactlyInAnyOrderElementsOf(tables.texts("select id from scheduler.run"))
                .hasSize(2);
    }

    @Test
    void whatChangesNothingLeavesNoRecord() {
        assertThat(operations.resume(KEY, ANN)).isFalse();
        assertThat(operations.trigger(ScheduleKey.of("unknown"), ANN)).isEmpty();
        assertThat(operations.cancel(42, ANN)).isFalse();
        assertThat(operations.retryNow(42, ANN)).isFalse();
        assertThat(operations.replay(42, ANN)).isEqualTo(Replay.NOT_FOUND);
        assertThat(operations.discard(42, ANN)).isFalse();
        assertThat(operations.replayAll(DeadLetterFilter.ALL, 10, ANN)).isZero();
        assertThatThrownBy(() -> operations.discardAll(DeadLetterFilter.ALL, 0, ANN))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(records()).isEmpty();
    }

    @Test
    void whatCannotBeRecordedIsNotDone() {
        tables.execute("alter table scheduler.operation add constraint full_disk check (act <> 'PAUSE')");
        try {
            assertThatThrownBy(() -> operations.pause(KEY, ANN)).hasMessageContaining("full_disk");
        } finally {
            tables.execute("alter table scheduler.operation drop constraint full_disk");
        }

        assertThat(tables.text("select state from scheduler.schedule")).isEqualTo("ACTIVE");
    }

    @Test
    void bothVanishWithTheCallersTransaction() {
        assertThatThrownBy(() -> tables.database().inTransaction(() -> {
                    operations.trigger(KEY, ANN);
                    throw new IllegalStateException("changed my mind");
                }))
                .hasMessage("changed my mind");

        assertThat(records()).isEmpty();
        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
    }

    @Test
    void runningRunIsNotRetriedAndACancelledOneIsNotCancelledAgain() {
        ClaimedRun running = tables.running("mail");

        assertThat(operations.retryNow(running.id(), ANN)).isFalse();
        assertThat(operations.cancel(running.id(), ANN)).isTrue();

        assertThat(records()).containsExactly("CANCEL ann because");
    }

    @Test
    void notesAreBounded() {
        assertThatThrownBy(() -> new Note("x".repeat(201), null)).hasMessageContaining("at most 200");
        assertThatThrownBy(() -> new Note(null, "x".repeat(1_001))).hasMessageContaining("at most 1000");
        assertThatThrownBy(() -> new Note(null, "\0")).hasMessageContaining("without zeros");
    }
}
