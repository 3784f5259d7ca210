package dev.distributedscheduler.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.DeadLetter;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.actuate.endpoint.EndpointJobs.Mail;
import dev.distributedscheduler.actuate.endpoint.SchedulerDeadLettersEndpoint.Letter;
import dev.distributedscheduler.autoconfigure.SchedulerApplication;
import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The endpoint of the dead letters as an object, on a running scheduler. */
@PostgresTest
class DeadLettersEndpointIntegrationTests {

    private final JdbcClient jdbc;
    private final ApplicationContextRunner application;

    DeadLettersEndpointIntegrationTests(PostgresDatabase database) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.application = SchedulerApplication.on(database)
                .withConfiguration(AutoConfigurations.of(SchedulerEndpointAutoConfiguration.class))
                .withBean(EndpointJobs.class)
                .withPropertyValues(
                        "distributed-scheduler.worker.drain-timeout=1s",
                        "management.endpoints.web.exposure.include=*",
                        "distributed-scheduler.endpoints.show-values=always");
    }

    @BeforeEach
    void forget() {
        jdbc.sql("drop schema if exists scheduler cascade").update();
        EndpointJobs.mails.clear();
    }

    @Test
    void deadLettersAreListedReplayedAndDiscarded() {
        application.run(context -> {
            SchedulerDeadLettersEndpoint endpoint = context.getBean(SchedulerDeadLettersEndpoint.class);
            List<Long> ids = context
                    .getBean(JobScheduler.class)
                    .enqueueAll("send-mail", List.of(new Mail("nobody"), new Mail("nobody"), new Mail("nobody")))
                    .stream()
                    .map(run -> run.id())
                    .toList();
            await().until(() -> list(endpoint, null).size() == 3);

            Letter letter = endpoint.letter(ids.get(0).toString());
            assertThat(letter.payload()).isEqualTo("{\"to\":\"nobody\"}");
            assertThat(letter.stackTrace()).contains("EndpointJobs.send");
            assertThat(list(endpoint, "java.lang.Error")).isEmpty();

            assertThat(endpoint.act(ids.get(0).toString(), "replay", "{\"to\": \"ann\"}", "mended")
                            .done())
                    .isTrue();
            await().until(() -> EndpointJobs.mails.contains("ann"));
            assertThat(endpoint.letter(ids.get(0).toString())).isNull();
            assertThat(endpoint.act(ids.get(0).toString(), "replay", null, null))
                    .isNull();
            assertThat(endpoint.act(ids.get(1).toString(), "discard", null, null)
                            .done())
                    .isTrue();
            assertThatThrownBy(() -> endpoint.actOnAll("discard", null, null, null, null, null, null, null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContaining("all=true");
            assertThat(endpoint.actOnAll("discard", "send-mail", null, null, null, null, null, "old")
                            .runs())
                    .isEqualTo(1);

            assertThat(list(endpoint, null)).isEmpty();
            assertThat(jdbc.sql("select act || ' ' || run_id from scheduler.operation order by id")
                            .query(String.class)
                            .list())
                    .containsExactly("REPLAY " + ids.get(0), "DISCARD " + ids.get(1), "DISCARD " + ids.get(2));
        });
    }

    private static List<DeadLetter> list(SchedulerDeadLettersEndpoint endpoint, String errorType) {
        return endpoint.list(null, errorType, null, null, null, null).deadLetters();
    }

    @Test
    void payloadsAndStacksAreHiddenUnlessShown() {
        application
                .withPropertyValues("distributed-scheduler.endpoints.show-values=when-authorized")
                .run(context -> {
                    SchedulerDeadLettersEndpoint endpoint = context.getBean(SchedulerDeadLettersEndpoint.class);
                    long id = context.getBean(JobScheduler.class)
                            .enqueue("send-mail", new Mail("nobody"))
                            .id();
                    await().until(() -> list(endpoint, null).size() == 1);

                    Letter letter = endpoint.letter(Long.toString(id));

                    assertThat(letter.payload()).isEqualTo("******");
                    assertThat(letter.stackTrace()).isEqualTo("******");
                });
    }
}
