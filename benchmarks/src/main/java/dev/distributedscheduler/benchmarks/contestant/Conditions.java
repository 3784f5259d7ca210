package dev.distributedscheduler.benchmarks.contestant;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What all contestants get alike.
 *
 * @param tuning whether they may be set up for load, or stay as they come
 * @param schedules how many schedules tick every second
 */
public record Conditions(String url, String user, String password, Tuning tuning, int schedules) {

    /** Threads that execute jobs, per instance. */
    public static final int WORKERS = 20;

    /** Connections in the pool, per instance. */
    public static final int CONNECTIONS = 30;

    /** How an instance is set up. */
    public enum Tuning {
        FOR_LOAD,
        DEFAULTS
    }

    public boolean forLoad() {
        return tuning == Tuning.FOR_LOAD;
    }

    public HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(unpooled());
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    /** Opens a connection at every call. */
    public DataSource unpooled() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        // Helps everybody who inserts in JDBC batches.
        dataSource.setReWriteBatchedInserts(true);
        return dataSource;
    }
}
