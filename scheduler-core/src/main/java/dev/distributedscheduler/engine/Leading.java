package dev.distributedscheduler.engine;

import dev.distributedscheduler.dispatch.DispatchSettings.Mode;
import dev.distributedscheduler.dispatch.LeaderDuties;
import dev.distributedscheduler.dispatch.PartitionDuties;
import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.LeaderElector;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The part of a node that may lead: stands for election, and does a leader's duties while it is elected. */
final class Leading {

    private static final Duration TO_STOP = Duration.ofSeconds(2);

    private final LeaderElector elector;
    private final LeaderDuties duties;
    private final @Nullable PartitionDuties partitions;
    private final DedicatedDataSource connection;
    private final Loop election;
    private final Loop dispatch;

    /** What a leader needs of its node beside the database. */
    record Surroundings(TriggerBeans triggers, SchedulerListener events) {}

    /**
     * @param vital for the lease
     * @param unpooled for the connection that dispatch uses while this node leads
     */
    Leading(
            EngineSettings settings,
            Database vital,
            DataSource unpooled,
            Supplier<Optional<UUID>> liveNode,
            Surroundings surroundings) {
        SchedulerListener events = event -> {
            surroundings.events().onEvent(event);
            if (event instanceof LeadershipGained) {
                wakeDispatch();
            }
        };
        this.connection = new DedicatedDataSource(unpooled, settings.leader().lease());
        this.elector = new LeaderElector(new LeaseStore(vital), settings.leader(), liveNode, events, System::nanoTime);
        LeaderDuties.Means means = new LeaderDuties.Means(
                new Database(connection, settings.schema()), surroundings.triggers(), events, System::nanoTime);
        this.duties = new LeaderDuties(elector, settings.dispatch(), means);
        this.partitions = settings.dispatch().mode() == Mode.PARTITIONED
                ? new PartitionDuties(liveNode, settings.dispatch(), elector.transactionPatience(), means)
                : null;
        this.election = new Loop("scheduler-election", elector::round);
        this.dispatch = new Loop("scheduler-dispatch", this::dispatch);
    }

    void start() {
        election.start();
        dispatch.start();
    }

    /** The term in which this node leads. */
    Optional<Term> term() {
        return elector.current();
    }

    void wakeElection() {
        election.wake();
    }

    void wakeDispatch() {
        dispatch.wake();
    }

    private Duration dispatch() {
        Duration pause = duties.round();
        if (partitions != null) {
            Duration own = partitions.round();
            return own.compareTo(pause) < 0 ? own : pause;
        }
        if (elector.current().isEmpty()) {
            connection.close();
        }
        return pause;
    }

    /** Lets the round under way end and hands the leadership over at once. */
    void stop() {
        election.close(TO_STOP);
        dispatch.close(TO_STOP);
        if (partitions != null) {
            partitions.release();
        }
        elector.release();
        connection.abort();
    }
}
