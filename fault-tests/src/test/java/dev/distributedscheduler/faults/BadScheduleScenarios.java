package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A schedule that cannot be: in a replica's configuration, and in the database. */
class BadScheduleScenarios {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;

    @BeforeAll
    static void startTwoReplicas() {
        cluster = new Cluster(directory, Map.of("faults.jobs", "5"));
        cluster.start(2);
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    private void isRefused(String setting, String value, String... named) {
        Replica replica = cluster.start(Map.of("distributed-scheduler.jobs.[second-01.tick]." + setting, value));

        replica.awaitExit(Duration.ofSeconds(60));

        assertThat(replica.log())
                .contains("APPLICATION FAILED TO START", "second-01")
                .contains(named);
    }

    @Scenario(14)
    void replicaWithABadScheduleSaysSoAndDisturbsNobody() {
        Period period = Period.after(cluster.now(), Duration.ofSeconds(5));

        isRefused("cron", "every now and then", "every now and then");
        isRefused("cron", "0 0 0 31 2 *", "0 0 0 31 2 *");
        isRefused("zone", "Europe/Atlantis", "Europe/Atlantis");

        Invariants.over(new Period(period.start(), Period.firstSecondAfter(cluster.now())), cluster)
                .hold();
    }

    @Scenario(14)
    void rowThatCannotBeReadIsSetAside() {
        cluster.sql()
                .sql("update scheduler.schedule set zone = 'Europe/Atlantis' where name = 'second-05.tick'")
                .update();
        await("its isolation").until(() -> state("second-05.tick").startsWith("FAILED"));
        assertThat(state("second-05.tick")).contains("Europe/Atlantis");

        Period period = Period.after(cluster.now(), Duration.ofSeconds(4));
        cluster.awaitTime(period.end());
        await("the ticks of the others")
                .untilAsserted(() -> assertThat(cluster.ledger().within(period).ticks())
                        .containsAll(cluster.timetable().ticks(period).stream()
                                .filter(tick -> !tick.job().equals("second-05.tick"))
                                .toList()));
        cluster.sql().sql("""
                        update scheduler.schedule
                        set zone = 'UTC', state = 'ACTIVE', state_reason = null, next_tick_at = date_trunc('second', now())
                        where name = 'second-05.tick'
                        """).update();
    }

    private static String state(String schedule) {
        return cluster.sql()
                .sql("select concat_ws(' ', state, state_reason) from scheduler.schedule where name = :name")
                .param("name", schedule)
                .query(String.class)
                .single();
    }
}
