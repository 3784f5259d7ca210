package dev.distributedscheduler.store;

import static dev.distributedscheduler.Priority.CRITICAL;
import static dev.distributedscheduler.Priority.HIGH;
import static dev.distributedscheduler.Priority.LOW;
import static dev.distributedscheduler.Priority.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@PostgresTest
@Timeout(60)
class RunClaimIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private RunQueue queue;

    RunClaimIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void emptyQueue() {
        tables = new TestTables(dataSource);
        queue = new RunQueue(tables.database());
    }

    private List<Long> claimOneByOne() {
        UUID node = tables.node("job");
        List<Long> ids = new ArrayList<>();
        while (tables.count("select count(*) from scheduler.run where state = 'READY'") > 0) {
            ids.add(tables.claim(node, "job").id());
        }
        return ids;
    }

    @Test
    void oldestComesFirst() {
        long second = tables.ready("job", "default", NORMAL, Duration.ofSeconds(2));
        long third = tables.ready("job", "default", NORMAL, Duration.ofSeconds(1));
        long first = tables.ready("job", "default", NORMAL, Duration.ofSeconds(3));

        assertThat(claimOneByOne()).containsExactly(first, second, third);
    }

    @Test
    void higherPriorityComesFirstUntilAgeMakesUpForIt() {
        long low = tables.ready("job", "default", LOW, Duration.ZERO);
        long normal = tables.ready("job", "default", NORMAL, Duration.ZERO);
        long high = tables.ready("job", "default", HIGH, Duration.ZERO);
        long critical = tables.ready("job", "default", CRITICAL, Duration.ZERO);
        long agedLow = tables.ready("job", "default", LOW, Duration.ofMinutes(71));

        assertThat(claimOneByOne()).containsExactly(agedLow, critical, high, normal, low);
    }

    @Test
    void batchTakesTheFirstInLine() {
        long last = tables.ready("job", "default", NORMAL, Duration.ZERO);
        long first = tables.ready("job", "default", NORMAL, Duration.ofSeconds(9));
        long second = tables.ready("job", "default", NORMAL, Duration.ofSeconds(8));

        assertThat(queue.claim(tables.node("job"), "default", Set.of("job"), 2))
                .extracting(ClaimedRun::id)
                .containsExactly(first, second)
                .doesNotContain(last);
    }

    @Test
    void batchIsInTheOrderOfTheLine() {
        long low = tables.ready("job", "default", LOW, Duration.ZERO);
        long younger = tables.ready("job", "default", NORMAL, Duration.ofSeconds(1));
        long older = tables.ready("job", "default", NORMAL, Duration.ofSeconds(2));
        long critical = tables.ready("job", "default", CRITICAL, Duration.ZERO);
        tables.joinWithoutOrder();

        assertThat(queue.claim(tables.node("job"), "default", Set.of("job"), 10))
                .extracting(ClaimedRun::id)
                .containsExactly(critical, older, younger, low);
    }

    @Test
    void onlyKnownJobsOfTheOwnQueueAreClaimed() {
        tables.ready("unknown");
        tables.ready("job", "slow", NORMAL, Duration.ZERO);
        tables.delayed("job", Duration.ofSeconds(-5));
        long mine = tables.ready("job");

        assertThat(queue.claim(tables.node("job", "other"), "default", Set.of("job", "other"), 10))
                .extracting(ClaimedRun::id)
                .containsExactly(mine);
        assertThat(tables.count("select count(*) from scheduler.run where state = 'READY'"))
                .isEqualTo(2);
    }

    @Test
    void claimSaysEverythingTheDatabaseKnows() {
        long id = tables.ready("job");
        UUID node = tables.node("job");

        ClaimedRun run = tables.claim(node, "job");

        assertThat(run.id()).isEqualTo(id);
        assertThat(run.nodeId()).isEqualTo(node);
        assertThat(run.attempt()).isEqualTo(1);
        assertThat(run.failures()).isZero();
        assertThat(run.scheduleId()).isNull();
        assertThat(run.tickAt()).isNull();
        assertThat(run.claimedAt()).isEqualTo(tables.instant("select claimed_at from scheduler.run"));
        assertThat(run.runAt()).isEqualTo(tables.instant("select run_at from scheduler.run"));
    }

    @Test
    void attemptsAndTokensRise() {
        ClaimedRun first = tables.running("job");
        queue.giveBackUnheld(first.nodeId(), "default", Set.of());
        ClaimedRun second = tables.claim("job");
        ClaimedRun other = tables.running("job");

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(other.token()).isGreaterThan(second.token());
    }

    @Test
    void unknownExpelledAndExpiredNodesGetNothing() {
        tables.ready("job");
        UUID expired = tables.node("job");
        tables.expire(expired);
        assertThat(queue.claim(expired, "default", Set.of("job"), 1)).isEmpty();

        new NodeStore(tables.database()).expelExpired();

        assertThat(queue.claim(expired, "default", Set.of("job"), 1)).isEmpty();
        assertThat(queue.claim(UUID.randomUUID(), "default", Set.of("job"), 1)).isEmpty();
        assertThat(tables.text("select state from scheduler.run")).isEqualTo("READY");
    }

    @Test
    void claimDoesNotWaitForRunsThatAnotherNodeIsClaiming() throws SQLException {
        tables.ready("job", "default", NORMAL, Duration.ofSeconds(2));
        long second = tables.ready("job", "default", NORMAL, Duration.ofSeconds(1));
        UUID node = tables.node("job");
        try (OpenTransaction other = new OpenTransaction(dataSource)) {
            new RunQueue(other.database()).claim(tables.node("job"), "default", Set.of("job"), 1);

            assertThat(queue.claim(node, "default", Set.of("job"), 5))
                    .extracting(ClaimedRun::id)
                    .containsExactly(second);
        }
    }

    @Test
    void twoThousandRunsAreClaimedOnceByEightNodes() {
        int runs = 2_000;
        int claimers = 8;
        tables.execute("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                select 'job', 'default', 'READY', 0, now(), now(), 3 from generate_series(1, 2000)
                """);
        ExecutorService threads = Executors.newFixedThreadPool(claimers);
        List<CompletableFuture<List<ClaimedRun>>> claims = new ArrayList<>();
        for (int i = 0; i < claimers; i++) {
            UUID node = tables.node("job");
            claims.add(CompletableFuture.supplyAsync(() -> claimAll(node), threads));
        }

        List<ClaimedRun> claimed =
                claims.stream().flatMap(claim -> claim.join().stream()).toList();
        threads.shutdown();

        assertThat(claimed).extracting(ClaimedRun::id).hasSize(runs).doesNotHaveDuplicates();
        assertThat(claimed).extracting(ClaimedRun::token).doesNotHaveDuplicates();
        assertThat(tables.count("select count(*) from scheduler.run where state = 'RUNNING' and attempt = 1"))
                .isEqualTo(runs);
    }

    private List<ClaimedRun> claimAll(UUID node) {
        List<ClaimedRun> mine = new ArrayList<>();
        try (DedicatedDataSource connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20))) {
            RunQueue own = new RunQueue(new Database(connection, Database.DEFAULT_SCHEMA));
            while (tables.count("select count(*) from scheduler.run where state = 'READY'") > 0) {
                mine.addAll(own.claim(node, "default", Set.of("job"), 25));
            }
        }
        return mine;
    }
}
