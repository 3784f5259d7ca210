package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import dev.distributedscheduler.store.NodeStore.Node;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What nodes do with runs, in time and too late: by the store and by the model. */
final class WorkerSteps {

    private static final int NODES = 4;

    private final RunQueue queue;
    private final RunHistory history;
    private final NodeStore nodeStore;
    private final QueueModel model;
    private final Dice dice;
    private final StepLog log;
    private final List<UUID> nodes = new ArrayList<>();
    private final List<ClaimedRun> claims = new ArrayList<>();

    WorkerSteps(Database database, QueueModel model, Dice dice, StepLog log) {
        this.queue = new RunQueue(database);
        this.history = new RunHistory(database);
        this.nodeStore = new NodeStore(database);
        this.model = model;
        this.dice = dice;
        this.log = log;
    }

    /** In place of those that were expelled. */
    void addMissingNodes() {
        while (model.nodes.size() < NODES) {
            UUID id = dice.id();
            nodes.add(id);
            model.nodes.put(id, true);
            nodeStore.register(new Node(id, "node", null, true, true, Set.copyOf(Dice.JOB_NAMES)), TestTables.HOUR);
        }
    }

    /** Mostly one that is there, sometimes one that is no more. */
    private UUID aNode() {
        return dice.oneOf(dice.chance(95) ? List.copyOf(model.nodes.keySet()) : nodes);
    }

    void claim() {
        UUID node = aNode();
        String from = dice.oneOf(Dice.QUEUES);
        List<String> known = dice.someOf(Dice.JOB_NAMES, dice.upTo(8));
        int most = dice.upTo(5);
        List<ClaimedRun> answer = log.ask(() -> queue.claim(node, from, known, most), "claim", node, from, known, most);
        List<ModelRun> expected = model.claim(node, from, known, most, answer);
        assertThat(answer.stream().map(ModelRun::claimed))
                .containsExactlyElementsOf(
                        expected.stream().map(ModelRun::claimed).toList());
        claims.addAll(answer);
    }

    /** Attempts of which most are the current ones of their runs; others were taken away, or have their outcome. */
    private List<ClaimedRun> attempts() {
        Map<Long, Long> current =
                model.live(RunState.RUNNING).collect(Collectors.toMap(run -> run.id, run -> run.token));
        Set<ClaimedRun> chosen = new LinkedHashSet<>(some(claim -> current.containsValue(claim.token()), dice.upTo(3)));
        if (dice.chance(20)) {
            chosen.addAll(some(claim -> !model.history.isAnswered(claim.token()), 1));
        }
        if (dice.chance(20)) { // another node has the run by now
            chosen.addAll(some(claim -> current.getOrDefault(claim.id(), 0L) > claim.token(), 1));
        }
        return List.copyOf(chosen);
    }

    private List<ClaimedRun> some(Predicate<ClaimedRun> condition, int most) {
        return dice.someOf(claims.stream().filter(condition).toList(), most);
    }

    void complete() {
        List<FinishedAttempt> attempts = dice.completed(attempts());
        Set<Long> answer = log.ask(() -> history.complete(attempts), "complete", attempts);
        assertThat(answer).isEqualTo(model.complete(attempts));
        recordStale(attempts, answer);
    }

    void fail() {
        List<FinishedAttempt> attempts = dice.failed(attempts());
        Map<Long, RunState> answer = log.ask(() -> history.fail(attempts), "fail", attempts);
        assertThat(answer).isEqualTo(model.fail(attempts));
        recordStale(attempts, answer.keySet());
    }

    /** As the completer does, unless its node dies before. */
    private void recordStale(List<FinishedAttempt> attempts, Set<Long> accepted) {
        List<FinishedAttempt> refused = attempts.stream()
                .filter(attempt -> !accepted.contains(attempt.run().token()))
                .toList();
        if (!refused.isEmpty() && dice.chance(80)) {
            assertThat(log.ask(() -> history.recordStale(refused), "record stale", refused))
                    .isEqualTo(model.recordStale(refused));
        }
    }

    void giveBackUnheld() {
        UUID node = aNode();
        String from = dice.oneOf(Dice.QUEUES);
        List<Long> running = model.live(RunState.RUNNING).map(run -> run.token).toList();
        List<Long> held = dice.someOf(running, dice.upTo(10));
        assertThat(log.ask(() -> queue.giveBackUnheld(node, from, held), "give back all but", held, "of", node, from))
                .isEqualTo(model.giveBackUnheld(node, from, held));
    }

    void heartbeat() {
        UUID node = aNode();
        assertThat(log.ask(() -> nodeStore.heartbeat(node, TestTables.HOUR).isPresent(), "heartbeat", node))
                .isEqualTo(model.nodes.replace(node, true) != null);
    }
}
