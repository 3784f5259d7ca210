package dev.distributedscheduler.engine;

import dev.distributedscheduler.dispatch.DispatchSettings;
import dev.distributedscheduler.leader.LeaderSettings;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.watch.WatchSettings;
import dev.distributedscheduler.worker.NodeSettings;
import dev.distributedscheduler.worker.WorkerSettings;

/** Everything that can be set on a node. */
public record EngineSettings(
        String schema,
        NodeSettings node,
        LeaderSettings leader,
        DispatchSettings dispatch,
        WorkerSettings worker,
        WatchSettings watch) {

    /** Looking on as usual. */
    public EngineSettings(
            String schema, NodeSettings node, LeaderSettings leader, DispatchSettings dispatch, WorkerSettings worker) {
        this(schema, node, leader, dispatch, worker, WatchSettings.DEFAULT);
    }

    public EngineSettings {
        Database.checked(schema);
    }

    /** The defaults, for a node of the given name. */
    public static EngineSettings defaults(String nodeName) {
        return new EngineSettings(
                Database.DEFAULT_SCHEMA,
                new NodeSettings(nodeName, null, NodeSettings.DEFAULT_LEASE),
                LeaderSettings.DEFAULT,
                DispatchSettings.DEFAULT,
                WorkerSettings.DEFAULT);
    }
}
