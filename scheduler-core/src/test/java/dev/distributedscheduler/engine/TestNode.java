package dev.distributedscheduler.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.distributedscheduler.dispatch.DispatchSettings;
import dev.distributedscheduler.dispatch.DispatchSettings.Mode;
import dev.distributedscheduler.engine.SchedulerEngine.Connections;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.leader.LeaderSettings;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.worker.NodeSettings;
import dev.distributedscheduler.worker.WorkerSettings;
import dev.distributedscheduler.worker.WorkerSettings.Buffers;
import dev.distributedscheduler.worker.WorkerThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A node inside the test's JVM: jobs, schedules and settings are put together, then it is started. */
final class TestNode implements AutoCloseable {

    private final DataSource unpooled;
    private final List<JobDefinition> jobs = new ArrayList<>();
    private final List<Schedule> schedules = new ArrayList<>();
    private final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();
    private final HikariDataSource pool;
    private EngineSettings settings;
    private SchedulerEngine engine;

    TestNode(DataSource dataSource, DataSource unpooled) {
        this.unpooled = unpooled;
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(5);
        this.pool = new HikariDataSource(config);
        this.settings = new EngineSettings(
                Database.DEFAULT_SCHEMA,
                new NodeSettings("test", "1", Duration.ofSeconds(3)),
                new LeaderSettings(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofMillis(200)),
                DispatchSettings.DEFAULT,
                WorkerSettings.DEFAULT.withDrainTimeout(Duration.ofSeconds(10)));
    }

    private TestNode with(UnaryOperator<EngineSettings> change) {
        settings = change.apply(settings);
        return this;
    }

    TestNode withDrainTimeout(Duration drainTimeout) {
        return with(s -> new EngineSettings(
                s.schema(), s.node(), s.leader(), s.dispatch(), s.worker().withDrainTimeout(drainTimeout)));
    }

    TestNode withStuckAfter(Duration stuckAfter) {
        return with(s -> new EngineSettings(
                s.schema(), s.node(), s.leader(), s.dispatch(), s.worker().withStuckAfter(stuckAfter)));
    }

    TestNode withBuffers(Buffers buffers) {
        return with(s -> new EngineSettings(
                s.schema(), s.node(), s.leader(), s.dispatch(), s.worker().withBuffers(buffers)));
    }

    TestNode withVersion(String version) {
        return with(s -> new EngineSettings(
                s.schema(),
                new NodeSettings(s.node().name(), version, s.node().lease()),
                s.leader(),
                s.dispatch(),
                s.worker()));
    }

    /** Makes up for missed ticks at a rate of its own. */
    TestNode catchingUpAt(double rate) {
        return with(s -> new EngineSettings(
                s.schema(),
                s.node(),
                s.leader(),
                new DispatchSettings(
                        true,
                        s.dispatch().pollEvery(),
                        s.dispatch().misfireGrace(),
                        s.dispatch().misfireAfter(),
                        rate,
                        s.dispatch().retireAfter(),
                        s.dispatch().historyRetention(),
                        null,
                        s.dispatch().mode()),
                s.worker()));
    }

    /** Looks often, because nobody tells it anything. */
    TestNode withPolling(Duration pollEvery) {
        return with(s -> new EngineSettings(
                s.schema(),
                s.node(),
                s.leader(),
                s.dispatch().withPollEvery(pollEvery),
                s.worker().withPollEvery(pollEvery)));
    }

    TestNode withPartitions() {
        return with(s -> new EngineSettings(
                s.schema(), s.node(), s.leader(), s.dispatch().withMode(Mode.PARTITIONED), s.worker()));
    }

    TestNode job(JobDefinition job) {
        jobs.add(job);
        return this;
    }

    TestNode scheduled(String name, Trigger trigger, JobDefinition.Action handler) {
        return scheduled(JobDefinition.of(name, handler), trigger);
    }

    TestNode scheduled(JobDefinition job, Trigger trigger) {
        return scheduled(job, trigger, SchedulePolicy.DEFAULT);
    }

    TestNode scheduled(JobDefinition job, Trigger trigger, SchedulePolicy policy) {
        schedules.add(new Schedule(job.name(), job.name(), trigger).with(policy));
        return job(job);
    }

    TestNode start() {
        engine = new SchedulerEngine(
                settings,
                new Connections(pool, unpooled),
                new Declarations(new JobRegistry(jobs), schedules),
                WorkerThreads.PLATFORM,
                events::add);
        engine.start();
        return this;
    }

    /** What happened on this node, of one kind. */
    <T extends SchedulerEvent> List<T> events(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    HikariDataSource pool() {
        return pool;
    }

    void stop() {
        engine.stop();
    }

    @Override
    public void close() {
        if (engine != null) {
            engine.stop();
        }
        pool.close();
    }
}
