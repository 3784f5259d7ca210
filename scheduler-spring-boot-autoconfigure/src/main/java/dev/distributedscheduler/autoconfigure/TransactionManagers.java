package dev.distributedscheduler.autoconfigure;

import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

/**
 * Finds the application's transaction manager of a data source: JDBC's or JPA's, so that repositories take part in
 * transactional jobs.
 *
 * <p>JDBC's names its data source. JPA's names its entity manager factory; whose connections that uses shows when a
 * transaction begins. Managers of anything else, brokers for example, are left alone.
 */
final class TransactionManagers {

    private static final String JPA = "jakarta.persistence.EntityManagerFactory";

    private TransactionManagers() {}

    static Optional<PlatformTransactionManager> of(
            DataSource dataSource, ObjectProvider<PlatformTransactionManager> candidates) {
        return candidates
                .orderedStream()
                .filter(candidate -> manages(candidate, dataSource))
                .findFirst();
    }

    private static boolean manages(PlatformTransactionManager candidate, DataSource dataSource) {
        if (!(candidate instanceof ResourceTransactionManager manager)) {
            return false;
        }
        Object resources = manager.getResourceFactory();
        return resources == dataSource || (isJpa(resources) && binds(candidate, dataSource));
    }

    private static boolean isJpa(Object resources) {
        return ClassUtils.getAllInterfacesAsSet(resources).stream()
                .anyMatch(type -> type.getName().equals(JPA));
    }

    private static boolean binds(PlatformTransactionManager candidate, DataSource dataSource) {
        DefaultTransactionDefinition readOnly = new DefaultTransactionDefinition();
        readOnly.setReadOnly(true);
        return Boolean.TRUE.equals(new TransactionTemplate(candidate, readOnly)
                .execute(status -> TransactionSynchronizationManager.hasResource(dataSource)));
    }
}
