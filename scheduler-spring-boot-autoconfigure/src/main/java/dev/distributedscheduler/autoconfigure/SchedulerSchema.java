package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.store.SchemaMigrator;
import org.springframework.beans.factory.InitializingBean;

/**
 * Sees to the schema as soon as this bean is made.
 *
 * <p>Its Flyway is not a bean: that would silently replace the application's own.
 */
final class SchedulerSchema implements InitializingBean {

    private final SchemaMigrator migrator;
    private final boolean migrate;

    SchedulerSchema(SchemaMigrator migrator, boolean migrate) {
        this.migrator = migrator;
        this.migrate = migrate;
    }

    @Override
    public void afterPropertiesSet() {
        if (migrate) {
            migrator.migrate();
        } else {
            migrator.check();
        }
    }
}
