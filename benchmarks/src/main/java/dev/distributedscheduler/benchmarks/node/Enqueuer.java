package dev.distributedscheduler.benchmarks.node;

import dev.distributedscheduler.benchmarks.contestant.Instance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The ways in which a node enqueues jobs; each returns how many seconds it took. */
final class Enqueuer {

    private static final int THREADS = 8;

    /** Jobs per call of a bulk. */
    private static final int BULK = 10_000;

    private final Instance instance;

    Enqueuer(Instance instance) {
        this.instance = instance;
    }

    /** In large calls, one after the other. */
    double bulk(JobRange range) throws Exception {
        long begin = System.nanoTime();
        List<String> jobs = new ArrayList<>(BULK);
        for (int number = range.from(); number < range.from() + range.count(); number++) {
            jobs.add(Job.now(number).text());
            if (jobs.size() == BULK) {
                instance.enqueueAll(jobs);
                jobs.clear();
            }
        }
        if (!jobs.isEmpty()) {
            instance.enqueueAll(jobs);
        }
        return secondsSince(begin);
    }

    /** One by one, on several threads, as fast as it goes. */
    double singly(JobRange range) throws Exception {
        return paced(range, 0);
    }

    /** One by one at an even pace; a thread that is late does not wait. */
    double paced(JobRange range, int perSecond) throws Exception {
        long begin = System.nanoTime();
        AtomicInteger next = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                workers.add(threads.submit(() -> {
                    for (int index = next.getAndIncrement(); index < range.count(); index = next.getAndIncrement()) {
                        if (perSecond > 0) {
                            sleepUntil(begin + index * TimeUnit.SECONDS.toNanos(1) / perSecond);
                        }
                        instance.enqueue(Job.now(range.from() + index).text());
                    }
                    return null;
                }));
            }
            await(workers);
        } finally {
            threads.shutdownNow();
        }
        return secondsSince(begin);
    }

    private static void await(List<Future<?>> workers) throws InterruptedException, ExecutionException {
        for (Future<?> worker : workers) {
            worker.get();
        }
    }

    private static void sleepUntil(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static double secondsSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1e9;
    }
}
