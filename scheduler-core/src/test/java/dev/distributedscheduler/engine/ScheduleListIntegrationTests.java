package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleFilter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Schedules are found by filter and in pages, by tenant and name. */
@PostgresTest
class ScheduleListIntegrationTests {

    private static final int PER_TENANT = 10;

    private final TestTables tables;
    private final Schedules schedules;

    ScheduleListIntegrationTests(DataSource dataSource) {
        this.tables = new TestTables(dataSource);
        this.schedules = TestSchedules.on(tables, 2_000, TriggerBeans.NONE);
        List<ScheduleSpec> specs = new ArrayList<>();
        for (String tenant : List.of("c", "", "a", "b")) {
            for (int i = 0; i < PER_TENANT; i++) {
                specs.add(schedules
                        .schedule((i < 5 ? "daily-" : "weekly-") + i)
                        .tenant(tenant)
                        .job(i % 2 == 0 ? "mail" : "report")
                        .fixedRate(Duration.ofHours(1)));
            }
        }
        schedules.registerAll(specs);
    }

    private static List<String> keys(List<ScheduleDetails> page) {
        return page.stream().map(details -> details.key().toString()).toList();
    }

    /** All pages, one after the other. */
    private List<String> pages(ScheduleFilter filter, int size) {
        List<String> keys = new ArrayList<>();
        ScheduleKey after = null;
        while (true) {
            List<ScheduleDetails> page = schedules.list(filter, after, size);
            keys.addAll(keys(page));
            if (page.size() < size) {
                return keys;
            }
            after = page.get(size - 1).key();
        }
    }

    @Test
    void pagesGoOverAllTenantsInOrder() {
        List<String> inOrder = tables.texts("""
                        select case when tenant = '' then name else tenant || '/' || name end
                        from scheduler.schedule order by tenant, name
                        """);

        assertThat(pages(ScheduleFilter.ALL, 7)).isEqualTo(inOrder).hasSize(40);
        assertThat(pages(ScheduleFilter.ALL, 40)).isEqualTo(inOrder);
        assertThat(keys(schedules.list(ScheduleFilter.ALL))).isEqualTo(inOrder);
    }

    @Test
    void pagesOfOneTenantHoldNoOthers() {
        assertThat(pages(ScheduleFilter.ALL.tenant("b"), 3))
                .hasSize(10)
                .allMatch(key -> key.startsWith("b/"))
                .isSorted();
        assertThat(pages(ScheduleFilter.ALL.tenant(""), 3)).hasSize(10).noneMatch(key -> key.contains("/"));
        assertThat(schedules.list(ScheduleFilter.ALL.tenant("nobody"))).isEmpty();
    }

    @Test
    void allConditionsMustHold() {
        schedules.pause(new ScheduleKey("a", "daily-2"), null, null);
        schedules.pause(new ScheduleKey("b", "daily-2"), null, null);

        assertThat(pages(ScheduleFilter.ALL.namePrefix("weekly-"), 6)).hasSize(20);
        assertThat(pages(ScheduleFilter.ALL.job("mail"), 6)).hasSize(20);
        assertThat(pages(ScheduleFilter.ALL.state("PAUSED"), 6)).containsExactly("a/daily-2", "b/daily-2");
        assertThat(pages(
                        ScheduleFilter.ALL
                                .tenant("a")
                                .namePrefix("daily-")
                                .job("mail")
                                .state("ACTIVE"),
                        6))
                .containsExactly("a/daily-0", "a/daily-4");
    }

    /** Percent and underscore are nothing but characters. */
    @Test
    void prefixIsTakenLiterally() {
        assertThat(schedules.list(ScheduleFilter.ALL.namePrefix("d%"))).isEmpty();
        assertThat(schedules.list(ScheduleFilter.ALL.namePrefix("daily_"))).isEmpty();
    }

    @Test
    void pageIsNeverEmptyByDesignNorLargerThanTheLargest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.list(ScheduleFilter.ALL, null, 0))
                .withMessage("A page has at least one entry, not 0");
        tables.execute("""
                insert into scheduler.schedule (name, job, trigger_kind, trigger_expression)
                select 'more-' || i, 'job', 'FIXED_RATE', 'PT1H' from generate_series(1, 1100) i
                """);

        assertThat(schedules.list(ScheduleFilter.ALL, null, 5_000)).hasSize(Schedules.LARGEST_PAGE);
        assertThat(schedules.list(ScheduleFilter.ALL)).hasSize(Schedules.DEFAULT_PAGE);
    }

    @Test
    void detailsTellWhereItStands() {
        new ScheduleStore(tables.database())
                .declare(List.of(new Schedule("declared", "mail", new FixedRateTrigger(Duration.ofHours(1)))), 1);
        schedules.pause(ScheduleKey.of("declared"), "maintenance", "ann");
        tables.execute("""
                update scheduler.schedule
                set last_tick_at = now() - interval '1 hour', replay_at = now(),
                    missed = tstzmultirange(tstzrange(now() - interval '1 hour', now()))
                where name = 'declared'
                """);

        ScheduleDetails details = schedules.find(ScheduleKey.of("declared")).orElseThrow();

        assertThat(details.declared()).isTrue();
        assertThat(details.missedTicks()).isTrue();
        assertThat(details.lastTick()).isBefore(details.nextTick());
        assertThat(List.of(details.state(), details.stateReason(), details.changedBy()))
                .containsExactly("PAUSED", "maintenance", "ann");
        assertThat(schedules.find(ScheduleKey.of("unknown"))).isEmpty();
    }
}
