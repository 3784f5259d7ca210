package dev.distributedscheduler.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.measure.Measure;
import org.junit.jupiter.api.Test;

class OptionsTests {

    @Test
    void aNameStandsForItself() {
        assertThat(parse("--measures", "drain").measures())
                .extracting(Measure::name)
                .containsExactly("drain");
    }

    @Test
    void aBeginningStandsForAllThatBeginSo() {
        assertThat(parse("--contestants", "ours,db-scheduler").contestants())
                .extracting(Contestant::name)
                .containsExactly("ours", "db-scheduler-lock-and-fetch", "db-scheduler-fetch");
    }

    @Test
    void withoutNamesAllAreMeant() {
        assertThat(parse().contestants())
                .extracting(Contestant::name)
                .contains("ours", "jobrunr", "quartz", "raw-copy");
    }

    @Test
    void unknownNamesAreRefused() {
        assertThatThrownBy(() -> parse("--contestants", "nobody")).hasMessageContaining("nobody");
        assertThatThrownBy(() -> parse("--nothing", "x")).hasMessageContaining("--measures");
        assertThatThrownBy(() -> parse("--repeats")).hasMessageContaining("--repeats");
    }

    private static Options parse(String... args) {
        return Options.parse(args);
    }
}
