package dev.distributedscheduler.faults;

import static org.awaitility.Awaitility.await;

import dev.distributedscheduler.faults.HeldLock.Mode;

/**
 * Stops one replica at the statement that takes its runs out of the queue, before it has looked at any of them, until this is
 * closed. All others pass.
 */
final class CompletionGate implements AutoCloseable {

    private final Cluster cluster;
    private final Replica replica;
    private final HeldLock barrier;

    CompletionGate(Cluster cluster, Replica replica) {
        this.cluster = cluster;
        this.replica = replica;
        cluster.sql().sql("""
                create table if not exists witness.barrier ();

                create or replace function witness.stop_at_barrier() returns trigger language plpgsql as $$
                begin
                    if current_setting('application_name') = '%s' then
                        perform from witness.barrier;
                    end if;
                    return null;
                end $$;

                create or replace trigger gate before delete on scheduler.run
                    for each statement execute function witness.stop_at_barrier();
                """.formatted(replica)).update();
        this.barrier = cluster.lock("witness.barrier", Mode.NO_READS);
    }

    void awaitArrival() {
        await("%s at the gate".formatted(replica))
                .until(() -> cluster.sessionsOf(replica).stream().anyMatch(barrier::isAwaitedBy));
    }

    @Override
    public void close() {
        barrier.close();
    }
}
