package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.OperationLog;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@PostgresTest
class HistoryKeeperIntegrationTests {

    private static final UUID LEADER = new UUID(0, 1);

    private final TestTables tables;

    HistoryKeeperIntegrationTests(DataSource dataSource) {
        this.tables = new TestTables(dataSource);
    }

    @Test
    void operationsAreForgottenWithTheHistoryHoweverMany() {
        new LeaseStore(tables.database()).acquire(LEADER, TestTables.HOUR);
        tables.execute("""
                insert into scheduler.operation (act, run_id, done_at)
                select 'CANCEL', i, now() - case when i <= 3 then interval '89 days' else interval '91 days' end
                from generate_series(1, 11000) i
                """);
        HistoryKeeper keeper = new HistoryKeeper(
                new FencedTransactions(tables.database(), Duration.ofSeconds(20)),
                new RunHistory(tables.database()),
                new OperationLog(tables.database()),
                Duration.ofDays(90));

        keeper.keep(new Term(LEADER, 1));

        assertThat(tables.texts("select run_id from scheduler.operation order by run_id"))
                .containsExactly("1", "2", "3");
    }
}
