package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.run.RunState;
import dev.distributedscheduler.store.NodeStore.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** One of several threads that do what nodes, users and a leader do, at the same time in the same tables. */
final class RacingSteps {

    private static final int MOST_LIVE = 60;
    private static final int RECENT = 40;

    /** What the threads learnt from the store's answers, and the lock that makes one of them the leader. */
    static final class Known {

        final Set<Long> accepted = ConcurrentHashMap.newKeySet();
        final Set<Long> gone = ConcurrentHashMap.newKeySet();
        final List<ClaimedRun> claims = new CopyOnWriteArrayList<>();
        private final Set<Long> outcomes = ConcurrentHashMap.newKeySet();
        private final AtomicInteger givenBack = new AtomicInteger();
        private final Lock leader = new ReentrantLock();

        /** Claims that neither ended nor were given back. */
        int underWay() {
            return claims.size() - outcomes.size() - givenBack.get();
        }
    }

    private final Database database;
    private final Dice dice;
    private final Known known;
    private final RunQueue queue;
    private final RunHistory history;
    private final NodeStore nodes;
    private final DeadLetterStore letters;
    private final StepLog log = new StepLog();
    private final List<Runnable> deck = new ArrayList<>();
    private final List<ClaimedRun> held = new ArrayList<>();
    private UUID node;

    RacingSteps(Database database, Dice dice, Known known) {
        this.database = database;
        this.dice = dice;
        this.known = known;
        this.queue = new RunQueue(database);
        this.history = new RunHistory(database);
        this.nodes = new NodeStore(database);
        this.letters = new DeadLetterStore(database);
        this.node = newNode();
        deck.addAll(Collections.nCopies(20, this::enqueue));
        deck.addAll(Collections.nCopies(20, this::claim));
        deck.addAll(Collections.nCopies(10, this::complete));
        deck.addAll(Collections.nCopies(10, this::fail));
        deck.addAll(Collections.nCopies(10, this::admit));
        deck.addAll(Collections.nCopies(6, this::promoteDue));
        deck.addAll(Collections.nCopies(6, this::letADelayPass));
        deck.addAll(Collections.nCopies(4, this::cancel));
        deck.addAll(Collections.nCopies(4, this::giveBackUnheld));
        deck.addAll(Collections.nCopies(4, this::rescue));
        deck.addAll(Collections.nCopies(4, this::heartbeat));
        deck.addAll(Collections.nCopies(4, new QueueTables(database)::assertLimitsHold));
        deck.addAll(List.of(this::letTheLeaseEnd, this::replay, this::replayAll, this::discard, this::forgetKeys));
    }

    void run(int steps) {
        for (int step = 1; step <= steps; step++) {
            try {
                dice.oneOf(deck).run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("In step %d: %s".formatted(step, failure.getMessage()), failure);
            }
        }
    }

    /** Brings everything that is live to its end. */
    void drain() {
        database.sql("update scheduler.node set lease_until = now()").update();
        rescue();
        node = newNode();
        for (int round = 0; !live().isEmpty(); round++) {
            assertThat(round).as("rounds without an end").isLessThan(200);
            database.sql("update scheduler.run set run_at = now(), place = now() where state = 'SCHEDULED'")
                    .update();
            new Promotion(database).promoteDue(1_000);
            admit();
            for (String name : Dice.QUEUES) {
                List<ClaimedRun> claimed = queue.claim(node, name, Dice.JOB_NAMES, 1_000);
                known.claims.addAll(claimed);
                accept(history.complete(dice.completed(claimed)));
            }
        }
    }

    private UUID newNode() {
        UUID id = dice.id();
        nodes.register(
                new Node(id, "node", null, true, true, Set.copyOf(Dice.JOB_NAMES), NodeStore.Declared.NOTHING),
                TestTables.HOUR);
        return id;
    }

    private void enqueue() {
        if (live().size() < MOST_LIVE) {
            List<NewRun> runs = dice.newRuns();
            Map<Integer, EnqueuedRun> answer = log.ask(() -> new Enqueuing(database).enqueue(runs), "enqueue", runs);
            answer.values().stream()
                    .filter(EnqueuedRun::isNew)
                    .forEach(run -> assertThat(known.accepted.add(run.id())).isTrue());
        }
    }

    private List<Long> live() {
        return database.sql("select id from scheduler.run").query(Long.class).list();
    }

    /** Now and then the answer gets lost. */
    private void claim() {
        List<ClaimedRun> answer =
                log.ask(() -> queue.claim(node, dice.oneOf(Dice.QUEUES), Dice.JOB_NAMES, dice.upTo(5)), "claim", node);
        known.claims.addAll(answer);
        if (dice.chance(95)) {
            held.addAll(answer);
        }
    }

    /** A few of its own, as the completer does, or one of anybody's: a thread that was frozen, or doubled. */
    private List<ClaimedRun> attempts() {
        if (dice.chance(70)) {
            return dice.someOf(held, dice.upTo(3));
        }
        List<ClaimedRun> all = List.copyOf(known.claims);
        if (dice.chance(50)) {
            return dice.someOf(all.subList(Math.max(0, all.size() - RECENT), all.size()), 1);
        }
        Map<Long, Long> own = held.stream().collect(Collectors.toMap(ClaimedRun::id, ClaimedRun::token, Math::max));
        return dice.someOf(
                all.stream()
                        .filter(claim -> own.getOrDefault(claim.id(), 0L) > claim.token())
                        .toList(),
                1);
    }

    private void complete() {
        List<FinishedAttempt> attempts = dice.completed(attempts());
        ended(attempts, log.ask(() -> history.complete(attempts), "complete", attempts));
    }

    private void fail() {
        List<FinishedAttempt> attempts = dice.failed(attempts());
        ended(attempts, log.ask(() -> history.fail(attempts), "fail", attempts).keySet());
    }

    private void ended(List<FinishedAttempt> attempts, Set<Long> accepted) {
        assertThat(attempts).extracting(attempt -> attempt.run().token()).containsAll(accepted);
        accept(accepted);
        List<FinishedAttempt> refused = attempts.stream()
                .filter(attempt -> !accepted.contains(attempt.run().token()) && held.contains(attempt.run()))
                .toList();
        log.ask(() -> history.recordStale(refused), "record stale", refused);
        attempts.forEach(attempt -> held.remove(attempt.run()));
    }

    private void accept(Set<Long> tokens) {
        tokens.forEach(token -> assertThat(known.outcomes.add(token))
                .as("first outcome of %d", token)
                .isTrue());
    }

    private void admit() {
        lead(() -> log.ask(() -> database.inTransaction(new Admission(database)::admit), "admit"));
    }

    /** As {@code LostRunRescuer} does. */
    private void rescue() {
        lead(() -> {
            Map<Long, RunState> answer = log.ask(() -> database.inTransaction(this::takeBack), "rescue");
            accept(answer.keySet());
        });
    }

    private Map<Long, RunState> takeBack() {
        nodes.expelExpired();
        List<ClaimedRun> lost = queue.lockRunsOfLostNodes(1_000);
        Map<Long, RunState> states =
                history.fail(lost.stream().map(FinishedAttempt::lost).toList());
        assertThat(states).as("what was locked is taken back").hasSameSizeAs(lost);
        lost.stream()
                .filter(run -> states.get(run.token()) == RunState.CANCELLED)
                .forEach(run -> known.gone.add(run.id()));
        return states;
    }

    private void forgetKeys() {
        lead(() -> log.ask(() -> new Enqueuing(database).forgetKeys(100), "forget keys"));
    }

    /** In production the lease's term keeps two leaders apart. */
    private void lead(Runnable duty) {
        known.leader.lock();
        try {
            duty.run();
        } finally {
            known.leader.unlock();
        }
    }

    private void promoteDue() {
        log.ask(() -> new Promotion(database).promoteDue(dice.upTo(10)), "promote");
    }

    private void letADelayPass() {
        log.ask(
                () -> database.sql("""
                                update scheduler.run set run_at = now(), place = now() - priority * interval '1 minute'
                                where state = 'SCHEDULED' and id = any(:ids)
                                """)
                        .param("ids", Columns.longs(dice.someOf(live(), 1), Long::longValue))
                        .update(),
                "make due");
    }

    private void letTheLeaseEnd() {
        log.ask(
                () -> database.sql("update scheduler.node set lease_until = now() where id = :id")
                        .param("id", node)
                        .update(),
                "end lease of",
                node);
    }

    /** Also what revives an expired node, and makes an expelled one begin anew. */
    private void heartbeat() {
        if (log.ask(() -> nodes.heartbeat(node, TestTables.HOUR), "heartbeat").isEmpty()) {
            node = newNode();
        }
    }

    /** All but what it holds, of which it forgets some. */
    private void giveBackUnheld() {
        held.removeAll(dice.someOf(held, dice.upTo(2)));
        for (String name : Dice.QUEUES) {
            List<Long> tokens = held.stream().map(ClaimedRun::token).toList();
            known.givenBack.addAndGet(
                    log.ask(() -> queue.giveBackUnheld(node, name, tokens), "give back all but", tokens, "of", name));
        }
    }

    private void cancel() {
        List<Long> ids = dice.someOf(live(), 1);
        log.ask(() -> new Cancelling(database).cancel(ids), "cancel", ids);
    }

    private void replay() {
        for (long id : dice.someOf(dead(), 1)) {
            log.ask(() -> letters.replay(id), "replay", id);
        }
    }

    private void replayAll() {
        log.ask(() -> letters.replayAll(DeadLetterFilter.ALL, dice.upTo(5)), "replay all");
    }

    private void discard() {
        for (long id : dice.someOf(dead(), 1)) {
            if (log.ask(() -> letters.discard(id), "discard", id)) {
                known.gone.add(id);
            }
        }
    }

    private List<Long> dead() {
        return database.sql("select run_id from scheduler.dead_letter")
                .query(Long.class)
                .list();
    }

    /** The last steps of this thread. */
    @Override
    public String toString() {
        return "%n%s%n".formatted(log);
    }
}
