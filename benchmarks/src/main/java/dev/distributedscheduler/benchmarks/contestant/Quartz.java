package dev.distributedscheduler.benchmarks.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz as a cluster. A job is a trigger, named like the job, of one durable Quartz job: its leanest form. */
public final class Quartz implements Contestant {

    private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";
    private static final String NAME = "benchmark";
    private static final JobDetail NO_OP =
            JobBuilder.newJob(Job.class).withIdentity("no-op").storeDurably().build();
    private static final JobDetail TICK =
            JobBuilder.newJob(Job.class).withIdentity("tick").storeDurably().build();

    @Override
    public String name() {
        return "quartz";
    }

    @Override
    public String settings() {
        return "Quartz %s; clustered JobStoreTX, %d threads, acquires up to %d triggers within its lock, idle wait time 1 s (its shortest)"
                .formatted(Versions.of(Scheduler.class), Conditions.WORKERS, Conditions.WORKERS);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.complementOf(EnumSet.of(Ability.REMEMBER));
    }

    @Override
    public int backlog() {
        return 2_500;
    }

    @Override
    public void createTables(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                InputStream tables = Objects.requireNonNull(Scheduler.class.getResourceAsStream(TABLES))) {
            statement.execute(new String(tables.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @Override
    public Instance open(Conditions conditions, JobSink sink) throws SchedulerException {
        return new Node(conditions, sink);
    }

    @Override
    public String hasUnfinishedJobs() {
        return "select exists (select from qrtz_triggers) or exists (select from qrtz_fired_triggers)";
    }

    @Override
    public String hotTable() {
        return "public.qrtz_triggers";
    }

    private static final class Node implements Instance {

        private final Scheduler scheduler;

        Node(Conditions conditions, JobSink sink) throws SchedulerException {
            DBConnectionManager.getInstance().addConnectionProvider(NAME, new Pool(conditions.pool()));
            this.scheduler = new StdSchedulerFactory(properties(conditions)).getScheduler();
            scheduler.setJobFactory((bundle, ignored) -> context -> execute(context, sink));
            scheduler.addJob(NO_OP, true);
            if (conditions.schedules() > 0) {
                scheduler.scheduleJob(TICK, everySecond(conditions.schedules()), true);
            }
        }

        private static Properties properties(Conditions conditions) {
            Properties properties = new Properties();
            properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME, NAME);
            properties.setProperty(
                    StdSchedulerFactory.PROP_SCHED_INSTANCE_ID, StdSchedulerFactory.AUTO_GENERATE_INSTANCE_ID);
            properties.setProperty(StdSchedulerFactory.PROP_JOB_STORE_CLASS, JobStoreTX.class.getName());
            properties.setProperty("org.quartz.jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName());
            properties.setProperty("org.quartz.jobStore.dataSource", NAME);
            properties.setProperty("org.quartz.jobStore.isClustered", "true");
            properties.setProperty("org.quartz.jobStore.useProperties", "true");
            properties.setProperty(StdSchedulerFactory.PROP_THREAD_POOL_CLASS, SimpleThreadPool.class.getName());
            String workers = String.valueOf(Conditions.WORKERS);
            properties.setProperty("org.quartz.threadPool.threadCount", conditions.forLoad() ? workers : "10");
            if (conditions.forLoad()) {
                properties.setProperty(StdSchedulerFactory.PROP_SCHED_MAX_BATCH_SIZE, workers);
                properties.setProperty("org.quartz.jobStore.acquireTriggersWithinLock", "true");
                // The shortest that it accepts: how long it sleeps before it looks for triggers of other nodes.
                properties.setProperty(StdSchedulerFactory.PROP_SCHED_IDLE_WAIT_TIME, "1000");
                // A backlog is not to be treated as a series of accidents.
                properties.setProperty("org.quartz.jobStore.misfireThreshold", "3600000");
            }
            return properties;
        }

        private static Set<Trigger> everySecond(int schedules) {
            return IntStream.range(0, schedules)
                    .mapToObj(number -> TriggerBuilder.newTrigger()
                            .withIdentity("schedule-" + number, TICK.getKey().getName())
                            .forJob(TICK)
                            .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?"))
                            .build())
                    .collect(Collectors.toSet());
        }

        private static void execute(JobExecutionContext context, JobSink sink) {
            String name = context.getTrigger().getKey().getName();
            if (context.getJobDetail().getKey().equals(TICK.getKey())) {
                sink.ticked(name, context.getScheduledFireTime().toInstant());
            } else {
                sink.handled(name);
            }
        }

        private static Trigger trigger(String job) {
            return TriggerBuilder.newTrigger()
                    .withIdentity(job)
                    .forJob(NO_OP)
                    .startNow()
                    .build();
        }

        @Override
        public void enqueue(String job) throws SchedulerException {
            scheduler.scheduleJob(trigger(job));
        }

        @Override
        public void enqueueAll(List<String> jobs) throws SchedulerException {
            scheduler.scheduleJob(NO_OP, jobs.stream().map(Node::trigger).collect(Collectors.toSet()), true);
        }

        @Override
        public void start() throws SchedulerException {
            scheduler.start();
        }

        /** Closes the pool as well. */
        @Override
        public void close() throws SchedulerException {
            scheduler.shutdown(true);
        }
    }

    /** The pool as Quartz wants it. */
    private record Pool(HikariDataSource pool) implements ConnectionProvider {

        @Override
        public Connection getConnection() throws SQLException {
            return pool.getConnection();
        }

        @Override
        public void initialize() {}

        @Override
        public void shutdown() {
            pool.close();
        }
    }
}
