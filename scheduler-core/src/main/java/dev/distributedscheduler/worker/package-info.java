/**
 * Who executes: pools of threads that claim runs, execute them and record how they ended.
 *
 * <pre>
 *            claim                   execute                 record
 *   queue ──────────▶ held, waiting ─────────▶ held, ended ─────────▶ history, dead letters, or in line again
 *         RunClaimer   for a thread  RunExecutor             RunCompleter
 * </pre>
 *
 * <p>A run is <em>held</em> from its claim until the database has its result. The node answers for what it holds with one
 * lease ({@code NodeHeartbeat}), however many runs that is and however long they take.
 *
 * <p>Where handlers are quick, more is held than there are threads, so that none waits for a claim ({@code Pace}). What waits
 * too long, or has not begun at shutdown, is given back to its place in line.
 *
 * <p>What it survives:
 *
 * <ul>
 *   <li>a handler that throws anything, errors included: it costs the attempt, never the thread;
 *   <li>a lost reply to a claim: the runs bear this node's id, but no token that it holds; they are given back;
 *   <li>a failed or unanswered recording: it is repeated until it succeeds, which is harmless, because the token lets one
 *       of them through;
 *   <li>a lease that cannot be renewed: the attempts are interrupted before the leader may give their runs to others, by the
 *       monotonic clock, counted from before the last successful heartbeat;
 *   <li>a process that was frozen past its lease: it finds itself expelled and joins again under a new id; results of the
 *       old one are refused, because their tokens are void;
 *   <li>shutdown: nothing new is claimed, what runs may end within the drain time and is interrupted after it; the heartbeat
 *       goes on until the last result is recorded.
 * </ul>
 */
@NullMarked
package dev.distributedscheduler.worker;

import org.jspecify.annotations.NullMarked;
