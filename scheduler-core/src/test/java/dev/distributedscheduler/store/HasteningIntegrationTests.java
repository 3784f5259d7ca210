package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresTest;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class HasteningIntegrationTests {

    private final DataSource dataSource;
    private TestTables tables;

    HasteningIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @BeforeEach
    void prepare() {
        tables = new TestTables(dataSource);
    }

    private boolean hasten(long run) {
        return new Hastening(tables.database()).hasten(run);
    }

    @Test
    void delayedRunGetsInLineAtOnce() {
        long run = tables.delayed("job", TestTables.HOUR);

        assertThat(hasten(run)).isTrue();

        assertThat(tables.claim("job").id()).isEqualTo(run);
        assertThat(tables.count("select count(*) from scheduler.run where run_at <= now()"))
                .isEqualTo(1);
        assertThat(hasten(run)).isFalse();
    }

    @Test
    void limitsAreNotPassed() {
        long ofKey = tables.delayed("job", TestTables.HOUR);
        long ofJob = tables.delayed("job", TestTables.HOUR);
        tables.execute("update scheduler.run set concurrency_key = 'k', key_limit = 1 where id = " + ofKey);
        tables.execute("update scheduler.run set job_limited = true where id = " + ofJob);

        assertThat(hasten(ofKey)).isTrue();
        assertThat(hasten(ofJob)).isTrue();

        assertThat(tables.texts("select blocked_by from scheduler.run where state = 'BLOCKED' order by id"))
                .containsExactly("KEY", "JOB");
    }

    @Test
    void othersAreLeftAlone() {
        long ready = tables.ready("other");
        long running = tables.running("job").id();

        assertThat(hasten(ready)).isFalse();
        assertThat(hasten(running)).isFalse();
        assertThat(hasten(424242)).isFalse();
        assertThat(tables.texts("select state from scheduler.run order by id")).containsExactly("READY", "RUNNING");
    }
}
