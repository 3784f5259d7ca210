package dev.distributedscheduler.worker;

/**
 * The worker slots of one queue on this node.
 *
 * @param used how many have a run
 * @param size how many there are
 */
public record SlotUse(int used, int size) {}
