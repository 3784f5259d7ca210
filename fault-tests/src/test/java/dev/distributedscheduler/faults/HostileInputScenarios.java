package dev.distributedscheduler.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.EnqueuedRun;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.ScheduleFilter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.engine.EnqueueInterceptor;
import dev.distributedscheduler.engine.RunEnqueuer;
import dev.distributedscheduler.engine.ScheduleOperations;
import dev.distributedscheduler.faults.app.Troubled.Measured;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.WakeUps;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What users and strangers may hand to the scheduler: it is stored as it is, or refused with a reason. */
class HostileInputScenarios {

    private static final int LARGEST = 1 << 20;
    private static final int TRIGGERS = 1_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private static Cluster cluster;
    private static Schedules schedules;
    private static JobScheduler runs;

    @BeforeAll
    static void startTwoReplicas() {
        cluster =
                new Cluster(directory, Map.of("faults.jobs", "1", "distributed-scheduler.max-payload", LARGEST + "B"));
        cluster.start(2);
        Database database = new Database(cluster.dataSource(), Database.DEFAULT_SCHEMA);
        PlainJson json = new PlainJson();
        schedules = new ScheduleOperations(
                database, json, new ScheduleOperations.Limits(LARGEST, 1_000), () -> TriggerBeans.NONE);
        runs = new RunEnqueuer(database, new WakeUps(database), json, LARGEST, schedules, EnqueueInterceptor.NONE);
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    private static void arrives(String text) {
        EnqueuedRun run = runs.enqueue("measured", new Measured(text.length(), text), options -> options);
        await("a payload of %d".formatted(text.length()))
                .untilAsserted(
                        () -> assertThat(cluster.history().outcomesOf(run.id())).containsExactly("1 COMPLETED"));
    }

    @Scenario(13)
    void payloadsArriveAsTheyAreOrAreRefused() {
        arrives("");
        arrives("'; drop table scheduler.run; --");
        arrives("quotes \" and \\ and \n and \uD83D\uDE00");
        arrives("a null \u0000 character, which JSON escapes");
        arrives("x".repeat(1_000_000));

        assertThatThrownBy(() -> arrives("x".repeat(LARGEST))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> runs.enqueue("measured", new PlainJson.Raw("\u0000"), options -> options))
                .as("PostgreSQL has no text with this character")
                .isInstanceOf(IllegalArgumentException.class);
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        EnqueuedRun unreadable = runs.enqueue("measured", new PlainJson.Raw(deep), options -> options);
        await("nothing that can be read")
                .untilAsserted(() -> assertThat(cluster.history().outcomesOf(unreadable.id()))
                        .containsExactly("1 FAILED"));
        arrives("and the others go on");
    }

    /**
     * By the programs' interface: the endpoints have their own tests over HTTP.
     */
    @Scenario(20)
    void namesAndSizesOfStrangersDoNoHarm() {
        String drop = "'; drop table scheduler.schedule; --";
        for (String name : List.of(drop, "%2e%2e/..", "a\"b", "${jndi:ldap://x}")) {
            ScheduleKey key = ScheduleKey.of(name);
            schedules.schedule(name).job("quick").fixedRate(Duration.ofHours(1)).register();
            assertThat(schedules.find(key)).isPresent();
            assertThat(schedules.pause(key, drop, drop)).isTrue();
            assertThat(schedules.find(key).orElseThrow().stateReason()).isEqualTo(drop);
            assertThat(schedules.delete(key)).isTrue();
        }
        for (String name : List.of("", "x".repeat(1_000_000), "with\u0000null", "two\nlines")) {
            assertThatThrownBy(() -> schedules
                            .schedule(name)
                            .job("quick")
                            .fixedRate(Duration.ofHours(1))
                            .register())
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(1_000));
        }
        assertThatThrownBy(() -> schedules.list(ScheduleFilter.ALL, null, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(schedules.list(ScheduleFilter.ALL, null, Integer.MAX_VALUE)).hasSizeLessThan(1_001);
    }

    @Scenario(20)
    void thousandTriggersAtOnceAreAThousandRunsOneAtATime() throws InterruptedException, ExecutionException {
        schedules
                .schedule("mine")
                .job("quick")
                .fixedRate(Duration.ofHours(10))
                .from(cluster.now().plus(Duration.ofHours(1)))
                .register();
        ScheduleKey key = ScheduleKey.of("mine");
        ExecutorService strangers = Executors.newFixedThreadPool(16);
        long start = System.nanoTime();

        List<Future<Optional<Long>>> answers = strangers.invokeAll(IntStream.range(0, TRIGGERS)
                .<Callable<Optional<Long>>>mapToObj(number -> () -> schedules.trigger(key))
                .toList());
        Set<Long> triggeredRuns = new HashSet<>();
        for (Future<Optional<Long>> answer : answers) {
            triggeredRuns.add(answer.get().orElseThrow());
        }
        strangers.shutdown();
        Duration triggered = Duration.ofNanos(System.nanoTime() - start);

        await("all of them")
                .atMost(Duration.ofSeconds(120))
                .until(() -> cluster.ledger().ofRuns(triggeredRuns).entries().size() == TRIGGERS);
        Ledger ledger = cluster.ledger().ofRuns(triggeredRuns);
        assertThat(triggeredRuns).hasSize(TRIGGERS);
        assertThat(ledger.duplicates()).isEmpty();
        assertThat(ledger.mostAtOnce(Map.of())).isOne();
        assertThat(schedules.delete(key)).isTrue();
        Report.figure("1000 triggers", triggered);
    }
}
