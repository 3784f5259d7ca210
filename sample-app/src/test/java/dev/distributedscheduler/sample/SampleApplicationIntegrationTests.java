package dev.distributedscheduler.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The sample does what it shows: its jobs run within 30 seconds of its start. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {"sample.draft-every=500ms", "spring.main.web-application-type=none"})
class SampleApplicationIntegrationTests {

    @Autowired
    private Invoices invoices;

    @Autowired
    private StatementController statements;

    @Autowired
    private JdbcClient jdbc;

    @Test
    void invoicesAreDraftedAndSent() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat((Long) invoices.totals().get("sent")).isPositive());
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(jdbc.sql("""
                                        select distinct job from scheduler.execution where outcome = 'COMPLETED'
                                        """).query(String.class).list())
                                .contains(
                                        "draft-invoices",
                                        "number-invoice",
                                        "send-invoices",
                                        "archive-invoices",
                                        "reconcile-payments"));
        assertThat(jdbc.sql("select count(number) = max(number) from invoice")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    @Test
    void customerGetsStatementsUntilItCancelsThem() {
        statements.order("customer-3", "* * * * * *");

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(jdbc.sql("""
                                        select count(*) from scheduler.execution
                                        where job = 'customer-statement' and outcome = 'COMPLETED'
                                        """).query(Long.class).single()).isPositive());
        assertThat(statements.next("customer-3")).hasSize(3);
        assertThat(statements.cancel("customer-3")).isTrue();
        assertThat(statements.next("customer-3")).isEmpty();
    }

    @Test
    void nightlyStatementIsScheduledByTheClockOfTheAccountants() {
        assertThat(jdbc.sql("select zone from scheduler.schedule where name = 'nightly-statement'")
                        .query(String.class)
                        .single())
                .isEqualTo("Europe/Paris");
    }
}
