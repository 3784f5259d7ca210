package dev.distributedscheduler.engine;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.DeadLetters.Replay;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.Operation;
import dev.distributedscheduler.Operation.Act;
import dev.distributedscheduler.Operations;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.OperationLog;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does what is asked and writes down who did it, in one transaction; nothing is written when nothing was done. */
public final class RecordedOperations implements Operations {

    private final Database database;
    private final OperationLog log;
    private final Schedules schedules;
    private final JobScheduler scheduler;
    private final DeadLetterOperations letters;

    /** @param database on the connections of the application, whose transactions it joins */
    public RecordedOperations(
            Database database, Schedules schedules, JobScheduler scheduler, DeadLetterOperations letters) {
        this.database = database;
        this.log = new OperationLog(database);
        this.schedules = schedules;
        this.scheduler = scheduler;
        this.letters = letters;
    }

    @Override
    public boolean pause(ScheduleKey key, Note note) {
        return database.inTransaction(() -> {
            boolean paused = schedules.pause(key, note.reason(), note.who());
            if (paused) {
                log.ofSchedule(Act.PAUSE, key, null, note);
            }
            return paused;
        });
    }

    @Override
    public boolean resume(ScheduleKey key, Note note) {
        return database.inTransaction(() -> {
            boolean resumed = schedules.resume(key, note.who());
            if (resumed) {
                log.ofSchedule(Act.RESUME, key, null, note);
            }
            return resumed;
        });
    }

    @Override
    public Optional<Long> trigger(ScheduleKey key, Note note) {
        return trigger(() -> schedules.trigger(key), key, note);
    }

    @Override
    public Optional<Long> trigger(ScheduleKey key, @Nullable Object payload, Note note) {
        return trigger(() -> schedules.trigger(key, payload), key, note);
    }

    private Optional<Long> trigger(Supplier<Optional<Long>> act, ScheduleKey key, Note note) {
        return database.inTransaction(() -> {
            Optional<Long> run = act.get();
            run.ifPresent(id -> log.ofSchedule(Act.TRIGGER, key, id, note));
            return run;
        });
    }

    @Override
    public EnqueuedRun enqueue(String job, @Nullable Object payload, Note note) {
        return database.inTransaction(() -> {
            EnqueuedRun run = scheduler.enqueue(job, payload);
            log.ofRuns(Act.TRIGGER, job, List.of(run.id()), note);
            return run;
        });
    }

    @Override
    public boolean cancel(long runId, Note note) {
        return onRun(Act.CANCEL, runId, () -> scheduler.cancel(runId), Boolean::booleanValue, note);
    }

    @Override
    public boolean retryNow(long runId, Note note) {
        return onRun(Act.RETRY, runId, () -> scheduler.retryNow(runId), Boolean::booleanValue, note);
    }

    @Override
    public Replay replay(long runId, Note note) {
        return onRun(Act.REPLAY, runId, () -> letters.replay(runId), Replay.REPLAYED::equals, note);
    }

    @Override
    public Replay replay(long runId, @Nullable Object payload, Note note) {
        return onRun(Act.REPLAY, runId, () -> letters.replay(runId, payload), Replay.REPLAYED::equals, note);
    }

    @Override
    public boolean discard(long runId, Note note) {
        return onRun(Act.DISCARD, runId, () -> letters.discard(runId), Boolean::booleanValue, note);
    }

    private <T> T onRun(Act act, long runId, Supplier<T> doing, Predicate<T> done, Note note) {
        return database.inTransaction(() -> {
            T result = doing.get();
            if (done.test(result)) {
                log.ofRuns(act, List.of(runId), note);
            }
            return result;
        });
    }

    @Override
    public int replayAll(DeadLetterFilter filter, int most, Note note) {
        letters.giveUpKeys(); // not with the rest in one transaction: that could end in a circle of locks
        return onRuns(Act.REPLAY, () -> letters.replayMatching(filter, most), note);
    }

    @Override
    public int discardAll(DeadLetterFilter filter, int most, Note note) {
        return onRuns(Act.DISCARD, () -> letters.discardMatching(filter, most), note);
    }

    private int onRuns(Act act, Supplier<List<Long>> doing, Note note) {
        return database.inTransaction(() -> {
            List<Long> runs = doing.get();
            log.ofRuns(act, runs, note);
            return runs.size();
        });
    }

    @Override
    public List<Operation> ofSchedule(ScheduleKey key, int most) {
        return log.listOfSchedule(key, Cursors.size(most, LARGEST_PAGE));
    }

    @Override
    public List<Operation> ofJob(String job, int most) {
        return log.listOfJob(job, Cursors.size(most, LARGEST_PAGE));
    }

    @Override
    public List<Operation> ofRun(long runId, int most) {
        return log.listOfRun(runId, Cursors.size(most, LARGEST_PAGE));
    }
}
