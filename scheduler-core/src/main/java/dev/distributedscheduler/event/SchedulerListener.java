package dev.distributedscheduler.event;

/**
 * Is told what happens in this node's engine.
 *
 * <p>Called on the engine's own threads: it must return quickly. What it throws is logged and ignored.
 */
@FunctionalInterface
public interface SchedulerListener {

    void onEvent(SchedulerEvent event);
}
