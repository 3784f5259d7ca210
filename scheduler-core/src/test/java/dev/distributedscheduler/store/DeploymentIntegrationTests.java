package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.NodeStore.Node;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose declaration counts while several versions of an application are about. */
@PostgresTest
class DeploymentIntegrationTests {

    private static final Duration GRACE = Duration.ofHours(1);

    private final DataSource dataSource;
    private TestTables tables;
    private ScheduleStore schedules;
    private JobStore jobs;
    private long older;
    private long newer;

    DeploymentIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void twoDeployments() {
        tables = new TestTables(dataSource);
        schedules = new ScheduleStore(tables.database());
        jobs = new JobStore(tables.database());
        older = schedules.deployment("older");
        newer = schedules.deployment("newer");
    }

    private UUID node(long deployment) {
        UUID id = UUID.randomUUID();
        Declared declared = new Declared(false, deployment, Set.of("report"));
        new NodeStore(tables.database())
                .register(new Node(id, "node", null, true, true, Set.of("job"), declared), TestTables.HOUR);
        return id;
    }

    private void declare(long deployment, int hours) {
        schedules.declare(
                List.of(new Schedule("report", "job", new FixedRateTrigger(Duration.ofHours(hours)))), deployment);
        jobs.declare(List.of(JobDefinition.of("job", run -> {}).withMaxAttempts(hours)), deployment);
    }

    private void switchOff(long deployment) {
        schedules.declare(List.of(new Schedule("report", "job", null)), deployment);
    }

    /** Of the schedule and of the job. */
    private String declared() {
        return tables.text("""
                select concat_ws(' ', s.state, s.trigger_expression, j.max_attempts)
                from scheduler.schedule s, scheduler.job j
                """);
    }

    private String row() {
        return tables.text("select s::text || j::text from scheduler.schedule s, scheduler.job j");
    }

    @Test
    void sameFingerprintIsTheSameDeploymentAndAnUnknownOneIsNewer() {
        assertThat(newer).isGreaterThan(older);
        assertThat(schedules.deployment("older")).isEqualTo(older);
        assertThat(schedules.deployment("newest")).isGreaterThan(newer);
    }

    @Test
    void newerDeploymentWins() {
        node(older);
        node(newer);
        declare(older, 1);

        declare(newer, 2);

        assertThat(declared()).isEqualTo("ACTIVE PT2H 2");
    }

    @Test
    void olderNodeThatRestartsChangesNothing() {
        node(older);
        node(newer);
        declare(newer, 2);
        String before = row();

        declare(older, 1);
        switchOff(older);

        assertThat(row()).isEqualTo(before);
    }

    @Test
    void newerDeploymentMaySwitchOff() {
        node(older);
        node(newer);
        declare(older, 1);

        switchOff(newer);
        declare(older, 1);

        assertThat(declared()).startsWith("RETIRED");
    }

    @Test
    void olderDeploymentCountsAgainWhenTheLastNewerNodeIsGone() {
        UUID first = node(newer);
        UUID second = node(newer);
        node(older);
        declare(newer, 2);

        new NodeStore(tables.database()).deregister(first);
        declare(older, 1);
        assertThat(declared()).isEqualTo("ACTIVE PT2H 2");

        tables.expire(second);
        declare(older, 1);
        assertThat(declared()).isEqualTo("ACTIVE PT1H 1");
    }

    @Test
    void nodeLearnsTheNewestLiveDeployment() {
        NodeStore nodes = new NodeStore(tables.database());
        UUID own = node(older);
        UUID other = node(newer);
        assertThat(nodes.heartbeat(own, TestTables.HOUR).orElseThrow().newestDeployment())
                .isEqualTo(newer);

        tables.expire(other);

        assertThat(nodes.heartbeat(own, TestTables.HOUR).orElseThrow().newestDeployment())
                .isEqualTo(older);
    }

    private List<String> retire() {
        return schedules.retireUndeclared(GRACE);
    }

    private void undeclaredFor(String span) {
        tables.execute("update scheduler.schedule set undeclared_since = now() - interval '%s'".formatted(span));
    }

    @Test
    void scheduleThatNoLiveNodeDeclaresIsRetiredAfterTheGrace() {
        UUID node = node(older);
        declare(older, 1);
        assertThat(retire()).isEmpty();
        assertThat(tables.count("select count(undeclared_since) from scheduler.schedule"))
                .isZero();

        tables.expire(node);
        assertThat(retire()).isEmpty();
        assertThat(tables.count("select count(undeclared_since) from scheduler.schedule"))
                .isOne();
        undeclaredFor("59 minutes");
        assertThat(retire()).isEmpty();
        undeclaredFor("61 minutes");
        assertThat(retire()).containsExactly("report");

        assertThat(tables.text("select concat_ws('|', state, state_reason, next_tick_at) from scheduler.schedule"))
                .isEqualTo("RETIRED|no live node declares it");
    }

    @Test
    void scheduleThatIsDeclaredAgainInTimeIsNotRetired() {
        declare(older, 1);
        retire();
        undeclaredFor("2 hours");

        node(older);

        assertThat(retire()).isEmpty();
        assertThat(tables.text("select state || coalesce(undeclared_since::text, '') from scheduler.schedule"))
                .isEqualTo("ACTIVE");
    }

    @Test
    void nodeThatStartsInTimeResetsTheGrace() {
        declare(older, 1);
        retire();

        declare(older, 1);

        assertThat(tables.count("select count(undeclared_since) from scheduler.schedule"))
                .isZero();
    }

    @Test
    void retiredScheduleComesBackAsTheSameOneWithItsHistory() {
        declare(older, 1);
        TestTicks.enqueueDue(tables);
        String before = tables.text("select concat_ws(' ', id, created_at, last_tick_at) from scheduler.schedule");
        retire();
        undeclaredFor("2 hours");
        assertThat(retire()).containsExactly("report");

        declare(newer, 1);

        assertThat(declared()).isEqualTo("ACTIVE PT1H 1");
        assertThat(tables.text("select concat_ws(' ', id, created_at, last_tick_at) from scheduler.schedule"))
                .isEqualTo(before);
        assertThat(tables.count("select count(*) from scheduler.schedule where next_tick_at > last_tick_at"))
                .isOne();
    }

    @Test
    void onlyActiveDeclaredSchedulesAreRetired() {
        declare(older, 1);
        tables.execute("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression, declared_by, state, tenant)
                values ('paused', 'job', 'FIXED_RATE', 'PT1H', 1, 'PAUSED', ''),
                       ('ended', 'job', 'FIXED_RATE', 'PT1H', 1, 'ENDED', ''),
                       ('registered', 'job', 'FIXED_RATE', 'PT1H', null, 'ACTIVE', ''),
                       ('of a tenant', 'job', 'FIXED_RATE', 'PT1H', null, 'ACTIVE', 'tenant-7')
                """);
        retire();
        undeclaredFor("2 hours");

        assertThat(retire()).containsExactly("report");
        assertThat(retire()).isEmpty();
    }
}
