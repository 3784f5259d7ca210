package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.PermanentFailureException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Jobs to operate on. */
class EndpointJobs {

    static final List<String> mails = new CopyOnWriteArrayList<>();

    record Mail(String to) {}

    @DistributedScheduled(name = "nightly", cron = "0 0 2 * * *", zone = "UTC")
    void nightly() {}

    @DistributedJob("send-mail")
    void send(Mail mail) {
        if (mail.to().equals("nobody")) {
            throw new PermanentFailureException("No mailbox");
        }
        mails.add(mail.to());
    }

    /** Goes on until it is interrupted. */
    @DistributedJob("endless")
    void endless(JobContext context) throws InterruptedException {
        new CountDownLatch(1).await();
    }
}
