package dev.distributedscheduler;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a bean method, or a {@code JobHandler} bean, the handler of a job whose runs are enqueued with {@link JobScheduler}.
 *
 * <p>The method takes the payload, a {@link JobContext}, both or neither. The payload is bound to the parameter's type,
 * generic types included. Every string may contain <code>${…}</code> placeholders and <code>#{…}</code> expressions.
 *
 * <pre>{@code
 * @DistributedJob("send-invoice")
 * void send(InvoiceRequest request, JobContext context) { … }
 * }</pre>
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface DistributedJob {

    /** As {@link #name()}. */
    @AliasFor("name")
    String value() default "";

    /** Cluster-wide name of the job; {@code beanName.methodName}, or the name of the handler bean, when empty. */
    @AliasFor("value")
    String name() default "";

    /** Former names, whose runs this job takes over. */
    String[] aliases() default {};

    /** The queue whose worker slots the job uses; the default queue when empty. */
    String queue() default "";

    /** Place in line among the waiting runs of the queue. */
    Priority priority() default Priority.NORMAL;

    /** Time after which an attempt is interrupted and counts as failed, such as {@code 30m}; unlimited when empty. */
    String timeout() default "";

    /**
     * How long the job may go without a success, such as {@code 26h}, before every replica reports it as overdue, in health,
     * meters and logs; as long as it likes when empty. At most the retention of the history.
     */
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

    /** Runs of the job that may be executed at once in the whole cluster; 0 for no limit. */
    int maxConcurrent() default 0;

    /** When to try again. */
    Retry retry() default @Retry;
}
