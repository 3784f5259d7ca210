package dev.distributedscheduler.engine;

import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.JobStore;
import dev.distributedscheduler.store.NodeStore.Declared;
import dev.distributedscheduler.store.ScheduleStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes known what this node declares: at its start, and again whenever the newest deployment with live nodes is another
 * one than before.
 *
 * <p>What a newer deployment declares stands for as long as it has live nodes, whoever else starts or restarts meanwhile.
 * After a rollback, once the last of its nodes is gone, the older one declares itself again.
 */
final class Declaring {

    private static final Duration UNTIL_WOKEN = Duration.ofMinutes(10);

    private final Declarations declared;
    private final @Nullable String version;
    private final JobStore jobs;
    private final ScheduleStore schedules;
    private final Loop again = new Loop("scheduler-declarer", this::declareIfChanged);
    private volatile long deployment;
    /** 0 until the first heartbeat: what was declared before it may have met a newer deployment that is gone since. */
    private volatile long newest;

    private long declaredWith;

    Declaring(Declarations declared, @Nullable String version, Database database) {
        this.declared = declared;
        this.version = version;
        this.jobs = new JobStore(database);
        this.schedules = new ScheduleStore(database);
    }

    /** Comes first: the node's row says what it declares before it does, so that no older node takes it back. */
    void identify() {
        deployment = schedules.deployment(fingerprint());
    }

    void start() {
        declare();
        again.start();
    }

    /** What the node's row says about it. */
    Declared declared(boolean partitioned) {
        Set<String> names = declared.schedules().stream().map(Schedule::name).collect(Collectors.toSet());
        return new Declared(partitioned, deployment, names);
    }

    /** Called with every heartbeat. */
    void newestDeployment(long id) {
        if (id != newest) {
            newest = id;
            again.wake();
        }
    }

    private Duration declareIfChanged() {
        if (newest != declaredWith) {
            declare();
        }
        return UNTIL_WOKEN;
    }

    private void declare() {
        long with = newest;
        jobs.declare(declared.jobs().definitions(), deployment);
        schedules.declare(declared.schedules(), deployment);
        declaredWith = with;
    }

    void close() {
        again.close(Duration.ofSeconds(2));
    }

    /** The same for all nodes that declare the same, and for no others. */
    private String fingerprint() {
        Set<String> lines = new TreeSet<>();
        declared.jobs().definitions().forEach(job -> lines.add(line(job)));
        declared.schedules().forEach(schedule -> lines.add(line(schedule)));
        String all = version + "\n" + String.join("\n", lines);
        return UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static String line(JobDefinition job) {
        JobPolicy policy = job.policy();
        return "job %s %s %s %d %s %s %s"
                .formatted(
                        job.name(),
                        policy.queue(),
                        policy.priority(),
                        policy.maxAttempts(),
                        policy.maxConcurrent(),
                        policy.timeout(),
                        policy.mustSucceedEvery());
    }

    private static String line(Schedule schedule) {
        Timing timing = schedule.timing();
        String when = timing == null
                ? "off"
                : "%s %s %s %s %s %s %s"
                        .formatted(
                                timing.trigger().kind(),
                                timing.trigger().expression(),
                                timing.trigger().zone(),
                                timing.trigger() instanceof CronTrigger cron ? cron.gap() + " " + cron.overlap() : "",
                                timing.shift(),
                                timing.from(),
                                timing.until());
        return "schedule %s %s %s %s %s %s"
                .formatted(
                        schedule.key(),
                        schedule.job(),
                        when,
                        schedule.initialDelay(),
                        schedule.policy(),
                        schedule.work());
    }
}
