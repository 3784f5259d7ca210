package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.distributedscheduler.SchedulerConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class DatabaseTests {

    @ParameterizedTest
    @ValueSource(strings = {"scheduler", "_jobs", "a", "team_7", "x23456789_123456789_123456789_123456789_123456789_1"})
    void plainNameIsAccepted(String schema) {
        assertThat(Database.checked(schema)).isEqualTo(schema);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Scheduler",
                "7jobs",
                "my-jobs",
                "a.b",
                "a b",
                "a\n",
                "x; drop schema public",
                "schéma",
                "x23456789_123456789_123456789_123456789_123456789_12"
            })
    void nameThatWouldNeedQuotingIsRefused(String schema) {
        SchedulerConfigurationException refusal =
                catchThrowableOfType(SchedulerConfigurationException.class, () -> Database.checked(schema));

        assertThat(refusal).hasMessage("'%s' cannot be the scheduler's schema", schema);
        assertThat(refusal.remedy()).contains("distributed-scheduler.schema");
    }

    @Test
    void schemasHaveChannelsOfTheirOwn() {
        assertThat(new Database(new PGSimpleDataSource(), "scheduler").channel())
                .isEqualTo("scheduler_wake_up");
        assertThat(new Database(new PGSimpleDataSource(), "other").channel()).isEqualTo("other_wake_up");
    }
}
