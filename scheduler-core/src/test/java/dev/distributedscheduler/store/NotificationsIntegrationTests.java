package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@PostgresTest
@Timeout(60)
class NotificationsIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private TestTables tables;
    private Notifications notifications;

    NotificationsIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void listen() throws SQLException {
        tables = new TestTables(dataSource);
        notifications = new Notifications(new DedicatedDataSource(dataSource, Duration.ZERO), tables.database());
        assertThat(notifications.listen()).isTrue();
    }

    @AfterEach
    void close() {
        notifications.close();
    }

    @Test
    void listensOnceOnADirectConnection() throws SQLException {
        assertThat(notifications.canListen()).isTrue();
        assertThat(notifications.listen()).isFalse();
    }

    @Test
    void silenceIsAnEmptyAnswer() throws SQLException {
        assertThat(notifications.await(Duration.ofMillis(50))).isEmpty();
    }

    @Test
    void everyoneWhoHasToKnowIsTold() throws SQLException {
        LeaseStore leases = new LeaseStore(tables.database());
        leases.acquire(new UUID(0, 1), TestTables.HOUR);
        leases.release(new UUID(0, 1), 1);
        assertThat(notifications.await(PATIENCE)).containsExactly("leader");

        tables.delayed("job", Duration.ofSeconds(-1));
        new Promotion(tables.database()).promoteDue(10);
        assertThat(notifications.await(PATIENCE)).containsExactly("many:1:default");

        UUID node = tables.node("job");
        assertThat(notifications.await(PATIENCE)).containsExactly("due");

        ClaimedRun run = tables.claim(node, "job");
        new RunQueue(tables.database()).giveBackUnheld(run.nodeId(), "default", Set.of());
        assertThat(notifications.await(PATIENCE)).containsExactly("ready:default");

        ClaimedRun lost = tables.claim(node, "job");
        new RunHistory(tables.database()).fail(List.of(FinishedAttempt.lost(lost)));
        assertThat(notifications.await(PATIENCE)).containsExactly("ready:default");
    }

    /** It could let the next run pass; many runs end without any that waits, and then it is left alone. */
    @Test
    void leaderIsToldOfTheEndOfALimitedRunOnlyWhenAnotherWaitsForIt() throws SQLException {
        UUID node = tables.node("job");
        tables.ready("job");
        tables.execute("update scheduler.run set concurrency_key = 'key', key_limit = 1");
        ClaimedRun first = tables.claim(node, "job");
        tables.ready("job");
        tables.execute("""
                update scheduler.run set state = 'BLOCKED', blocked_by = 'KEY', concurrency_key = 'key', key_limit = 1
                where state = 'READY'
                """);
        assertThat(notifications.await(PATIENCE)).containsExactly("due");

        complete(first);
        assertThat(notifications.await(PATIENCE)).containsExactly("due");

        tables.execute("update scheduler.run set state = 'READY', blocked_by = null");
        complete(tables.claim(node, "job"));
        assertThat(notifications.await(Duration.ofMillis(100))).isEmpty();
    }

    private void complete(ClaimedRun run) {
        new RunHistory(tables.database())
                .complete(List.of(FinishedAttempt.completed(run, Duration.ZERO, Duration.ZERO)));
    }

    @Test
    void otherSchemaIsNotHeard() throws SQLException {
        tables.execute("do $$ begin perform pg_notify('other_wake_up', 'due'); end $$");
        tables.execute("do $$ begin perform pg_notify('scheduler_wake_up', 'all'); end $$");

        assertThat(notifications.await(PATIENCE)).containsExactly("all");
    }

    @Test
    void listensAgainAfterItsSessionWasKilled() throws SQLException {
        assertThat(tables.count("""
                select count(pg_terminate_backend(pid)) from pg_stat_activity
                where datname = current_database() and query like 'listen %'
                """)).isEqualTo(1);

        assertThatThrownBy(() -> notifications.await(PATIENCE)).isInstanceOf(SQLException.class);
        assertThat(notifications.listen()).isTrue();

        tables.execute("do $$ begin perform pg_notify('scheduler_wake_up', 'due'); end $$");
        assertThat(notifications.await(PATIENCE)).containsExactly("due");
    }

    @Test
    void closingEndsAWaitAtOnce() throws Exception {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<List<String>> waiting = CompletableFuture.supplyAsync(() -> {
            waiter.set(Thread.currentThread());
            try {
                return notifications.await(Duration.ofSeconds(50));
            } catch (SQLException ended) {
                throw new CompletionException(ended);
            }
        });
        await().until(() -> waiter.get() != null && isReading(waiter.get()));
        long asked = System.nanoTime();

        notifications.close();

        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(SQLException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(2));
    }

    private static boolean isReading(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("processNotifies"));
    }
}
