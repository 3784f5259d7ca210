package dev.distributedscheduler.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.distributedscheduler.dispatch.DispatchSettings;
import dev.distributedscheduler.engine.SchedulerEngine.Connections;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobHandler;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.leader.LeaderSettings;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.worker.NodeSettings;
import dev.distributedscheduler.worker.WorkerSettings;
import dev.distributedscheduler.worker.WorkerThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A node inside the test's JVM: jobs, schedules and settings are put together, then it is started. */
final class TestNode implements AutoCloseable {

    private final DataSource dataSource;
    private final List<JobDefinition> jobs = new ArrayList<>();
    private final List<Schedule> schedules = new ArrayList<>();
    private final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();
    private final HikariDataSource pool;
    private EngineSettings settings;
    private SchedulerEngine engine;

    TestNode(DataSource dataSource) {
        this.dataSource = dataSource;
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(5);
        this.pool = new HikariDataSource(config);
        this.settings = new EngineSettings(
                Database.DEFAULT_SCHEMA,
                new NodeSettings("test", "1", Duration.ofSeconds(3)),
                new LeaderSettings(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofMillis(200)),
                DispatchSettings.DEFAULT,
                new WorkerSettings(
                        true, 10, java.util.Map.of(), WorkerSettings.DEFAULT.pollEvery(), Duration.ofSeconds(10)));
    }

    TestNode with(UnaryOperator<EngineSettings> change) {
        settings = change.apply(settings);
        return this;
    }

    TestNode job(JobDefinition job) {
        jobs.add(job);
        return this;
    }

    TestNode scheduled(String name, Trigger trigger, JobHandler handler) {
        return scheduled(JobDefinition.of(name, handler), trigger);
    }

    TestNode scheduled(JobDefinition job, Trigger trigger) {
        schedules.add(new Schedule(job.name(), job.name(), trigger));
        return job(job);
    }

    TestNode start() {
        engine = new SchedulerEngine(
                settings,
                new Connections(pool, dataSource),
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
