package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.faults.app.LedgerEntry;
import dev.distributedscheduler.faults.app.LedgerEntry.Span;
import dev.distributedscheduler.faults.app.LedgerEntry.WallSpan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
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
        Files.writeString(directory.resolve("one" + Ledger.SUFFIX), line + "job\t2026-11-");
        Files.writeString(directory.resolve("one.log"), "not a ledger");

        assertThat(Ledger.in(directory).entries()).containsExactly(entry(TICK, 1, 1, 10));
    }

    private static Ledger ledger(LedgerEntry... entries) {
        return new Ledger(List.of(entries));
    }

    private static LedgerEntry entry(Instant tick, long run, int attempt, long token) {
        return new LedgerEntry("job", tick, run, attempt, token, "node", new Span(5, 6), new WallSpan(TICK, TICK));
    }
}
