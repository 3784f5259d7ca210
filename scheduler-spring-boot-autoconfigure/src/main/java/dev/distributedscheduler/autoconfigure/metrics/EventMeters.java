package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.autoconfigure.metrics.SchedulerMeters.Names;
import dev.distributedscheduler.engine.NodeStatus;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.HeartbeatSent;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.NodeJoined;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeaseLost;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.ResultsFlushed;
import dev.distributedscheduler.event.SchedulerEvent.RunCancelled;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerEvent.RunDied;
import dev.distributedscheduler.event.SchedulerEvent.RunRetried;
import dev.distributedscheduler.event.SchedulerEvent.RunStarted;
import dev.distributedscheduler.event.SchedulerEvent.RunStuck;
import dev.distributedscheduler.event.SchedulerEvent.RunsClaimed;
import dev.distributedscheduler.event.SchedulerEvent.RunsRescued;
import dev.distributedscheduler.event.SchedulerEvent.ScheduleFailed;
import dev.distributedscheduler.event.SchedulerEvent.TicksEnqueued;
import dev.distributedscheduler.event.SchedulerEvent.TicksSkipped;
import dev.distributedscheduler.run.FinishedAttempt;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts and times what happens on this node, in one registry. A run costs a few look-ups in a map and no allocation. */
final class EventMeters {

    private final MeterRegistry registry;
    private final Names names;
    private final Supplier<@Nullable NodeStatus> node;
    private final Map<String, JobMeters> jobs = new ConcurrentHashMap<>();
    private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();
    private final Timer flushes;
    private final Counter flushed;
    private final Timer heartbeats;
    private final Timer lateness;
    private final Counter ticks;
    private final Counter skipped;
    private final Counter failedSchedules;
    private final Counter leaderChanges;
    private final Counter lostLeases;
    private final Counter rescued;
    private final Counter refused;

    EventMeters(MeterRegistry registry, Names names, Supplier<@Nullable NodeStatus> node) {
        this.registry = registry;
        this.names = names;
        this.node = node;
        this.flushes = timer("scheduler.flush", "Time to record a group of results");
        this.flushed = counter("scheduler.flush.results", "Results that were recorded");
        this.heartbeats = timer("scheduler.heartbeat", "Time of the calls that renew this node's lease");
        this.lateness = timer("scheduler.tick.lateness", "Time from a tick to its dispatch");
        this.ticks = counter("scheduler.tick.enqueued", "Ticks that became runs");
        this.skipped =
                counter("scheduler.tick.skipped", "Ticks that were skipped because their predecessor was still live");
        this.failedSchedules =
                counter("scheduler.schedule.failed", "Schedules that cannot be understood and were set aside");
        this.leaderChanges = counter("scheduler.leader.changes", "How often this node became leader");
        this.lostLeases =
                counter("scheduler.node.lost.leases", "How often this node could not renew its lease in time");
        this.rescued = counter("scheduler.run.rescued", "Runs of lost nodes that were taken back");
        this.refused =
                counter("scheduler.run.refused", "Results that came after the run had been taken from this node");
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name).description(description).register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    /** The most frequent first. */
    void count(SchedulerEvent event) {
        if (event instanceof RunStarted started) {
            queue(started.run().queue()).started(started.run());
        } else if (event instanceof RunCompleted completed) {
            ended(completed.attempt());
        } else if (event instanceof RunsClaimed claimed) {
            queue(claimed.queue()).claimed(claimed);
        } else if (event instanceof ResultsFlushed flush) {
            flushes.record(flush.took().toNanos(), TimeUnit.NANOSECONDS);
            flushed.increment(flush.results());
        } else if (event instanceof RunRetried retried) {
            ended(retried.attempt()).retries.increment();
        } else if (event instanceof RunDied died) {
            ended(died.attempt()).dead.increment();
        } else if (event instanceof RunCancelled cancelled) {
            ended(cancelled.attempt());
        } else if (event instanceof RunStuck stuck) {
            job(stuck.run().job()).ignoredInterrupts.increment();
        } else if (event instanceof ResultRefused) {
            refused.increment();
        } else {
            countRare(event);
        }
    }

    private void countRare(SchedulerEvent event) {
        if (event instanceof TicksEnqueued enqueued) {
            ticks.increment(enqueued.runsByQueue().values().stream()
                    .mapToInt(Integer::intValue)
                    .sum());
            for (Duration late : enqueued.lateness()) {
                lateness.record(Math.max(0, late.toNanos()), TimeUnit.NANOSECONDS);
            }
        } else if (event instanceof TicksSkipped some) {
            skipped.increment(some.ticks());
        } else if (event instanceof ScheduleFailed) {
            failedSchedules.increment();
        } else if (event instanceof HeartbeatSent sent) {
            heartbeats.record(sent.took().toNanos(), TimeUnit.NANOSECONDS);
        } else if (event instanceof LeadershipGained) {
            leaderChanges.increment();
        } else if (event instanceof NodeLeaseLost) {
            lostLeases.increment();
        } else if (event instanceof RunsRescued some) {
            rescued.increment(some.runs());
        } else if (event instanceof NodeJoined joined) {
            joined.jobs().stream().sorted().forEach(this::job);
        }
    }

    private JobMeters ended(FinishedAttempt attempt) {
        JobMeters meters = job(attempt.run().job());
        meters.ended(attempt);
        return meters;
    }

    private JobMeters job(String name) {
        JobMeters meters = jobs.get(name);
        return meters != null
                ? meters
                : jobs.computeIfAbsent(names.jobs().of(name), tag -> new JobMeters(registry, tag));
    }

    private QueueMeters queue(String name) {
        QueueMeters meters = queues.get(name);
        return meters != null
                ? meters
                : queues.computeIfAbsent(names.queues().of(name), tag -> new QueueMeters(registry, tag, node));
    }
}
