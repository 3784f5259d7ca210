package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.faults.app.LedgerBegin;
import dev.distributedscheduler.faults.app.LedgerEntry;
import dev.distributedscheduler.faults.app.LedgerEntry.Span;
import dev.distributedscheduler.faults.app.LedgerEntry.WallSpan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger must notice what the fault tests rely on it to notice. */
class LedgerTests {

    private static final Instant TICK = Instant.parse("2026-11-18T10:00:00Z");

    @Test
    void runsOfDifferentTicksAreNoDuplicates() {
        assertThat(ledger(entry(TICK, 1, 1, 10), entry(TICK.plusSeconds(1), 2, 1, 11))
                        .duplicates())
                .isEmpty();
    }

    @Test
    void secondAttemptOfARunIsARepetitionButNoDuplicate() {
        Ledger ledger = ledger(entry(TICK, 1, 1, 10), entry(TICK, 1, 2, 11));

        assertThat(ledger.duplicates()).isEmpty();
        assertThat(ledger.repetitions()).containsExactly(entry(TICK, 1, 2, 11));
    }

    @Test
    void twoRunsOfOneTickAreDuplicates() {
        assertThat(ledger(entry(TICK, 1, 1, 10), entry(TICK, 2, 1, 11)).duplicates())
                .isNotEmpty();
    }

    @Test
    void oneAttemptExecutedTwiceIsADuplicate() {
        assertThat(ledger(entry(TICK, 1, 1, 10), entry(TICK, 1, 1, 10)).duplicates())
                .isNotEmpty();
    }

    @Test
    void lineThatWasCutShortIsIgnored(@TempDir Path directory) throws IOException {
        String line = "job\t2026-11-18T10:00:00Z\t1\t1\t10\tnode\t5\t6\t2026-11-18T10:00:00Z\t2026-11-18T10:00:00Z\n";
        String begin = "begin\tjob\t1\t1\t10\tnode\t5\n";
        Files.writeString(directory.resolve("one" + Ledger.SUFFIX), begin + line + "job\t2026-11-");
        Files.writeString(directory.resolve("one.log"), "not a ledger");

        assertThat(Ledger.in(directory).entries()).containsExactly(entry(TICK, 1, 1, 10));
        assertThat(Ledger.in(directory).begins()).containsExactly(begin("node", 10, 5));
    }

    @Test
    void executionsThatFollowEachOtherAreNotAtOnce() {
        Ledger ledger = new Ledger(
                List.of(begin("node", 10, 1), begin("node", 11, 3), begin("other", 12, 4)),
                List.of(enqueued(10, 1, 3), enqueued(11, 3, 5), enqueued(12, 4, 6)));

        assertThat(ledger.mostAtOnce(Map.of())).isEqualTo(2);
        assertThat(ledger.unended()).isEmpty();
    }

    @Test
    void executionThatNeverEndedLastsAsLongAsItsProcess() {
        Ledger ledger = new Ledger(
                List.of(begin("node", 10, 1), begin("other", 11, 6), begin("other", 12, 9)),
                List.of(enqueued(12, 9, 10)));

        assertThat(ledger.unended()).containsExactlyInAnyOrder(10L, 11L);
        assertThat(ledger.isExecuting("node")).isTrue();
        assertThat(ledger.isExecuting("third")).isFalse();
        assertThat(ledger.mostAtOnce(Map.of("node", 5L, "other", 12L))).isEqualTo(2);
        assertThat(ledger.mostAtOnce(Map.of("node", 5L, "other", 8L))).isEqualTo(1);
        assertThat(ledger.mostAtOnce(Map.of("other", 12L)))
                .as("the node still runs")
                .isEqualTo(3);
    }

    private static Ledger ledger(LedgerEntry... entries) {
        return new Ledger(List.of(), List.of(entries));
    }

    private static LedgerBegin begin(String node, long token, long nanos) {
        return new LedgerBegin("job", 1, 1, token, node, nanos);
    }

    private static LedgerEntry enqueued(long token, long start, long end) {
        return new LedgerEntry("job", null, 1, 1, token, "node", new Span(start, end), new WallSpan(TICK, TICK));
    }

    private static LedgerEntry entry(Instant tick, long run, int attempt, long token) {
        return new LedgerEntry("job", tick, run, attempt, token, "node", new Span(5, 6), new WallSpan(TICK, TICK));
    }
}
