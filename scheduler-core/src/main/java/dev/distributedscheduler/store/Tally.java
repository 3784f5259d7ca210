package dev.distributedscheduler.store;

import dev.distributedscheduler.event.ClusterSnapshot.Depth;
import dev.distributedscheduler.store.ClusterSurvey.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Counts and estimates of the same things: the count is right until it has reached the bound of counting. */
final class Tally {

    private final List<Count> counts;
    private final int bound;

    Tally(List<Count> counts, int bound) {
        this.counts = counts;
        this.bound = bound;
    }

    /** Runs that are READY are counted per queue, the others per state. */
    List<Depth> depths() {
        Map<String, Long> counted = new HashMap<>();
        Map<List<String>, Long> depths = new TreeMap<>((one, other) -> {
            int byQueue = one.get(0).compareTo(other.get(0));
            return byQueue != 0 ? byQueue : one.get(1).compareTo(other.get(1));
        });
        for (Count count : of("depth", false)) {
            counted.merge(range(count), count.number(), Long::sum);
            depths.merge(key(count), count.number(), Long::sum);
        }
        for (Count count : of("depth", true)) {
            if (counted.getOrDefault(range(count), 0L) >= bound) {
                depths.merge(key(count), count.number(), Math::max);
            }
        }
        List<Depth> list = new ArrayList<>();
        depths.forEach((key, runs) -> list.add(new Depth(key.get(0), key.get(1), runs)));
        return list;
    }

    private static String range(Count count) {
        return "READY".equals(count.detail()) ? "READY in " + count.name() : String.valueOf(count.detail());
    }

    private static List<String> key(Count count) {
        return List.of(Objects.requireNonNull(count.name()), Objects.requireNonNull(count.detail()));
    }

    /** Of the runs that a worker or the leader should have seen to; a sampled one is as old as it is. */
    Map<String, Duration> oldestDue() {
        Map<String, Duration> oldest = new TreeMap<>();
        for (Count count : counts) {
            if (count.kind().equals("depth") && count.age() != null && count.name() != null) {
                oldest.merge(count.name(), count.age(), (one, other) -> one.compareTo(other) > 0 ? one : other);
            }
        }
        return oldest;
    }

    Map<Duration, Long> dueWithin() {
        Map<Duration, Long> due = new TreeMap<>();
        for (Count count : of("due", false)) {
            due.merge(Duration.parse(Objects.requireNonNull(count.name())), estimated(count), Long::sum);
        }
        return due;
    }

    private long estimated(Count exact) {
        if (exact.number() < bound) {
            return exact.number();
        }
        return of(exact.kind(), true).stream()
                .filter(other ->
                        Objects.equals(other.name(), exact.name()) && Objects.equals(other.detail(), exact.detail()))
                .mapToLong(Count::number)
                .reduce(exact.number(), Math::max);
    }

    /** Of a kind that is counted once. */
    long number(String kind) {
        return of(kind, false).stream().mapToLong(this::estimated).sum();
    }

    /** Zero for what lies in the future, and for nothing. */
    Duration age(String kind) {
        return of(kind, false).stream()
                .map(Count::age)
                .filter(Objects::nonNull)
                .findAny()
                .orElse(Duration.ZERO);
    }

    private List<Count> of(String kind, boolean estimated) {
        return counts.stream()
                .filter(count -> count.kind().equals(kind) && count.estimated() == estimated)
                .toList();
    }
}
