package dev.distributedscheduler.run;

/** How an attempt, or a tick that got none, ended; the words of the history. */
public enum Outcome {
    /** The handler returned. */
    COMPLETED,
    /** The handler threw. */
    FAILED,
    /** The attempt was interrupted at its timeout. */
    TIMED_OUT,
    /** The attempt was interrupted because its node stopped or lost its lease; costs no attempt. */
    INTERRUPTED,
    /** The handler asked for another attempt later; costs no attempt. */
    SNOOZED,
    /** The node died or froze past its lease; the leader took the run back. */
    LOST,
    /** A result that came after the attempt was taken back; kept for the record, without effect. */
    STALE,
    /** The run was cancelled. */
    CANCELLED,
    /** The tick was not enqueued. */
    SKIPPED;

    /** Whether the run has one attempt less afterwards. */
    public boolean usesUpAttempt() {
        return this == FAILED || this == TIMED_OUT || this == LOST;
    }
}
