package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.autoconfigure.DistributedSchedulerProperties.Leader;
import dev.distributedscheduler.dispatch.DispatchSettings;
import dev.distributedscheduler.engine.EngineSettings;
import dev.distributedscheduler.engine.ScheduleOperations.Limits;
import dev.distributedscheduler.leader.LeaderSettings;
import dev.distributedscheduler.watch.WatchSettings;
import dev.distributedscheduler.worker.NodeSettings;
import dev.distributedscheduler.worker.WorkerSettings;
import dev.distributedscheduler.worker.WorkerSettings.Buffers;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.core.env.Environment;

/** From properties to the engine's settings, which check themselves. */
final class SettingsMapper {

    private SettingsMapper() {}

    static EngineSettings settings(DistributedSchedulerProperties properties, Environment environment) {
        return new EngineSettings(
                properties.schema(),
                node(properties.node(), environment),
                leader(properties.leader()),
                dispatch(properties.dispatch()),
                worker(properties.worker()),
                watch(properties.watch()));
    }

    private static NodeSettings node(DistributedSchedulerProperties.Node node, Environment environment) {
        String name = node.name() == null || node.name().isBlank() ? hostName() : node.name();
        return new NodeSettings(name, environment.getProperty("spring.application.version"), node.lease());
    }

    private static LeaderSettings leader(Leader leader) {
        Duration renewEvery = leader.renewEvery() == null ? leader.lease().dividedBy(3) : leader.renewEvery();
        return new LeaderSettings(leader.lease(), renewEvery, leader.checkEvery());
    }

    private static DispatchSettings dispatch(DistributedSchedulerProperties.Dispatch dispatch) {
        return new DispatchSettings(
                dispatch.enabled(),
                dispatch.pollEvery(),
                dispatch.misfireGrace(),
                dispatch.misfireAfter(),
                dispatch.catchUpRate(),
                dispatch.retireAfter(),
                dispatch.historyRetention(),
                dispatch.deadLetterRetention(),
                dispatch.mode());
    }

    private static WatchSettings watch(DistributedSchedulerProperties.Watch watch) {
        return new WatchSettings(watch.enabled(), watch.every(), watch.patience(), watch.exactUpTo());
    }

    private static WorkerSettings worker(DistributedSchedulerProperties.Worker worker) {
        Map<String, Integer> concurrency = new TreeMap<>();
        worker.queues().forEach((name, queue) -> concurrency.put(name, queue.concurrency()));
        return new WorkerSettings(
                worker.enabled(),
                worker.concurrency(),
                concurrency,
                worker.pollEvery(),
                worker.drainTimeout(),
                worker.stuckAfter(),
                new Buffers(worker.prefetch(), worker.unrecorded()));
    }

    static Limits limits(DistributedSchedulerProperties properties) {
        if (properties.schedulesPerTenant() < 0) {
            throw new SchedulerConfigurationException(
                    "distributed-scheduler.schedules-per-tenant is " + properties.schedulesPerTenant(),
                    "Set it to 0 or more.");
        }
        return new Limits(maxPayloadBytes(properties), properties.schedulesPerTenant());
    }

    static int maxPayloadBytes(DistributedSchedulerProperties properties) {
        return Math.toIntExact(properties.maxPayload().toBytes());
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }
}
