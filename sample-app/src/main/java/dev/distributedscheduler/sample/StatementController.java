package dev.distributedscheduler.sample;

import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickPreview;
import dev.distributedscheduler.sample.InvoicingJobs.StatementRequest;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Customers say themselves when they want a statement: one schedule per customer, made by a program. */
@RestController
@RequestMapping("/customers/{customer}/statement")
class StatementController {

    private final Schedules schedules;

    StatementController(Schedules schedules) {
        this.schedules = schedules;
    }

    /** Ordering again changes the time. After an outage a customer gets one statement, not one for every tick missed. */
    @PutMapping
    void order(@PathVariable String customer, @RequestParam String cron) {
        schedules
                .schedule("statement")
                .tenant(customer)
                .job("customer-statement")
                .cron(cron)
                .zone("Europe/Paris")
                .misfire(Misfire.REPLAY_LATEST)
                .payload(new StatementRequest(customer))
                .register();
    }

    @GetMapping
    List<TickPreview> next(@PathVariable String customer) {
        return schedules.preview(key(customer), 3);
    }

    @DeleteMapping
    boolean cancel(@PathVariable String customer) {
        return schedules.delete(key(customer));
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    String refuse(IllegalArgumentException refused) {
        return String.valueOf(refused.getMessage());
    }

    private static ScheduleKey key(String customer) {
        return new ScheduleKey(customer, "statement");
    }
}
