package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DeadLetterFilter;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.run.NewRun;
import java.util.List;
import java.util.Map;

/** What users ask for: by the store and by the model. */
final class UserSteps {

    private static final int MOST_LIVE = 40;

    private final Database database;
    private final DeadLetterStore letters;
    private final QueueModel model;
    private final Dice dice;
    private final StepLog log;

    UserSteps(Database database, QueueModel model, Dice dice, StepLog log) {
        this.database = database;
        this.letters = new DeadLetterStore(database);
        this.model = model;
        this.dice = dice;
        this.log = log;
    }

    /** In a transaction, so that all have the same time. */
    void enqueue() {
        if (model.live.size() < MOST_LIVE) {
            Enqueuing enqueuing = new Enqueuing(database);
            List<NewRun> runs = dice.newRuns();
            Map<Integer, EnqueuedRun> answer =
                    log.ask(() -> database.inTransaction(() -> enqueuing.enqueue(runs)), "enqueue", runs);
            assertThat(answer).isEqualTo(model.enqueue(runs, answer));
        }
    }

    void cancel() {
        List<Long> ids = dice.someOf(dice.chance(95) ? model.live.keySet() : model.accepted, dice.upTo(2));
        assertThat(log.ask(() -> new Cancelling(database).cancel(ids), "cancel", ids))
                .isEqualTo(model.cancel(ids));
    }

    void replay() {
        long id = aLetter();
        String payload = dice.chance(20) ? "changed" : null;
        assertThat(log.ask(() -> payload == null ? letters.replay(id) : letters.replayWith(id, payload), "replay", id))
                .isEqualTo(model.replay(id, payload));
    }

    void replayAll() {
        int most = dice.upTo(5);
        String job = aJobOrAll();
        assertThat(log.ask(() -> letters.replayAll(of(job), most), "replay all", of(job), most))
                .isEqualTo(model.replayAll(job, most));
    }

    void discard() {
        long id = aLetter();
        assertThat(log.ask(() -> letters.discard(id), "discard", id)).isEqualTo(model.discard(id));
    }

    void discardAll() {
        int most = dice.upTo(2);
        String job = aJobOrAll();
        assertThat(log.ask(() -> letters.discardAll(of(job), most), "discard all", of(job), most))
                .isEqualTo(model.discardAll(job, most));
    }

    private String aJobOrAll() {
        return dice.chance(50) ? null : dice.oneOf(Dice.JOB_NAMES);
    }

    private static DeadLetterFilter of(String job) {
        return new DeadLetterFilter(job, null, null, null);
    }

    /** Mostly one that is there. */
    private long aLetter() {
        List<Long> there = List.copyOf(model.letters.keySet());
        return there.isEmpty() || dice.chance(5) ? 0 : dice.oneOf(there);
    }
}
