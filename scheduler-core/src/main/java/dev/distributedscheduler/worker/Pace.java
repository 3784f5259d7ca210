package dev.distributedscheduler.worker;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How fast a pool works, and so how many runs may wait on this node for a free thread.
 *
 * <p>Only what the pool would begin in a moment: enough to keep its threads busy while the next claim is on its way, too
 * little to keep runs from other nodes. A pool of slow handlers, or one that has not ended anything yet, has nothing waiting.
 */
final class Pace {

    /** What may wait should have begun after this time. */
    private static final Duration AHEAD = Duration.ofMillis(50);

    private final int concurrency;
    private final int most;
    private final LongAdder ended = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private long usual = Long.MAX_VALUE;

    /** @param most upper bound of what may wait, however fast the pool is */
    Pace(int concurrency, int most) {
        this.concurrency = concurrency;
        this.most = most;
    }

    void ended(@Nullable Duration ran) {
        if (ran != null) {
            ended.increment();
            nanos.add(ran.toNanos());
        }
    }

    /** By the runs that ended since the last call; to be called by one thread. */
    int mayWait() {
        long count = ended.sumThenReset();
        long sum = nanos.sumThenReset();
        if (count > 0) {
            long now = Math.max(1, sum / count);
            usual = usual == Long.MAX_VALUE ? now : Math.max(1, (usual + now) / 2);
        }
        return (int) Math.min(most, AHEAD.toNanos() / (double) usual * concurrency);
    }

    /** The handlers turned out slower than they were; to be called by the same thread. */
    void stalled() {
        usual = Long.MAX_VALUE;
    }
}
