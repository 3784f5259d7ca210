package dev.distributedscheduler.engine;

/** Whether this node hears what the others notify. */
public enum ListenerState {
    /** Not yet or not any more; it polls and tries again. */
    CONNECTING,
    /** It does. */
    LISTENING,
    /** It never will, behind a transaction pooler; it polls. */
    POLLING
}
