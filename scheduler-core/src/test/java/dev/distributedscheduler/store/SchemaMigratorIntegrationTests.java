package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.fixture.PostgresTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Each test has a schema of its own. */
@PostgresTest
@Timeout(60)
class SchemaMigratorIntegrationTests {

    private static final String[] VERSIONS =
            scripts().map(SchemaMigratorIntegrationTests::version).toArray(String[]::new);

    private static String version(String script) {
        return script.substring(1, script.indexOf("__"));
    }

    /** The scripts that there are, in their order. */
    private static Stream<String> scripts() {
        try {
            return Arrays.stream(new PathMatchingResourcePatternResolver()
                            .getResources("classpath:dev/distributedscheduler/schema/V*.sql"))
                    .map(script -> Objects.requireNonNull(script.getFilename()))
                    .sorted(Comparator.comparing(script -> Integer.valueOf(version(script))));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private final DataSource dataSource;
    private final JdbcClient jdbc;

    SchemaMigratorIntegrationTests(DataSource dataSource) {
        this.dataSource = dataSource;
        this.jdbc = JdbcClient.create(dataSource);
    }

    private List<String> applied(String schema) {
        return jdbc.sql("select version from %s.schema_history where version is not null order by installed_rank"
                        .formatted(schema))
                .query(String.class)
                .list();
    }

    private void migrateToVersionOne(String schema) {
        migrateTo("1", schema);
    }

    private void migrateTo(String version, String schema) {
        Flyway.configure()
                .dataSource(dataSource)
                .schemas(schema)
                .defaultSchema(schema)
                .table(SchemaMigrator.HISTORY_TABLE)
                .locations("classpath:" + SchemaMigrator.SCRIPTS)
                .target(version)
                .load()
                .migrate();
    }

    /** The constraints of version 6 hold for what is there. */
    @Test
    void schedulesOfVersionFiveAreTakenOver() {
        migrateTo("5", "with_schedules");
        jdbc.sql("""
                insert into with_schedules.schedule
                    (name, job, queue, priority, max_attempts, trigger_kind, trigger_expression, zone, delay, next_tick_at)
                values ('cron', 'job', 'default', 0, 5, 'CRON', '0 0 3 * * *', 'Europe/Paris', null, now()),
                       ('delay', 'job', 'default', 0, 5, 'FIXED_DELAY', 'PT1M', null, interval '1 minute', now())
                """).update();

        new SchemaMigrator(dataSource, "with_schedules").migrate();

        assertThat(jdbc.sql("""
                        select concat_ws(' ', name, dst_gap, dst_overlap, misfire, overlap, missed, declared_by)
                        from with_schedules.schedule order by name
                        """).query(String.class).list())
                .containsExactly("cron RUN_AFTER ONCE REPLAY_ALL SKIP {} 0", "delay REPLAY_ALL SKIP {} 0");
    }

    private void migrateTenTimesAtOnce(String schema) {
        ExecutorService threads = Executors.newFixedThreadPool(10);
        CyclicBarrier together = new CyclicBarrier(10);
        List<CompletableFuture<Void>> nodes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            nodes.add(CompletableFuture.runAsync(
                    () -> {
                        try {
                            together.await();
                        } catch (Exception broken) {
                            throw new IllegalStateException(broken);
                        }
                        new SchemaMigrator(dataSource, schema).migrate();
                    },
                    threads));
        }
        nodes.forEach(CompletableFuture::join);
        threads.shutdown();
    }

    @Test
    void tenNodesMigrateAnEmptySchemaAtOnce() {
        migrateTenTimesAtOnce("ten_empty");

        assertThat(applied("ten_empty")).containsExactly(VERSIONS);
    }

    @Test
    void tenNodesMigrateAnOlderSchemaAtOnce() {
        migrateToVersionOne("ten_older");
        assertThat(applied("ten_older")).containsExactly("1");

        migrateTenTimesAtOnce("ten_older");

        assertThat(applied("ten_older")).containsExactly(VERSIONS);
    }

    @Test
    void schemaMayHaveAnotherNameAndTwoOfThemLiveSideBySide() {
        new SchemaMigrator(dataSource, "team_a").migrate();
        new SchemaMigrator(dataSource, "team_b").migrate();

        assertThat(jdbc.sql("""
                        select table_schema from information_schema.tables
                        where table_name = 'run' and table_schema like 'team%' order by 1
                        """).query(String.class).list()).containsExactly("team_a", "team_b");
    }

    @Test
    void checkNamesTheMissingScripts() {
        migrateToVersionOne("unfinished");

        SchedulerConfigurationException refusal = catchThrowableOfType(
                SchedulerConfigurationException.class, () -> new SchemaMigrator(dataSource, "unfinished").check());

        assertThat(refusal)
                .hasMessageContaining(
                        "'unfinished' lacks %s, and", scripts().skip(1).collect(Collectors.joining(", ")));
        assertThat(refusal.remedy()).contains(SchemaMigrator.SCRIPTS, "distributed-scheduler.migrate");
    }

    @Test
    void checkOfANewDatabaseNamesAllScriptsInOrderAndMakesNothing() {
        SchedulerConfigurationException refusal = catchThrowableOfType(
                SchedulerConfigurationException.class, () -> new SchemaMigrator(dataSource, "untouched").check());

        assertThat(refusal).hasMessageContaining("V1__tables.sql, V2__history_partitions.sql");
        assertThat(jdbc.sql("select count(*) from pg_namespace where nspname = 'untouched'")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void migratedSchemaPassesTheCheck() {
        new SchemaMigrator(dataSource, "complete").migrate();

        assertThatNoException().isThrownBy(() -> new SchemaMigrator(dataSource, "complete").check());
    }

    @Test
    void schemaNewerThanTheCodeIsAccepted() {
        new SchemaMigrator(dataSource, "newer").migrate();
        jdbc.sql("""
                        insert into newer.schema_history
                            (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                        values (99, '999', 'future', 'SQL', 'V999__future.sql', 1, 'newer code', 1, true)
                        """).update();

        assertThatNoException().isThrownBy(() -> {
            new SchemaMigrator(dataSource, "newer").migrate();
            new SchemaMigrator(dataSource, "newer").check();
        });
    }

    @Test
    void flywayOfTheApplicationSeesNothingOfIt() {
        jdbc.sql("create table public.customer (id int)").update();
        new SchemaMigrator(dataSource, "beside_flyway").migrate();

        Flyway own = Flyway.configure()
                .dataSource(dataSource)
                .defaultSchema("public")
                .locations("classpath:dev/distributedscheduler/none")
                .failOnMissingLocations(false)
                .baselineOnMigrate(true)
                .load();
        own.migrate();

        assertThat(own.info().applied())
                .singleElement()
                .satisfies(only -> assertThat(only.getVersion().getVersion()).isEqualTo("1"));
        assertThat(applied("beside_flyway")).containsExactly(VERSIONS);
        assertThat(jdbc.sql("""
                        select table_name from information_schema.tables where table_schema = 'public' order by 1
                        """).query(String.class).list()).containsExactly("customer", "flyway_schema_history");
    }
}
