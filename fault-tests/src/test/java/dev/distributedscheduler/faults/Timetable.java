package dev.distributedscheduler.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which ticks there must have been, worked out without the scheduler's own code. */
final class Timetable {

    private final JdbcClient sql;

    Timetable(JdbcClient sql) {
        this.sql = sql;
    }

    private record Line(String job, Duration every, Instant next) {}

    /** All ticks of all jobs that come every second or at a fixed rate. */
    Set<Tick> ticks(Period period) {
        Set<Tick> ticks = new HashSet<>();
        for (Line line : lines()) {
            for (Instant tick = firstFrom(period.start(), line); tick.isBefore(period.end()); ) {
                ticks.add(new Tick(line.job(), tick));
                tick = tick.plus(line.every());
            }
        }
        return ticks;
    }

    /** Schedules that have not been moved on although their tick is due. */
    int overdue() {
        return sql.sql("select count(*) from scheduler.schedule where next_tick_at <= now()")
                .query(Integer.class)
                .single();
    }

    private static Instant firstFrom(Instant start, Line line) {
        long stepsBack = Duration.between(start, line.next()).dividedBy(line.every());
        return line.next().minus(line.every().multipliedBy(stepsBack));
    }

    private List<Line> lines() {
        return sql.sql("""
                        select job, trigger_kind, trigger_expression, next_tick_at
                        from scheduler.schedule
                        where trigger_kind = 'FIXED_RATE'
                           or (trigger_kind = 'CRON' and trigger_expression = '* * * * * *')
                        """)
                .query((row, number) -> new Line(
                        row.getString("job"),
                        row.getString("trigger_kind").equals("CRON")
                                ? Duration.ofSeconds(1)
                                : Duration.parse(row.getString("trigger_expression")),
                        row.getObject("next_tick_at", OffsetDateTime.class).toInstant()))
                .list();
    }
}
