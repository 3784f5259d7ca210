package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.engine.NodeStatus;
import org.jspecify.annotations.Nullable;

/** This replica's node, for those who look on. */
@FunctionalInterface
public interface RunningNode {

    /** As it knows itself; null while it does not run. */
    @Nullable
    NodeStatus status();
}
