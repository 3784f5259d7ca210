package dev.distributedscheduler;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The schedules, declared in code or registered by a program: to look at, to change, to operate.
 *
 * <p>Changes join the caller's Spring transaction on the scheduler's database. Against a leader that is dispatching the same
 * schedule, whoever comes second waits for the first and then sees what that did: a pause either comes before a tick, which
 * then does not become a run, or after, and the run goes on.
 */
public interface Schedules {

    int DEFAULT_PAGE = 50;
    int LARGEST_PAGE = 1_000;

    /** Begins to describe a schedule; {@link ScheduleSpec#register()} adds or changes it. */
    ScheduleSpec schedule(String name);

    /**
     * Adds or changes many schedules in one transaction, 100,000 for example; all or none.
     *
     * @return how many are new
     * @throws QuotaExceededException when a tenant has too many schedules
     */
    int registerAll(Collection<ScheduleSpec> specs);

    Optional<ScheduleDetails> find(ScheduleKey key);

    /** The first ones that match, by tenant and name. */
    default List<ScheduleDetails> list(ScheduleFilter filter) {
        return list(filter, null, DEFAULT_PAGE);
    }

    /**
     * A page of those that match, by tenant and name.
     *
     * @param after the last one of the page before; null for the first page
     * @param most how many at most; never more than {@value #LARGEST_PAGE}
     */
    List<ScheduleDetails> list(ScheduleFilter filter, @Nullable ScheduleKey after, int most);

    /**
     * As {@link #list(ScheduleFilter, ScheduleKey, int)}, with a bounded effort however many there are.
     *
     * @param after {@link Page#next()} of the page before; null for the first page
     */
    Page<ScheduleDetails> page(ScheduleFilter filter, @Nullable String after, int most);

    /**
     * Stops new ticks. Runs that are queued or running go on. A declared schedule stays paused over restarts.
     *
     * @param who for the record
     * @return false when it was not active
     */
    boolean pause(ScheduleKey key, @Nullable String reason, @Nullable String who);

    /**
     * Lets ticks come again; those missed meanwhile are treated by the misfire policy. A failed schedule gets another try.
     *
     * @return false when it was neither paused nor failed
     */
    boolean resume(ScheduleKey key, @Nullable String who);

    /**
     * Makes a run now, beside the ticks and whatever the schedule's state. Unless runs may overlap, it waits for the end of
     * one that is live.
     *
     * @return the run's id; nothing when there is no such schedule
     */
    Optional<Long> trigger(ScheduleKey key);

    /** As {@link #trigger(ScheduleKey)}, with another payload; null for none. */
    Optional<Long> trigger(ScheduleKey key, @Nullable Object payload);

    /**
     * Removes a schedule; its queued and running runs go on.
     *
     * @return false when there is none
     * @throws IllegalStateException when it is declared in code: it would come back
     */
    boolean delete(ScheduleKey key);

    /** The next ticks, as they would come if nothing happened; of a schedule that is not active too. */
    List<TickPreview> preview(ScheduleKey key, int most);

    /** Why it did or did not run: what became of the ticks from one time to before another, oldest first. */
    default List<TickTrace> trace(ScheduleKey key, Instant from, Instant until) {
        return trace(key, from, until, Integer.MAX_VALUE);
    }

    /** As {@link #trace(ScheduleKey, Instant, Instant)}, at most so many; to go on, ask from the last tick on. */
    List<TickTrace> trace(ScheduleKey key, Instant from, Instant until, int most);

    /** How many schedules a tenant may have; null for the usual number. */
    void setQuota(String tenant, @Nullable Integer schedules);
}
