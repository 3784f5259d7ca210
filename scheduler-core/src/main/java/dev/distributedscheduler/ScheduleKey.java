package dev.distributedscheduler;

/**
 * Identifies a schedule.
 *
 * @param tenant to whom it belongs; empty for those of the application itself
 * @param name unique for the tenant
 */
public record ScheduleKey(String tenant, String name) {

    /** A schedule of the application itself: declared by an annotation, or registered without a tenant. */
    public static ScheduleKey of(String name) {
        return new ScheduleKey("", name);
    }

    @Override
    public String toString() {
        return tenant.isEmpty() ? name : tenant + "/" + name;
    }
}
