package dev.distributedscheduler.benchmarks.contestant;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.Schedules;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** db-scheduler, in either of its polling modes. A job is the id of a one-time task without data, its leanest form. */
public final class DbScheduler implements Contestant {

    private static final String TASK = "no-op";
    private static final Duration POLLING_INTERVAL = Duration.ofMillis(100);
    private static final double LOWER_LIMIT = 1.0;
    private static final double UPPER_LIMIT = 4.0;

    private final Polling polling;

    /** How it finds due executions. */
    enum Polling {
        LOCK_AND_FETCH("lock-and-fetch"),
        FETCH("fetch");

        private final String label;

        Polling(String label) {
            this.label = label;
        }
    }

    DbScheduler(Polling polling) {
        this.polling = polling;
    }

    @Override
    public String name() {
        return "db-scheduler-" + polling.label;
    }

    @Override
    public String settings() {
        return "db-scheduler %s; %d threads, polling by %s (limits %s and %s), every %d ms, immediate execution"
                .formatted(
                        Versions.of(Scheduler.class),
                        Conditions.WORKERS,
                        polling.label,
                        LOWER_LIMIT,
                        UPPER_LIMIT,
                        POLLING_INTERVAL.toMillis());
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.complementOf(EnumSet.of(Ability.REMEMBER));
    }

    @Override
    public int backlog() {
        return polling == Polling.LOCK_AND_FETCH ? 60_000 : 30_000;
    }

    @Override
    public void createTables(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    create table scheduled_tasks (
                        task_name text,
                        task_instance text,
                        task_data bytea,
                        execution_time timestamptz not null,
                        picked boolean not null,
                        picked_by text,
                        last_success timestamptz,
                        last_failure timestamptz,
                        consecutive_failures integer,
                        last_heartbeat timestamptz,
                        version bigint not null,
                        priority smallint,
                        primary key (task_name, task_instance)
                    );
                    create index on scheduled_tasks (execution_time);
                    create index on scheduled_tasks (last_heartbeat);
                    """);
        }
    }

    @Override
    public Instance open(Conditions conditions, JobSink sink) {
        return new Node(conditions, sink);
    }

    @Override
    public String hasUnfinishedJobs() {
        return "select exists (select from scheduled_tasks where task_name = '%s')".formatted(TASK);
    }

    @Override
    public String hotTable() {
        return "public.scheduled_tasks";
    }

    private final class Node implements Instance {

        private final HikariDataSource pool;
        private final OneTimeTask<Void> task;
        private final Scheduler scheduler;

        Node(Conditions conditions, JobSink sink) {
            this.pool = conditions.pool();
            this.task = Tasks.oneTime(TASK).execute((instance, context) -> sink.handled(instance.getId()));
            SchedulerBuilder builder = Scheduler.create(pool, task)
                    .startTasks(schedules(conditions, sink))
                    .schedulerName(new SchedulerName.Fixed(UUID.randomUUID().toString()));
            this.scheduler = (conditions.forLoad() ? tuned(builder) : builder).build();
        }

        private SchedulerBuilder tuned(SchedulerBuilder builder) {
            SchedulerBuilder tuned = builder.threads(Conditions.WORKERS)
                    .pollingInterval(POLLING_INTERVAL)
                    .enableImmediateExecution();
            return switch (polling) {
                case LOCK_AND_FETCH -> tuned.pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT);
                case FETCH -> tuned.pollUsingFetch(LOWER_LIMIT, UPPER_LIMIT);
            };
        }

        private static List<RecurringTask<Void>> schedules(Conditions conditions, JobSink sink) {
            List<RecurringTask<Void>> tasks = new ArrayList<>();
            for (int number = 0; number < conditions.schedules(); number++) {
                String name = "schedule-" + number;
                tasks.add(Tasks.recurring(name, Schedules.cron("* * * * * *"))
                        .execute((instance, context) ->
                                sink.ticked(name, context.getExecution().getExecutionTime())));
            }
            return tasks;
        }

        @Override
        public void enqueue(String job) {
            scheduler.schedule(task.instance(job), Instant.now());
        }

        @Override
        public void enqueueAll(List<String> jobs) {
            List<TaskInstance<?>> instances = new ArrayList<>(jobs.size());
            jobs.forEach(job -> instances.add(task.instance(job)));
            scheduler.scheduleBatch(instances, Instant.now());
        }

        @Override
        public void start() {
            scheduler.start();
        }

        @Override
        public void close() {
            scheduler.stop();
            pool.close();
        }
    }
}
