package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.store.RunQueue.Claim;
import dev.distributedscheduler.store.RunQueue.Portion;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How much of the line a claim takes, from where, and how it finds it. */
@PostgresTest
class ClaimIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private RunQueue queue;
    private UUID node;

    ClaimIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void emptyQueue() {
        tables = new TestTables(dataSource);
        queue = new RunQueue(tables.database());
        node = tables.node("job");
    }

    private Claim claim(Portion portion) {
        return queue.claim(node, "default", Set.of("job"), portion);
    }

    private long ready(Duration age) {
        return tables.ready("job", "default", Priority.NORMAL, age);
    }

    private static List<Long> ids(Claim claim) {
        return claim.runs().stream().map(ClaimedRun::id).toList();
    }

    /** Inserted against their order, because rows come back as they lie in the table. */
    @Test
    void runsComeInTheOrderOfTheLineWithThePlaceOfTheFirst() {
        long third = ready(Duration.ofSeconds(1));
        long second = ready(Duration.ofSeconds(2));
        long first = ready(Duration.ofSeconds(3));

        Claim claim = claim(new Portion(10, 10, null));

        assertThat(ids(claim)).containsExactly(first, second, third);
        assertThat(claim.place()).isEqualTo(tables.instant("select min(place) from scheduler.run"));
    }

    @Test
    void emptyLineHasNoPlaceAndTakesNoTransactionId() {
        long before = tables.count("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");

        Claim claim = claim(new Portion(10, 10, null));

        assertThat(claim.runs()).isEmpty();
        assertThat(claim.place()).isNull();
        assertThat(tables.count("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint"))
                .isEqualTo(before);
    }

    @Test
    void claimBeginsWhereItIsTold() {
        ready(Duration.ofSeconds(3));
        long second = ready(Duration.ofSeconds(2));
        long third = ready(Duration.ofSeconds(1));

        Claim claim = claim(
                new Portion(10, 10, tables.instant("select place from scheduler.run where id = %d".formatted(second))));

        assertThat(ids(claim)).containsExactly(second, third);
    }

    @Test
    void fewAreTakenWhenTheFirstHasFailedBefore() {
        long failed = ready(Duration.ofSeconds(3));
        tables.execute("update scheduler.run set failures = 1, attempt = 1 where id = " + failed);
        long second = ready(Duration.ofSeconds(2));
        ready(Duration.ofSeconds(1));

        assertThat(ids(claim(new Portion(10, 2, null)))).containsExactly(failed, second);
        assertThat(ids(claim(new Portion(10, 0, null))))
                .as("the others have not failed")
                .hasSize(1);
    }

    @Test
    void whatHasNotBegunGoesBackToItsPlace() {
        long first = ready(Duration.ofSeconds(3));
        ready(Duration.ofSeconds(2));
        List<ClaimedRun> claimed = claim(new Portion(10, 10, null)).runs();
        long late = ready(Duration.ofSeconds(1));

        queue.giveBack(List.of(claimed.get(0)));

        Claim again = claim(new Portion(10, 10, null));
        assertThat(ids(again)).containsExactly(first, late);
        assertThat(again.runs().get(0).attempt()).isEqualTo(2);
        assertThat(again.runs().get(0).failures()).isZero();
        assertThat(again.runs().get(0).token()).isGreaterThan(claimed.get(1).token());
    }

    @Test
    void whatAnotherNodeHasClaimedMeanwhileIsNotGivenBack() {
        ready(Duration.ZERO);
        ClaimedRun stale = claim(new Portion(1, 1, null)).runs().get(0);
        queue.giveBack(List.of(stale));
        ClaimedRun current = tables.claim("job");

        queue.giveBack(List.of(stale));

        assertThat(tables.count("select token from scheduler.run where state = 'RUNNING'"))
                .isEqualTo(current.token());
    }

    /**
     * The plan is made while the table is empty, when reading all of it would be cheapest, and used for a full one.
     *
     * <p>Fails without the settings of the functions.
     */
    @Test
    void planOfAnEmptyTableIsGoodForAFullOne() {
        try (DedicatedDataSource connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20))) {
            Database database = new Database(connection, Database.DEFAULT_SCHEMA);
            RunQueue claims = new RunQueue(database);
            tables.execute("vacuum analyze scheduler.run");
            for (int i = 0; i < 12; i++) {
                ready(Duration.ZERO);
                claims.giveBack(claims.claim(node, "default", Set.of("job"), 10));
            }
            tables.execute("""
                    insert into scheduler.run (job, queue, state, priority, place, run_at, max_attempts)
                    select 'job', 'default', 'READY', 0, now(), now(), 3 from generate_series(1, 20000)
                    """);

            long read = database.inTransaction(() -> {
                assertThat(claims.claim(node, "default", Set.of("job"), 10)).hasSize(10);
                return JdbcClient.create(connection).sql("""
                                select seq_tup_read from pg_stat_xact_user_tables
                                where schemaname = 'scheduler' and relname = 'run'
                                """).query(Long.class).single();
            });

            assertThat(read)
                    .as("rows read without an index, those of the first, small claims included")
                    .isLessThan(1_000);
        }
    }
}
