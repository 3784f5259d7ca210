package dev.distributedscheduler.actuate.endpoint;

import static dev.distributedscheduler.actuate.endpoint.HttpUser.encoded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.actuate.endpoint.HttpUser.Answer;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What an attacker, or a script gone wild, sends: refused or answered, nothing told and nothing done twice. */
@PostgresTest
class HostileRequestsIntegrationTests {

    private static final String SQL = "x'; drop table scheduler.run; --";
    private static final String MEGABYTE = "x".repeat(1 << 20);
    private static final int TRIGGERS = 1_000;

    private static ConfigurableApplicationContext application;
    private static HttpUser operator;
    private static JdbcClient jdbc;

    @BeforeAll
    static void start(PostgresDatabase database) {
        application = EndpointApplication.overHttp(
                database,
                "management.endpoint.schedulerjobs.access=unrestricted",
                "management.endpoint.schedulerruns.access=unrestricted",
                "management.endpoint.schedulerdeadletters.access=unrestricted",
                // as an application that lets its errors be seen
                "server.error.include-message=always",
                "server.error.include-stacktrace=never");
        operator =
                new HttpUser(Integer.parseInt(application.getEnvironment().getProperty("local.server.port")), "otto");
        jdbc = JdbcClient.create(database.dataSource());
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /** Nothing of the inside: no statement, no class, no table. */
    private static void toldNothing(String request, Answer answer) {
        assertThat(answer.text())
                .as(request)
                .doesNotContainIgnoringCase("sql")
                .doesNotContain(
                        "Exception", "scheduler.run", "scheduler.execution", "dev.distributedscheduler", "java.");
        assertThat(answer.text().length()).as(request).isLessThan(10_000);
    }

    private static void refused(String path) {
        Answer answer = operator.get(path);
        assertThat(answer.status()).as(path).isBetween(400, 499);
        toldNothing(path, answer);
    }

    @Test
    void sqlInNamesIsAName() {
        String name = encoded(SQL);
        for (String path : List.of("schedulerjobs/" + name, "schedulerjobs/nightly?tenant=" + name)) {
            assertThat(operator.get(path).status()).as(path).isBetween(400, 499); // the firewall may refuse a semicolon
        }
        for (String path : List.of(
                "schedulerjobs?tenant=" + name,
                "schedulerjobs?prefix=" + name,
                "schedulerjobs?job=" + name,
                "schedulerruns?job=" + name,
                "schedulerruns?queue=" + name,
                "schedulerruns/past?job=" + name,
                "schedulerdeadletters?job=" + name,
                "schedulerdeadletters?errorType=" + name)) {
            assertThat(operator.get(path).status()).as(path).isEqualTo(200);
        }
        assertThat(operator.post("schedulerjobs/nightly", Map.of("action", "pause", "tenant", SQL))
                        .status())
                .isEqualTo(404);
        assertThat(operator.post("schedulerdeadletters", Map.of("action", "discard", "job", SQL))
                        .json()
                        .get("runs")
                        .asInt())
                .isZero();
        assertThat(jdbc.sql("select count(*) from scheduler.run")
                        .query(Long.class)
                        .single())
                .isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schedulerjobs/..%2f..%2fenv",
                "schedulerjobs/%2e%2e/env/x/y",
                "schedulerjobs/..;/x",
                "schedulerjobs/a%2Fb",
                "schedulerjobs/a%5Cb",
                "schedulerjobs/%00",
                "schedulerjobs/nightly%0d%0aSet-Cookie:%20a=b",
                "schedulerjobs/nightly/unknown-view",
                "schedulerjobs/nightly/ticks/more",
                "schedulerruns/%27%20or%201=1",
                "schedulerruns/1e3",
                "schedulerruns/99999999999999999999999",
                "schedulerdeadletters/abc"
            })
    void pathTricksLeadNowhere(String path) {
        refused(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schedulerjobs?size=-1",
                "schedulerjobs?size=0",
                "schedulerruns?size=-9223372036854775808",
                "schedulerruns?size=abc",
                "schedulerruns?size=1e3",
                "schedulerruns?size=99999999999999999999999",
                "schedulerruns?state=DEAD",
                "schedulerruns?after=abc",
                "schedulerruns/past?after=1~2",
                "schedulerruns/past?after=%2B999999999-01-01T00:00:00Z~1~2",
                "schedulerruns/past?outcome=SKIPPED",
                "schedulerruns/past?from=yesterday",
                "schedulerruns/past?before=%2B999999999-01-01T00:00:00Z",
                "schedulerdeadletters?after=%27",
                "schedulerdeadletters?from=2026-13-01T00:00:00Z",
                "schedulerdeadletters?errorType=%00",
                "schedulerjobs?after=%25%25~x",
                "schedulerjobs?after=AA~AA",
                "schedulerjobs?job=%00",
                "schedulerjobs?tenant=%0a",
                "schedulerjobs/nightly/ticks?size=-5",
                "schedulerjobs/nightly/trace?from=0"
            })
    void badParametersAreRefusedWithAReason(String path) {
        Answer answer = operator.get(path);

        assertThat(answer.status()).as(path).isEqualTo(400);
        toldNothing(path, answer);
        if (!path.contains("%00")) { // Tomcat or the firewall may refuse that before the endpoint sees it
            assertThat(answer.json().get("error").asString()).isNotBlank();
        }
    }

    @Test
    void hugeSizesAreCapped() {
        assertThat(operator.get("schedulerjobs/nightly/ticks?size=9223372036854775807")
                        .json()
                        .get("ticks")
                        .size())
                .isEqualTo(1_000);
        for (String path : List.of("schedulerjobs", "schedulerruns", "schedulerruns/past", "schedulerdeadletters")) {
            assertThat(operator.get(path + "?size=9223372036854775807").status())
                    .as(path)
                    .isEqualTo(200);
        }
    }

    @Test
    void megabytesAreRefused() {
        for (Map.Entry<String, String> huge : List.of(
                Map.entry("tenant", MEGABYTE),
                Map.entry("reason", MEGABYTE),
                Map.entry("payload", "\"" + MEGABYTE + "\""),
                Map.entry("payload", MEGABYTE),
                Map.entry("payload", "[".repeat(1 << 20)),
                Map.entry("reason", "\0"))) {
            Answer answer =
                    operator.post("schedulerjobs/nightly", Map.of("action", "trigger", huge.getKey(), huge.getValue()));
            assertThat(answer.status()).as(huge.getKey()).isEqualTo(400);
            toldNothing(huge.getKey(), answer);
        }
        assertThat(operator.post("schedulerjobs/nightly", Map.of("action", MEGABYTE))
                        .status())
                .isEqualTo(400);
        assertThat(operator.post("schedulerjobs/nightly", Map.of()).status()).isEqualTo(400);
        assertThat(operator.post("schedulerjobs/" + "x".repeat(5_000), Map.of("action", "pause"))
                        .status())
                .isEqualTo(400);
        assertThat(operator.post("schedulerdeadletters", Map.of("action", "discard", "job", MEGABYTE))
                        .status())
                .isEqualTo(400);
        assertThat(operator.post("schedulerdeadletters", Map.of("action", "discard", "errorType", MEGABYTE))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void bodiesThatAreNotJsonAreRefused() {
        for (String body : List.of(
                "{", "[]", "{\"action\": \"trigger\", \"payload\": {\"to\": \"ann\"}}", "null null", "\u0000")) {
            Answer answer = operator.postText("schedulerjobs/send-mail", body);
            assertThat(answer.status()).as(body).isBetween(400, 499);
            toldNothing(body, answer);
        }
    }

    @Test
    void aThousandTriggersAtOnceMakeAThousandRuns() {
        long before = runs();

        List<CompletableFuture<Answer>> answers = IntStream.range(0, TRIGGERS)
                .mapToObj(i -> operator.postLater("schedulerjobs/nightly", Map.of("action", "trigger")))
                .toList();

        List<Long> ids = answers.stream()
                .map(CompletableFuture::join)
                .peek(answer -> assertThat(answer.status()).isEqualTo(200))
                .map(answer -> answer.json().get("runId").asLong())
                .toList();
        assertThat(ids).hasSize(TRIGGERS).doesNotHaveDuplicates();
        assertThat(jdbc.sql("select run_id from scheduler.operation where act = 'TRIGGER' and schedule = 'nightly'")
                        .query(Long.class)
                        .list())
                .containsExactlyInAnyOrderElementsOf(ids);
        await().untilAsserted(() -> assertThat(runs() - before).isEqualTo(TRIGGERS));
    }

    private static long runs() {
        return jdbc.sql("""
                        select count(distinct id)
                        from (select id from scheduler.run where job = 'nightly'
                              union all
                              select run_id from scheduler.execution where job = 'nightly' and run_id is not null) r
                        """).query(Long.class).single();
    }
}
