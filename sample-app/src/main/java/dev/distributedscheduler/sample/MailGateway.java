package dev.distributedscheduler.sample;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.stereotype.Component;

/** Stands for a service that is not always there. */
@Component
class MailGateway {

    void send(long invoice) {
        if (ThreadLocalRandom.current().nextInt(4) == 0) {
            throw new IllegalStateException("The mail gateway does not answer (invoice %d)".formatted(invoice));
        }
    }
}
