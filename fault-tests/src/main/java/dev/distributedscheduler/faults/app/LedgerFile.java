package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.JobContext;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;

/**
 * This process's part of the ledger: what its handlers really did, outside the scheduler's tables and transactions.
 *
 * <p>A line is one unbuffered write to a file opened for appending, so it outlives the process from then on, however that
 * ends.
 */
final class LedgerFile implements AutoCloseable {

    private final OutputStream file;
    private final String node;

    LedgerFile(Path file, String node) throws IOException {
        this.file = new FileOutputStream(file.toFile(), true);
        this.node = node;
    }

    /** Enters that the work begins, does it, and enters that it was done. */
    void record(JobContext context, Runnable work) {
        Instant started = Instant.now();
        long startedNanos = System.nanoTime();
        append(new LedgerBegin(context.job(), context.runId(), context.attempt(), context.token(), node, startedNanos)
                .toLine());
        work.run();
        append(new LedgerEntry(
                        context.job(),
                        context.scheduledTime(),
                        context.runId(),
                        context.attempt(),
                        context.token(),
                        node,
                        new LedgerEntry.Span(startedNanos, System.nanoTime()),
                        new LedgerEntry.WallSpan(started, Instant.now()))
                .toLine());
    }

    private synchronized void append(String line) {
        try {
            file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException("The ledger cannot be written", failure);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
