/**
 * All SQL, one class per table.
 *
 * <p>Correctness lives here, in single conditional statements by database time. The races, and who wins:
 *
 * <ul>
 *   <li><b>Two leaders.</b> Every enqueue transaction starts with {@code LeaseStore.fence}, a {@code for key share} lock on
 *       the lease row under the condition that the term is current and unexpired. A successor must lock the row
 *       {@code for update}, so it begins either before the fence, and the old leader's fence fails, or after the old
 *       leader's commit. Transactions of two terms never overlap.
 *   <li><b>Renewal against dispatch.</b> A renewal changes no key column; such an update does not conflict with
 *       {@code for key share}, so a leader never waits for itself.
 *   <li><b>One tick twice.</b> A tick becomes a run in the statement that advances {@code next_tick_at} from exactly that
 *       tick, and a schedule never goes back (a check constraint). So repeating it, after a lost commit reply for example,
 *       finds the schedule elsewhere and does nothing. The unique index on (schedule_id, tick_at) catches a mistake here
 *       only while the first run is live; it is no substitute.
 *   <li><b>A missed tick twice.</b> A missed range leaves the schedule's row in the statement that makes a run of its first
 *       tick, guarded by that tick; ranges come from ticks that the schedule has passed, so no two of them overlap.
 *   <li><b>Two runs of a schedule that must not overlap.</b> Whoever makes a run of a schedule holds the lock of its row, and
 *       looked for live runs after taking it. A tick that found none may go straight in line; all others pass
 *       {@code Admission}, which only the leader does.
 *   <li><b>Two owners of a partition.</b> An owner's transaction holds its row of {@code partition_owner}
 *       {@code for key share}; taking a partition away needs it {@code for update}. So no transaction of the former owner
 *       is open when the partition changes hands, and its next one reads what is left to it.
 *   <li><b>Pause, delete or change against dispatch.</b> Each needs the schedule's row, which dispatch locks first. Whoever
 *       comes second sees what the first did: a dispatch finds the schedule gone or standing elsewhere and does nothing, a
 *       pause finds the tick enqueued, and its run goes on.
 *   <li><b>Two deployments that declare the same.</b> The greater number wins while it has live nodes; a node is registered
 *       with its number before it declares, so an older one cannot take its declaration for that of a dead one.
 *   <li><b>Two registrations against one quota.</b> Both write the tenant's row, under the condition that the sum fits.
 *   <li><b>Rescue against completion.</b> Both need the run's row with state RUNNING and the attempt's token; whoever locks it
 *       first wins, and the other one matches no row. A result that lost is recorded as STALE.
 *   <li><b>Claim against expulsion.</b> A claim locks its node's row {@code for key share}; expelling deletes it. Either the
 *       claim sees no node and gets nothing, or its runs are committed before the expulsion looks for them.
 *   <li><b>Heartbeat against expulsion.</b> Both write the node's row: a heartbeat that comes second finds it gone, an
 *       expulsion that comes second finds a fresh lease.
 *   <li><b>Two enqueues with one key.</b> Whoever inserts the key's row wins; the other waits for the winner's commit and then
 *       finds its run. A rollback leaves the key to the other.
 *   <li><b>Cancel against claim.</b> Both need the run's row. A claim that comes second finds no row, a cancel that comes
 *       second finds the run RUNNING, marks it, and its end is CANCELLED unless it is a success.
 *   <li><b>A claim whose reply was lost.</b> The runs belong to a node that does not know of them; it gives back, between
 *       claims, whatever bears its id but not a token that it holds.
 *   <li><b>Two replays of one dead letter, or a replay and a discard.</b> Each must delete the letter's row; whoever locks it
 *       first wins, the other one finds it gone and does nothing. Bulks pass over locked rows instead of waiting, so that
 *       two of them never wait in a circle.
 *   <li><b>A replay whose key somebody else has.</b> The replay takes the key as an enqueue does, by inserting its row, and
 *       deletes the letter only if it got it. Otherwise the letter stays, and the caller is told. Two letters of one key
 *       compete in the same way. A key whose time is over is given up before; by a bulk in a statement of its own, because
 *       one that held such a key and then waited for another could meet an enqueue that does it the other way round.
 *   <li><b>A replayed tick.</b> While its letter lies there, no run of the same (schedule, tick) can be live: the tick was
 *       handed out once and for all, and the run left the queue in the statement that made the letter. Likewise for its id.
 *       The unique indexes would refuse the replay, and keep the letter, if this were wrong.
 *   <li><b>A late result from before the replay.</b> Tokens only rise, over all lives of a run: it is STALE.
 *   <li><b>A replayed run of a fixed-delay schedule beside its successor.</b> Only the end of a schedule's last live run sets
 *       its next tick. Two that end at the same moment may each take the other one for live; {@code ScheduleStore.revive}
 *       makes up for it.
 *   <li><b>An act of a person and its record.</b> One transaction: neither is seen without the other.
 *   <li><b>Retry now against promotion or cancel.</b> Each needs the run's row in state SCHEDULED, or at all; whoever comes
 *       second finds it elsewhere and does nothing.
 * </ul>
 */
@NullMarked
package dev.distributedscheduler.store;

import org.jspecify.annotations.NullMarked;
