package dev.distributedscheduler.benchmarks.node;

import dev.distributedscheduler.benchmarks.contestant.JobSink;
import java.time.Instant;
import java.util.BitSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAccumulator;

/** Takes note of every job that this node executes: which, how often, and how long after it was enqueued. */
final class Ledger implements JobSink {

    private volatile Page page = new Page(new JobRange(0, 0));
    private final Queue<Tick> ticks = new ConcurrentLinkedQueue<>();

    /** Turns to a new page; only jobs of the range are expected from now on. */
    void expect(JobRange range) {
        page = new Page(range);
    }

    @Override
    public void handled(String job) {
        page.note(Job.parse(job), Job.microsNow());
    }

    @Override
    public void ticked(String schedule, Instant due) {
        ticks.add(new Tick(schedule, Job.micros(due), Job.microsNow()));
    }

    Page page() {
        return page;
    }

    Queue<Tick> ticks() {
        return ticks;
    }

    /** What happened to the jobs of one range. */
    static final class Page {

        private final JobRange range;
        private final AtomicIntegerArray executions;
        private final int[] latencies;
        private final AtomicInteger distinct = new AtomicInteger();
        private final AtomicInteger superfluous = new AtomicInteger();
        private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
        private final LongAccumulator last = new LongAccumulator(Math::max, 0);

        Page(JobRange range) {
            this.range = range;
            this.executions = new AtomicIntegerArray(range.count());
            this.latencies = new int[range.count()];
        }

        private void note(Job job, long now) {
            if (!range.contains(job.number())) {
                superfluous.incrementAndGet();
                return;
            }
            int index = job.number() - range.from();
            first.accumulate(now);
            last.accumulate(now);
            if (executions.incrementAndGet(index) > 1) {
                superfluous.incrementAndGet();
                return;
            }
            latencies[index] = (int) Math.min(now - job.micros(), Integer.MAX_VALUE);
            distinct.incrementAndGet();
        }

        int distinct() {
            return distinct.get();
        }

        Tally tally() {
            BitSet executed = new BitSet(range.count());
            for (int index = 0; index < range.count(); index++) {
                executed.set(index, executions.get(index) > 0);
            }
            return new Tally(executed, superfluous.get(), first.get(), last.get());
        }

        /** Microseconds from enqueueing to execution, of the jobs that this node executed. */
        Percentiles latencies() {
            double[] executed = new double[distinct.get()];
            int size = 0;
            for (int index = 0; index < range.count() && size < executed.length; index++) {
                if (executions.get(index) > 0) {
                    executed[size++] = latencies[index];
                }
            }
            return Percentiles.of(executed);
        }
    }
}
