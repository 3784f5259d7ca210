package dev.distributedscheduler.autoconfigure;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.util.ClassUtils;

/** Finds a way past the application's connection pool, for the few connections that the scheduler keeps to itself. */
final class UnpooledDataSource {

    private static final Logger log = LoggerFactory.getLogger(UnpooledDataSource.class);

    private UnpooledDataSource() {}

    static DataSource behind(DataSource dataSource) {
        DataSource direct = DataSourceUnwrapper.unwrap(dataSource, PGSimpleDataSource.class);
        if (direct == null && ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", null)) {
            direct = BehindHikari.of(dataSource);
        }
        if (direct == null) {
            log.info(
                    "Up to three connections of {} will be in use permanently: the scheduler knows no way past this pool",
                    dataSource.getClass().getName());
            return dataSource;
        }
        return direct;
    }

    /** Opens what Hikari would open, with the credentials that Hikari would use at that moment. */
    private static final class BehindHikari extends AbstractDataSource {

        private static final String SECONDS_TO_CONNECT = "10";

        private final HikariDataSource pool;

        private BehindHikari(HikariDataSource pool) {
            this.pool = pool;
        }

        static @Nullable DataSource of(DataSource dataSource) {
            HikariDataSource pool =
                    DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class);
            if (pool == null) {
                return null;
            }
            return pool.getJdbcUrl() == null ? pool.getDataSource() : new BehindHikari(pool);
        }

        @Override
        public Connection getConnection() throws SQLException {
            HikariCredentialsProvider provider = pool.getCredentialsProvider();
            Credentials credentials = provider == null ? pool.getCredentials() : provider.getCredentials();
            return getConnection(credentials.getUsername(), credentials.getPassword());
        }

        @Override
        public Connection getConnection(@Nullable String username, @Nullable String password) throws SQLException {
            Properties properties = new Properties();
            if (pool.getJdbcUrl().startsWith("jdbc:postgresql:")) {
                // What the URL says wins over these.
                PGProperty.CONNECT_TIMEOUT.set(properties, SECONDS_TO_CONNECT);
                PGProperty.LOGIN_TIMEOUT.set(properties, SECONDS_TO_CONNECT);
                PGProperty.TCP_KEEP_ALIVE.set(properties, true);
                PGProperty.APPLICATION_NAME.set(properties, "distributed-scheduler");
            }
            properties.putAll(pool.getDataSourceProperties());
            if (username != null) {
                properties.setProperty("user", username);
            }
            if (password != null) {
                properties.setProperty("password", password);
            }
            return DriverManager.getConnection(pool.getJdbcUrl(), properties);
        }
    }
}
