package dev.distributedscheduler.watch;

import dev.distributedscheduler.JobFreshness;
import dev.distributedscheduler.StuckRun;
import dev.distributedscheduler.event.ClusterSnapshot;
import dev.distributedscheduler.event.SchedulerEvent.ClusterSeen;
import dev.distributedscheduler.event.SchedulerEvent.JobFreshAgain;
import dev.distributedscheduler.event.SchedulerEvent.JobOverdue;
import dev.distributedscheduler.event.SchedulerEvent.RunFoundStuck;
import dev.distributedscheduler.event.SchedulerListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at the cluster after the other.
 *
 * <p>Every node sees everything, but what should be said once is said by the leader; by every node only while there is none.
 */
public final class ClusterWatch {

    private static final Logger log = LoggerFactory.getLogger(ClusterWatch.class);

    private final Supplier<ClusterSnapshot> survey;
    private final WatchSettings settings;
    private final BooleanSupplier leads;
    private final SchedulerListener events;
    private Set<Told> toldStuck = Set.of();
    private final Map<String, JobFreshness> toldOverdue = new HashMap<>();
    private int failures;

    private record Told(long runId, int attempt, StuckRun.Reason reason) {}

    /**
     * @param survey has a look
     * @param leads whether this node leads
     */
    public ClusterWatch(
            Supplier<ClusterSnapshot> survey, WatchSettings settings, BooleanSupplier leads, SchedulerListener events) {
        this.survey = survey;
        this.settings = settings;
        this.leads = leads;
        this.events = events;
    }

    /** One look; returns when to have the next. A failed one is not repeated sooner: the database may have enough to do. */
    public Duration round() {
        try {
            ClusterSnapshot snapshot = survey.get();
            events.onEvent(new ClusterSeen(snapshot));
            boolean tells = leads.getAsBoolean() || !snapshot.leader().present();
            tellStuck(snapshot, tells);
            tellFreshness(snapshot, tells);
            if (failures > 0) {
                log.info("Looks at the cluster succeed again after {} that did not", failures);
                failures = 0;
            }
        } catch (RuntimeException failure) {
            failed(failure);
        }
        return jittered(settings.every());
    }

    private void failed(RuntimeException failure) {
        if (++failures == 1) {
            log.warn("A look at the cluster failed; meters and health show what was seen before", failure);
        } else {
            log.debug("{} looks at the cluster failed in a row: {}", failures, failure.toString());
        }
    }

    /** Whoever begins to tell, as a new leader, tells what others may have told: better twice than never. */
    private void tellStuck(ClusterSnapshot snapshot, boolean tells) {
        Set<Told> now = new HashSet<>();
        if (tells) {
            for (StuckRun stuck : snapshot.stuck()) {
                Told told = new Told(stuck.runId(), stuck.attempt(), stuck.reason());
                now.add(told);
                if (!toldStuck.contains(told)) {
                    events.onEvent(new RunFoundStuck(stuck));
                }
            }
        }
        toldStuck = now;
    }

    private void tellFreshness(ClusterSnapshot snapshot, boolean tells) {
        if (!tells) {
            toldOverdue.clear();
            return;
        }
        for (JobFreshness freshness : snapshot.freshness()) {
            if (freshness.isOverdue()) {
                if (toldOverdue.put(freshness.job(), freshness) == null) {
                    events.onEvent(new JobOverdue(freshness));
                }
            } else if (toldOverdue.remove(freshness.job()) != null) {
                events.onEvent(new JobFreshAgain(freshness));
            }
        }
    }

    /** So that the nodes of a cluster do not all look at the same moment. */
    private static Duration jittered(Duration period) {
        return Duration.ofNanos((long)
                (period.toNanos() * (0.9 + 0.2 * ThreadLocalRandom.current().nextDouble())));
    }
}
