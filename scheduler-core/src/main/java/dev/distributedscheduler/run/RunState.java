package dev.distributedscheduler.run;

import java.util.Map;
import java.util.Set;

/** States of a run, and the legal steps between them. */
public enum RunState {
    SCHEDULED,
    READY,
    BLOCKED,
    RUNNING,
    COMPLETED,
    DEAD,
    CANCELLED;

    private static final Map<RunState, Set<RunState>> NEXT = Map.of(
            SCHEDULED, Set.of(READY, BLOCKED, CANCELLED),
            READY, Set.of(RUNNING, BLOCKED, CANCELLED),
            BLOCKED, Set.of(READY, CANCELLED),
            RUNNING, Set.of(SCHEDULED, READY, COMPLETED, DEAD, CANCELLED),
            COMPLETED, Set.of(),
            DEAD, Set.of(),
            CANCELLED, Set.of());

    /** The states that may follow this one. */
    public Set<RunState> next() {
        return NEXT.getOrDefault(this, Set.of());
    }

    /** Whether the run has left the queue for good. */
    public boolean isTerminal() {
        return next().isEmpty();
    }
}
