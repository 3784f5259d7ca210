package dev.distributedscheduler.benchmarks.contestant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;

/**
 * No scheduler but the limit: what this PostgreSQL gives to a program that only wants its jobs. Each of several connections
 * deletes the oldest due rows in batches and has them returned; a batch is one committed statement. Nothing is leased,
 * retried or remembered, and a crash loses what was deleted.
 */
public final class Raw implements Contestant {

    private final String name;
    private final int connections;
    private final int batch;
    private final RawInsert insert;
    private final Set<Ability> abilities;

    /**
     * @param connections that delete
     * @param batch rows that one statement deletes
     */
    Raw(String name, int connections, int batch, RawInsert insert, Set<Ability> abilities) {
        this.name = name;
        this.connections = connections;
        this.batch = batch;
        this.insert = insert;
        this.abilities = abilities;
    }

    /** The one whose transactions are those of single jobs also enqueues single jobs. */
    static Raw deleting(int connections, int batch) {
        Set<Ability> abilities = batch == 1 ? Set.of(Ability.EXECUTE, Ability.ENQUEUE) : Set.of(Ability.EXECUTE);
        return new Raw("raw-" + batch, connections, batch, RawInsert.COPY, abilities);
    }

    static Raw inserting(RawInsert insert) {
        String name = "raw-" + insert.name().toLowerCase(Locale.ROOT);
        return new Raw(name, 1, 1_000, insert, Set.of(Ability.ENQUEUE_BULK));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String settings() {
        return abilities.contains(Ability.EXECUTE)
                ? "table (id, payload, run_at) with an index on run_at; %d connections, `delete … returning` of %d rows, picked by `for update skip locked`, per transaction"
                        .formatted(connections, batch)
                : "the same table; one transaction per call, rows by " + insert.label();
    }

    @Override
    public Set<Ability> abilities() {
        return abilities;
    }

    @Override
    public int backlog() {
        return batch == 1 ? 15_000 : 500_000;
    }

    @Override
    public void createTables(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    create table job (
                        id bigint generated always as identity primary key,
                        payload text not null,
                        run_at timestamptz not null default now()
                    );
                    create index job_due on job (run_at);
                    """);
        }
    }

    @Override
    public Instance open(Conditions conditions, JobSink sink) {
        return new Node(conditions, sink);
    }

    @Override
    public String hasUnfinishedJobs() {
        return "select exists (select from job)";
    }

    @Override
    public String hotTable() {
        return "public.job";
    }

    private final class Node implements Instance {

        private final HikariDataSource pool;
        private final JobSink sink;
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean closed;

        Node(Conditions conditions, JobSink sink) {
            this.pool = conditions.pool();
            this.sink = sink;
        }

        @Override
        public void enqueue(String job) throws SQLException {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement("insert into job (payload) values (?)")) {
                statement.setString(1, job);
                statement.executeUpdate();
            }
        }

        @Override
        public void enqueueAll(List<String> jobs) throws Exception {
            try (Connection connection = pool.getConnection()) {
                insert.insert(connection, jobs);
            }
        }

        @Override
        public void start() {
            for (int number = 0; number < connections; number++) {
                Thread thread = new Thread(this::deleteUntilClosed, "raw-" + number);
                threads.add(thread);
                thread.start();
            }
        }

        private void deleteUntilClosed() {
            try (Connection connection = pool.getConnection();
                    PreparedStatement delete = connection.prepareStatement("""
                            delete from job where id = any (array(
                                select id from job where run_at <= now() order by run_at limit ? for update skip locked))
                            returning payload
                            """)) {
                delete.setInt(1, batch);
                while (!closed) {
                    if (delete(delete) == 0) {
                        Thread.sleep(1);
                    }
                }
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        private int delete(PreparedStatement delete) throws SQLException {
            int deleted = 0;
            try (ResultSet rows = delete.executeQuery()) {
                while (rows.next()) {
                    sink.handled(rows.getString(1));
                    deleted++;
                }
            }
            return deleted;
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            for (Thread thread : threads) {
                thread.join();
            }
            pool.close();
        }
    }
}
