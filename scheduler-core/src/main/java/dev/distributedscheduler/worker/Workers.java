package dev.distributedscheduler.worker;

import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.RunHistory;
import dev.distributedscheduler.store.RunQueue;
import dev.distributedscheduler.store.RunReports;
import dev.distributedscheduler.store.RunSearch;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.transaction.PlatformTransactionManager;

/** All that executes runs on this node: a pool per queue, and the one place where their results are recorded. */
public final class Workers {

    /** Handlers that were interrupted at shutdown get this long to return. */
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(1);
    private static final Duration TO_RECORD = Duration.ofSeconds(5);

    private final WorkerSettings settings;
    private final RunCompleter completer;
    private final StuckHandlers stuck;
    private final ProgressReporter progress;
    private final Loop reporter = new Loop("scheduler-reporter", this::report);
    private final Map<String, WorkerPool> pools = new TreeMap<>();

    /** What the pools share. */
    public record Means(
            Database database,
            PlatformTransactionManager transactions,
            JobRegistry jobs,
            NodeHeartbeat heartbeat,
            Deadlines deadlines,
            SchedulerListener events,
            AttemptInterceptor interceptor) {}

    public Workers(WorkerSettings settings, WorkerThreads threads, Means means) {
        this.settings = settings;
        RunHistory history = new RunHistory(means.database());
        this.completer = new RunCompleter(history, means.events());
        RunReports reports = new RunReports(means.database());
        this.stuck = new StuckHandlers(means.jobs(), reports, settings.stuckAfter(), means.deadlines(), means.events());
        this.progress = new ProgressReporter(reports);
        RunQueue queue = new RunQueue(means.database());
        RunSearch search = new RunSearch(means.database());
        RunExecutor executor = new RunExecutor(
                        means.jobs(),
                        attempt -> new AttemptContext(
                                attempt, queue, search, means.heartbeat().transactionPatience()),
                        new RunTransactions(
                                means.transactions(), history, means.heartbeat().transactionPatience()),
                        means.deadlines(),
                        means.events())
                .intercepted(means.interceptor());
        Set<String> names = new TreeSet<>(means.jobs().queues());
        names.addAll(settings.queueConcurrency().keySet());
        for (String name : names) {
            RunClaimer claimer =
                    new RunClaimer(queue, name, means.jobs().names(), means.deadlines()::now, means.events());
            WorkerPool.Slots slots = new WorkerPool.Slots(
                    name, settings.concurrencyOf(name), threads.of(name), settings.pollEvery(), settings.buffers());
            pools.put(name, new WorkerPool(claimer, slots, means.heartbeat(), executor, completer));
        }
        means.heartbeat().whenLost(this::cutShort);
        means.heartbeat().whenCancelled(this::cancel);
    }

    public void start() {
        completer.start();
        reporter.start();
        pools.values().forEach(WorkerPool::start);
    }

    /** Looks after the attempts under way; in memory only, as long as none has anything to tell. */
    private Duration report() {
        for (WorkerPool pool : pools.values()) {
            pool.attempts().forEach(attempt -> stuck.check(attempt, pool::abandon));
        }
        progress.report(pools.values().stream()
                .flatMap(pool -> pool.attempts().stream())
                .toList());
        return BETWEEN_REPORTS;
    }

    /**
     * There are runs in this queue.
     *
     * @param runs how many have come; 0 when nobody said
     */
    public void wake(String queue, int runs) {
        WorkerPool pool = pools.get(queue);
        if (pool != null) {
            pool.wake(runs);
        }
    }

    public void wakeAll() {
        pools.values().forEach(pool -> pool.wake(0));
    }

    /** Somebody asked for these attempts to be cancelled; the tokens of other nodes are none of ours. */
    public void cancel(Collection<Long> tokens) {
        pools.values().forEach(pool -> pool.cancel(tokens));
    }

    private int cutShort() {
        return pools.values().stream().mapToInt(WorkerPool::cutShort).sum();
    }

    /** The slots of this node, by queue. */
    public Map<String, SlotUse> slots() {
        Map<String, SlotUse> slots = new TreeMap<>();
        pools.forEach((name, pool) -> slots.put(name, pool.slotUse()));
        return slots;
    }

    /** Lets no further claim begin; what is held goes on. */
    public void stopClaiming() {
        pools.values().forEach(WorkerPool::stopClaiming);
    }

    /**
     * Waits for the running attempts, interrupts those that outlast the drain time, and records all results.
     *
     * @return how many attempts this node still holds, because they ignored the interrupt or cannot be recorded
     */
    public int drain() {
        try {
            if (!awaitHandlers(settings.drainTimeout())) {
                cutShort();
                awaitHandlers(AFTER_INTERRUPT);
            }
            reporter.close(TO_RECORD);
            completer.close(TO_RECORD);
        } catch (InterruptedException hurry) {
            cutShort();
            Thread.currentThread().interrupt();
        }
        return pools.values().stream().mapToInt(WorkerPool::held).sum();
    }

    /** Puts in line again what is this node's only in the eyes of the database; its last claims may have gone unanswered. */
    public void giveBackUnheld() {
        pools.values().forEach(WorkerPool::giveBackUnheld);
    }

    private boolean awaitHandlers(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        boolean ended = true;
        for (WorkerPool pool : pools.values()) {
            ended &= pool.awaitHandlers(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
        return ended;
    }
}
