/**
 * Who decides: one elected leader, its lease and its term.
 *
 * <pre>
 *              acquire: vacant, expired,
 *              or the holder's session is gone
 *   FOLLOWER ──────────────────────────────────▶ LEADER ──┐ renew every third of the lease,
 *      ▲                                           │  ▲    │ trusted until (start of the call
 *      │        renewal refused, trust over,       │  └────┘ + lease − margin)
 *      └─────────── or released at shutdown ───────┘
 * </pre>
 *
 * <p>The lease row is judged by database time, and a leader judges itself by its monotonic clock, counted from before the
 * last successful call: it stops trusting itself before the database would give its lease away. That keeps work from being
 * wasted; what keeps it correct is the term, which every enqueue transaction locks ({@code LeaseStore.fence}).
 *
 * <p>What it survives:
 *
 * <ul>
 *   <li>shutdown: the lease is released and the others are notified; they take over at once;
 *   <li>death of the process: its dedicated database session ends, a follower sees that at its next check;
 *   <li>a frozen process, power loss, a partition: the lease runs out; on waking, the old leader no longer trusts itself,
 *       and its fence fails should it try;
 *   <li>a lost connection while alive: a follower may take over early; safe, because the term rises;
 *   <li>a lost reply to {@code acquire}: the node holds a lease it does not know of; it runs out, or its own next
 *       {@code acquire} on a new session finds the old session gone;
 *   <li>a transaction pooler: sessions mean nothing, so none is named, and only the lease time counts.
 * </ul>
 */
@NullMarked
package dev.distributedscheduler.leader;

import org.jspecify.annotations.NullMarked;
