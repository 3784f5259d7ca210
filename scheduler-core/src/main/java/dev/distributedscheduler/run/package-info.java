/**
 * One unit of queued work and what can become of it.
 *
 * <pre>
 *                 due                claim                 success
 *   SCHEDULED ─────────▶ READY ───────────────▶ RUNNING ───────────▶ COMPLETED
 *       ▲                 ▲ ▲                    │ │ │
 *       │                 │ └── given back ──────┘ │ └── attempts used up ──▶ DEAD
 *       │                 │     (not started)      │
 *       │                 └── node lost ───────────┤
 *       └──────────────────── failed, retry ───────┘
 * </pre>
 *
 * <p>Live states are rows of the table {@code run}; the terminal ones have left it for {@code execution} and, when dead,
 * {@code dead_letter}; a replay begins a new life of a dead run, in {@code DeadLetterStore}. A run with a concurrency limit is
 * BLOCKED before it is READY, one whose job no live node knows is BLOCKED until there is such a node, and any live run may
 * be CANCELLED. Every arrow is one SQL statement that carries its source state, and for RUNNING its token, in the
 * {@code where}.
 */
@NullMarked
package dev.distributedscheduler.run;

import org.jspecify.annotations.NullMarked;
