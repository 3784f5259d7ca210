package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.DeadLetter.Position;
import dev.distributedscheduler.DeadLetterDetails;
import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.Failure;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looking at dead letters, and getting rid of them. */
@PostgresTest
@Timeout(30)
class DeadLetterStoreIntegrationTests {

    private static final DeadLetterFilter ALL = DeadLetterFilter.ALL;

    private final DataSource dataSource;
    private TestTables tables;
    private DeadLetterStore letters;
    private DeadLetterSearch search;

    DeadLetterStoreIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noLetters() {
        tables = new TestTables(dataSource);
        letters = new DeadLetterStore(tables.database());
        search = new DeadLetterSearch(tables.database());
    }

    /** Letters 1 to the given number, of jobs a and b in turn; each died a minute after the one before, the last one now. */
    private void bury(int number) {
        tables.execute("""
                insert into scheduler.dead_letter
                    (run_id, job, queue, priority, attempts, max_attempts, outcome, error_type, created_at, died_at)
                select n, case n %% 2 when 1 then 'a' else 'b' end, 'default', 0, 3, 3, 'FAILED',
                       case n %% 3 when 0 then 'Third' else 'Other' end, now(), now() - (%d - n) * interval '1 minute'
                from generate_series(1, %d) n
                """.formatted(number, number));
    }

    private List<Long> ids(DeadLetterFilter filter) {
        return search.list(filter, null, 100).stream().map(DeadLetter::runId).toList();
    }

    private Instant diedAt(long runId) {
        return search.find(runId).orElseThrow().letter().diedAt();
    }

    @Test
    void deadRunIsFoundWithAllThatIsKnownAboutIt() {
        tables.ready("job");
        tables.execute("update scheduler.run set payload = '{}', attempt = 6");
        ClaimedRun run = tables.claim("job");
        new RunHistory(tables.database())
                .fail(List.of(new FinishedAttempt(
                        run, Outcome.TIMED_OUT, null, null, null, new Failure("Slow", "too slow", "at here"))));

        DeadLetterDetails details = search.find(run.id()).orElseThrow();

        assertThat(details.payload()).isEqualTo("{}");
        assertThat(details.stackTrace()).isEqualTo("at here");
        assertThat(details.maxAttempts()).isEqualTo(3);
        DeadLetter letter = details.letter();
        assertThat(letter.attempts()).isEqualTo(7);
        assertThat(List.of(letter.job(), letter.queue(), letter.outcome(), letter.errorType(), letter.errorMessage()))
                .containsExactly("job", "default", "TIMED_OUT", "Slow", "too slow");
        assertThat(search.list(ALL, null, 10)).containsExactly(letter);
    }

    @Test
    void runThatIsNotDeadIsNotFound() {
        assertThat(search.find(tables.ready("job"))).isEmpty();
    }

    @Test
    void newestComeFirst() {
        bury(4);

        assertThat(ids(ALL)).containsExactly(4L, 3L, 2L, 1L);
    }

    @Test
    void filterNarrowsListAndCount() {
        bury(12);

        for (DeadLetterFilter filter : List.of(
                ALL,
                ALL.job("a"),
                ALL.errorType("Third"),
                ALL.job("b").errorType("Third"),
                ALL.job("nobody's"),
                ALL.diedFrom(diedAt(10)),
                ALL.diedBefore(diedAt(3)).job("a"))) {
            assertThat(search.count(filter)).isEqualTo(ids(filter).size());
        }
        assertThat(ids(ALL.job("b").errorType("Third"))).containsExactly(12L, 6L);
        assertThat(ids(ALL.diedFrom(diedAt(10)))).containsExactly(12L, 11L, 10L);
        assertThat(ids(ALL.diedBefore(diedAt(3)).job("a"))).containsExactly(1L);
    }

    @Test
    void pagesShowEveryLetterOnceAlsoWhenTheyDiedTogether() {
        bury(25);
        tables.execute("update scheduler.dead_letter set died_at = now() where run_id > 5");
        List<Long> seen = new ArrayList<>();

        Position after = null;
        for (List<DeadLetter> page = search.list(ALL, after, 7); !page.isEmpty(); page = search.list(ALL, after, 7)) {
            page.forEach(letter -> seen.add(letter.runId()));
            after = page.get(page.size() - 1).position();
        }

        assertThat(seen).hasSize(25).doesNotHaveDuplicates().isEqualTo(ids(ALL));
    }

    @Test
    void letterIsDiscardedOnce() {
        bury(2);

        assertThat(letters.discard(1)).isTrue();
        assertThat(letters.discard(1)).isFalse();
        assertThat(ids(ALL)).containsExactly(2L);
    }

    @Test
    void newestThatMatchAreDiscardedUpToTheLimit() {
        bury(10);

        assertThat(letters.discardAll(ALL.job("a"), 2)).isEqualTo(2);
        assertThat(ids(ALL.job("a"))).containsExactly(5L, 3L, 1L);
        assertThat(letters.discardAll(ALL.job("a"), 10)).isEqualTo(3);
        assertThat(search.count(ALL)).isEqualTo(5);
    }

    @Test
    void lettersBeyondTheRetentionAreForgottenOldestFirst() {
        bury(100);

        assertThat(letters.forget(Duration.ofMinutes(90), 4)).isEqualTo(4);
        assertThat(search.find(4)).isEmpty();
        assertThat(search.find(5)).isPresent();
        assertThat(letters.forget(Duration.ofMinutes(90), 100)).isBetween(5, 7);
        assertThat(letters.forget(Duration.ofMinutes(90), 100)).isZero();
        assertThat(search.count(ALL)).isBetween(89L, 91L);
    }

    @Test
    void bulksPassOverWhatSomebodyElseHasInHand() throws SQLException {
        bury(3);
        try (OpenTransaction other = new OpenTransaction(dataSource)) {
            assertThat(new DeadLetterStore(other.database()).discard(2)).isTrue();

            assertThat(letters.forget(Duration.ofSeconds(90), 10)).isOne();
            assertThat(letters.discardAll(ALL, 10)).isOne();
        }
        assertThat(ids(ALL)).containsExactly(2L);
    }
}
