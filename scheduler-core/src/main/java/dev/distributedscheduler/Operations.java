package dev.distributedscheduler;

import dev.distributedscheduler.DeadLetters.Replay;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What people do to schedules and runs, on record: each act and the note of who did it are committed together.
 *
 * <p>The acts are those of {@link Schedules}, {@link JobScheduler} and {@link DeadLetters}, and join the caller's Spring
 * transaction as those do. The endpoints act through this; a user interface of the application's own may do so too. Records
 * are kept as long as the history. An act that changed nothing leaves none.
 */
public interface Operations {

    int LARGEST_PAGE = 500;

    /** As {@link Schedules#pause}. */
    boolean pause(ScheduleKey key, Note note);

    /** As {@link Schedules#resume}. */
    boolean resume(ScheduleKey key, Note note);

    /** As {@link Schedules#trigger(ScheduleKey)}. */
    Optional<Long> trigger(ScheduleKey key, Note note);

    /** As {@link Schedules#trigger(ScheduleKey, Object)}. */
    Optional<Long> trigger(ScheduleKey key, @Nullable Object payload, Note note);

    /** As {@link JobScheduler#enqueue(String, Object)}; on record as a TRIGGER of the job. */
    EnqueuedRun enqueue(String job, @Nullable Object payload, Note note);

    /** As {@link JobScheduler#cancel}. */
    boolean cancel(long runId, Note note);

    /** As {@link JobScheduler#retryNow}. */
    boolean retryNow(long runId, Note note);

    /** As {@link DeadLetters#replay(long)}. */
    Replay replay(long runId, Note note);

    /** As {@link DeadLetters#replay(long, Object)}. */
    Replay replay(long runId, @Nullable Object payload, Note note);

    /** As {@link DeadLetters#replayAll}; on record for each run. */
    int replayAll(DeadLetterFilter filter, int most, Note note);

    /** As {@link DeadLetters#discard}. */
    boolean discard(long runId, Note note);

    /** As {@link DeadLetters#discardAll}; on record for each run. */
    int discardAll(DeadLetterFilter filter, int most, Note note);

    /**
     * What was done to a schedule, latest first.
     *
     * @param most how many at most; never more than {@value #LARGEST_PAGE}
     */
    List<Operation> ofSchedule(ScheduleKey key, int most);

    /** What was done to a job without a schedule, latest first. */
    List<Operation> ofJob(String job, int most);

    /** What was done to a run, live, dead or ended, latest first. */
    List<Operation> ofRun(long runId, int most);

    /**
     * Who does something, and why.
     *
     * @param who null for somebody whom the application does not know
     */
    record Note(@Nullable String who, @Nullable String reason) {

        public static final int LONGEST_WHO = 200;
        public static final int LONGEST_REASON = 1_000;

        public Note {
            check("name", who, LONGEST_WHO);
            check("reason", reason, LONGEST_REASON);
        }

        private static void check(String what, @Nullable String text, int longest) {
            if (text != null && (text.length() > longest || text.indexOf('\0') >= 0)) {
                throw new IllegalArgumentException(
                        "A %s has at most %d characters, without zeros".formatted(what, longest));
            }
        }
    }
}
