package dev.distributedscheduler.benchmarks.database;

import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresServer;
import java.util.UUID;

/** A PostgreSQL that keeps what it commits, on which every trial creates a database of its own. */
public final class BenchmarkServer implements AutoCloseable {

    private final String url;
    private final String user;
    private final String password;
    private final String origin;
    private final Runnable stop;

    BenchmarkServer(String url, String user, String password, String origin, Runnable stop) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.origin = origin;
        this.stop = stop;
    }

    /** The installed PostgreSQL in a directory of its own; where there is none, the embedded one of the tests. */
    public static BenchmarkServer start() {
        return InstalledPostgres.find().map(InstalledPostgres::start).orElseGet(BenchmarkServer::embedded);
    }

    static BenchmarkServer embedded() {
        PostgresServer server = PostgresServer.startDurable();
        PostgresDatabase any = server.createDatabase();
        return new BenchmarkServer(
                any.jdbcUrl(), any.username(), any.password(), "embedded binaries, started for this", server::close);
    }

    /** A server that somebody else runs. */
    public static BenchmarkServer at(String url, String user, String password) {
        return new BenchmarkServer(url, user, password, "given by its URL", () -> {});
    }

    /** Creates an empty database. */
    public BenchmarkDatabase createDatabase() {
        return BenchmarkDatabase.create(
                this, "benchmark_" + UUID.randomUUID().toString().replace("-", ""));
    }

    /** Some database of the server, from which others are created. */
    BenchmarkDatabase administration() {
        return new BenchmarkDatabase(this, url);
    }

    String urlOf(String database) {
        int settings = url.indexOf('?');
        String address = settings < 0 ? url : url.substring(0, settings);
        return address.substring(0, address.lastIndexOf('/') + 1)
                + database
                + (settings < 0 ? "" : url.substring(settings));
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** Version, origin and the settings that matter. */
    public String describe() {
        BenchmarkDatabase database = administration();
        return "PostgreSQL %s (%s): %s".formatted(database.text("show server_version"), origin, database.text("""
                                select string_agg(name || ' = ' || current_setting(name), ', ' order by name)
                                from pg_settings
                                where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers',
                                               'max_wal_size', 'max_connections', 'autovacuum')
                                """));
    }

    @Override
    public void close() {
        stop.run();
    }
}
