package dev.distributedscheduler.faults.app;

import dev.distributedscheduler.JobContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;

/** Keeps an attempt waiting until the test lets it go on: by a file of its own, beside the ledger. */
public final class GoSign {

    private static final long MILLIS_BETWEEN_LOOKS = 20;

    private final Path ledger;

    GoSign(@Value("${faults.ledger}") Path ledger) {
        this.ledger = ledger;
    }

    /** The name of the file for which an attempt waits. */
    public static String fileName(long run, int attempt) {
        return "run-%d-attempt-%d.go".formatted(run, attempt);
    }

    boolean isGiven(JobContext context) {
        return Files.exists(ledger.resolveSibling(fileName(context.runId(), context.attempt())));
    }

    /** Stops waiting when it is interrupted, but returns as if nothing had happened: the worst that a handler may do. */
    void await(JobContext context) {
        try {
            while (!isGiven(context)) {
                boolean unused = new CountDownLatch(1).await(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }
}
