package dev.distributedscheduler.sample;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.JobScheduler;
import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Priority;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionOperations;

/** What the service does by itself; each tick runs on one replica only. */
@Component
class InvoicingJobs {

    private static final Logger log = LoggerFactory.getLogger(InvoicingJobs.class);

    private final Invoices invoices;
    private final MailGateway mail;
    private final JobScheduler scheduler;
    private final TransactionOperations transaction;

    InvoicingJobs(Invoices invoices, MailGateway mail, JobScheduler scheduler, TransactionOperations transaction) {
        this.invoices = invoices;
        this.mail = mail;
        this.scheduler = scheduler;
        this.transaction = transaction;
    }

    /**
     * Frequent. The run's id as key makes a repeated attempt harmless, and the invoice and the run that will number it are
     * committed together.
     */
    @DistributedScheduled(name = "draft-invoices", fixedRateString = "${sample.draft-every:5s}")
    @Transactional
    public void draft(JobContext context) {
        invoices.draft("run-" + context.runId(), "customer-" + context.runId() % 7, 4_900)
                .ifPresent(id -> scheduler.enqueue("number-invoice", new NumberRequest(id)));
    }

    record NumberRequest(long invoiceId) {}

    /** Exactly once: the number is taken and used in the transaction that also completes the run. */
    @DistributedJob(name = "number-invoice", transactional = true)
    void number(NumberRequest request, JobContext context) {
        invoices.number(request.invoiceId(), invoices.takeNumber());
    }

    /** A report in several transactions: each is refused when this worker has lost its run meanwhile. */
    @DistributedScheduled(name = "archive-invoices", fixedDelayString = "20s", initialDelayString = "5s")
    void archive(JobContext context) {
        for (long id : invoices.sent()) {
            transaction.executeWithoutResult(status -> {
                invoices.archive(id);
                context.assertOwned();
            });
        }
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

    /**
     * Nightly, by the clock of the accountants; one that was missed is made up for until the evening, and none is missed
     * unnoticed.
     */
    @DistributedScheduled(
            name = "nightly-statement",
            cron = "0 0 2 * * *",
            zone = "Europe/Paris",
            misfire = Misfire.REPLAY_LATEST,
            misfireGrace = "16h",
            mustSucceedEvery = "26h")
    void statement(JobContext context) {
        log.info("Statement of {}: {}", context.scheduledTime(), invoices.totals());
    }

    record StatementRequest(String customer) {}

    /** When each customer wants it: see {@link StatementController}. */
    @DistributedJob("customer-statement")
    void statement(StatementRequest request) {
        log.info("Statement for {}: {} cents", request.customer(), invoices.total(request.customer()));
    }
}
