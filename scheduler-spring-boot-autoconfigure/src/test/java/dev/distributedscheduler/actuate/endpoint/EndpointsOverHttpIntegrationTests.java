package dev.distributedscheduler.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.actuate.endpoint.EndpointJobs.Mail;
import dev.distributedscheduler.actuate.endpoint.HttpUser.Answer;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** The endpoints over HTTP with Spring Security: nobody, a reader and an operator. */
@PostgresTest
class EndpointsOverHttpIntegrationTests {

    private static ConfigurableApplicationContext application;
    private static HttpUser nobody;
    private static HttpUser reader;
    private static HttpUser operator;
    private static JdbcClient jdbc;

    @BeforeAll
    static void start(PostgresDatabase database) {
        application = EndpointApplication.overHttp(
                database,
                "management.endpoint.schedulerjobs.access=unrestricted",
                "management.endpoint.schedulerruns.access=unrestricted",
                "management.endpoint.schedulerdeadletters.access=unrestricted",
                "distributed-scheduler.endpoints.show-values=when-authorized",
                "distributed-scheduler.endpoints.roles=OPERATOR");
        int port = Integer.parseInt(application.getEnvironment().getProperty("local.server.port"));
        nobody = new HttpUser(port, null);
        reader = new HttpUser(port, "rita");
        operator = new HttpUser(port, "otto");
        jdbc = JdbcClient.create(database.dataSource());
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduler",
                "schedulerjobs",
                "schedulerjobs/nightly",
                "schedulerjobs/nightly/ticks",
                "schedulerjobs/nightly/trace",
                "schedulerjobs/nightly/statistics",
                "schedulerruns",
                "schedulerruns/past",
                "schedulerdeadletters"
            })
    void readersReadAndNobodyElse(String path) {
        assertThat(nobody.get(path).status()).isEqualTo(401);
        assertThat(reader.get(path).status()).isEqualTo(200);
        assertThat(operator.get(path).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"schedulerjobs/nightly", "schedulerruns/1", "schedulerdeadletters/1", "schedulerdeadletters"})
    void onlyOperatorsWrite(String path) {
        long before = operations();

        for (String action : List.of("trigger", "cancel", "replay", "discard")) {
            Map<String, String> body = Map.of("action", action, "all", "true");
            assertThat(nobody.post(path, body).status()).isEqualTo(401);
            assertThat(reader.post(path, body).status()).isEqualTo(403);
        }

        assertThat(operations()).isEqualTo(before);
    }

    private static long operations() {
        return jdbc.sql("select count(*) from scheduler.operation")
                .query(Long.class)
                .single();
    }

    @Test
    void whatAnOperatorDoesIsRecordedWithTheirName() {
        assertThat(operator.post("schedulerjobs/nightly", Map.of("action", "pause", "reason", "audit"))
                        .status())
                .isEqualTo(200);
        Answer again = operator.post("schedulerjobs/nightly", Map.of("action", "pause"));
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.json().get("message").asString()).isEqualTo("The schedule is PAUSED");
        assertThat(operator.post("schedulerjobs/nightly", Map.of("action", "resume"))
                        .status())
                .isEqualTo(200);

        JsonNode job = reader.get("schedulerjobs/nightly").json();
        assertThat(job.at("/schedule/changedBy").asString()).isEqualTo("otto");
        assertThat(job.at("/operations/1/act").asString()).isEqualTo("PAUSE");
        assertThat(job.at("/operations/1/who").asString()).isEqualTo("otto");
        assertThat(job.at("/operations/1/reason").asString()).isEqualTo("audit");
        assertThat(job.at("/operations/1/schedule/name").asString()).isEqualTo("nightly");
    }

    @Test
    void deadLetterShowsItsPayloadToOperatorsOnlyAndIsReplayed() {
        long id = application
                .getBean(JobScheduler.class)
                .enqueue("send-mail", new Mail("nobody"))
                .id();
        await().until(() -> reader.get("schedulerdeadletters/" + id).status() == 200);

        JsonNode hidden = reader.get("schedulerdeadletters/" + id).json();
        JsonNode shown = operator.get("schedulerdeadletters/" + id).json();
        assertThat(hidden.get("payload").asString()).isEqualTo("******");
        assertThat(hidden.get("stackTrace").asString()).isEqualTo("******");
        assertThat(shown.get("payload").asString()).isEqualTo("{\"to\":\"nobody\"}");
        assertThat(shown.get("stackTrace").asString()).contains("PermanentFailureException");
        assertThat(shown.at("/letter/errorMessage").asString()).isEqualTo("No mailbox");

        Answer replayed =
                operator.post("schedulerdeadletters/" + id, Map.of("action", "replay", "payload", "{\"to\": \"ann\"}"));
        assertThat(replayed.json().get("runId").asLong()).isEqualTo(id);
        await().until(() ->
                reader.get("schedulerruns/" + id).json().get("state").asString().equals("COMPLETED"));
        JsonNode run = reader.get("schedulerruns/" + id).json();
        assertThat(run.at("/operations/0/act").asString()).isEqualTo("REPLAY");
        assertThat(run.at("/attempts/0/outcome").asString()).isEqualTo("FAILED");
        assertThat(run.at("/attempts/1/outcome").asString()).isEqualTo("COMPLETED");
        assertThat(reader.get("schedulerdeadletters/" + id).status()).isEqualTo(404);
    }

    /** The keys are documented: whoever changes one breaks somebody's script. */
    @Test
    void jsonHasTheDocumentedKeysAndTimesInIsoFormat() {
        await().until(() -> reader.get("scheduler").json().has("leader"));
        JsonNode overview = reader.get("scheduler").json();

        assertThat(overview.propertyNames())
                .containsExactlyInAnyOrder(
                        "time", "term", "leader", "nodes", "live", "queues", "stuck", "dead", "orphaned");
        assertThat(Instant.parse(overview.get("time").asString()))
                .isBefore(Instant.now().plusSeconds(60));
        assertThat(overview.get("leader").propertyNames())
                .containsExactlyInAnyOrder("nodeId", "name", "since", "leaseUntil");
        assertThat(overview.at("/nodes/0").propertyNames())
                .contains(
                        "id",
                        "name",
                        "dispatcher",
                        "worker",
                        "draining",
                        "alive",
                        "startedAt",
                        "leaseUntil",
                        "running");
        assertThat(overview.get("dead").propertyNames()).containsExactlyInAnyOrder("atLeast", "more");

        JsonNode job = reader.get("schedulerjobs/nightly").json();
        assertThat(job.propertyNames())
                .containsExactlyInAnyOrder("job", "schedule", "nextTicks", "lastDay", "operations");
        assertThat(job.get("job").propertyNames())
                .containsExactlyInAnyOrder("name", "queue", "priority", "maxAttempts", "nodes");
        assertThat(job.get("schedule").propertyNames())
                .contains(
                        "tenant",
                        "name",
                        "job",
                        "trigger",
                        "expression",
                        "zone",
                        "shift",
                        "misfire",
                        "overlap",
                        "state");
        assertThat(job.at("/schedule/shift").asString()).isEqualTo("PT0S");
        assertThat(Instant.parse(job.at("/nextTicks/0/tick").asString())).isAfter(Instant.now());
    }

    @Test
    void whatIsNotThereIs404() {
        for (String path : List.of(
                "schedulerjobs/unknown",
                "schedulerjobs/nightly?tenant=other",
                "schedulerjobs/unknown/ticks",
                "schedulerruns/424242",
                "schedulerruns/-1",
                "schedulerdeadletters/424242")) {
            Answer answer = reader.get(path);
            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.json().get("error").asString()).as(path).isNotBlank();
        }
        assertThat(operator.post("schedulerjobs/unknown", Map.of("action", "trigger"))
                        .status())
                .isEqualTo(404);
        assertThat(operator.post("schedulerruns/424242", Map.of("action", "retry"))
                        .status())
                .isEqualTo(404);
        assertThat(operator.post("schedulerdeadletters/424242", Map.of("action", "discard"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void writesAreRefusedUnlessEnabled(PostgresDatabase database) {
        try (ConfigurableApplicationContext careful = EndpointApplication.overHttp(database)) {
            int port = Integer.parseInt(careful.getEnvironment().getProperty("local.server.port"));
            HttpUser user = new HttpUser(port, "otto");
            long before = operations();

            assertThat(user.get("schedulerjobs/nightly").status()).isEqualTo(200);
            assertThat(user.post("schedulerjobs/nightly", Map.of("action", "pause"))
                            .status())
                    .isEqualTo(405);
            assertThat(user.post("schedulerruns/1", Map.of("action", "cancel")).status())
                    .isEqualTo(405);
            assertThat(user.post("schedulerdeadletters/1", Map.of("action", "discard"))
                            .status())
                    .isEqualTo(405);
            assertThat(operations()).isEqualTo(before);
        }
    }
}
