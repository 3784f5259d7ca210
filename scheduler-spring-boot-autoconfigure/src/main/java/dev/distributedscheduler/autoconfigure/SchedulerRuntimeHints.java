package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.store.SchemaMigrator;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Keeps the schema's scripts in a native image. */
final class SchedulerRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern(SchemaMigrator.SCRIPTS + "/*.sql");
    }
}
