package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class AdmissionIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private Admission admission;
    private RunHistory history;
    private UUID node;

    AdmissionIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void jobs() {
        tables = new TestTables(dataSource);
        admission = new Admission(tables.database());
        history = new RunHistory(tables.database());
        node = tables.node("limited", "free");
        declare(2);
    }

    private void declare(Integer limit) {
        JobDefinition limited = JobDefinition.of("limited", run -> {});
        new JobStore(tables.database())
                .declare(
                        List.of(
                                limited.with(limited.policy().withMaxConcurrent(limit)),
                                JobDefinition.of("free", run -> {})),
                        1);
    }

    private List<Long> enqueue(String job, int runs, UnaryOperator<EnqueueOptions> options) {
        NewRun run = new NewRun(job, null, options.apply(EnqueueOptions.NONE));
        var results = new Enqueuing(tables.database())
                .enqueue(IntStream.range(0, runs).mapToObj(i -> run).toList());
        return IntStream.range(0, runs).mapToObj(i -> results.get(i).id()).toList();
    }

    private static UnaryOperator<EnqueueOptions> tenant(String tenant, int limit) {
        return options -> options.concurrencyKey(tenant, limit);
    }

    private List<ClaimedRun> claim() {
        return new RunQueue(tables.database()).claim(node, "default", Set.of("limited", "free"), 1_000);
    }

    private void complete(ClaimedRun run) {
        history.complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO)));
    }

    private long inState(String state) {
        return tables.count("select count(*) from scheduler.run where state = '" + state + "'");
    }

    @Test
    void runsOfALimitedJobWaitInOrderForASlot() {
        List<Long> runs = enqueue("limited", 5, UnaryOperator.identity());
        assertThat(inState("BLOCKED")).isEqualTo(5);

        admission.admit();
        List<ClaimedRun> first = claim();
        assertThat(first).extracting(ClaimedRun::id).containsExactlyElementsOf(runs.subList(0, 2));
        assertThat(admission.admit()).isZero();

        complete(first.get(1));
        admission.admit();
        assertThat(claim()).extracting(ClaimedRun::id).containsExactly(runs.get(2));
    }

    @Test
    void keysHaveSlotsOfTheirOwn() {
        List<Long> a = enqueue("free", 3, tenant("a", 1));
        List<Long> b = enqueue("free", 3, tenant("b", 2));

        admission.admit();

        assertThat(claim()).extracting(ClaimedRun::id).containsExactlyInAnyOrder(a.get(0), b.get(0), b.get(1));
    }

    @Test
    void bothLimitsHold() {
        enqueue("limited", 5, tenant("a", 1));
        enqueue("limited", 5, tenant("b", 1));
        enqueue("limited", 5, tenant("c", 1));

        admission.admit();

        List<ClaimedRun> claimed = claim();
        assertThat(claimed).hasSize(2);
        assertThat(tables.texts("select concurrency_key from scheduler.run where state = 'RUNNING'"))
                .doesNotHaveDuplicates();
        complete(claimed.get(0));
        admission.admit();
        assertThat(claim()).hasSize(1);
        assertThat(tables.count("""
                select max(runs) from (select count(*) as runs from scheduler.run
                                       where state = 'RUNNING' group by concurrency_key) k
                """)).isOne();
    }

    @Test
    void rescuedRunKeepsItsSlotAndAFailedOneGivesItBack() {
        enqueue("limited", 4, UnaryOperator.identity());
        admission.admit();
        List<ClaimedRun> claimed = claim();

        history.fail(List.of(FinishedAttempt.lost(claimed.get(0))));
        assertThat(admission.admit()).isZero();
        assertThat(inState("READY")).isOne();

        history.fail(
                List.of(new FinishedAttempt(claimed.get(1), Outcome.FAILED, null, null, Duration.ofHours(1), null)));
        assertThat(admission.admit()).isOne();
        assertThat(inState("READY") + inState("RUNNING")).isEqualTo(2);
    }

    @Test
    void retriedRunWaitsForASlotAgain() {
        enqueue("limited", 3, UnaryOperator.identity());
        admission.admit();
        ClaimedRun failed = claim().get(0);
        history.fail(List.of(new FinishedAttempt(failed, Outcome.FAILED, null, null, Duration.ofNanos(1_000), null)));
        admission.admit();

        new Promotion(tables.database()).promoteDue(10);

        assertThat(tables.text("select state || ' ' || blocked_by from scheduler.run where id = " + failed.id()))
                .isEqualTo("BLOCKED JOB");
        assertThat(admission.admit()).isZero();
    }

    @Test
    void cancelledRunGivesItsSlotBack() {
        List<Long> runs = enqueue("limited", 3, UnaryOperator.identity());
        admission.admit();

        new Cancelling(tables.database()).cancel(runs.subList(0, 1));

        assertThat(admission.admit()).isOne();
        assertThat(inState("READY")).isEqualTo(2);
    }

    @Test
    void replayedRunWaitsForASlotToo() {
        enqueue("limited", 3, tenant("a", 2));
        admission.admit();
        ClaimedRun dead = claim().get(0);
        history.fail(List.of(new FinishedAttempt(dead, Outcome.FAILED, null, null, null, null)));
        admission.admit();

        new DeadLetterStore(tables.database()).replay(dead.id());

        assertThat(tables.text("select state || ' ' || blocked_by from scheduler.run where id = " + dead.id()))
                .isEqualTo("BLOCKED KEY");
        assertThat(admission.admit()).isZero();
    }

    @Test
    void limitThatWasLiftedLetsEverythingPass() {
        enqueue("limited", 5, UnaryOperator.identity());

        declare(null);
        admission.admit();

        assertThat(inState("READY")).isEqualTo(5);
    }
}
