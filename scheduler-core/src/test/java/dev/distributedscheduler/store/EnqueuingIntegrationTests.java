package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class EnqueuingIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private Enqueuing enqueuing;

    EnqueuingIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void declareJobs() {
        tables = new TestTables(dataSource);
        enqueuing = new Enqueuing(tables.database());
        new JobStore(tables.database())
                .declare(
                        List.of(JobDefinition.of("job", run -> {})
                                .withQueue("slow")
                                .withPriority(Priority.HIGH)
                                .withMaxAttempts(7)),
                        1);
    }

    private EnqueuedRun enqueue(EnqueueOptions options) {
        return enqueuing.enqueue(List.of(new NewRun("job", "{}", options))).get(0);
    }

    private static EnqueueOptions keyed(String key) {
        return EnqueueOptions.NONE.idempotencyKey(key);
    }

    private void complete() {
        ClaimedRun run = new RunQueue(tables.database())
                .claim(tables.node("job"), "slow", Set.of("job"), 1)
                .get(0);
        new RunHistory(tables.database())
                .complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO)));
    }

    @Test
    void whatTheEnqueuerGaveTheRunReachesItsClaimer() {
        enqueuing.enqueue(List.of(
                new NewRun("job", "{}", EnqueueOptions.NONE, "traceparent=1"),
                new NewRun("job", "{}", EnqueueOptions.NONE)));

        assertThat(new RunQueue(tables.database()).claim(tables.node("job"), "slow", Set.of("job"), 2))
                .extracting(ClaimedRun::trace)
                .containsExactly("traceparent=1", null);
    }

    @Test
    void runGetsWhatItsJobSays() {
        EnqueuedRun run = enqueue(EnqueueOptions.NONE);

        assertThat(run.isNew()).isTrue();
        assertThat(tables.texts(
                        "select concat_ws(' ', id, state, queue, priority, max_attempts, payload) from scheduler.run"))
                .containsExactly(run.id() + " READY slow 10 7 {}");
        assertThat(tables.count("select count(*) from scheduler.run where place = run_at - interval '10 minutes'"))
                .isOne();
    }

    @Test
    void optionsWinOverTheJob() {
        enqueue(EnqueueOptions.NONE.queue("fast").priority(-3).delay(Duration.ofMinutes(5)));

        assertThat(tables.texts("select concat_ws(' ', state, queue, priority) from scheduler.run"))
                .containsExactly("SCHEDULED fast -3");
        assertThat(tables.count("""
                select count(*) from scheduler.run
                where run_at between now() + interval '4 minutes' and now() + interval '5 minutes'
                """)).isOne();
    }

    @Test
    void instantInThePastMeansNow() {
        enqueue(EnqueueOptions.NONE.at(tables.now().minusSeconds(3_600)));

        assertThat(tables.texts("select state from scheduler.run where run_at > now() - interval '1 minute'"))
                .containsExactly("READY");
    }

    @Test
    void runOfAnUnknownJobIsLeftOut() {
        assertThat(enqueuing.enqueue(List.of(new NewRun("nobody's", null, EnqueueOptions.NONE))))
                .isEmpty();
        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
    }

    @Test
    void liveKeyYieldsItsRun() {
        EnqueuedRun first = enqueue(keyed("k"));

        assertThat(enqueue(keyed("k"))).isEqualTo(new EnqueuedRun(first.id(), false));
        assertThat(enqueue(keyed("other")).isNew()).isTrue();
        assertThat(tables.count("select count(*) from scheduler.run")).isEqualTo(2);
    }

    @Test
    void keyIsFreeWhenItsRunHasEnded() {
        enqueue(keyed("k"));
        complete();

        assertThat(enqueue(keyed("k")).isNew()).isTrue();
    }

    @Test
    void keyStaysReservedForItsWindow() {
        EnqueuedRun first = enqueue(keyed("k").deduplicateFor(Duration.ofHours(1)));
        complete();

        assertThat(enqueue(keyed("k"))).isEqualTo(new EnqueuedRun(first.id(), false));

        tables.execute("update scheduler.idempotency set reserved_until = now()");
        assertThat(enqueue(keyed("k")).isNew()).isTrue();
    }

    @Test
    void keyOfADeadRunIsFree() {
        enqueue(keyed("k").deduplicateFor(Duration.ofHours(1)));
        ClaimedRun run = new RunQueue(tables.database())
                .claim(tables.node("job"), "slow", Set.of("job"), 1)
                .get(0);
        new RunHistory(tables.database())
                .fail(List.of(
                        new FinishedAttempt(run, dev.distributedscheduler.run.Outcome.FAILED, null, null, null, null)));

        assertThat(tables.count("select count(*) from scheduler.dead_letter")).isOne();
        assertThat(enqueue(keyed("k")).isNew()).isTrue();
    }

    @Test
    void expiredKeysAreForgottenAndLiveOnesKept() {
        enqueue(keyed("live"));
        enqueue(keyed("over").deduplicateFor(Duration.ZERO).priority(Priority.CRITICAL));
        complete();

        assertThat(enqueuing.forgetKeys(100)).isOne();
        assertThat(tables.texts("select key from scheduler.idempotency")).containsExactly("live");
    }

    @Test
    void bulkKeepsItsOrderAndTakesAKeyOnce() {
        List<NewRun> runs = IntStream.range(0, 10_000)
                .mapToObj(i -> new NewRun(
                        "job", Integer.toString(i), i % 10 == 0 ? keyed("k" + i % 1_000) : EnqueueOptions.NONE))
                .toList();

        Map<Integer, EnqueuedRun> results = enqueuing.enqueue(runs);

        assertThat(results).hasSize(10_000);
        assertThat(results.values().stream().filter(EnqueuedRun::isNew)).hasSize(9_100);
        assertThat(IntStream.range(0, 10_000)
                        .filter(i -> results.get(i).isNew())
                        .mapToObj(i -> results.get(i).id()))
                .isSorted();
        assertThat(results.get(1_000)).isEqualTo(new EnqueuedRun(results.get(0).id(), false));
        assertThat(tables.count("select count(*) from scheduler.run where payload = '1234' and id = "
                        + results.get(1_234).id()))
                .isOne();
    }

    @Test
    void oneOfManyAtOnceTakesTheKey() {
        List<CompletableFuture<EnqueuedRun>> racing = IntStream.range(0, 20)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> enqueue(keyed("k"))))
                .toList();

        List<EnqueuedRun> results = racing.stream().map(CompletableFuture::join).toList();

        assertThat(results.stream().filter(EnqueuedRun::isNew)).hasSize(1);
        assertThat(results.stream().map(EnqueuedRun::id).distinct()).hasSize(1);
    }

    @Test
    void duplicateInAnOpenTransactionDoesNotHoldUpTheRunsEnd() throws Exception {
        enqueue(keyed("k"));
        try (OpenTransaction open = new OpenTransaction(dataSource)) {
            assertThat(new Enqueuing(open.database())
                            .enqueue(List.of(new NewRun("job", null, keyed("k"))))
                            .get(0)
                            .isNew())
                    .isFalse();

            complete();
        }
        assertThat(tables.count("select count(*) from scheduler.idempotency")).isZero();
    }

    @Test
    void rolledBackEnqueueLeavesNothing() throws Exception {
        try (OpenTransaction open = new OpenTransaction(dataSource)) {
            new Enqueuing(open.database()).enqueue(List.of(new NewRun("job", null, keyed("k"))));
        }

        assertThat(tables.count("select count(*) from scheduler.run")).isZero();
        assertThat(enqueue(keyed("k")).isNew()).isTrue();
    }
}
