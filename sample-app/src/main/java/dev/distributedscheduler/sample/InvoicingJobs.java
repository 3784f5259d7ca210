package dev.distributedscheduler.sample;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.Priority;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** What the service does by itself; each tick runs on one replica only. */
@Component
class InvoicingJobs {

    private static final Logger log = LoggerFactory.getLogger(InvoicingJobs.class);

    private final Invoices invoices;
    private final MailGateway mail;

    InvoicingJobs(Invoices invoices, MailGateway mail) {
        this.invoices = invoices;
        this.mail = mail;
    }

    /** Frequent. The run's id as key makes a repeated attempt harmless. */
    @DistributedScheduled(name = "draft-invoices", fixedRateString = "${sample.draft-every:5s}")
    void draft(JobContext context) {
        invoices.draft("run-" + context.runId(), "customer-" + context.runId() % 7, 4_900);
    }

    /** Sometimes fails, and is tried again with growing pauses. */
    @DistributedScheduled(
            name = "send-invoices",
            fixedDelay = 5,
            timeUnit = TimeUnit.SECONDS,
            priority = Priority.HIGH,
            maxAttempts = 4)
    void send() {
        for (long id : invoices.drafts()) {
            mail.send(id);
            invoices.sent(id);
        }
    }

    /** Slow, so it has a queue of its own and cannot keep the others waiting. */
    @DistributedScheduled(
            name = "reconcile-payments",
            fixedDelayString = "10s",
            initialDelayString = "3s",
            queue = "reports",
            timeout = "1m")
    void reconcile() throws InterruptedException {
        TimeUnit.SECONDS.sleep(3); // a bank's answer
    }

    /** Nightly, by the clock of the accountants. */
    @DistributedScheduled(name = "nightly-statement", cron = "0 0 2 * * *", zone = "Europe/Paris")
    void statement(JobContext context) {
        log.info("Statement of {}: {}", context.scheduledTime(), invoices.totals());
    }
}
