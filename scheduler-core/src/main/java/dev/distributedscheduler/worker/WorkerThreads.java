package dev.distributedscheduler.worker;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the threads on which handlers run. */
@FunctionalInterface
public interface WorkerThreads {

    WorkerThreads PLATFORM = queue -> {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "job-%s-%d".formatted(queue, number.incrementAndGet()));
            thread.setDaemon(true);
            return thread;
        };
    };

    ThreadFactory of(String queue);
}
