package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several nodes dispatch at once, each its own partitions, while nodes come and go. */
class PartitionedDispatchIntegrationTests extends EngineTest {

    private static final int SCHEDULES = 40;
    private static final Duration PERIOD = Duration.ofMillis(500);

    PartitionedDispatchIntegrationTests(PostgresDatabase postgres) {
        super(postgres);
    }

    private TestNode partitioned() {
        TestNode node = node().withPartitions();
        for (int number = 0; number < SCHEDULES; number++) {
            node.scheduled(JobDefinition.of("job-" + number, context -> {}), new FixedRateTrigger(PERIOD), OVERLAPPING);
        }
        return node.start();
    }

    private List<Integer> shares() {
        return jdbc.sql("select cardinality(partitions) from scheduler.partition_owner order by 1")
                .query(Integer.class)
                .list();
    }

    @Test
    void nodesShareThePartitionsAndEveryTickBecomesOneRun() {
        TestNode one = partitioned();
        TestNode two = partitioned();
        TestNode three = partitioned();
        await().until(() -> shares().equals(List.of(85, 85, 86)));
        assertThat(Stream.of(one, two, three))
                .allSatisfy(node ->
                        await().until(() -> !node.events(TicksEnqueued.class).isEmpty()));

        two.stop();
        await().until(() -> shares().equals(List.of(128, 128)));
        TestNode four = partitioned();
        await().until(() -> shares().equals(List.of(85, 85, 86)));
        await().until(() -> !four.events(TicksEnqueued.class).isEmpty());
        Stream.of(one, three, four).forEach(TestNode::stop);

        assertThatEveryTickBecameOneRun();
    }

    /** Between the first and the last tick of each schedule there is one run for each period. */
    private void assertThatEveryTickBecameOneRun() {
        assertThat(jdbc.sql("""
                        with tick as (
                            select schedule_id, tick_at, run_id from scheduler.execution where outcome <> 'SKIPPED'
                            union
                            select schedule_id, tick_at, id from scheduler.run
                        )
                        select schedule_id
                        from tick
                        group by schedule_id
                        having count(*) <> count(distinct tick_at)
                            or count(*) <> 1 + round(extract(epoch from max(tick_at) - min(tick_at)) * 2)
                        """).query(Long.class).list()).isEmpty();
        assertThat(count("select count(distinct schedule_id) from scheduler.execution"))
                .isEqualTo(SCHEDULES);
    }

    @Test
    void leaderThatDispatchesAloneTakesAllPartitionsBack() {
        TestNode one = partitioned();
        await().until(() -> shares().equals(List.of(256)));
        TestNode alone = node();
        for (int number = 0; number < SCHEDULES; number++) {
            alone.scheduled(
                    JobDefinition.of("job-" + number, context -> {}), new FixedRateTrigger(PERIOD), OVERLAPPING);
        }
        alone.start();

        one.stop();

        await().until(() -> !alone.events(TicksEnqueued.class).isEmpty());
        assertThat(shares()).isEmpty();
    }
}
