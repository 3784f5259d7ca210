package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class SchedulerRuntimeHintsTests {

    @Test
    void scriptsStayInANativeImage() {
        RuntimeHints hints = new RuntimeHints();

        new SchedulerRuntimeHints().registerHints(hints, null);

        assertThat(RuntimeHintsPredicates.resource().forResource("dev/distributedscheduler/schema/V1__tables.sql"))
                .accepts(hints);
    }
}
