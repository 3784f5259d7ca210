package dev.distributedscheduler.autoconfigure;

import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Finds the application's transaction manager of a data source: JDBC's or JPA's, so that repositories take part in
 * transactional jobs.
 *
 * <p>Which one it is shows when it begins a transaction: it binds a connection of its data source to the thread.
 */
final class TransactionManagers {

    private TransactionManagers() {}

    static Optional<PlatformTransactionManager> of(
            DataSource dataSource, ObjectProvider<PlatformTransactionManager> candidates) {
        return candidates
                .orderedStream()
                .filter(candidate -> manages(candidate, dataSource))
                .findFirst();
    }

    private static boolean manages(PlatformTransactionManager candidate, DataSource dataSource) {
        DefaultTransactionDefinition readOnly = new DefaultTransactionDefinition();
        readOnly.setReadOnly(true);
        return Boolean.TRUE.equals(new TransactionTemplate(candidate, readOnly)
                .execute(status -> TransactionSynchronizationManager.hasResource(dataSource)));
    }
}
