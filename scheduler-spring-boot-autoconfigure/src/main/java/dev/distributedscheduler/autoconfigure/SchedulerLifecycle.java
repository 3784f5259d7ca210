package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.autoconfigure.annotation.DistributedScheduledBeanPostProcessor;
import dev.distributedscheduler.engine.EngineSettings;
import dev.distributedscheduler.engine.NodeStatus;
import dev.distributedscheduler.engine.SchedulerEngine;
import dev.distributedscheduler.engine.SchedulerEngine.Connections;
import dev.distributedscheduler.engine.SchedulerEngine.Observers;
import dev.distributedscheduler.store.WakeUps;
import dev.distributedscheduler.worker.WorkerThreads;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Starts a node when the application is complete, and stops it before anything that its jobs may need.
 *
 * <p>The default phase is the last to start and the first to stop: the web server still answers and the connection pool is
 * still open while jobs drain.
 */
final class SchedulerLifecycle implements SmartLifecycle, DisposableBean, RunningNode {

    private final EngineSettings settings;
    private final Connections connections;
    private final DistributedScheduledBeanPostProcessor discovery;
    private final WorkerThreads threads;
    private final WakeUps wakeUps;
    private final Observers observers;
    private volatile @Nullable SchedulerEngine engine;

    SchedulerLifecycle(
            EngineSettings settings,
            Connections connections,
            DistributedScheduledBeanPostProcessor discovery,
            WorkerThreads threads,
            WakeUps wakeUps,
            Observers observers) {
        this.settings = settings;
        this.connections = connections;
        this.discovery = discovery;
        this.threads = threads;
        this.wakeUps = wakeUps;
        this.observers = observers;
    }

    @Override
    public synchronized void start() {
        if (engine == null) {
            SchedulerEngine started =
                    new SchedulerEngine(settings, connections, discovery.declarations(), threads, observers);
            started.start();
            started.listenTo(wakeUps);
            engine = started;
        }
    }

    @Override
    public synchronized void stop() {
        SchedulerEngine started = engine;
        if (started != null) {
            started.stop();
            engine = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return engine != null;
    }

    @Override
    public @Nullable NodeStatus status() {
        SchedulerEngine started = engine;
        return started == null ? null : started.status();
    }

    /** For a context that fails after this was started. */
    @Override
    public void destroy() {
        stop();
    }
}
