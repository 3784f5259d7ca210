package dev.distributedscheduler.worker;

import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.event.SchedulerEvent.ResultRefused;
import dev.distributedscheduler.event.SchedulerEvent.ResultsFlushed;
import dev.distributedscheduler.event.SchedulerEvent.RunCompleted;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import dev.distributedscheduler.store.RunHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records results in groups: whatever has ended while the previous group was on its way.
 *
 * <p>A group that cannot be recorded goes to the end of the line and is halved, down to single results, so that one which
 * the database refuses cannot hold up the others.
 */
final class RunCompleter {

    private static final int LARGEST_GROUP = 1_000;
    private static final Duration UNTIL_WOKEN = Duration.ofMinutes(1);

    private final RunHistory history;
    private final SchedulerListener events;
    private final Loop loop = new Loop("scheduler-completer", this::round);
    private final ConcurrentLinkedQueue<Result> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unrecorded = new AtomicInteger();
    private int groupSize = LARGEST_GROUP;

    /** A result, and who wants to know that the database has it. */
    private record Result(FinishedAttempt attempt, Runnable recorded) {}

    RunCompleter(RunHistory history, SchedulerListener events) {
        this.history = history;
        this.events = events;
    }

    void start() {
        loop.start();
    }

    /** Takes a result over; it is not lost while the node lives. */
    void record(FinishedAttempt attempt, Runnable recorded) {
        unrecorded.incrementAndGet();
        waiting.add(new Result(attempt, recorded));
        loop.wake();
    }

    /** Passes on that a result is recorded, by the handler's own transaction. */
    void recorded(FinishedAttempt attempt) {
        events.onEvent(new RunCompleted(attempt));
    }

    /** Waits until everything is recorded, or the patience ends, and ends the thread. */
    void close(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        synchronized (unrecorded) {
            for (long left; unrecorded.get() > 0 && (left = end - System.nanoTime()) > 0; ) {
                TimeUnit.NANOSECONDS.timedWait(unrecorded, left);
            }
        }
        loop.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }

    private Duration round() {
        List<Result> group = new ArrayList<>();
        for (Result next; group.size() < groupSize && (next = waiting.poll()) != null; ) {
            group.add(next);
        }
        long began = System.nanoTime();
        try {
            record(group.stream().filter(r -> r.attempt().isCompleted()).toList(), this::complete);
            record(group.stream().filter(r -> !r.attempt().isCompleted()).toList(), this::fail);
        } catch (Throwable failure) {
            groupSize = Math.max(1, group.size() / 2);
            waiting.addAll(group); // what was recorded already is recognised when it comes again
            throw failure;
        }
        groupSize = Math.min(LARGEST_GROUP, groupSize * 2);
        if (!group.isEmpty()) {
            events.onEvent(new ResultsFlushed(group.size(), Duration.ofNanos(System.nanoTime() - began)));
        }
        group.forEach(result -> result.recorded().run());
        if (unrecorded.addAndGet(-group.size()) == 0) {
            synchronized (unrecorded) {
                unrecorded.notifyAll();
            }
        }
        return waiting.isEmpty() ? UNTIL_WOKEN : Duration.ZERO;
    }

    private interface Recorder {
        List<FinishedAttempt> record(List<FinishedAttempt> attempts);
    }

    private void record(List<Result> results, Recorder recorder) {
        if (results.isEmpty()) {
            return;
        }
        List<FinishedAttempt> unaccepted =
                recorder.record(results.stream().map(Result::attempt).toList());
        if (!unaccepted.isEmpty()) {
            Set<Long> late = history.recordStale(unaccepted);
            unaccepted.stream()
                    .filter(attempt -> late.contains(attempt.run().token()))
                    .forEach(attempt -> events.onEvent(new ResultRefused(attempt)));
        }
    }

    private List<FinishedAttempt> complete(List<FinishedAttempt> attempts) {
        Set<Long> done = history.complete(attempts);
        List<FinishedAttempt> unaccepted = new ArrayList<>();
        for (FinishedAttempt attempt : attempts) {
            if (done.contains(attempt.run().token())) {
                events.onEvent(new RunCompleted(attempt));
            } else {
                unaccepted.add(attempt);
            }
        }
        return unaccepted;
    }

    private List<FinishedAttempt> fail(List<FinishedAttempt> attempts) {
        Map<Long, RunState> states = history.fail(attempts);
        List<FinishedAttempt> unaccepted = new ArrayList<>();
        for (FinishedAttempt attempt : attempts) {
            RunState state = states.get(attempt.run().token());
            if (state == null) {
                unaccepted.add(attempt);
            } else {
                events.onEvent(SchedulerEvent.unsuccessful(attempt, state));
            }
        }
        return unaccepted;
    }
}
