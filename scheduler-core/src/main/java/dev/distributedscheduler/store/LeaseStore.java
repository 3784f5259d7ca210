package dev.distributedscheduler.store;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The table {@code leader}: one row, one lease, one rising term. */
public final class LeaseStore {

    private final Database database;

    public LeaseStore(Database database) {
        this.database = database;
    }

    /**
     * Takes the lease when it is vacant, has run out, or belongs to a database session that is gone.
     *
     * <p>Locks {@code for update}, which waits for nobody and conflicts with the {@code for key share} of {@link #fence}:
     * a new term cannot begin while a transaction of the old one is still open.
     *
     * @return the new term
     */
    public OptionalLong acquire(UUID node, Duration ttl) {
        return database.sql("""
                        with vacancy as (
                            select l.id
                            from scheduler.leader l
                            where l.node_id is null
                               or l.lease_until <= now()
                               or (l.session_pid is not null and not exists (
                                    select from pg_stat_activity a
                                    where a.pid = l.session_pid
                                      and coalesce(a.backend_start = l.session_started_at, true)))
                            for update of l skip locked
                        ), session as (
                            select a.pid, a.backend_start
                            from pg_stat_activity a
                            where a.pid = pg_backend_pid() and a.pid = cast(:backend as integer)
                        )
                        update scheduler.leader l
                        set node_id = :node,
                            term = l.term + 1,
                            acquired_at = now(),
                            lease_until = now() + :ttl * interval '1 millisecond',
                            session_pid = (select pid from session),
                            session_started_at = (select backend_start from session)
                        from vacancy
                        where l.id = vacancy.id
                        returning l.term
                        """)
                .param("node", node)
                .param("ttl", ttl.toMillis())
                .param("backend", database.ownBackend())
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Extends the lease of a holder whose term is still the current one and has not run out. */
    public boolean renew(UUID node, long term, Duration ttl) {
        return database.sql("""
                                with session as (
                                    select a.pid, a.backend_start
                                    from pg_stat_activity a
                                    where a.pid = pg_backend_pid() and a.pid = cast(:backend as integer)
                                )
                                update scheduler.leader
                                set lease_until = now() + :ttl * interval '1 millisecond',
                                    session_pid = (select pid from session),
                                    session_started_at = (select backend_start from session)
                                where node_id = :node and term = :term and lease_until > now()
                                """)
                        .param("node", node)
                        .param("term", term)
                        .param("ttl", ttl.toMillis())
                        .param("backend", database.ownBackend())
                        .update()
                == 1;
    }

    /** Gives the lease up and tells the others; has no effect on a newer term. */
    public boolean release(UUID node, long term) {
        return database.sql("""
                        with released as (
                            update scheduler.leader
                            set node_id = null, lease_until = now(), session_pid = null, session_started_at = null
                            where node_id = :node and term = :term
                            returning id
                        )
                        select pg_notify(:channel, :wakeUp) from released
                        """)
                .param("node", node)
                .param("term", term)
                .param("channel", database.channel())
                .param("wakeUp", WakeUp.LEADER.payload())
                .query((row, number) -> true)
                .optional()
                .orElse(false);
    }

    /**
     * First statement of every transaction that only the leader may commit: holds the term until the transaction ends.
     *
     * <p>It also bounds the transaction: a leader that freezes inside it loses its session, and so its lock, after the
     * patience, instead of blocking its successor for ever.
     *
     * @return the database's time, or nothing when the term is over
     */
    public Optional<Instant> fence(long term, Duration patience) {
        return database.sql("""
                        select now() as now,
                               set_config('idle_in_transaction_session_timeout', :patience, true),
                               set_config('lock_timeout', :patience, true),
                               set_config('enable_seqscan', 'off', true), -- a plan for few rows must do for millions
                               set_config('jit', 'off', true)
                        from scheduler.leader
                        where term = :term and node_id is not null and lease_until > clock_timestamp()
                        for key share
                        """)
                .param("term", term)
                .param("patience", Long.toString(patience.toMillis()))
                .query((row, number) ->
                        row.getObject("now", OffsetDateTime.class).toInstant())
                .optional();
    }

    /** The term of the current lease, for those who only watch. */
    public long currentTerm() {
        return database.sql("select term from scheduler.leader")
                .query(Long.class)
                .single();
    }
}
