package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.distributedscheduler.QuotaExceededException;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.store.TenantStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many schedules a tenant may have; the usual quota is {@value TestSchedules#QUOTA}. */
@PostgresTest
@Timeout(60)
class ScheduleQuotaIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;
    private Schedules schedules;

    ScheduleQuotaIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void noSchedules() {
        tables = new TestTables(dataSource);
        schedules = TestSchedules.on(tables);
    }

    private ScheduleSpec spec(String tenant, int number) {
        return schedules
                .schedule("report-" + number)
                .tenant(tenant)
                .job("report")
                .fixedRate(Duration.ofHours(1));
    }

    private List<ScheduleSpec> specs(String tenant, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> spec(tenant, i)).toList();
    }

    private int counted(String tenant) {
        return new TenantStore(tables.database()).schedules(tenant);
    }

    private long stored(String tenant) {
        return tables.count("select count(*) from scheduler.schedule where tenant = '%s'".formatted(tenant));
    }

    private void refused(Runnable registration, String tenant) {
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(registration::run)
                .withMessage("Tenant '%s' would have more schedules than its quota allows; delete some, or raise it"
                                .formatted(tenant)
                        + " with Schedules.setQuota");
    }

    @Test
    void tenantMayHaveAsManyAsItsQuotaAndNotOneMore() {
        assertThat(schedules.registerAll(specs("a", 0, 5))).isEqualTo(5);

        refused(() -> spec("a", 5).register(), "a");

        assertThat(counted("a")).isEqualTo(5);
        assertThat(stored("a")).isEqualTo(5);
    }

    @Test
    void firstRegistrationOfATenantIsBoundToo() {
        refused(() -> schedules.registerAll(specs("a", 0, 6)), "a");

        assertThat(counted("a")).isZero();
        assertThat(stored("a")).isZero();
    }

    @Test
    void tenantsDoNotShareAQuotaButOneThatIsFullRefusesAll() {
        schedules.registerAll(specs("a", 0, 4));
        schedules.registerAll(specs("b", 0, 4));

        refused(
                () -> schedules.registerAll(Stream.concat(specs("a", 4, 5).stream(), specs("b", 4, 6).stream())
                        .toList()),
                "b");

        assertThat(counted("a")).isEqualTo(4);
        assertThat(stored("a")).isEqualTo(4);
    }

    @Test
    void registeringAgainCostsNothing() {
        schedules.registerAll(specs("a", 0, 5));

        assertThat(schedules.registerAll(specs("a", 0, 5))).isZero();
        spec("a", 1).payload("changed").register();

        assertThat(counted("a")).isEqualTo(5);
    }

    @Test
    void deletedScheduleMakesRoom() {
        schedules.registerAll(specs("a", 0, 5));

        assertThat(schedules.delete(new ScheduleKey("a", "report-3"))).isTrue();
        assertThat(schedules.delete(new ScheduleKey("a", "report-3"))).isFalse();

        assertThat(counted("a")).isEqualTo(4);
        spec("a", 9).register();
        refused(() -> spec("a", 10).register(), "a");
    }

    @Test
    void quotaOfATenantCanBeSetAndTakenBack() {
        schedules.setQuota("a", 2);
        refused(() -> schedules.registerAll(specs("a", 0, 3)), "a");

        schedules.setQuota("a", 7);
        schedules.registerAll(specs("a", 0, 7));

        schedules.setQuota("a", null);
        refused(() -> spec("a", 7).register(), "a");
        assertThat(counted("a")).isEqualTo(7);
    }

    @Test
    void quotaOfNoneRefusesTheFirst() {
        schedules.setQuota("a", 0);

        refused(() -> spec("a", 0).register(), "a");
    }

    @Test
    void quotaBelowWhatThereIsTakesNothingAway() {
        schedules.registerAll(specs("a", 0, 5));

        schedules.setQuota("a", 1);

        assertThat(stored("a")).isEqualTo(5);
        spec("a", 0).payload("still").register();
        refused(() -> spec("a", 5).register(), "a");
    }

    @Test
    void schedulesOfTheApplicationItselfHaveNoQuota() {
        assertThat(schedules.registerAll(specs("", 0, 20))).isEqualTo(20);

        assertThat(schedules.delete(ScheduleKey.of("report-3"))).isTrue();
        assertThat(tables.count("select count(*) from scheduler.tenant")).isZero();
    }

    @Test
    void endedSchedulesCountUntilTheyAreForgotten() {
        schedules.setQuota("a", 1);
        schedules.schedule("once").tenant("a").job("report").at(Instant.EPOCH).register();
        tables.execute("update scheduler.schedule set state = 'ENDED'");

        refused(() -> spec("a", 0).register(), "a");
    }

    /** Without the lock of the tenant's row each of them would see room for itself. */
    @Test
    void concurrentRegistrationsTogetherStayWithinTheQuota() {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int round = 0; round < 5; round++) {
            String tenant = "tenant-" + round;
            AtomicInteger registered = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            List<CompletableFuture<Void>> registrations = IntStream.range(0, 8)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> {
                                try {
                                    spec(tenant, i).register();
                                    registered.incrementAndGet();
                                } catch (QuotaExceededException tooMany) {
                                    refused.incrementAndGet();
                                }
                            },
                            threads))
                    .toList();
            registrations.forEach(CompletableFuture::join);

            assertThat(registered.get()).isEqualTo(TestSchedules.QUOTA);
            assertThat(refused.get()).isEqualTo(3);
            assertThat(stored(tenant)).isEqualTo(TestSchedules.QUOTA);
            assertThat(counted(tenant)).isEqualTo(TestSchedules.QUOTA);
        }
        threads.shutdown();
    }

    @Test
    void concurrentRegistrationsOfTheSameScheduleCountOnce() {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<CompletableFuture<Void>> registrations = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(() -> spec("a", 0).register(), threads))
                .toList();
        registrations.forEach(CompletableFuture::join);
        threads.shutdown();

        assertThat(stored("a")).isOne();
        assertThat(counted("a")).isOne();
    }
}
