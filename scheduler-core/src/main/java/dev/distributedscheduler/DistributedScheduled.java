package dev.distributedscheduler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a bean method on a schedule, once per tick in the whole cluster.
 *
 * <p>The counterpart of Spring's {@code @Scheduled}: the attributes that both have mean the same. Exactly one of
 * {@link #cron()}, {@link #fixedRate()}, {@link #fixedDelay()} (or their string forms) and {@link #trigger()} must be given,
 * or an {@link #initialDelay()} alone for a single run. The method takes no parameter or a {@link JobContext}; a return
 * value is ignored. Every string may contain <code>${…}</code> placeholders and <code>#{…}</code> expressions. What is
 * declared here can be overridden by {@code distributed-scheduler.jobs.<name>.*}.
 *
 * <pre>{@code
 * @DistributedScheduled(name = "monthly-invoices", cron = "0 0 2 1 * *", zone = "Europe/Paris", timeout = "30m")
 * void sendInvoices(JobContext context) { … }
 * }</pre>
 *
 * <p>Execution is at-least-once: a run whose node dies is started again elsewhere. See {@link JobContext} for what a
 * handler needs to make its effects idempotent.
 */
@Documented
@Reflective
@Repeatable(DistributedSchedules.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface DistributedScheduled {

    /** The value of {@link #cron()} that switches a schedule off, as in Spring: its job stays known, but has no ticks. */
    String CRON_DISABLED = "-";

    /** Cluster-wide name of the job and its schedule; {@code beanName.methodName} when empty. */
    String name() default "";

    /** Spring's six-field cron expression or macro such as {@code @daily}; {@value #CRON_DISABLED} switches it off. */
    String cron() default "";

    /**
     * Time zone of {@link #cron()} and of local times in {@link #from()} and {@link #until()}, such as {@code Europe/Paris};
     * the zone of the JVM when empty.
     */
    String zone() default "";

    /** What becomes of ticks of {@link #cron()} whose local time does not exist, because the clock is put forward. */
    DstGap dstGap() default DstGap.RUN_AFTER;

    /** What becomes of ticks of {@link #cron()} whose local time comes twice, because the clock is put back. */
    DstOverlap dstOverlap() default DstOverlap.ONCE;

    /** Time between the starts of two ticks, in {@link #timeUnit()}. */
    long fixedRate() default -1;

    /** As {@link #fixedRate()}: a number in {@link #timeUnit()}, {@code 90s}, or {@code PT1M30S}. */
    String fixedRateString() default "";

    /** Time between the end of a run and the next tick, in {@link #timeUnit()}. */
    long fixedDelay() default -1;

    /** As {@link #fixedDelay()}: a number in {@link #timeUnit()}, {@code 90s}, or {@code PT1M30S}. */
    String fixedDelayString() default "";

    /**
     * Name of a bean of Spring's type {@code Trigger} that says when. It is asked on the node that leads, so every node that
     * may lead needs the bean, and all of them must agree: what it answers may depend on the last execution and the clock of
     * the {@code TriggerContext}, which are the same time, and on nothing else.
     */
    String trigger() default "";

    /**
     * Wait before the first tick, counted from the moment the cluster first learns of the schedule; not with {@link #cron()}.
     *
     * <p>With nothing else that says when, this is a one-time task, as in Spring; here it runs once in the cluster, not once
     * per start of a replica: whoever is first to declare the schedule fixes the time, and restarts and further replicas do
     * not repeat it. It runs again after the delay was changed, or after the schedule was switched off and on again.
     */
    long initialDelay() default -1;

    /** As {@link #initialDelay()}: a number in {@link #timeUnit()}, {@code 90s}, or {@code PT1M30S}. */
    String initialDelayString() default "";

    /** Unit of the numbers in rate, delay and initial delay. */
    TimeUnit timeUnit() default TimeUnit.MILLISECONDS;

    /**
     * No tick before this time: {@code 2026-12-01T08:00:00Z}, with any offset, or a local time or date in {@link #zone()}:
     * {@code 2026-12-01T08:00} or {@code 2026-12-01}.
     */
    String from() default "";

    /** No tick at or after this time, given as {@link #from()}; the schedule ends then. */
    String until() default "";

    /**
     * All ticks come later by a time within this span, {@code 10m} for example, that is always the same for this schedule, so
     * that not all the schedules of midnight are due at once; at most a day.
     */
    String spread() default "";

    /** What becomes of a tick while a run of this schedule is still live. */
    Overlap overlap() default Overlap.SKIP;

    /** What becomes of ticks that were missed. */
    Misfire misfire() default Misfire.REPLAY_ALL;

    /**
     * How old a missed tick may be to be made up for, such as {@code 6h};
     * {@code distributed-scheduler.dispatch.misfire-grace} when empty.
     */
    String misfireGrace() default "";

    /** The queue whose worker slots the job uses; the default queue when empty. */
    @AliasFor("scheduler")
    String queue() default "";

    /** Name that Spring's annotation has for the place where a method runs; here the same as {@link #queue()}. */
    @AliasFor("queue")
    String scheduler() default "";

    /** Place in line among the waiting runs of the queue. */
    Priority priority() default Priority.NORMAL;

    /** Time after which an attempt is interrupted and counts as failed, such as {@code 30m}; unlimited when empty. */
    String timeout() default "";

    /** Time without a success, such as {@code 26h}, after which every replica reports the job as overdue; none when empty. */
    String mustSucceedEvery() default "";

    /** What becomes of a run whose handler ignores the interrupt. */
    WhenStuck whenStuck() default WhenStuck.WAIT;

    /** Attempts before a run becomes a dead letter; 0 takes {@code distributed-scheduler.worker.max-attempts}. */
    int maxAttempts() default 0;

    /**
     * Whether the method runs in a transaction on the scheduler's database that also records its completion: its effects
     * there happen exactly once.
     */
    boolean transactional() default false;

    /**
     * Runs of the job that may be executed at once in the whole cluster; 0 for no limit. More than one needs
     * {@link Overlap#ALLOW}.
     */
    int maxConcurrent() default 0;

    /** When to try again. */
    Retry retry() default @Retry;
}
