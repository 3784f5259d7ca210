package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.ScheduleStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Versions of an application come, go and come back. */
class DeployIntegrationTests extends EngineTest {

    private static final Duration OLDER = Duration.ofHours(1);
    private static final Duration NEWER = Duration.ofHours(2);

    DeployIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    private TestNode version(String version, Duration period) {
        JobDefinition job = JobDefinition.of("report", run -> {}).withMaxAttempts((int) period.toHours());
        return node().withVersion(version).scheduled(job, new FixedRateTrigger(period));
    }

    /** Of the schedule and of the job. */
    private String declared() {
        return jdbc.sql("""
                        select trigger_expression || ' ' || max_attempts
                        from scheduler.schedule s join scheduler.job j on j.name = s.job
                        """).query(String.class).single();
    }

    /** The row of a node that declares something newer, as long as somebody leaves it there. */
    private UUID nodeOfANewerVersion() {
        Database database = new Database(dataSource, Database.DEFAULT_SCHEMA);
        ScheduleStore schedules = new ScheduleStore(database);
        long deployment = schedules.deployment("newer");
        UUID id = UUID.randomUUID();
        Declared declared = new Declared(false, deployment, Set.of("report"));
        new NodeStore(database)
                .register(new Node(id, "newer", "2", false, false, Set.of(), declared), Duration.ofHours(1));
        schedules.declare(List.of(new Schedule("report", "report", new FixedRateTrigger(NEWER))), deployment);
        return id;
    }

    private String expression() {
        return jdbc.sql("select trigger_expression from scheduler.schedule")
                .query(String.class)
                .single();
    }

    @Test
    void newerDeclarationStandsWhileAnOlderNodeRestartsAndFallsWithItsLastNode() {
        TestNode older = version("1", OLDER).start();
        assertThat(declared()).isEqualTo("PT1H 1");
        TestNode newer = version("2", NEWER).start();
        assertThat(declared()).isEqualTo("PT2H 2");

        older.stop();
        version("1", OLDER).start();
        assertThat(declared()).isEqualTo("PT2H 2");

        newer.stop();
        await().untilAsserted(() -> assertThat(declared()).isEqualTo("PT1H 1"));
    }

    @Test
    void rolledBackVersionCountsAgainWhenTheNewerOneHasCrashed() {
        version("1", OLDER).start().stop();
        UUID newer = nodeOfANewerVersion();
        version("1", OLDER).start();
        assertThat(expression()).isEqualTo("PT2H");

        jdbc.sql("update scheduler.node set lease_until = now() where id = :id")
                .param("id", newer)
                .update();

        await().untilAsserted(() -> assertThat(expression()).isEqualTo("PT1H"));
    }

    @Test
    void nodesThatDeclareTheSameAreOneDeployment() {
        version("1", OLDER).start();
        version("1", OLDER).start();

        assertThat(count("select count(*) from scheduler.deployment")).isOne();
        assertThat(count("select count(distinct deployment) from scheduler.node"))
                .isOne();
    }

    @Test
    void sameVersionThatDeclaresSomethingElseIsAnotherDeployment() {
        version("1", OLDER).start();
        version("1", NEWER).start();

        assertThat(declared()).isEqualTo("PT2H 2");
    }

    @Test
    void unreadableScheduleIsSetAsideAndTheOthersGoOn() {
        AtomicInteger runs = new AtomicInteger();
        FixedRateTrigger often = new FixedRateTrigger(Duration.ofMillis(200));
        TestNode node =
                node().scheduled("good", often, run -> runs.incrementAndGet()).start();
        jdbc.sql("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression, next_tick_at)
                values ('bad', 'good', 'FIXED_RATE', 'soon', now())
                """).update();

        await().until(() -> node.events(ScheduleFailed.class).size() == 1);
        int before = runs.get();
        await().until(() -> runs.get() > before + 2);

        assertThat(jdbc.sql("select name || ' ' || state from scheduler.schedule order by name")
                        .query(String.class)
                        .list())
                .containsExactly("bad FAILED", "good ACTIVE");
    }
}
