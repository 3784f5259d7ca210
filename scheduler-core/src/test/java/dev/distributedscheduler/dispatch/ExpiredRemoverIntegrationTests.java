package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.dispatch.FencedTransactions.TermOverException;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Every;
import dev.distributedscheduler.store.DeadLetterStore;
import dev.distributedscheduler.store.Enqueuing;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class ExpiredRemoverIntegrationTests {

    private static final UUID LEADER = new UUID(0, 1);
    private static final Term TERM = new Term(LEADER, 1);

    private final DataSource dataSource;
    private TestTables tables;
    private long nanos;

    ExpiredRemoverIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void leader() {
        tables = new TestTables(dataSource);
        new LeaseStore(tables.database()).acquire(LEADER, TestTables.HOUR);
    }

    private ExpiredRemover remover(Duration retention) {
        return new ExpiredRemover(
                new FencedTransactions(tables.database(), Duration.ofSeconds(20)),
                new DeadLetterStore(tables.database()),
                new Enqueuing(tables.database()),
                retention,
                new Every(Duration.ofMinutes(1), () -> nanos));
    }

    private void bury(int number, int daysAgo) {
        tables.execute("""
                insert into scheduler.dead_letter
                    (run_id, job, queue, priority, attempts, max_attempts, outcome, created_at, died_at)
                select nextval('scheduler.run_id_seq'), 'job', 'default', 0, 3, 3, 'FAILED', now(), now() - interval '%d days'
                from generate_series(1, %d)
                """.formatted(daysAgo, number));
    }

    private void reserve(String until) {
        tables.execute(
                "insert into scheduler.idempotency (job, key, run_id, reserved_until) values ('job', '%s', 1, '%s')"
                        .formatted(until, until));
    }

    private long letters() {
        return tables.count("select count(*) from scheduler.dead_letter");
    }

    @Test
    void lettersBeyondTheRetentionGo() {
        bury(2, 31);
        bury(3, 29);

        assertThat(remover(Duration.ofDays(30)).remove(TERM)).isEqualTo(2);
        assertThat(letters()).isEqualTo(3);
    }

    @Test
    void lettersAreKeptForEverUnlessARetentionIsSet() {
        bury(2, 10_000);

        assertThat(remover(null).remove(TERM)).isZero();
        assertThat(letters()).isEqualTo(2);
    }

    @Test
    void keysWhoseTimeIsOverGo() {
        reserve("infinity");
        reserve("2100-01-01");
        reserve("2020-01-01");

        assertThat(remover(null).remove(TERM)).isOne();
        assertThat(tables.texts("select key from scheduler.idempotency order by reserved_until"))
                .containsExactly("2100-01-01", "infinity");
    }

    @Test
    void manyGoInBatchesWithoutAPause() {
        bury(2_500, 31);
        ExpiredRemover remover = remover(Duration.ofDays(30));

        assertThat(remover.remove(TERM)).isEqualTo(1_000);
        assertThat(remover.remove(TERM)).isEqualTo(1_000);
        assertThat(remover.remove(TERM)).isEqualTo(500);
    }

    @Test
    void nextLookIsAMinuteLater() {
        ExpiredRemover remover = remover(Duration.ofDays(30));
        remover.remove(TERM);
        bury(1, 31);
        assertThat(remover.remove(TERM)).isZero();

        nanos += Duration.ofMinutes(1).toNanos();

        assertThat(remover.remove(TERM)).isOne();
    }

    @Test
    void nothingGoesWhenTheTermIsOver() {
        bury(1, 31);
        tables.expireLeader();

        assertThatThrownBy(() -> remover(Duration.ofDays(30)).remove(TERM)).isInstanceOf(TermOverException.class);
        assertThat(letters()).isOne();
    }
}
