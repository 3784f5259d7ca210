package dev.distributedscheduler.benchmarks.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database for one trial. Its own questions use a connection of their own each, outside every pool. */
public final class BenchmarkDatabase implements AutoCloseable {

    private final BenchmarkServer server;
    private final String url;

    BenchmarkDatabase(BenchmarkServer server, String url) {
        this.server = server;
        this.url = url;
    }

    static BenchmarkDatabase create(BenchmarkServer server, String name) {
        server.administration().execute("create database " + name);
        return new BenchmarkDatabase(server, server.urlOf(name));
    }

    String name() {
        String address = url.replaceFirst("\\?.*", "");
        return address.substring(address.lastIndexOf('/') + 1);
    }

    /** Another database of the same server. */
    BenchmarkDatabase administration() {
        return server.administration();
    }

    public String url() {
        return url;
    }

    public String user() {
        return server.user();
    }

    public String password() {
        return server.password();
    }

    /** Opens a connection at every call. */
    public DataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(server.user());
        dataSource.setPassword(server.password());
        return dataSource;
    }

    public Connection connect() throws SQLException {
        return dataSource().getConnection();
    }

    /** Leaves nothing to do that a contestant could be charged for: statistics are fresh and the disk has everything. */
    public void settle() {
        execute("vacuum analyze");
        execute("checkpoint");
    }

    public void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    public String text(String sql) {
        try (Connection connection = connect()) {
            return text(connection, sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    public static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    public long number(String sql) {
        return Long.parseLong(text(sql));
    }

    @Override
    public void close() {
        administration().execute("drop database %s with (force)".formatted(name()));
    }
}
