package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A whole node after an outage of forty seconds, with a period that leaves a slow machine time to run one tick before the next. */
class CatchUpOfANodeIntegrationTests extends EngineTest {

    private static final FixedRateTrigger EVERY_OTHER_SECOND = new FixedRateTrigger(Duration.ofSeconds(2));

    CatchUpOfANodeIntegrationTests(PostgresDatabase database) {
        super(database);
    }

    private Instant instant(String sql) {
        return jdbc.sql(sql).query(OffsetDateTime.class).single().toInstant();
    }

    /** The schedule stands where a leader that has been away since then left it. */
    private Instant standFortySecondsAgo() {
        Schedule schedule = new Schedule("often", "often", EVERY_OTHER_SECOND);
        new ScheduleStore(new Database(dataSource, Database.DEFAULT_SCHEMA)).declare(List.of(schedule), 1);
        jdbc.sql("update scheduler.schedule set next_tick_at = now() - interval '40 seconds'")
                .update();
        return instant("select next_tick_at from scheduler.schedule");
    }

    private static List<Instant> ticks(Instant from, Instant to) {
        return Stream.iterate(from, tick -> !tick.isAfter(to), EVERY_OTHER_SECOND::next)
                .toList();
    }

    @Test
    void missedTicksAreReplayedInOrderBesideTheLiveOnesAndEachRunsOnce() {
        List<Instant> ran = new CopyOnWriteArrayList<>();
        Instant first = standFortySecondsAgo();
        TestNode node = node().catchingUpAt(11)
                .scheduled("often", EVERY_OTHER_SECOND, run -> ran.add(run.scheduledTime()))
                .start();

        await().atMost(Duration.ofSeconds(60)).until(() -> ran.contains(first.plusSeconds(48)) && !owes());
        node.stop();

        Instant last = ran.stream().max(Instant::compareTo).orElseThrow();
        assertThat(ran).containsExactlyInAnyOrderElementsOf(ticks(first, last));
        List<Instant> replayed = ran.stream().filter(this::wasMissed).toList();
        assertThat(replayed).isSorted().hasSizeGreaterThanOrEqualTo(17);
        assertThat(ran.indexOf(replayed.get(replayed.size() - 1))).isGreaterThanOrEqualTo(replayed.size());
        assertThat(count("select count(*) from scheduler.execution where outcome = 'SKIPPED'"))
                .isZero();
    }

    private boolean owes() {
        return count("select count(*) from scheduler.schedule where replay_at is not null") > 0;
    }

    /** Replays are due when they are made, long after their tick. */
    private boolean wasMissed(Instant tick) {
        return jdbc.sql("select bool_or(run_at > tick_at) from scheduler.execution where tick_at = :tick::timestamptz")
                .param("tick", tick.toString())
                .query(Boolean.class)
                .single();
    }
}
