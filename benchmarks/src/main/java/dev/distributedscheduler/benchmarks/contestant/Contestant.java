package dev.distributedscheduler.benchmarks.contestant;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** A scheduler that is measured. It has no state; what runs is an {@link Instance}. */
public interface Contestant {

    /** As the command line and the results call it. */
    String name();

    /** Version and settings, for the results. */
    String settings();

    Set<Ability> abilities();

    /** Jobs that take it some seconds to execute: the size of a backlog where a measure does not say another. */
    int backlog();

    /** Creates its tables in an empty database. */
    void createTables(DataSource database) throws SQLException;

    /** Opens an instance, which may enqueue at once and executes only when started. */
    Instance open(Conditions conditions, JobSink sink) throws Exception;

    /** A query for one boolean: whether the database still holds jobs that are not done. */
    String hasUnfinishedJobs();

    /** The table in which jobs wait, with its schema. */
    String hotTable();

    /** Fills its history, where it keeps one, with so many runs of long ago. */
    default void fillHistory(Connection connection, long runs) throws SQLException {
        throw new UnsupportedOperationException(name() + " keeps no history");
    }
}
