package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.dispatch.LeaderDuties.Means;
import dev.distributedscheduler.event.SchedulerEvent;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.TickPlan;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Admission;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.DedicatedDataSource;
import dev.distributedscheduler.store.DueTicks;
import dev.distributedscheduler.store.DueTicks.Advance;
import dev.distributedscheduler.store.LeaseStore;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** A leader on an empty schema that dispatches and catches up only when told to, and workers that just end runs. */
final class TestLeader implements AutoCloseable {

    private static final UUID NODE = new UUID(0, 1);
    private static final Term TERM = new Term(NODE, 1);
    private static final int MOST_TICKS = 100;

    private final TestTables tables;
    private final DedicatedDataSource connection;
    private final Database database;
    private final FencedTransactions transactions;
    private final DueTicks due;
    private final List<SchedulerEvent> events = new ArrayList<>();
    private TriggerBeans beans = TriggerBeans.NONE;
    private double rate = 2;

    TestLeader(DataSource dataSource) {
        this.connection = new DedicatedDataSource(dataSource, Duration.ofSeconds(20));
        new TestTables(dataSource); // makes them, for which one connection is not enough
        this.tables = new TestTables(connection);
        new LeaseStore(tables.database()).acquire(NODE, TestTables.HOUR);
        this.database = tables.database();
        this.transactions = new FencedTransactions(database, Duration.ofSeconds(5));
        this.due = new DueTicks(database);
        tables.execute("create table if not exists ended (id serial, schedule_id bigint, tick_at timestamptz)");
        tables.execute("truncate ended");
    }

    void use(TriggerBeans other) {
        beans = other;
    }

    void catchUpAtRate(double other) {
        rate = other;
    }

    TestTables tables() {
        return tables;
    }

    List<SchedulerEvent> events() {
        return events;
    }

    void declare(Schedule... schedules) {
        new ScheduleStore(tables.database()).declare(List.of(schedules), 1);
    }

    /** All schedules stand so long ago. */
    void setBack(Duration late) {
        tables.execute("""
                update scheduler.schedule
                set last_tick_at = null, next_tick_at = now() - interval '%d milliseconds'
                """.formatted(late.toMillis()));
    }

    int dispatch() {
        return new DueTickEnqueuer(due, beans, DispatchSettings.DEFAULT, events::add).enqueue(transactions.alone(TERM));
    }

    /** As at another time, which has to be in the past; whatever is due by then. */
    void dispatchAt(Instant now) {
        transactions.commit(
                TERM,
                actually -> due.advance(due.lockDue(beans.beans().keySet(), null, 1_000).stream()
                        .filter(schedule -> !schedule.nextTick().isAfter(now))
                        .map(schedule -> new Advance(
                                schedule,
                                TickPlan.of(
                                        schedule.timing().read(beans),
                                        schedule.nextTick(),
                                        now,
                                        schedule.rules(
                                                DispatchSettings.DEFAULT.misfireGrace(),
                                                DispatchSettings.DEFAULT.misfireAfter()),
                                        MOST_TICKS)))
                        .toList()));
    }

    /** What may be replayed by now. */
    int replay() {
        Means means = new Means(database, beans, events::add, System::nanoTime);
        return new CatchUp(means, rate).replay(transactions.alone(TERM));
    }

    /** As if the pause were over. */
    int replayNow() {
        tables.execute("update scheduler.schedule set replay_at = now() where replay_at is not null");
        return replay();
    }

    int admit() {
        return transactions.commit(TERM, now -> new Admission(database).admit());
    }

    /** Ends the runs that are in line; returns how many. */
    int endRuns() {
        return (int) tables.count("""
                with done as (
                    delete from scheduler.run where state = 'READY' returning id, schedule_id, tick_at, place
                ), noted as (
                    insert into ended (schedule_id, tick_at)
                    select schedule_id, tick_at from done order by place, id
                )
                select count(*) from done
                """);
    }

    /** In the order in which they ended. */
    List<Instant> endedTicks() {
        return tables
                .texts(
                        "select to_char(tick_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from ended order by id")
                .stream()
                .map(Instant::parse)
                .toList();
    }

    String state() {
        return tables.text("select state from scheduler.schedule");
    }

    boolean owes() {
        return tables.count("select count(*) from scheduler.schedule where not isempty(missed)") > 0;
    }

    @Override
    public void close() {
        connection.close();
    }
}
