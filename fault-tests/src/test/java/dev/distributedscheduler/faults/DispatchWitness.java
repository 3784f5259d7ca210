package dev.distributedscheduler.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Sees every transaction that makes runs from inside the database: who, in which session, and who led at that moment.
 *
 * <p>A trigger, not the scheduler's own account. Under the fence it sees the leader that the transaction holds on to;
 * without the fence it would see the successor beside the name of a stale writer.
 */
final class DispatchWitness {

    private final JdbcClient sql;

    DispatchWitness(JdbcClient sql) {
        this.sql = sql;
        sql.sql("""
                create schema witness;

                create table witness.dispatch (
                    at timestamptz not null,
                    writer text not null,
                    session integer not null,
                    term bigint not null,
                    leader text
                );

                create function witness.note() returns trigger language plpgsql as $$
                begin
                    insert into witness.dispatch
                    select clock_timestamp(), current_setting('application_name'), pg_backend_pid(), l.term, n.name
                    from scheduler.leader l left join scheduler.node n on n.id = l.node_id
                    where exists (select from added);
                    return null;
                end $$;

                create trigger note after insert on scheduler.run
                    referencing new table as added for each statement execute function witness.note();
                """).update();
    }

    /** One transaction that made runs. */
    record Dispatch(Instant at, String writer, int session, long term, String leader) {}

    List<Dispatch> all() {
        return sql.sql("select at, writer, session, term, leader from witness.dispatch order by at")
                .query((row, number) -> new Dispatch(
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        row.getString("writer"),
                        row.getInt("session"),
                        row.getLong("term"),
                        row.getString("leader")))
                .list();
    }

    /** Dispatches since then whose writer did not lead; the test may enqueue what it likes. */
    List<Dispatch> usurpationsSince(Instant start) {
        return all().stream()
                .filter(dispatch -> dispatch.writer().startsWith("replica-"))
                .filter(dispatch -> !dispatch.at().isBefore(start))
                .filter(dispatch -> !dispatch.writer().equals(dispatch.leader()))
                .toList();
    }

    /** The last dispatch of a term. */
    Dispatch lastOf(long term) {
        return all().stream()
                .filter(dispatch -> dispatch.term() == term)
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    /** The first dispatch of any later term. */
    Optional<Dispatch> firstAfter(long term) {
        return all().stream().filter(dispatch -> dispatch.term() > term).findFirst();
    }

    /** How long nothing was dispatched when the term ended. */
    Duration pauseAfter(long term) {
        return Duration.between(
                lastOf(term).at(), firstAfter(term).orElseThrow().at());
    }
}
