package dev.distributedscheduler.store;

import dev.distributedscheduler.DeadLetters.Replay;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.Outcome;
import dev.distributedscheduler.run.RunState;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the tables should hold: the promises as plain maps, with a clock that only counts steps.
 *
 * <p>Every method does one step and returns what the store should answer. Only ids and tokens are taken from the store's
 * answers, because nothing but their rise is promised.
 */
final class QueueModel {

    private static final Comparator<ModelRun> NEWEST_DEAD = Comparator.<ModelRun>comparingLong(run -> run.diedAt)
            .thenComparingLong(run -> run.id)
            .reversed();
    private static final Set<Outcome> COSTLY = Set.of(Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST);

    final Map<Long, ModelRun> live = new TreeMap<>();
    final Map<Long, ModelRun> letters = new TreeMap<>();
    final ModelKeys keys = new ModelKeys();
    final ModelHistory history = new ModelHistory();
    /** Whether each has renewed its lease. */
    final Map<UUID, Boolean> nodes = new TreeMap<>();

    final Set<Long> accepted = new TreeSet<>();
    /** Ended without a row that says so: discarded, or cancelled while their node was lost. */
    final Set<Long> gone = new HashSet<>();

    private final Map<String, JobPolicy> jobs;
    long now;
    private long newestRun;
    private long newestToken;

    QueueModel(List<JobDefinition> jobs) {
        this.jobs = jobs.stream().collect(Collectors.toMap(JobDefinition::name, JobDefinition::policy));
    }

    /** Time passes: more than what {@link Dice} calls short, and all steps together less than a minute. */
    void tick() {
        now += 100;
    }

    Map<Integer, EnqueuedRun> enqueue(List<NewRun> runs, Map<Integer, EnqueuedRun> answer) {
        Map<Integer, EnqueuedRun> expected = new HashMap<>();
        long newestBefore = newestRun;
        for (int i = 0; i < runs.size(); i++) {
            JobPolicy policy = jobs.get(runs.get(i).job());
            if (policy != null) {
                ModelRun.check(answer.containsKey(i), "a run of a known job has an id");
                ModelRun run = new ModelRun(answer.get(i).id(), runs.get(i), policy);
                boolean isNew = !keys.isTaken(run.key(), now);
                expected.put(i, new EnqueuedRun(isNew ? run.id : keys.ownerOf(run.key()), isNew));
                if (isNew) {
                    ModelRun.check(run.id > newestBefore && accepted.add(run.id), "a new run has a new id");
                    newestRun = Math.max(newestRun, run.id);
                    run.waitUntil(now, ModelRun.span(runs.get(i).options().delay()));
                    enter(run);
                }
            }
        }
        return expected;
    }

    private void enter(ModelRun run) {
        live.put(run.id, run);
        keys.take(run);
    }

    /** What a claim yields, in the order of the line; the tokens are those of the answer. */
    List<ModelRun> claim(UUID node, String queue, Collection<String> known, int most, List<ClaimedRun> answer) {
        if (!nodes.getOrDefault(node, false)) {
            return List.of();
        }
        List<ModelRun> first = live(RunState.READY)
                .filter(run -> run.queue.equals(queue) && known.contains(run.job))
                .sorted(ModelRun.LINE)
                .limit(most)
                .toList();
        long newestBefore = newestToken;
        for (int i = 0; i < Math.min(first.size(), answer.size()); i++) {
            long token = answer.get(i).token();
            ModelRun.check(token > newestBefore, "tokens rise");
            newestToken = Math.max(newestToken, token);
            first.get(i).claim(node, token);
        }
        return first;
    }

    Set<Long> complete(List<FinishedAttempt> attempts) {
        Set<Long> done = new HashSet<>();
        for (FinishedAttempt attempt : attempts) {
            ModelRun run = current(attempt.run());
            if (run != null) {
                done.add(run.token);
                record(run, Outcome.COMPLETED);
                end(run, RunState.COMPLETED);
                if (run.window() != null) {
                    keys.reserve(run, now + ModelRun.span(run.window()));
                }
            }
        }
        return done;
    }

    Map<Long, RunState> fail(List<FinishedAttempt> attempts) {
        Map<Long, RunState> states = new HashMap<>();
        for (FinishedAttempt attempt : attempts) {
            ModelRun run = current(attempt.run());
            if (run != null) {
                long token = run.token;
                states.put(token, fail(run, attempt));
            }
        }
        return states;
    }

    private RunState fail(ModelRun run, FinishedAttempt attempt) {
        Outcome outcome = attempt.outcome();
        boolean cancelled = run.cancelRequested || outcome == Outcome.CANCELLED;
        record(run, cancelled && outcome != Outcome.LOST ? Outcome.CANCELLED : outcome);
        run.failures += COSTLY.contains(outcome) ? 1 : 0;
        run.snoozes += outcome == Outcome.SNOOZED ? 1 : 0;
        if (cancelled) {
            end(run, RunState.CANCELLED);
            if (outcome == Outcome.LOST) {
                gone.add(run.id);
            }
        } else if (attempt.retryIn() == null || run.failures >= run.maxAttempts) {
            end(run, RunState.DEAD);
            run.die(outcome, now);
            letters.put(run.id, run);
        } else {
            run.release();
            run.retry(now, ModelRun.span(attempt.retryIn()));
        }
        return run.state;
    }

    private void end(ModelRun run, RunState state) {
        run.release();
        run.move(state);
        live.remove(run.id);
        keys.giveUp(run);
    }

    private ModelRun current(ClaimedRun claim) {
        ModelRun run = live.get(claim.id());
        return run != null && run.state == RunState.RUNNING && run.token == claim.token() ? run : null;
    }

    private void record(ModelRun run, Outcome outcome) {
        history.record(run.id, run.attempt, run.token, outcome);
    }

    /** Those that had no answer but LOST. */
    Set<Long> recordStale(List<FinishedAttempt> attempts) {
        Set<Long> late = new HashSet<>();
        for (FinishedAttempt attempt : attempts) {
            ClaimedRun run = attempt.run();
            if (!history.isAnswered(run.token())) {
                history.record(run.id(), run.attempt(), run.token(), Outcome.STALE);
                late.add(run.token());
            }
        }
        return late;
    }

    Set<UUID> expelExpired() {
        Set<UUID> expired =
                nodes.keySet().stream().filter(node -> !nodes.get(node)).collect(Collectors.toSet());
        nodes.keySet().removeAll(expired);
        return expired;
    }

    List<ModelRun> ofLostNodes(int most) {
        return live(RunState.RUNNING)
                .filter(run -> !nodes.containsKey(run.node))
                .limit(most)
                .toList();
    }

    Set<Long> cancel(Collection<Long> ids) {
        Set<Long> found = new HashSet<>(ids);
        found.retainAll(live.keySet());
        for (ModelRun run : found.stream().map(live::get).toList()) {
            if (run.state == RunState.RUNNING) {
                run.cancelRequested = true;
            } else {
                record(run, Outcome.CANCELLED);
                end(run, RunState.CANCELLED);
            }
        }
        return found;
    }

    int giveBackUnheld(UUID node, String queue, Collection<Long> held) {
        List<ModelRun> unheld = live(RunState.RUNNING)
                .filter(run -> run.node.equals(node) && run.queue.equals(queue) && !held.contains(run.token))
                .toList();
        unheld.forEach(run -> {
            run.release();
            run.move(RunState.READY);
        });
        return unheld.size();
    }

    int promoteDue(int most) {
        List<ModelRun> due = live(RunState.SCHEDULED)
                .filter(run -> run.runAt <= now)
                .sorted(Comparator.comparingLong(run -> run.runAt))
                .limit(most)
                .toList();
        due.forEach(ModelRun::comeDue);
        return due.size();
    }

    int admit() {
        return ModelGate.KEY.pass(live.values()) + ModelGate.JOB.pass(live.values());
    }

    /** @param payload in place of the old one; null for none */
    Replay replay(long id, String payload) {
        ModelRun run = letters.get(id);
        if (run == null) {
            return Replay.NOT_FOUND;
        }
        if (keys.isTaken(run.key(), now)) {
            return Replay.KEY_TAKEN;
        }
        letters.remove(id);
        run.beginAnew(now, payload);
        enter(run);
        return Replay.REPLAYED;
    }

    /** A bulk also gives up the keys of all letters whose time is over. */
    int replayAll(String job, int most) {
        letters.values().forEach(run -> keys.forget(run, now));
        List<ModelRun> chosen = newestLetters(job)
                .filter(run -> !keys.isTaken(run.key(), now))
                .limit(most)
                .toList();
        return (int) chosen.stream()
                .filter(run -> replay(run.id, null) == Replay.REPLAYED)
                .count();
    }

    int discardAll(String job, int most) {
        List<ModelRun> chosen = newestLetters(job).limit(most).toList();
        chosen.forEach(run -> discard(run.id));
        return chosen.size();
    }

    private Stream<ModelRun> newestLetters(String job) {
        return letters.values().stream()
                .filter(run -> job == null || run.job.equals(job))
                .sorted(NEWEST_DEAD);
    }

    boolean discard(long id) {
        return letters.remove(id) != null && gone.add(id);
    }

    Stream<ModelRun> live(RunState state) {
        return live.values().stream().filter(run -> run.state == state);
    }

    /** The rows of all tables as {@link QueueTables} reads them. */
    List<String> rows() {
        Stream<String> runs = live.values().stream().map(ModelRun::live);
        Stream<String> dead = letters.values().stream().map(ModelRun::letter);
        Stream<String> alive = nodes.keySet().stream().map(node -> ModelRun.words("node", node, nodes.get(node)));
        return Stream.of(runs, dead, alive, keys.rows(now), history.counts())
                .flatMap(Function.identity())
                .toList();
    }
}
