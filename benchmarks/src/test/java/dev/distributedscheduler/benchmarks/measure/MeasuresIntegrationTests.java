package dev.distributedscheduler.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.benchmarks.contestant.Ability;
import dev.distributedscheduler.benchmarks.contestant.Contestant;
import dev.distributedscheduler.benchmarks.contestant.Contestants;
import dev.distributedscheduler.benchmarks.database.BenchmarkServer;
import dev.distributedscheduler.benchmarks.node.JobRange;
import dev.distributedscheduler.benchmarks.node.Node;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each contestant and each kind of measure works, with a handful of jobs; what they measure here means nothing. */
@PostgresTest
class MeasuresIntegrationTests {

    private static final Sizes TINY = new Sizes(0.0005, 1);

    private final BenchmarkServer server;

    MeasuresIntegrationTests(PostgresDatabase database) {
        this.server = BenchmarkServer.at(database.jdbcUrl(), database.username(), database.password());
    }

    static Stream<String> executing() {
        return Contestants.all().stream()
                .filter(contestant -> contestant.abilities().contains(Ability.EXECUTE))
                .map(Contestant::name);
    }

    @ParameterizedTest
    @MethodSource("executing")
    void drains(String contestant) throws Exception {
        assertMeasured(Drain.by(1), contestant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw-unnest", "raw-copy"})
    void fills(String contestant) throws Exception {
        assertMeasured(Enqueue.inBulk(), contestant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"drain-2", "enqueue", "bulk", "latency-other-50", "size"})
    void measures(String name) throws Exception {
        Measure measure = Measures.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();

        assertMeasured(measure, Contestants.OURS);
    }

    @Test
    void drainsBesideAHistory() throws Exception {
        long past = 1_000;
        try (Trial trial = new Trial(Contestants.named(Contestants.OURS), new Sizes(0.001, 1), server)) {
            Drain.beside(past * 1_000).run(trial);

            assertThat(trial.database().number("select count(*) from scheduler.execution where run_id < 0"))
                    .isEqualTo(past);
        }
    }

    @Test
    void aJobThatNobodyExpectsFailsTheCheck() throws Exception {
        try (Trial trial = new Trial(Contestants.named("raw-100"), TINY, server)) {
            List<Node> nodes = trial.open(1);
            Backlog backlog = new Backlog(new JobRange(0, 5), nodes);
            nodes.get(0).enqueueBulk(new JobRange(0, 6));
            nodes.get(0).start();

            assertThatThrownBy(() -> backlog.awaitEnd(trial))
                    .isInstanceOf(FailedCheck.class)
                    .hasMessageContaining("1 superfluous");
        }
    }

    private void assertMeasured(Measure measure, String contestant) throws Exception {
        assertThat(measure.suits(Contestants.named(contestant))).isTrue();
        try (Trial trial = new Trial(Contestants.named(contestant), TINY, server)) {
            assertThat(measure.run(trial))
                    .isNotEmpty()
                    .allSatisfy((figure, value) ->
                            assertThat(value).as(figure.name()).isFinite().isNotNegative());
        }
    }
}
