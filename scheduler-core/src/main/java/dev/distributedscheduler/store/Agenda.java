package dev.distributedscheduler.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the leader will have to do next and when, by the database's clock, in one look. */
public final class Agenda {

    private final Database database;

    public Agenda(Database database) {
        this.database = database;
    }

    /**
     * Time until each duty; zero or less when it is due, null when there is none in sight.
     *
     * @param tick until the next tick of any active schedule
     * @param delayedRun until the next delayed run has to get in line
     * @param blocked whether runs wait behind a concurrency limit
     * @param orphaned whether runs wait for a node that knows their job
     * @param expiry until the first node's lease ends, should that node not renew it
     */
    public record Look(
            @Nullable Duration tick,
            @Nullable Duration delayedRun,
            @Nullable Duration expiry,
            boolean blocked,
            boolean orphaned) {

        public static boolean isDue(@Nullable Duration until) {
            return until != null && (until.isZero() || until.isNegative());
        }

        /** Time until the first of the duties, but not more than the given. */
        public Duration first(Duration longest) {
            return earlier(earlier(earlier(longest, tick), delayedRun), expiry);
        }

        private static Duration earlier(Duration one, @Nullable Duration other) {
            return other != null && other.compareTo(one) < 0 ? other : one;
        }
    }

    public Look look() {
        return database.sql("""
                        select extract(epoch from t.tick_at - clock_timestamp()) * 1000000 as tick,
                               extract(epoch from d.run_at - clock_timestamp()) * 1000000 as delayed_run,
                               extract(epoch from n.lease_until - clock_timestamp()) * 1000000 as expiry,
                               exists (select from scheduler.run where blocked_by = 'KEY')
                                   or exists (select from scheduler.run where blocked_by = 'JOB') as blocked,
                               exists (select from scheduler.run where blocked_by = 'ORPHAN') as orphaned
                        from (select min(next_tick_at) as tick_at from scheduler.schedule
                              where state = 'ACTIVE' and next_tick_at is not null) t,
                             (select min(run_at) as run_at from scheduler.run where state = 'SCHEDULED') d,
                             (select min(lease_until) as lease_until from scheduler.node) n
                        """)
                .query((row, number) -> new Look(
                        micros(row, "tick"),
                        micros(row, "delayed_run"),
                        micros(row, "expiry"),
                        row.getBoolean("blocked"),
                        row.getBoolean("orphaned")))
                .single();
    }

    private static @Nullable Duration micros(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Duration.ofNanos(micros * 1_000);
    }
}
