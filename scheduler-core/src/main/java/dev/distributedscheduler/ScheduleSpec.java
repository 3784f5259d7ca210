package dev.distributedscheduler;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule that a program registers shall be: a job, when, and how it differs from the defaults.
 *
 * <p>Made by {@link Schedules#schedule(String)}; exactly one of {@link #cron}, {@link #fixedRate}, {@link #fixedDelay},
 * {@link #at} and {@link #trigger} says when. Nothing happens before {@link #register()}.
 *
 * <pre>{@code
 * scheduler.schedule("monday-report").tenant("tenant-7").job("report")
 *         .cron("0 0 14 ? * MON#1").zone("Europe/Paris").payload(new ReportRequest("sales")).register();
 * }</pre>
 */
public final class ScheduleSpec {

    private final Consumer<ScheduleSpec> registrar;
    private final String name;
    private String tenant = "";
    private @Nullable String job;
    private @Nullable Object payload;
    private @Nullable When when;
    private @Nullable ZoneId zone;
    private DstGap gap = DstGap.RUN_AFTER;
    private DstOverlap dstOverlap = DstOverlap.ONCE;
    private Duration initialDelay = Duration.ZERO;
    private Duration spread = Duration.ZERO;
    private @Nullable Instant from;
    private @Nullable Instant until;
    private Misfire misfire = Misfire.REPLAY_ALL;
    private @Nullable Duration misfireGrace;
    private Overlap overlap = Overlap.SKIP;
    private @Nullable Integer maxOverlap;
    private @Nullable String queue;
    private @Nullable Priority priority;

    /** When, in the words of whoever said it. */
    public record When(Kind kind, Object value) {

        /** The ways to say it. */
        public enum Kind {
            CRON,
            FIXED_RATE,
            FIXED_DELAY,
            AT,
            TRIGGER
        }
    }

    /** For implementations of {@link Schedules}. */
    public ScheduleSpec(String name, Consumer<ScheduleSpec> registrar) {
        this.name = name;
        this.registrar = registrar;
    }

    /** The job to run; a node must have declared it. */
    public ScheduleSpec job(String jobName) {
        job = jobName;
        return this;
    }

    /** To whom the schedule belongs; names are unique for a tenant, and each tenant has a quota. */
    public ScheduleSpec tenant(String tenantName) {
        tenant = tenantName;
        return this;
    }

    /** What the handler gets with every run. */
    public ScheduleSpec payload(@Nullable Object value) {
        payload = value;
        return this;
    }

    /** Six fields, or a macro such as {@code @daily}; needs a {@link #zone}. */
    public ScheduleSpec cron(String expression) {
        return when(When.Kind.CRON, expression);
    }

    public ScheduleSpec zone(String id) {
        zone = ZoneId.of(id);
        return this;
    }

    /** What becomes of cron ticks when the clock changes. */
    public ScheduleSpec dst(DstGap inGap, DstOverlap inOverlap) {
        gap = inGap;
        dstOverlap = inOverlap;
        return this;
    }

    /** From tick to tick. */
    public ScheduleSpec fixedRate(Duration period) {
        return when(When.Kind.FIXED_RATE, period);
    }

    /** From the end of a run to the next tick. */
    public ScheduleSpec fixedDelay(Duration delay) {
        return when(When.Kind.FIXED_DELAY, delay);
    }

    /** Once. */
    public ScheduleSpec at(Instant time) {
        return when(When.Kind.AT, time);
    }

    /** By a bean of Spring's type {@code Trigger}, which the nodes that dispatch must have. */
    public ScheduleSpec trigger(String beanName) {
        return when(When.Kind.TRIGGER, beanName);
    }

    private ScheduleSpec when(When.Kind kind, Object value) {
        if (when != null) {
            throw new IllegalArgumentException(
                    "Schedule '%s' says when to run in several ways: %s and %s".formatted(name, when.kind(), kind));
        }
        when = new When(kind, value);
        return this;
    }

    /** Wait before the first tick of a fixed rate or delay. */
    public ScheduleSpec initialDelay(Duration delay) {
        initialDelay = delay;
        return this;
    }

    /** All ticks come later by a time within this span that is always the same for this schedule: herds spread out. */
    public ScheduleSpec spread(Duration span) {
        spread = span;
        return this;
    }

    /** No tick before this time. */
    public ScheduleSpec from(Instant time) {
        from = time;
        return this;
    }

    /** No tick at or after this time; the schedule ends then. */
    public ScheduleSpec until(Instant time) {
        until = time;
        return this;
    }

    public ScheduleSpec misfire(Misfire policy) {
        misfire = policy;
        return this;
    }

    /** How old a missed tick may be to be made up for; {@code distributed-scheduler.dispatch.misfire-grace} otherwise. */
    public ScheduleSpec misfireGrace(Duration grace) {
        misfireGrace = grace;
        return this;
    }

    public ScheduleSpec overlap(Overlap policy) {
        overlap = policy;
        return this;
    }

    /** Runs may overlap, up to so many at once in the whole cluster. */
    public ScheduleSpec allowOverlap(int most) {
        maxOverlap = most;
        return overlap(Overlap.ALLOW);
    }

    /** Instead of the job's. */
    public ScheduleSpec queue(String queueName) {
        queue = queueName;
        return this;
    }

    /** Instead of the job's. */
    public ScheduleSpec priority(Priority place) {
        priority = place;
        return this;
    }

    /**
     * Makes it so: adds the schedule, or changes the one of that name to this. One whose timing stays the same keeps its
     * place in time, so that registering it again, at every start for example, neither repeats nor loses a tick.
     *
     * @throws QuotaExceededException when the tenant has too many schedules
     */
    public void register() {
        registrar.accept(this);
    }

    public ScheduleKey key() {
        return new ScheduleKey(tenant, name);
    }

    /** What was said, for implementations of {@link Schedules}. */
    public Said said() {
        return new Said(
                key(),
                job,
                payload,
                when,
                new Calendar(zone, gap, dstOverlap, from, until),
                initialDelay,
                spread,
                new Policies(misfire, misfireGrace, overlap, maxOverlap, queue, priority));
    }

    /** All that was said. */
    public record Said(
            ScheduleKey key,
            @Nullable String job,
            @Nullable Object payload,
            @Nullable When when,
            Calendar calendar,
            Duration initialDelay,
            Duration spread,
            Policies policies) {}

    /** How ticks relate to the calendar. */
    public record Calendar(
            @Nullable ZoneId zone,
            DstGap gap,
            DstOverlap overlap,
            @Nullable Instant from,
            @Nullable Instant until) {}

    /** How ticks and runs are treated. */
    public record Policies(
            Misfire misfire,
            @Nullable Duration misfireGrace,
            Overlap overlap,
            @Nullable Integer maxOverlap,
            @Nullable String queue,
            @Nullable Priority priority) {}
}
