package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.Runs;
import dev.distributedscheduler.Runs.OrphanedRuns;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunsOrphaned;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.store.Database;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A deploy that renamed a job: its runs wait, can be seen, and go on when a node takes them over. */
class OrphanedRunsIntegrationTests extends EngineTest {

    private final Runs runs;

    OrphanedRunsIntegrationTests(PostgresDatabase postgres) {
        super(postgres);
        this.runs = new RunLookup(new Database(dataSource, Database.DEFAULT_SCHEMA));
    }

    @Test
    void runsOfARenamedJobWaitUntilANodeHasItsFormerNameAsAlias() {
        TestNode before = node().job(JobDefinition.of("old", context -> {})).start();
        before.stop();
        long run = enqueue("old", 3);
        TestNode without = node().job(JobDefinition.of("other", context -> {})).start();
        await().until(() -> !without.events(RunsOrphaned.class).isEmpty());

        assertThat(without.events(RunsOrphaned.class).get(0).runsByJob()).isEqualTo(Map.of("old", 1));
        assertThat(runs.orphaned()).containsExactly(new OrphanedRuns("old", 1));
        assertThat(runs.find(run).orElseThrow().live().waitsFor()).isEqualTo("ORPHAN");

        TestNode with = node().job(JobDefinition.of("new", context -> {}).withAliases(Set.of("old")))
                .start();

        await().until(() -> with.events(RunCompleted.class).size() == 1);
        assertThat(runs.orphaned()).isEmpty();
        assertThat(runs.find(run).orElseThrow().state()).isEqualTo("COMPLETED");
    }
}
