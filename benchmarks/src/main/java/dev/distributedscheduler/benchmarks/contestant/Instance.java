package dev.distributedscheduler.benchmarks.contestant;

import java.util.List;

/** One running instance of a contestant. Every job is executed as one call of its {@link JobSink}. */
public interface Instance extends AutoCloseable {

    /** Enqueues a job that is due now; returns when it is committed. */
    void enqueue(String job) throws Exception;

    /** Enqueues jobs that are due now, in the fastest way that the contestant offers. */
    void enqueueAll(List<String> jobs) throws Exception;

    /** Begins to execute. */
    void start() throws Exception;

    @Override
    void close() throws Exception;
}
