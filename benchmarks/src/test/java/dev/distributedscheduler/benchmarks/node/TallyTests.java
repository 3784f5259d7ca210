package dev.distributedscheduler.benchmarks.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class TallyTests {

    @Test
    void whatTwoNodesExecutedIsSuperfluousOnce() {
        Tally both = tally(0, 1, 2).plus(tally(2, 3));

        assertThat(both.executed().cardinality()).isEqualTo(4);
        assertThat(both.superfluous()).isEqualTo(1);
    }

    @Test
    void survivesTheLine() {
        Tally tally = new Tally(bits(0, 63, 64, 1000), 3, 17, 42);

        assertThat(Tally.parse(tally.text())).isEqualTo(tally);
    }

    @Test
    void anEmptyOneSurvivesTheLine() {
        assertThat(Tally.parse(tally().text())).isEqualTo(tally());
    }

    @Test
    void executingAJobTwiceIsSuperfluous() {
        Ledger ledger = new Ledger();
        ledger.expect(new JobRange(10, 2));

        ledger.handled(Job.now(10).text());
        ledger.handled(Job.now(10).text());
        ledger.handled(Job.now(12).text());

        Tally tally = ledger.page().tally();
        assertThat(tally.executed()).isEqualTo(bits(0));
        assertThat(tally.superfluous()).isEqualTo(2);
    }

    private static Tally tally(int... executed) {
        return new Tally(bits(executed), 0, 1, 2);
    }

    private static BitSet bits(int... indexes) {
        BitSet bits = new BitSet();
        for (int index : indexes) {
            bits.set(index);
        }
        return bits;
    }
}
