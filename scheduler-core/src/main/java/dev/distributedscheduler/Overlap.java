package dev.distributedscheduler;

/** What becomes of a tick while a run of the same schedule is still live: waiting, running, or waiting to be tried again. */
public enum Overlap {
    /** The tick is skipped, and recorded as such. */
    SKIP,
    /** Its run waits: one at a time, in the order of the ticks. */
    QUEUE,
    /** Its run goes ahead, up to a limit where one is given. */
    ALLOW
}
