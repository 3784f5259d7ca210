package dev.distributedscheduler.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Connections that look as if a transaction pooler stood between: the announced server process is not the real one. */
final class PoolerDataSource extends DelegatingDataSource {

    PoolerDataSource(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection real = super.getConnection();
        PGConnection announced = proxy(PGConnection.class, real.unwrap(PGConnection.class), "getBackendPID", 1);
        return proxy(Connection.class, real, "unwrap", announced);
    }

    private static <T> T proxy(Class<T> type, T real, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) ->
                        called.getName().equals(method) ? answer : call(real, called, arguments)));
    }

    private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
