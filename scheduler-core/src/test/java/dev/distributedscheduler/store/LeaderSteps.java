package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.run.ClaimedRun;
import dev.distributedscheduler.run.FinishedAttempt;
import dev.distributedscheduler.run.RunState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What the leader does, and the passing of time that makes it do so: by the store and by the model. */
final class LeaderSteps {

    private final Database database;
    private final RunQueue queue;
    private final QueueModel model;
    private final Dice dice;
    private final StepLog log;

    LeaderSteps(Database database, QueueModel model, Dice dice, StepLog log) {
        this.database = database;
        this.queue = new RunQueue(database);
        this.model = model;
        this.dice = dice;
        this.log = log;
    }

    void admit() {
        Admission admission = new Admission(database);
        assertThat(log.ask(() -> database.inTransaction(admission::admit), "admit"))
                .isEqualTo(model.admit());
    }

    void promoteDue() {
        int most = dice.upTo(10);
        assertThat(log.ask(() -> new Promotion(database).promoteDue(most), "promote", most))
                .isEqualTo(model.promoteDue(most));
    }

    /** As {@code LostRunRescuer} does. */
    void rescue() {
        int most = dice.upTo(10);
        log.ask(() -> database.inTransaction(() -> rescue(most)), "rescue", most);
    }

    private Map<Long, RunState> rescue(int most) {
        assertThat(Set.copyOf(new NodeStore(database).expelExpired())).isEqualTo(model.expelExpired());
        List<ClaimedRun> lost = queue.lockRunsOfLostNodes(most);
        assertThat(lost.stream().map(ModelRun::claimed))
                .containsExactlyElementsOf(
                        model.ofLostNodes(most).stream().map(ModelRun::claimed).toList());
        List<FinishedAttempt> attempts =
                lost.stream().map(FinishedAttempt::lost).toList();
        Map<Long, RunState> answer = new RunHistory(database).fail(attempts);
        assertThat(answer).isEqualTo(model.fail(attempts));
        return answer;
    }

    void forgetKeys() {
        assertThat(log.ask(() -> new Enqueuing(database).forgetKeys(100), "forget keys"))
                .isEqualTo(model.keys.forget(model.now));
    }

    void letALeaseEnd() {
        UUID node = dice.oneOf(List.copyOf(model.nodes.keySet()));
        model.nodes.put(node, false);
        log.ask(
                () -> database.sql("update scheduler.node set lease_until = now() where id = :id")
                        .param("id", node)
                        .update(),
                "end lease",
                node);
    }

    void letADelayPass() {
        for (long id :
                dice.someOf(model.live(RunState.SCHEDULED).map(run -> run.id).toList(), 1)) {
            model.live.get(id).runAt = model.now;
            log.ask(() -> database.sql("""
                                    update scheduler.run set run_at = now(), place = now() - priority * interval '1 minute'
                                    where id = :id
                                    """).param("id", id).update(), "make due", id);
        }
    }

    void letAReservationEnd() {
        for (String key : dice.someOf(model.keys.reserved(model.now), 1)) {
            model.keys.endReservation(key, model.now);
            log.ask(() -> database.sql("""
                                    update scheduler.idempotency set reserved_until = now() where job || ' ' || key = :key
                                    """).param("key", key).update(), "end reservation", key);
        }
    }
}
