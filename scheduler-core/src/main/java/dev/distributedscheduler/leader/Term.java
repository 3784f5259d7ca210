package dev.distributedscheduler.leader;

import java.util.UUID;

/** A period of leadership: the number fences, the node says who. */
public record Term(UUID nodeId, long number) {}
