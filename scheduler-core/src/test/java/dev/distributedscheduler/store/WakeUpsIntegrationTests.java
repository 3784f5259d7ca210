package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.fixture.PostgresTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

@PostgresTest
@Timeout(60)
class WakeUpsIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private final List<String> here = new CopyOnWriteArrayList<>();
    private Database database;
    private WakeUps wakeUps;
    private Notifications elsewhere;

    WakeUpsIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void listen() throws SQLException {
        database = new TestTables(dataSource).database();
        wakeUps = new WakeUps(database);
        wakeUps.listenHere((what, detail) -> here.add(what.payload() + detail));
        elsewhere = new Notifications(new DedicatedDataSource(dataSource, Duration.ZERO), database);
        elsewhere.listen();
    }

    @AfterEach
    void close() {
        elsewhere.close();
    }

    @Test
    void nodeOfThisJvmIsToldBeforeTheCallReturnsAndOthersAfterIt() throws SQLException {
        wakeUps.tell(Map.of("default", 3), true);

        assertThat(here).containsExactly("many:3:default", "due");
        assertThat(elsewhere.await(PATIENCE)).containsExactly("many:3:default", "due");
    }

    @Test
    void nobodyIsToldBeforeTheCommit() throws SQLException {
        TransactionTemplate transactions = new TransactionTemplate(Database.transactionsOf(dataSource));
        transactions.executeWithoutResult(status -> {
            wakeUps.tell(Map.of("default", 1), false);

            assertThat(here).isEmpty();
        });

        assertThat(here).containsExactly("many:1:default");
        assertThat(elsewhere.await(PATIENCE)).containsExactly("many:1:default");
    }

    @Test
    void whatComesInQuickSuccessionIsToldTogether() throws SQLException {
        IntStream.range(0, 10_000).forEach(i -> wakeUps.tell(Map.of("default", 1), false));

        List<String> received = new CopyOnWriteArrayList<>();
        await().until(() -> {
            received.addAll(elsewhere.await(Duration.ofMillis(100)));
            return received.stream()
                            .mapToInt(message -> Integer.parseInt(message.split(":")[1]))
                            .sum()
                    == 10_000;
        });
        assertThat(received).hasSizeLessThan(1_000);
        assertThat(here).hasSize(10_000);
    }

    @Test
    void unreachableDatabaseTroublesNobody() {
        WakeUps cutOff = new WakeUps(new Database(
                new DelegatingDataSource(dataSource) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        throw new SQLException("cut off");
                    }
                },
                Database.DEFAULT_SCHEMA));
        cutOff.listenHere((what, detail) -> here.add(detail));

        cutOff.tell(Map.of("default", 1), false);
        cutOff.tell(Map.of("default", 2), false);

        assertThat(here).containsExactly("1:default", "2:default");
    }
}
