package dev.distributedscheduler;

/** A tenant would have more schedules than it may; none of those that were to be registered together was. */
public class QuotaExceededException extends RuntimeException {

    public QuotaExceededException(String tenant) {
        super(
                "Tenant '%s' would have more schedules than its quota allows; delete some, or raise it with Schedules.setQuota"
                        .formatted(tenant));
    }
}
