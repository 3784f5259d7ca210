package dev.distributedscheduler.autoconfigure.metrics;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.StuckRun.Reason;
import dev.distributedscheduler.autoconfigure.metrics.SchedulerMeters.Names;
import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.ClusterSnapshot.Depth;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the last look at the database showed; every node has the same figures, each from its own look.
 *
 * <p>They stay as they are when a look fails: {@code scheduler.snapshot.age} tells.
 */
final class ClusterGauges {

    private static final String SECONDS = "seconds";
    private static final List<String> STATES = List.of("SCHEDULED", "READY", "BLOCKED", "RUNNING");

    private final Names names;
    private final MultiGauge depth;
    private final MultiGauge oldestDue;
    private final MultiGauge dueWithin;
    private final MultiGauge nodes;
    private final MultiGauge stuck;
    private final MultiGauge successAge;
    private final MultiGauge overdue;
    private final Timer looks;
    private final Set<Tags> shownDepths = new HashSet<>();
    private final Set<Tags> shownAges = new HashSet<>();
    private volatile @Nullable ClusterSnapshot last;
    private volatile long seenNanos = System.nanoTime();

    ClusterGauges(MeterRegistry registry, Names names) {
        this.names = names;
        this.depth = gauges(registry, "scheduler.queue.depth", "Live runs", null);
        this.oldestDue = gauges(
                registry,
                "scheduler.queue.oldest.due.age",
                "How long the run that is due for the longest has waited",
                SECONDS);
        this.dueWithin = gauges(
                registry, "scheduler.due.soon", "Delayed runs and next ticks that come due within this time", null);
        this.nodes = gauges(registry, "scheduler.nodes", "Nodes of the cluster", null);
        this.stuck = gauges(registry, "scheduler.run.stuck", "Runs that have been running for too long", null);
        this.successAge =
                gauges(registry, "scheduler.job.success.age", "Time since the last success of a job", SECONDS);
        this.overdue = gauges(
                registry, "scheduler.job.overdue", "1 for a job that has not succeeded for longer than it must", null);
        this.looks = Timer.builder("scheduler.snapshot")
                .description("Time of the looks at the database that these figures come from")
                .register(registry);
        gauge(
                registry,
                "scheduler.tick.overdue",
                "How long the most overdue tick waits for the leader",
                s -> s.tickOverdue().toMillis() / 1e3);
        gauge(registry, "scheduler.dead.letters", "Dead letters", ClusterSnapshot::deadLetters);
        gauge(registry, "scheduler.run.orphaned", "Runs whose job no live node knows", ClusterSnapshot::orphaned);
        gauge(
                registry,
                "scheduler.leader.present",
                "1 while the cluster has a leader",
                s -> s.leader().present() ? 1 : 0);
        gauge(
                registry,
                "scheduler.leader.term",
                "The last term of leadership that began",
                s -> s.leader().term());
        Gauge.builder("scheduler.snapshot.age", this, gauges -> (System.nanoTime() - gauges.seenNanos) / 1e9)
                .description("Time since the last look at the database")
                .baseUnit(SECONDS)
                .strongReference(true)
                .register(registry);
    }

    private void gauge(
            MeterRegistry registry, String name, String description, ToDoubleFunction<ClusterSnapshot> value) {
        Gauge.builder(name, this, gauges -> {
                    ClusterSnapshot snapshot = gauges.last;
                    return snapshot == null ? Double.NaN : value.applyAsDouble(snapshot);
                })
                .description(description)
                .baseUnit(name.equals("scheduler.tick.overdue") ? SECONDS : null)
                .strongReference(true)
                .register(registry);
    }

    private static MultiGauge gauges(MeterRegistry registry, String name, String description, @Nullable String unit) {
        return MultiGauge.builder(name).description(description).baseUnit(unit).register(registry);
    }

    void show(ClusterSnapshot snapshot) {
        last = snapshot;
        seenNanos = System.nanoTime();
        looks.record(snapshot.took());
        showQueues(snapshot);
        List<Row<?>> due = new ArrayList<>();
        snapshot.dueWithin().forEach((span, runs) -> due.add(row(Tags.of("within", text(span)), runs)));
        dueWithin.register(due, true);
        nodes.register(
                List.of(
                        row(Tags.of("state", "live"), snapshot.nodes().live()),
                        row(Tags.of("state", "draining"), snapshot.nodes().draining()),
                        row(Tags.of("state", "late"), snapshot.nodes().late())),
                true);
        showJobs(snapshot);
    }

    /** A queue shows all states, zeros too, so that a line does not end when a queue is empty. */
    private void showQueues(ClusterSnapshot snapshot) {
        Map<Tags, Double> depths = new HashMap<>();
        Map<Tags, Double> ages = new HashMap<>();
        for (Depth some : snapshot.depths()) {
            String queue = names.queues().of(some.queue());
            for (String state : STATES) {
                depths.merge(
                        Tags.of("queue", queue, "state", state),
                        state.equals(some.state()) ? (double) some.runs() : 0,
                        Double::sum);
            }
            double age = snapshot.oldestDue()
                            .getOrDefault(some.queue(), Duration.ZERO)
                            .toMillis()
                    / 1e3;
            ages.merge(Tags.of("queue", queue), age, Math::max);
        }
        keep(depths, shownDepths);
        keep(ages, shownAges);
        depth.register(rows(depths), true);
        oldestDue.register(rows(ages), true);
    }

    /** What was shown before and is gone now is zero. */
    private static void keep(Map<Tags, Double> now, Set<Tags> shown) {
        shown.forEach(tags -> now.putIfAbsent(tags, 0.0));
        shown.addAll(now.keySet());
    }

    private static List<Row<?>> rows(Map<Tags, Double> values) {
        List<Row<?>> rows = new ArrayList<>();
        values.forEach((tags, value) -> rows.add(row(tags, value)));
        return rows;
    }

    private void showJobs(ClusterSnapshot snapshot) {
        List<Row<?>> reasons = new ArrayList<>();
        for (Reason reason : Reason.values()) {
            long runs = snapshot.stuck().stream()
                    .filter(run -> run.reason() == reason)
                    .count();
            reasons.add(row(Tags.of("reason", reason.name()), runs));
        }
        stuck.register(reasons, true);
        Map<Tags, Double> ages = new HashMap<>();
        Map<Tags, Double> late = new HashMap<>();
        for (JobFreshness freshness : snapshot.freshness()) {
            Tags job = Tags.of("job.name", names.jobs().of(freshness.job()));
            ages.merge(job, freshness.sinceSuccess().toMillis() / 1e3, Math::max);
            late.merge(job, freshness.isOverdue() ? 1.0 : 0.0, Math::max);
        }
        successAge.register(rows(ages), true);
        overdue.register(rows(late), true);
    }

    private static Row<?> row(Tags tags, Number value) {
        return Row.of(tags, value);
    }

    /** 1m, 5m, 1h. */
    private static String text(Duration span) {
        return span.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
