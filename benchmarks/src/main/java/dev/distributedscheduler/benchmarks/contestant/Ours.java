package dev.distributedscheduler.benchmarks.contestant;

import com.zaxxer.hikari.HikariDataSource;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.engine.EngineSettings;
import dev.distributedscheduler.engine.EnqueueInterceptor;
import dev.distributedscheduler.engine.RunEnqueuer;
import dev.distributedscheduler.engine.ScheduleOperations;
import dev.distributedscheduler.engine.ScheduleOperations.Limits;
import dev.distributedscheduler.engine.SchedulerEngine;
import dev.distributedscheduler.engine.SchedulerEngine.Connections;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.event.EventLog;
import dev.distributedscheduler.event.Events;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobRegistry;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.JobStore;
import dev.distributedscheduler.store.SchemaMigrator;
import dev.distributedscheduler.store.WakeUps;
import dev.distributedscheduler.worker.WorkerSettings;
import dev.distributedscheduler.worker.WorkerThreads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** This project's engine, put together as its auto-configuration does, histories included. */
public final class Ours implements Contestant {

    static final String JOB = "no-op";
    private static final int MOST_PAYLOAD = 1_000_000;
    private static final int MOST_SCHEDULES = 1_000_000;

    private final String name;
    private final Supplier<List<SchedulerListener>> listeners;

    /** @param listeners besides the log, which every application has; a variant with meters gives them here */
    Ours(String name, Supplier<List<SchedulerListener>> listeners) {
        this.name = name;
        this.listeners = listeners;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String settings() {
        return "scheduler-core of this source tree; concurrency %d, everything else default"
                .formatted(Conditions.WORKERS);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    @Override
    public int backlog() {
        return 300_000;
    }

    @Override
    public void createTables(DataSource database) {
        new SchemaMigrator(database, Database.DEFAULT_SCHEMA).migrate();
        // Runs of a job can be enqueued once a node has declared it; here that happens before any node starts.
        new JobStore(new Database(database, Database.DEFAULT_SCHEMA))
                .declare(List.of(JobDefinition.of(JOB, context -> {})), 0);
    }

    @Override
    public Instance open(Conditions conditions, JobSink sink) {
        return new Node(conditions, sink);
    }

    @Override
    public String hasUnfinishedJobs() {
        return "select exists (select from scheduler.run)";
    }

    @Override
    public String hotTable() {
        return "scheduler.run";
    }

    @Override
    public void fillHistory(Connection connection, long runs) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into scheduler.execution (run_id, job, queue, attempt, token, node_id, outcome, run_at, claimed_at,
                                                 started_at, finished_at)
                select -n, ?, 'default', 1, -n, gen_random_uuid(), 'COMPLETED', at, at, at, at
                from generate_series(1, ?) n, lateral (select now() - n * interval '1 ms' as at) moment
                """)) {
            insert.setString(1, JOB);
            insert.setLong(2, runs);
            insert.executeUpdate();
        }
    }

    private final class Node implements Instance {

        private final HikariDataSource pool;
        private final SchedulerEngine engine;
        private final JobScheduler jobs;

        Node(Conditions conditions, JobSink sink) {
            this.pool = conditions.pool();
            this.engine = new SchedulerEngine(
                    settings(conditions),
                    new Connections(pool, conditions.unpooled()),
                    new Declarations(new JobRegistry(jobs(conditions, sink)), schedules(conditions)),
                    WorkerThreads.PLATFORM,
                    new Events(allListeners()));
            Database database = new Database(pool, Database.DEFAULT_SCHEMA);
            PlainText payloads = new PlainText();
            WakeUps wakeUps = new WakeUps(database);
            engine.listenTo(wakeUps);
            this.jobs = new RunEnqueuer(
                    database,
                    wakeUps,
                    payloads,
                    MOST_PAYLOAD,
                    new ScheduleOperations(
                            database, payloads, new Limits(MOST_PAYLOAD, MOST_SCHEDULES), () -> TriggerBeans.NONE),
                    EnqueueInterceptor.NONE);
        }

        private static EngineSettings settings(Conditions conditions) {
            EngineSettings defaults = EngineSettings.defaults("benchmark");
            if (!conditions.forLoad()) {
                return defaults;
            }
            WorkerSettings worker = defaults.worker();
            return new EngineSettings(
                    defaults.schema(),
                    defaults.node(),
                    defaults.leader(),
                    defaults.dispatch(),
                    new WorkerSettings(
                            true,
                            Conditions.WORKERS,
                            Map.of(),
                            worker.pollEvery(),
                            worker.drainTimeout(),
                            worker.stuckAfter(),
                            worker.buffers()));
        }

        private static List<JobDefinition> jobs(Conditions conditions, JobSink sink) {
            List<JobDefinition> jobs = new ArrayList<>();
            jobs.add(JobDefinition.<String>of(JOB, text -> text, (job, context) -> sink.handled(job)));
            for (String schedule : names(conditions)) {
                jobs.add(JobDefinition.of(
                        schedule, context -> sink.ticked(schedule, Objects.requireNonNull(context.scheduledTime()))));
            }
            return jobs;
        }

        private static List<Schedule> schedules(Conditions conditions) {
            return names(conditions).stream()
                    .map(name -> new Schedule(name, name, CronTrigger.of("* * * * * *", "UTC")))
                    .toList();
        }

        private static List<String> names(Conditions conditions) {
            return IntStream.range(0, conditions.schedules())
                    .mapToObj(number -> "schedule-" + number)
                    .toList();
        }

        private List<SchedulerListener> allListeners() {
            List<SchedulerListener> all = new ArrayList<>();
            all.add(new EventLog());
            all.addAll(listeners.get());
            return all;
        }

        @Override
        public void enqueue(String job) {
            jobs.enqueue(JOB, job);
        }

        @Override
        public void enqueueAll(List<String> payloads) {
            jobs.enqueueAll(JOB, payloads);
        }

        @Override
        public void start() {
            engine.start();
        }

        @Override
        public void close() {
            engine.stop();
            pool.close();
        }
    }
}
