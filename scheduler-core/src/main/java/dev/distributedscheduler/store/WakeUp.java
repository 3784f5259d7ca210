package dev.distributedscheduler.store;

/** What nodes tell each other through NOTIFY; a lost one costs time, never correctness. */
public enum WakeUp {
    /** The lease is vacant. */
    LEADER("leader"),
    /** A schedule or a delayed run may be due earlier than the leader thinks. */
    DUE("due"),
    /** A queue has runs to claim; its name follows. */
    READY("ready:"),
    /** As READY, with how many have come; number, colon and name follow. */
    MANY("many:"),
    /** An attempt is to be cancelled; its token follows. */
    CANCEL("cancel:"),
    /** Anything may have happened. */
    ALL("all");

    private final String payload;

    WakeUp(String payload) {
        this.payload = payload;
    }

    public String payload() {
        return payload;
    }
}
