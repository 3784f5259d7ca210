package dev.distributedscheduler.store;

import static dev.distributedscheduler.store.Columns.texts;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
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
     * @param replay until the next missed tick may be made up for
     * @param delayedRun until the next delayed run has to get in line
     * @param blocked whether runs wait behind a concurrency limit
     * @param orphaned whether runs wait for a node that knows their job
     * @param expiry until the first node's lease ends, should that node not renew it
     */
    public record Look(
            @Nullable Duration tick,
            @Nullable Duration replay,
            @Nullable Duration delayedRun,
            @Nullable Duration expiry,
            boolean blocked,
            boolean orphaned) {

        /** The end of a run and the blocking of another may miss each other, and then nobody is told. */
        private static final Duration WHILE_BLOCKED = Duration.ofSeconds(1);

        public static boolean isDue(@Nullable Duration until) {
            return until != null && (until.isZero() || until.isNegative());
        }

        /** Time until the first of the duties, but not more than the given. */
        public Duration first(Duration longest) {
            Duration watched = blocked ? earlier(longest, WHILE_BLOCKED) : longest;
            return earlier(earlier(earlier(earlier(watched, tick), replay), delayedRun), expiry);
        }

        /** Time until the first live or missed tick, but not more than the given. */
        public Duration firstTick(Duration longest) {
            return earlier(earlier(longest, tick), replay);
        }

        private static Duration earlier(Duration one, @Nullable Duration other) {
            return other != null && other.compareTo(one) < 0 ? other : one;
        }
    }

    /**
     * @param beans names of the trigger beans that this node has; it does not wait for ticks of others
     * @param partitions of the schedules that it dispatches; null for all
     */
    public Look look(Collection<String> beans, @Nullable Collection<Integer> partitions) {
        return database.sql("""
                        select extract(epoch from t.tick_at - clock_timestamp()) * 1000000 as tick,
                               extract(epoch from p.replay_at - clock_timestamp()) * 1000000 as replay,
                               extract(epoch from d.run_at - clock_timestamp()) * 1000000 as delayed_run,
                               extract(epoch from n.lease_until - clock_timestamp()) * 1000000 as expiry,
                               exists (select from scheduler.run where blocked_by = 'KEY')
                                   or exists (select from scheduler.run where blocked_by = 'JOB') as blocked,
                               exists (select from scheduler.run where blocked_by = 'ORPHAN') as orphaned
                        from (select min(next_tick_at) as tick_at from scheduler.schedule
                              where state = 'ACTIVE' and next_tick_at is not null
                                and (trigger_kind <> 'BEAN' or trigger_expression = any(:beans))
                                and (cast(:partitions as smallint[]) is null
                                     or partition = any(cast(:partitions as smallint[])))) t,
                             (select min(replay_at) as replay_at from scheduler.schedule
                              where state = 'ACTIVE' and replay_at is not null
                                and (trigger_kind <> 'BEAN' or trigger_expression = any(:beans))
                                and (cast(:partitions as smallint[]) is null
                                     or partition = any(cast(:partitions as smallint[])))) p,
                             (select min(run_at) as run_at from scheduler.run where state = 'SCHEDULED') d,
                             (select min(lease_until) as lease_until from scheduler.node) n
                        """)
                .param("beans", beans.toArray(String[]::new))
                .param("partitions", partitions == null ? null : texts(partitions, partition -> partition))
                .query((row, number) -> new Look(
                        micros(row, "tick"),
                        micros(row, "replay"),
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
