package dev.distributedscheduler.store;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.OnceAfterTrigger;
import dev.distributedscheduler.schedule.OnceTrigger;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a schedule ticks, as its row says: it may not be readable. */
public record StoredTiming(
        String kind,
        String expression,
        @Nullable String zone,
        @Nullable String dstGap,
        @Nullable String dstOverlap,
        Duration shift,
        @Nullable Instant from,
        @Nullable Instant until) {

    /** From the columns trigger_kind, trigger_expression, zone, dst_gap, dst_overlap, shift (in ms), starts_at, ends_at. */
    static StoredTiming of(ResultSet row) throws SQLException {
        return new StoredTiming(
                row.getString("trigger_kind"),
                row.getString("trigger_expression"),
                row.getString("zone"),
                row.getString("dst_gap"),
                row.getString("dst_overlap"),
                Duration.ofMillis(row.getLong("shift")),
                Columns.instantOrNull(row, "starts_at"),
                Columns.instantOrNull(row, "ends_at"));
    }

    /** Throws when kind, expression, zone or bean are not valid, or no longer. */
    public Timing read(TriggerBeans beans) {
        return new Timing(trigger(beans), shift, from, until);
    }

    private Trigger trigger(TriggerBeans beans) {
        return switch (Trigger.Kind.valueOf(kind)) {
            case CRON ->
                CronTrigger.of(
                        expression,
                        zone,
                        DstGap.valueOf(String.valueOf(dstGap)),
                        DstOverlap.valueOf(String.valueOf(dstOverlap)));
            case FIXED_RATE -> new FixedRateTrigger(Duration.parse(expression));
            case FIXED_DELAY -> new FixedDelayTrigger(Duration.parse(expression));
            case ONCE ->
                OnceAfterTrigger.parse(expression)
                        .map(Trigger.class::cast)
                        .orElseGet(() -> new OnceTrigger(Instant.parse(expression)));
            case BEAN -> beans.get(expression);
        };
    }
}
