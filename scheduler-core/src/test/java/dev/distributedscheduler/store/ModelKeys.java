package dev.distributedscheduler.store;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The idempotency keys of the {@link QueueModel}: each has one owner, while that lives and as long as it was reserved for. */
final class ModelKeys {

    private record Owner(long runId, long until) {}

    private final Map<String, Owner> owners = new TreeMap<>();

    boolean isTaken(String key, long now) {
        return key != null && owners.containsKey(key) && owners.get(key).until() > now;
    }

    long ownerOf(String key) {
        return owners.get(key).runId();
    }

    void take(ModelRun run) {
        reserve(run, Long.MAX_VALUE);
    }

    void giveUp(ModelRun run) {
        if (run.key() != null) {
            owners.remove(run.key());
        }
    }

    void reserve(ModelRun run, long until) {
        if (run.key() != null) {
            owners.put(run.key(), new Owner(run.id, until));
        }
    }

    /** As if the time for which the key is reserved had passed. */
    void endReservation(String key, long now) {
        owners.put(key, new Owner(ownerOf(key), now));
    }

    /** Unless somebody has the key. */
    void forget(ModelRun run, long now) {
        if (!isTaken(run.key(), now)) {
            giveUp(run);
        }
    }

    int forget(long now) {
        int before = owners.size();
        owners.values().removeIf(owner -> owner.until() < now);
        return before - owners.size();
    }

    List<String> reserved(long now) {
        return owners.keySet().stream()
                .filter(key -> describe(key, now).equals("reserved"))
                .toList();
    }

    /** The rows of {@code idempotency} as {@link QueueTables} reads them. */
    Stream<String> rows(long now) {
        return owners.keySet().stream().map(key -> ModelRun.words("key", key, ownerOf(key), describe(key, now)));
    }

    private String describe(String key, long now) {
        long until = owners.get(key).until();
        return until == Long.MAX_VALUE ? "taken" : until > now ? "reserved" : "over";
    }
}
