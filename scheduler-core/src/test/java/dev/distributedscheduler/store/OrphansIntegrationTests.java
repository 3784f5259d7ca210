package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.Runs.OrphanedRuns;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.run.NewRun;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@PostgresTest
class OrphansIntegrationTests {

    private static final int MOST = 100;

    private final TestTables tables;
    private final Orphans orphans;

    OrphansIntegrationTests(DataSource dataSource) {
        this.tables = new TestTables(dataSource);
        this.orphans = new Orphans(tables.database());
        new JobStore(tables.database())
                .declare(
                        List.of(
                                JobDefinition.of("known", context -> {}),
                                JobDefinition.of("dropped", context -> {}),
                                limited(JobDefinition.of("limited", context -> {}))),
                        1);
    }

    private static JobDefinition limited(JobDefinition job) {
        return job.with(job.policy().withMaxConcurrent(1));
    }

    @Test
    void runsThatNoLiveNodeKnowsAreSetAsideAndSeen() {
        tables.node("known");
        tables.ready("dropped");
        tables.ready("dropped");
        tables.ready("known");

        assertThat(orphans.setAside(MOST)).containsOnly(java.util.Map.entry("dropped", 2));

        assertThat(orphans.list()).containsExactly(new OrphanedRuns("dropped", 2));
        assertThat(orphans.setAside(MOST)).isEmpty();
        assertThat(tables.text("select job from scheduler.run where state = 'READY'"))
                .isEqualTo("known");
    }

    @Test
    void theyComeBackWhenANodeKnowsTheirJobAgain() {
        UUID without = tables.node("known");
        long run = tables.ready("dropped");
        orphans.setAside(MOST);

        assertThat(orphans.bringBack(MOST)).isZero();
        assertThat(new RunQueue(tables.database()).claim(without, "default", Set.of("known", "dropped"), 1))
                .isEmpty();
        UUID with = tables.node("dropped");
        assertThat(orphans.bringBack(MOST)).isOne();

        assertThat(orphans.list()).isEmpty();
        assertThat(tables.claim(with, "dropped").id()).isEqualTo(run);
    }

    @Test
    void deadNodeKnowsNothing() {
        tables.node("known");
        UUID dead = tables.node("dropped");
        tables.expire(dead);
        tables.ready("dropped");

        assertThat(orphans.setAside(MOST)).containsOnlyKeys("dropped");

        assertThat(orphans.bringBack(MOST)).isZero();
    }

    @Test
    void withoutAnyWorkerRunsJustWait() {
        tables.ready("dropped");

        assertThat(orphans.setAside(MOST)).isEmpty();
    }

    @Test
    void limitedRunPassesItsLimitAgain() {
        new Enqueuing(tables.database())
                .enqueue(List.of(
                        new NewRun("limited", null, EnqueueOptions.NONE),
                        new NewRun("limited", null, EnqueueOptions.NONE)));
        tables.node("known");
        Admission admission = new Admission(tables.database());
        admission.admit();
        assertThat(orphans.setAside(MOST)).containsOnly(java.util.Map.entry("limited", 1));
        admission.admit(); // the slot of the one that is aside is free
        assertThat(tables.count("select count(*) from scheduler.run where state = 'READY'"))
                .isOne();

        tables.node("limited");
        assertThat(orphans.bringBack(MOST)).isOne();

        assertThat(admission.admit()).isZero();
        assertThat(tables.count("select count(*) from scheduler.run where blocked_by = 'JOB'"))
                .isOne();
    }
}
