package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.run.FinishedAttempt;
import java.sql.SQLException;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

@PostgresTest
@Timeout(30)
class HistoryPartitionsIntegrationTests {

    private static final Duration RETENTION = Duration.ofDays(90);

    private final DataSource dataSource;
    private TestTables tables;
    private RunHistory history;
    private YearMonth thisMonth;

    HistoryPartitionsIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void freshSchema() {
        JdbcClient.create(dataSource)
                .sql("drop schema if exists scheduler cascade")
                .update();
        tables = new TestTables(dataSource);
        history = new RunHistory(tables.database());
        thisMonth = YearMonth.from(tables.now().atOffset(ZoneOffset.UTC));
    }

    @AfterEach
    void dropTheApplicationsTables() {
        tables.execute("drop table if exists public.%s".formatted(partition(thisMonth.plusMonths(3))));
    }

    private static String partition(YearMonth month) {
        return "execution_%d_%02d".formatted(month.getYear(), month.getMonthValue());
    }

    private List<String> months(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(i -> partition(thisMonth.plusMonths(i)))
                .toList();
    }

    private List<String> partitions() {
        return tables.texts("""
                select relname from pg_inherits join pg_class on oid = inhrelid
                where inhparent = 'scheduler.execution'::regclass and relname <> 'execution_other'
                order by relname
                """);
    }

    private void createPartition(YearMonth month) {
        tables.execute("""
                create table scheduler.%s partition of scheduler.execution for values from ('%s-01Z') to ('%s-01Z')
                """.formatted(partition(month), month, month.plusMonths(1)));
    }

    private void insertExecution(YearMonth finished) {
        tables.execute("""
                insert into scheduler.execution (run_id, job, queue, outcome, run_at, finished_at)
                values (1, 'job', 'default', 'COMPLETED', now(), '%s-15Z')
                """.formatted(finished));
    }

    private String partitionOfTheRow() {
        return tables.text("select tableoid::regclass from scheduler.execution");
    }

    @Test
    void newSchemaHasThisMonthAndTwoAhead() {
        assertThat(partitions()).isEqualTo(months(0, 2));
    }

    @Test
    void monthsAheadAreMadeOnce() {
        history.keep(5, RETENTION);
        history.keep(5, RETENTION);

        assertThat(partitions()).isEqualTo(months(0, 5));
    }

    @Test
    void applicationsTableOfTheSameNameHidesNoMonth() {
        tables.execute("create table public.%s ()".formatted(partition(thisMonth.plusMonths(3))));

        history.keep(3, RETENTION);

        assertThat(partitions()).isEqualTo(months(0, 3));
    }

    @Test
    void newMonthTakesItsRowsFromTheDefaultPartition() {
        insertExecution(thisMonth.plusMonths(4));
        assertThat(partitionOfTheRow()).isEqualTo("scheduler.execution_other");

        history.keep(4, RETENTION);

        assertThat(partitionOfTheRow()).isEqualTo("scheduler." + partition(thisMonth.plusMonths(4)));
    }

    @Test
    void newMonthHasTheIndexesOfTheHistory() {
        history.keep(3, RETENTION);

        assertThat(tables.count("""
                select count(*) from pg_indexes where schemaname = 'scheduler' and tablename = '%s'
                """.formatted(partition(thisMonth.plusMonths(3)))))
                .isEqualTo(3);
    }

    @Test
    void monthsBeyondTheRetentionAreDropped() {
        createPartition(YearMonth.of(2020, 1));
        createPartition(thisMonth.minusMonths(5));
        createPartition(thisMonth.minusMonths(2));
        insertExecution(YearMonth.of(2020, 1));

        history.keep(2, RETENTION);

        assertThat(partitions())
                .isEqualTo(List.of(months(-2, -2), months(0, 2)).stream()
                        .flatMap(List::stream)
                        .toList());
        assertThat(tables.count("select count(*) from scheduler.execution")).isZero();
    }

    @Test
    void droppingGivesUpSoonBehindALongQueryAndSucceedsLater() throws SQLException {
        createPartition(YearMonth.of(2020, 1));
        try (OpenTransaction report = new OpenTransaction(dataSource)) {
            report.database()
                    .sql("select count(*) from scheduler.execution")
                    .query()
                    .singleValue();
            long asked = System.nanoTime();

            history.keep(2, RETENTION);

            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(5));
            assertThat(partitions()).contains("execution_2020_01");
            report.commit();
        }
        history.keep(2, RETENTION);

        assertThat(partitions()).isEqualTo(months(0, 2));
    }

    @Test
    void dropThatWasGivenUpLeavesTheNewMonthsAndTheOtherDrops() throws SQLException {
        createPartition(YearMonth.of(2020, 1));
        createPartition(YearMonth.of(2020, 2));
        try (OpenTransaction report = new OpenTransaction(dataSource)) {
            report.database()
                    .sql("lock table only scheduler.execution_2020_01 in access share mode")
                    .update();

            history.keep(3, RETENTION);
        }

        assertThat(partitions())
                .startsWith("execution_2020_01")
                .doesNotContain("execution_2020_02")
                .endsWith(months(0, 3).toArray(String[]::new));
    }

    @Test
    void newMonthDoesNotWaitForCompletionsNorTheyForIt() throws SQLException {
        FinishedAttempt first = FinishedAttempt.completed(tables.running("job"), Duration.ZERO, Duration.ZERO);
        FinishedAttempt second = FinishedAttempt.completed(tables.running("job"), Duration.ZERO, Duration.ZERO);
        try (OpenTransaction completion = new OpenTransaction(dataSource);
                OpenTransaction keeping = new OpenTransaction(dataSource)) {
            new RunHistory(completion.database()).complete(List.of(first));

            new RunHistory(keeping.database()).keep(3, RETENTION);
            assertThat(history.complete(List.of(second))).hasSize(1);

            keeping.commit();
            completion.commit();
        }
        assertThat(partitions()).isEqualTo(months(0, 3));
        assertThat(tables.count("select count(*) from scheduler.execution")).isEqualTo(2);
    }
}
