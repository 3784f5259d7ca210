package dev.distributedscheduler.benchmarks.contestant;

/** What a contestant can be asked for. */
public enum Ability {
    /** Executes a backlog. */
    EXECUTE,
    /** Enqueues one job per call, as an application does. */
    ENQUEUE,
    /** Enqueues many jobs per call. */
    ENQUEUE_BULK,
    /** Notices a new job while it waits for one. */
    NOTICE,
    /** Runs schedules that tick every second. */
    SCHEDULE,
    /** Keeps a history of what it ran. */
    REMEMBER
}
