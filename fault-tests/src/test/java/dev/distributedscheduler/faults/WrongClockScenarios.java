package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clocks of single replicas are wrong, and jump: only the database's clock counts. Needs libfaketime, which
 * {@code -Dfaults.faketime} may name; the monotonic clock stays right, as it does when an administrator sets the time.
 */
class WrongClockScenarios {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Scenario(8)
    void clocksThatDifferAndJumpDecideNothing(Chance chance) throws IOException {
        Optional<Path> library = library();
        assumeThat(library).as("libfaketime is installed").isPresent();
        Map<String, String> settings =
                Map.of("distributed-scheduler.leader.lease", "6s", "distributed-scheduler.node.lease", "6s");
        try (Cluster cluster = new Cluster(directory, settings)) {
            Path early = clock("early", "-600s");
            Path late = clock("late", "+600s");
            Replica leading = cluster.start(Map.of(), environment(library.get(), late));
            cluster.awaitJoined();
            cluster.start(Map.of(), environment(library.get(), early));
            cluster.start(Map.of());
            cluster.awaitJoined();
            assertThat(cluster.leader()).isSameAs(leading);
            Map<String, ?> nodes = cluster.nodes();
            long term = cluster.term();
            Instant start = Period.firstSecondAfter(cluster.now());

            cluster.awaitTime(start.plusSeconds(3).plus(chance.within(Duration.ofSeconds(1))));
            Files.writeString(late, "-600s"); // twenty minutes back
            Files.writeString(early, "+600s");
            cluster.awaitTime(cluster.now().plusSeconds(10));
            Period period = new Period(start, Period.firstSecondAfter(cluster.now()));
            Invariants invariants = Invariants.over(period, cluster).hold();

            assertThat(wallClockIsWrong(invariants, leading))
                    .as("the clock was set")
                    .isTrue();
            assertThat(invariants.ledger().repetitions()).isEmpty();
            assertThat(cluster.term()).as("term").isEqualTo(term);
            assertThat(cluster.nodes()).as("nobody was expelled").isEqualTo(nodes);
            Report.line(
                    "clocks ±600 s: started after their tick: %s",
                    cluster.history().lateness(period));
            Report.figure("ticks on time,", invariants.ledger().entries().size());
        }
    }

    private static boolean wallClockIsWrong(Invariants invariants, Replica replica) {
        return invariants.ledger().entries().stream()
                .filter(entry -> entry.node().equals(replica.name()))
                .anyMatch(entry -> Duration.between(entry.tick(), entry.wall().start())
                                .abs()
                                .compareTo(Duration.ofSeconds(500))
                        > 0);
    }

    private Path clock(String name, String offset) throws IOException {
        return Files.writeString(directory.resolve(name + ".clock"), offset);
    }

    private static Map<String, String> environment(Path library, Path clock) {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", clock.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0"); // or every timed wait takes ten times as long
    }

    private static Optional<Path> library() {
        return Stream.of(
                        System.getProperty("faults.faketime", ""),
                        "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
                        "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
                        "/usr/lib64/faketime/libfaketimeMT.so.1")
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .filter(Files::exists)
                .findFirst();
    }
}
