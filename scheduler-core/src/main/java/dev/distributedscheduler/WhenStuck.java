package dev.distributedscheduler;

/**
 * What becomes of a run whose handler ignores its interrupt, after its timeout or a cancellation.
 *
 * <p>Either way the handler is reported with the stack of its thread, and keeps its worker slot on its node until it
 * returns: Java has no means to end it.
 */
public enum WhenStuck {
    /** The run stays with the handler until that returns: no other attempt runs beside it. */
    WAIT,
    /**
     * The attempt is given up: its run is tried again, or is cancelled, although the handler still runs. What that does
     * later is refused where the database can tell: its result, a transactional job's commit,
     * {@link JobContext#assertOwned()}.
     */
    ABANDON
}
