package dev.distributedscheduler.benchmarks.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/** JobRunr. It has no schedules below five seconds, so it is not asked for one every second. */
public final class JobRunr implements Contestant {

    /** The shortest that it accepts on a database. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    /** A job as it stores it; public, as it finds it by reflection. */
    public record NoOp(String job) implements JobRequest {

        @Override
        public Class<NoOpHandler> getJobRequestHandler() {
            return NoOpHandler.class;
        }
    }

    /** Executes it. */
    public record NoOpHandler(JobSink sink) implements JobRequestHandler<NoOp> {

        @Override
        public void run(NoOp request) {
            sink.handled(request.job());
        }
    }

    @Override
    public String name() {
        return "jobrunr";
    }

    @Override
    public String settings() {
        return "JobRunr %s; %d workers, poll interval %d s (its shortest), job requests, Jackson 3"
                .formatted(Versions.of(StorageProvider.class), Conditions.WORKERS, POLL_INTERVAL.toSeconds());
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.complementOf(EnumSet.of(Ability.SCHEDULE, Ability.REMEMBER));
    }

    @Override
    public int backlog() {
        return 15_000;
    }

    @Override
    public void createTables(DataSource database) throws SQLException {
        new PostgresStorageProvider(database, DatabaseOptions.CREATE).close();
    }

    @Override
    public Instance open(Conditions conditions, JobSink sink) {
        return new Node(conditions, sink);
    }

    @Override
    public String hasUnfinishedJobs() {
        return "select exists (select from jobrunr_jobs where state in ('SCHEDULED', 'ENQUEUED', 'PROCESSING', 'FAILED'))";
    }

    @Override
    public String hotTable() {
        return "public.jobrunr_jobs";
    }

    private static final class Node implements Instance {

        private final HikariDataSource pool;
        private final StorageProvider storage;
        private final JobRequestScheduler jobs;
        private final BackgroundJobServer server;

        Node(Conditions conditions, JobSink sink) {
            this.pool = conditions.pool();
            this.storage = new PostgresStorageProvider(pool, DatabaseOptions.SKIP_CREATE);
            Jackson3JsonMapper mapper = new Jackson3JsonMapper();
            storage.setJobMapper(new JobMapper(mapper));
            this.jobs = new JobRequestScheduler(storage);
            this.server = new BackgroundJobServer(storage, mapper, activator(sink), configuration(conditions));
        }

        private static BackgroundJobServerConfiguration configuration(Conditions conditions) {
            BackgroundJobServerConfiguration defaults =
                    BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration();
            return conditions.forLoad()
                    ? defaults.andWorkerCount(Conditions.WORKERS).andPollInterval(POLL_INTERVAL)
                    : defaults;
        }

        private static JobActivator activator(JobSink sink) {
            NoOpHandler handler = new NoOpHandler(sink);
            return new JobActivator() {
                @Override
                public <T> T activateJob(Class<T> type) {
                    return type.cast(handler);
                }
            };
        }

        @Override
        public void enqueue(String job) {
            jobs.enqueue(new NoOp(job));
        }

        @Override
        public void enqueueAll(List<String> all) {
            jobs.enqueue(all.stream().map(NoOp::new));
        }

        @Override
        public void start() {
            server.start();
        }

        @Override
        public void close() {
            server.stop();
            storage.close();
            pool.close();
        }
    }
}
