package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a job promises about its successes is measured against the history. */
@PostgresTest
class FreshnessSearchIntegrationTests {

    private final TestTables tables;
    private final FreshnessSearch search;

    FreshnessSearchIntegrationTests(DataSource dataSource) {
        this.tables = new TestTables(dataSource);
        this.search = new FreshnessSearch(tables.database());
        tables.execute("""
                insert into scheduler.job (name, queue, priority, max_attempts, must_succeed_every, known_since)
                values ('nightly', 'default', 0, 3, interval '26 hours', now() - interval '100 days')
                """);
        tables.node("nightly");
    }

    private void attempt(String outcome, String ago) {
        tables.execute("""
                insert into scheduler.execution (run_id, job, queue, attempt, token, outcome, run_at, finished_at)
                values (1, 'nightly', 'default', 1, 1, '%s', now(), now() - interval '%s')
                """.formatted(outcome, ago));
    }

    private JobFreshness only() {
        assertThat(search.list()).hasSize(1);
        return search.list().get(0);
    }

    @Test
    void jobThatSucceededInTimeIsFresh() {
        attempt("COMPLETED", "25 hours");
        attempt("FAILED", "1 hour");

        JobFreshness freshness = only();

        assertThat(freshness.isOverdue()).isFalse();
        assertThat(freshness.mustSucceedEvery()).isEqualTo(Duration.ofHours(26));
        assertThat(freshness.sinceSuccess()).isBetween(Duration.ofHours(25), Duration.ofHours(26));
        assertThat(freshness.succeeded()).isTrue();
    }

    @Test
    void jobThatOnlyFailsIsOverdue() {
        attempt("COMPLETED", "27 hours");
        attempt("FAILED", "1 hour");

        assertThat(only().isOverdue()).isTrue();
        assertThat(only().sinceSuccess()).isBetween(Duration.ofHours(27), Duration.ofHours(28));
    }

    @Test
    void jobThatNeverSucceededIsMeasuredFromWhenItBecameKnown() {
        assertThat(only()).satisfies(freshness -> {
            assertThat(freshness.isOverdue()).isTrue();
            assertThat(freshness.succeeded()).isFalse();
        });

        tables.execute("update scheduler.job set known_since = now() - interval '1 hour'");

        assertThat(only().isOverdue()).isFalse();
    }

    @Test
    void successAfterALookIsFoundAndRemembered() {
        assertThat(only().isOverdue()).isTrue();
        attempt("COMPLETED", "1 second");
        assertThat(only().isOverdue()).isFalse();
        tables.execute("truncate scheduler.execution");
        assertThat(only().isOverdue()).isFalse();
    }

    @Test
    void jobThatNobodyKnowsAnyMorePromisesNothing() {
        tables.execute("update scheduler.node set lease_until = now() - interval '1 second'");

        assertThat(search.list()).isEmpty();

        tables.execute("""
                with newest as (insert into scheduler.deployment (fingerprint) values ('x') returning id)
                update scheduler.job set declared_by = (select id from newest)
                """);
        assertThat(search.list()).hasSize(1);
    }
}
