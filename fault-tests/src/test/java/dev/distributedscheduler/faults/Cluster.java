package dev.distributedscheduler.faults;

import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.EnqueueOptions;
import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.faults.app.GoSign;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresServer;
import dev.distributedscheduler.run.NewRun;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.Enqueuing;
import dev.distributedscheduler.store.SchemaMigrator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Replicas on a PostgreSQL of their own, and what an onlooker can see of them. */
final class Cluster implements AutoCloseable {

    private static final Duration TO_START = Duration.ofSeconds(60);
    private static final Duration TO_SETTLE = Duration.ofSeconds(30);

    private final Path directory;
    private final Map<String, String> settings;
    private final PostgresServer server;
    private final PostgresDatabase database;
    private final JdbcClient sql;
    private DispatchWitness witness;
    private final Map<String, Replica> replicas = new LinkedHashMap<>();
    private int started;

    /**
     * @param directory for logs and ledgers
     * @param settings of all replicas
     */
    Cluster(Path directory, Map<String, String> settings) {
        this(directory, settings, PostgresServer.startDurable());
        new SchemaMigrator(database.dataSource(), "scheduler").migrate();
        watch();
    }

    private Cluster(Path directory, Map<String, String> settings, PostgresServer server) {
        this.directory = directory;
        this.settings = settings;
        this.server = server;
        this.database = server.createDatabase();
        this.sql = JdbcClient.create(database.dataSource());
    }

    /** One whose replicas make the tables; it is to be watched when they are there. */
    static Cluster withoutTables(Path directory, Map<String, String> settings) {
        return new Cluster(directory, settings, PostgresServer.startDurable());
    }

    void watch() {
        witness = new DispatchWitness(sql);
    }

    /** Sees to it that there are so many replicas: starts what is missing, all at once, and waits until they have joined. */
    Cluster start(int count) {
        replicas.values().stream().filter(Replica::isFrozen).forEach(Replica::close); // left behind by a failed test
        replaceTheDead(count);
        awaitJoined();
        return this;
    }

    /** Starts as many replicas as are missing; returns without waiting. */
    void replaceTheDead(int count) {
        forgetTheDead();
        while (replicas.size() < count) {
            start(Map.of());
        }
    }

    /** Those that have ended are no longer waited for. */
    void forgetTheDead() {
        replicas.values().removeIf(replica -> !replica.isAlive());
    }

    List<Replica> live() {
        return replicas.values().stream().filter(Replica::isAlive).toList();
    }

    /** Starts one more replica with settings of its own; returns without waiting. */
    Replica start(Map<String, String> own) {
        return start(own, Map.of());
    }

    /** As {@link #start(Map)}, behind a network of its own. */
    Replica startBehind(Proxy proxy, Map<String, String> own) {
        Map<String, String> all = new LinkedHashMap<>(own);
        all.put("spring.datasource.url", "jdbc:postgresql://localhost:%d/%s".formatted(proxy.port(), database.name()));
        return start(all, Map.of());
    }

    /** The network of a replica that is not started yet. */
    Proxy network() {
        return new Proxy(
                sql.sql("select inet_server_port()").query(Integer.class).single());
    }

    /** As {@link #start(Map)}, with environment variables of its own. */
    Replica start(Map<String, String> own, Map<String, String> environment) {
        String name = "replica-" + ++started;
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("spring.datasource.url", database.jdbcUrl());
        all.put("spring.datasource.username", database.username());
        all.put("spring.datasource.password", database.password());
        all.putAll(own);
        Replica replica = Replica.start(name, directory, all, environment);
        replicas.put(name, replica);
        return replica;
    }

    void awaitJoined() {
        awaitJoined(TO_START);
    }

    void awaitJoined(Duration patience) {
        await("all replicas in the cluster and one of them leading")
                .atMost(patience)
                .ignoreExceptionsInstanceOf(BadSqlGrammarException.class) // there may be no tables yet
                .until(() -> {
                    replicas.values().forEach(Cluster::checkAlive);
                    return joined() == replicas.size() && hasLeader();
                });
    }

    private static void checkAlive(Replica replica) {
        if (!replica.isAlive()) {
            throw new AssertionError("%s ended:%n%s".formatted(replica, replica.log()));
        }
    }

    private int joined() {
        return sql.sql("select count(*) from scheduler.node")
                .query(Integer.class)
                .single();
    }

    private boolean hasLeader() {
        return sql.sql("select node_id is not null and lease_until > now() from scheduler.leader")
                .query(Boolean.class)
                .single();
    }

    /** The present incarnations of the replicas, by their names; those of the dead are among them until they are expelled. */
    Map<String, UUID> nodes() {
        Map<String, UUID> nodes = new HashMap<>();
        sql.sql("select name, id from scheduler.node")
                .query((RowCallbackHandler) row -> nodes.put(row.getString("name"), row.getObject("id", UUID.class)));
        return nodes;
    }

    Replica leader() {
        return replica(sql.sql("""
                        select n.name from scheduler.leader l join scheduler.node n on n.id = l.node_id
                        """).query(String.class).single());
    }

    long term() {
        return sql.sql("select term from scheduler.leader").query(Long.class).single();
    }

    /** Whether that process of the server still serves somebody. */
    boolean hasSession(int session) {
        return sql.sql("select exists (select from pg_stat_activity where pid = :session)")
                .param("session", session)
                .query(Boolean.class)
                .single();
    }

    /** The processes of the server that serve the replica. */
    List<Integer> sessionsOf(Replica replica) {
        return sql.sql("select pid from pg_stat_activity where application_name = :name")
                .param("name", replica.name())
                .query(Integer.class)
                .list();
    }

    Replica replica(String name) {
        Replica replica = replicas.get(name);
        if (replica == null) {
            throw new AssertionError("There is no replica " + name);
        }
        return replica;
    }

    /** Time by the database's clock. */
    Instant now() {
        return sql.sql("select clock_timestamp()")
                .query(OffsetDateTime.class)
                .single()
                .toInstant();
    }

    void awaitTime(Instant time) {
        if (now().isAfter(time)) {
            return;
        }
        await("database time " + time)
                .atMost(Duration.between(now(), time).plusSeconds(5))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> now().isAfter(time));
    }

    /** Waits until no run of the period is live any more. */
    void awaitEndOf(Period period) {
        awaitTime(period.end());
        await("no live run of " + period)
                .atMost(TO_SETTLE)
                .until(() -> sql.sql("""
                                select not exists (select from scheduler.run where tick_at >= :start and tick_at < :end)
                                   and not exists (select from scheduler.schedule where next_tick_at < :end)
                                   and not exists (select from scheduler.schedule where replay_at is not null)
                                """)
                        .param("start", period.startForSql())
                        .param("end", period.endForSql())
                        .query(Boolean.class)
                        .single());
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    JdbcClient sql() {
        return sql;
    }

    /** Enqueues runs by the scheduler's own code, as an application does that has no jobs itself; returns their ids. */
    List<Long> enqueue(String job, List<String> payloads) {
        Map<Integer, EnqueuedRun> enqueued = new Enqueuing(new Database(database.dataSource(), Database.DEFAULT_SCHEMA))
                .enqueue(payloads.stream()
                        .map(payload -> new NewRun(job, payload, EnqueueOptions.NONE))
                        .toList());
        return IntStream.range(0, payloads.size())
                .mapToObj(number -> enqueued.get(number).id())
                .toList();
    }

    /** Enqueues runs without payloads. */
    List<Long> enqueue(String job, int count) {
        return enqueue(job, Collections.nCopies(count, null));
    }

    /** Lets an attempt end that waits for it. */
    void letGo(long run, int attempt) {
        try {
            Files.createFile(directory.resolve(GoSign.fileName(run, attempt)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A transaction of the test's own, to hold locks that the replicas run into. */
    HeldLock lock(String table, HeldLock.Mode mode) {
        return new HeldLock(database.dataSource(), table, mode);
    }

    DispatchWitness witness() {
        return witness;
    }

    Ledger ledger() {
        return Ledger.in(directory);
    }

    History history() {
        return new History(sql);
    }

    Timetable timetable() {
        return new Timetable(sql);
    }

    @Override
    public void close() {
        replicas.values().forEach(Replica::close);
        server.close();
    }
}
