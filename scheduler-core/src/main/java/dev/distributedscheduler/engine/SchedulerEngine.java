package dev.distributedscheduler.engine;

import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.dispatch.DispatchSettings.Mode;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeft;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.loop.Loop;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.ClusterSurvey;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.NodeStore;
import dev.distributedscheduler.store.NodeStore.Node;
import dev.distributedscheduler.store.Notifications;
import dev.distributedscheduler.store.WakeUp;
import dev.distributedscheduler.store.WakeUps;
import dev.distributedscheduler.watch.ClusterWatch;
import dev.distributedscheduler.worker.AttemptInterceptor;
import dev.distributedscheduler.worker.Deadlines;
import dev.distributedscheduler.worker.NodeHeartbeat;
import dev.distributedscheduler.worker.WorkerThreads;
import dev.distributedscheduler.worker.Workers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * One node of the cluster: joins, leads when elected, executes, and leaves in order.
 *
 * <p>Threads and their database connections:
 *
 * <pre>
 *   heartbeat, election   one dedicated connection: what keeps the node alive needs nothing from a pool
 *   dispatch              one dedicated connection, while this node leads
 *   listener              one dedicated connection
 *   claimers, completer   the application's pool
 *   watch                 the application's pool, for a moment now and then
 * </pre>
 */
public final class SchedulerEngine {

    private static final Logger log = LoggerFactory.getLogger(SchedulerEngine.class);
    private static final Duration LONGEST_VITAL_CALL = Duration.ofSeconds(5);
    private static final Duration TO_STOP = Duration.ofSeconds(2);

    private final EngineSettings settings;
    private final Declarations declared;
    private final Declaring declaring;
    private final SchedulerListener events;
    private final DedicatedDataSource vital;
    private final Deadlines deadlines = new Deadlines();
    private final NodeHeartbeat heartbeat;
    private final Loop heartbeats;
    private final Leading leading;
    private final Workers workers;
    private final WakeUpListener wakeUps;
    private final Loop watch;
    private boolean running;

    /** The jobs this node can run, the schedules it knows of, and the beans that schedules may name as triggers. */
    public record Declarations(JobRegistry jobs, List<Schedule> schedules, TriggerBeans triggers) {

        public Declarations(JobRegistry jobs, List<Schedule> schedules) {
            this(jobs, schedules, TriggerBeans.NONE);
        }

        public Declarations {
            Set<String> names = new HashSet<>();
            for (Schedule schedule : schedules) {
                if (!names.add(schedule.name())) {
                    throw new SchedulerConfigurationException(
                            "Two schedules have the name '%s'".formatted(schedule.name()),
                            "Give each schedule a name of its own.");
                }
            }
        }
    }

    /**
     * Ways to the scheduler's database.
     *
     * @param pooled for claims and results
     * @param unpooled opens a new physical connection at every call
     * @param transactions of the pooled connections, for transactional jobs
     */
    public record Connections(DataSource pooled, DataSource unpooled, PlatformTransactionManager transactions) {

        /** With plain JDBC transactions. */
        public Connections(DataSource pooled, DataSource unpooled) {
            this(pooled, unpooled, Database.transactionsOf(pooled));
        }
    }

    /**
     * Who is told what happens, and who stands around the attempts.
     *
     * @param events is told
     * @param attempts stands around
     */
    public record Observers(SchedulerListener events, AttemptInterceptor attempts) {}

    public SchedulerEngine(
            EngineSettings settings,
            Connections connections,
            Declarations declared,
            WorkerThreads threads,
            SchedulerListener events) {
        this(settings, connections, declared, threads, new Observers(events, AttemptInterceptor.NONE));
    }

    public SchedulerEngine(
            EngineSettings settings,
            Connections connections,
            Declarations declared,
            WorkerThreads threads,
            Observers observers) {
        this.settings = settings;
        this.declared = declared;
        this.events = observers.events();
        checkFreshness(settings, declared);
        Database database = new Database(connections.pooled(), settings.schema());
        this.declaring = new Declaring(declared, settings.node().version(), database);
        this.vital = new DedicatedDataSource(connections.unpooled(), vitalCallTimeout(settings));
        Database vitalDatabase = new Database(vital, settings.schema());
        this.heartbeat =
                new NodeHeartbeat(new NodeStore(vitalDatabase), settings.node(), this::describe, deadlines, events);
        heartbeat.whenDeployed(declaring::newestDeployment);
        this.heartbeats = new Loop("scheduler-heartbeat", heartbeat::round).keepingJvmAlive();
        this.leading = new Leading(
                settings,
                vitalDatabase,
                connections.unpooled(),
                heartbeat::liveNode,
                new Leading.Surroundings(declared.triggers(), events));
        this.workers = new Workers(
                settings.worker(),
                threads,
                new Workers.Means(
                        database,
                        connections.transactions(),
                        declared.jobs(),
                        heartbeat,
                        deadlines,
                        events,
                        observers.attempts()));
        this.wakeUps = new WakeUpListener(
                new Notifications(new DedicatedDataSource(connections.unpooled(), Duration.ZERO), database),
                this::wake);
        ClusterSurvey survey = new ClusterSurvey(database, settings.node().lease());
        ClusterWatch watching = new ClusterWatch(
                () -> survey.look(settings.watch().patience(), settings.watch().exactUpTo()),
                settings.watch(),
                () -> leading.term().isPresent(),
                events);
        this.watch = new Loop("scheduler-watch", watching::round);
    }

    /** A success that the history has forgotten cannot be told from one that never was. */
    private static void checkFreshness(EngineSettings settings, Declarations declared) {
        Duration retention = settings.dispatch().historyRetention();
        for (JobDefinition job : declared.jobs().definitions()) {
            Duration promise = job.policy().mustSucceedEvery();
            if (promise != null && promise.compareTo(retention) >= 0) {
                throw new SchedulerConfigurationException(
                        "Job '%s' must succeed every %s, but the history goes back only %s"
                                .formatted(job.name(), promise, retention),
                        "Shorten mustSucceedEvery, or set distributed-scheduler.dispatch.history-retention to more.");
            }
        }
    }

    private static Duration vitalCallTimeout(EngineSettings settings) {
        Duration shorter = settings.node().lease().compareTo(settings.leader().lease()) < 0
                ? settings.node().lease()
                : settings.leader().lease();
        Duration third = shorter.dividedBy(3);
        return third.compareTo(LONGEST_VITAL_CALL) < 0 ? third : LONGEST_VITAL_CALL;
    }

    private Node describe(UUID id) {
        return new Node(
                id,
                settings.node().name(),
                settings.node().version(),
                settings.dispatch().enabled(),
                settings.worker().enabled(),
                declared.jobs().names(),
                declaring.declared(settings.dispatch().mode() == Mode.PARTITIONED));
    }

    /** Joins the cluster and declares its jobs and schedules; fails when the database cannot be reached. */
    public synchronized void start() {
        declaring.identify();
        heartbeat.round();
        try {
            declaring.start();
        } catch (RuntimeException refused) {
            attempt("leave the cluster", () -> heartbeat.leave(true));
            throw refused;
        }
        heartbeats.start();
        if (settings.worker().enabled()) {
            workers.start();
        }
        if (settings.dispatch().enabled()) {
            leading.start();
        }
        wakeUps.start();
        if (settings.watch().enabled()) {
            watch.start();
        }
        running = true;
    }

    /** Lets this node know of what its own JVM puts in line, before the database could tell. */
    public void listenTo(WakeUps here) {
        here.listenHere(this::wake);
    }

    private void wake(WakeUp what, String detail) {
        switch (what) {
            case LEADER -> leading.wakeElection();
            case DUE -> leading.wakeDispatch();
            case READY -> workers.wake(detail, 0);
            case MANY -> {
                int colon = detail.indexOf(':');
                workers.wake(detail.substring(colon + 1), Integer.parseInt(detail, 0, colon, 10));
            }
            case CANCEL -> workers.cancel(List.of(Long.valueOf(detail)));
            case ALL -> {
                leading.wakeElection();
                leading.wakeDispatch();
                workers.wakeAll();
            }
        }
    }

    /** This node as it knows itself; asks nobody and waits for nobody. */
    public NodeStatus status() {
        return new NodeStatus(
                heartbeat.liveNode().orElse(null),
                heartbeat.sinceHeartbeat(),
                settings.node().heartbeatEvery(),
                leading.term().map(Term::number).orElse(null),
                settings.leader().lease(),
                wakeUps.state(),
                settings.worker().enabled() ? workers.slots() : Map.of());
    }

    public synchronized boolean isRunning() {
        return running;
    }

    /**
     * Leaves the cluster in order: claims nothing more, hands the leadership over, lets the running attempts end within the
     * drain time, records their results, and only then gives up its lease. Has no effect on a node that is not running.
     */
    public synchronized void stop() {
        if (!running) {
            return;
        }
        running = false;
        workers.stopClaiming();
        attempt("announce that it drains", heartbeat::drain);
        attempt("hand over the leadership", leading::stop);
        wakeUps.close();
        watch.close(TO_STOP);
        declaring.close();
        int unfinished = workers.drain();
        attempt("give back its last claims", workers::giveBackUnheld);
        heartbeats.close(TO_STOP);
        attempt("leave the cluster", () -> heartbeat.leave(unfinished == 0));
        deadlines.close();
        vital.close();
        events.onEvent(new NodeLeft(unfinished));
    }

    private static void attempt(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            log.warn(
                    "This node could not {}; the others will notice when its lease ends: {}", what, failure.toString());
            log.debug("Failed to {}", what, failure);
        }
    }
}
