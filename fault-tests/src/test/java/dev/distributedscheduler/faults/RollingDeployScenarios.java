package dev.distributedscheduler.faults;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Version B, which has other jobs and another schedule for a common one, replaces version A replica by replica, while a
 * replica of A crashes and restarts and the leadership changes.
 *
 * <p>Checked by hand: fails when {@code ScheduleStore.upsert} lets an older deployment change what a newer one declared.
 */
class RollingDeployScenarios {

    private static final Map<String, String> A = Map.of("faults.jobs", "6");
    private static final Map<String, String> B =
            Map.of("faults.jobs", "4", "distributed-scheduler.jobs.[second-04.tick].cron", "*/2 * * * * *");
    private static final Set<String> COMMON = Set.of("second-01.tick", "second-02.tick", "second-03.tick");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Scenario(15)
    void versionsSideBySide(Chance chance) {
        Map<String, String> settings =
                Map.of("distributed-scheduler.node.lease", "4s", "distributed-scheduler.leader.lease", "4s");
        try (Cluster cluster = new Cluster(directory, settings)) {
            List<Replica> old = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                old.add(cluster.start(A));
            }
            cluster.awaitJoined();
            Instant start = Period.firstSecondAfter(cluster.now());
            List<Replica> young = new ArrayList<>(List.of(cluster.start(B)));
            cluster.awaitJoined();
            await("the newer schedule")
                    .until(() -> cronOf("second-04.tick", cluster).equals("*/2 * * * * *"));

            Replica crashed = chance.oneOf(old);
            crashed.kill();
            old.remove(crashed);
            old.add(cluster.start(A));
            stop(awaitLeader(cluster));
            awaitOnly(cluster);
            assertThat(cronOf("second-04.tick", cluster)).as("the newest wins").isEqualTo("*/2 * * * * *");
            for (Replica replica : old) {
                young.add(cluster.start(B));
                awaitOnly(cluster);
                if (replica.isAlive()) {
                    stop(replica);
                }
            }
            awaitOnly(cluster);

            Period period =
                    new Period(start, Period.firstSecondAfter(cluster.now().plusSeconds(1)));
            cluster.awaitTime(period.end());
            Set<Tick> expected = cluster.timetable().ticks(period).stream()
                    .filter(tick -> COMMON.contains(tick.job()))
                    .collect(toSet());
            await("all ticks of the common jobs")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.ledger().within(period).ticks().containsAll(expected));
            assertThat(cluster.ledger().within(period).duplicates()).isEmpty();
            assertThat(cronOf("second-04.tick", cluster)).isEqualTo("*/2 * * * * *");
            assertThat(cronOf("second-06.tick", cluster)).as("not deleted").isEqualTo("* * * * * *");
            assertThat(deadLetters(cluster)).as("unknown jobs cost nothing").isZero();
            Report.figure("ticks of common jobs,", expected.size());
        }
    }

    /** One that lives: the leader may be the one that was killed. */
    private static Replica awaitLeader(Cluster cluster) {
        return await("a leader").ignoreExceptions().until(cluster::leader, Replica::isAlive);
    }

    private static void stop(Replica replica) {
        replica.terminate();
        replica.awaitExit(Duration.ofSeconds(30));
    }

    private static void awaitOnly(Cluster cluster) {
        cluster.forgetTheDead();
        cluster.awaitJoined();
    }

    private static String cronOf(String schedule, Cluster cluster) {
        return cluster.sql()
                .sql("select trigger_expression from scheduler.schedule where name = :name")
                .param("name", schedule)
                .query(String.class)
                .single();
    }

    private static int deadLetters(Cluster cluster) {
        return cluster.sql()
                .sql("select count(*) from scheduler.dead_letter")
                .query(Integer.class)
                .single();
    }
}
