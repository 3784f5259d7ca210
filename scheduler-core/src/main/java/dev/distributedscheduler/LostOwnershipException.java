package dev.distributedscheduler;

/** The attempt is no longer the current one of its run: its node lost its lease, and another may be at work. */
public class LostOwnershipException extends RuntimeException {

    public LostOwnershipException(long runId, int attempt) {
        super("Attempt %d of run %d has been taken from this node".formatted(attempt, runId));
    }
}
