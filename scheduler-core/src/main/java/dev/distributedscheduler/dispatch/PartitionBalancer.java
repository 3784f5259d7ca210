package dev.distributedscheduler.dispatch;

import dev.distributedscheduler.event.SchedulerEvent.PartitionsMoved;
import dev.distributedscheduler.event.SchedulerListener;
import dev.distributedscheduler.leader.Term;
import dev.distributedscheduler.store.PartitionStore;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Spreads the partitions evenly over the nodes that may dispatch, moving as few as it can and touching no schedule.
 *
 * <p>What an owner is busy with right now is left with it; the next round tries again.
 */
final class PartitionBalancer {

    /** So that schedules that were made one after the other, and lie in neighbouring partitions, spread over the nodes. */
    private static final Comparator<Integer> SCATTERED =
            Comparator.comparingInt(partition -> partition * 167 % PartitionStore.PARTITIONS);

    private final FencedTransactions transactions;
    private final PartitionStore partitions;
    private final SchedulerListener events;

    PartitionBalancer(FencedTransactions transactions, PartitionStore partitions, SchedulerListener events) {
        this.transactions = transactions;
        this.partitions = partitions;
        this.events = events;
    }

    /** One round; returns how many partitions changed hands. */
    int balance(Term term) {
        if (isBalanced(partitions.owners(), partitions.eligible())) {
            return 0;
        }
        Map<UUID, Integer> sizes = new TreeMap<>();
        int moved = transactions.commit(term, now -> move(sizes));
        if (moved > 0) {
            events.onEvent(new PartitionsMoved(moved, sizes));
        }
        return moved;
    }

    /** Takes every partition from everybody, for a leader that dispatches alone; false when somebody is still busy. */
    boolean takeAll(Term term) {
        if (partitions.owners().isEmpty()) {
            return true;
        }
        return transactions.commit(term, now -> {
            Map<UUID, Set<Integer>> owners = partitions.owners();
            Map<UUID, Set<Integer>> none = new HashMap<>();
            partitions.lockToTakeFrom(owners.keySet()).forEach(node -> none.put(node, Set.of()));
            partitions.assign(none);
            return none.size() == owners.size();
        });
    }

    private int move(Map<UUID, Integer> sizes) {
        Set<UUID> nodes = partitions.eligible();
        Map<UUID, Set<Integer>> owners = partitions.owners();
        if (nodes.isEmpty()) {
            return 0;
        }
        Map<UUID, Set<Integer>> wish = wish(owners, nodes);
        List<UUID> losing = owners.keySet().stream()
                .filter(node -> !wish.getOrDefault(node, Set.of()).containsAll(owners.getOrDefault(node, Set.of())))
                .toList();
        Set<UUID> locked = partitions.lockToTakeFrom(losing);
        Set<Integer> stay = new TreeSet<>(); // with owners that are busy
        losing.stream()
                .filter(node -> !locked.contains(node))
                .forEach(node -> stay.addAll(owners.getOrDefault(node, Set.of())));
        Map<UUID, Set<Integer>> changes = new TreeMap<>();
        int moved = 0;
        for (Map.Entry<UUID, Set<Integer>> entry : wish.entrySet()) {
            Set<Integer> before = owners.getOrDefault(entry.getKey(), Set.of());
            if (losing.contains(entry.getKey()) && !locked.contains(entry.getKey())) {
                continue;
            }
            Set<Integer> after = new TreeSet<>(entry.getValue());
            after.removeIf(partition -> stay.contains(partition) && !before.contains(partition));
            if (!after.equals(before)) {
                moved += (int) after.stream().filter(p -> !before.contains(p)).count();
                changes.put(entry.getKey(), after);
            }
            sizes.put(entry.getKey(), after.size());
        }
        partitions.assign(changes);
        return moved;
    }

    static boolean isBalanced(Map<UUID, Set<Integer>> owners, Set<UUID> nodes) {
        return nodes.isEmpty() || wish(owners, nodes).equals(owners);
    }

    /** Each node keeps what it has up to its share; what is left over goes to those that have less. */
    static Map<UUID, Set<Integer>> wish(Map<UUID, Set<Integer>> owners, Set<UUID> nodes) {
        int share = PartitionStore.PARTITIONS / nodes.size();
        int larger = PartitionStore.PARTITIONS % nodes.size(); // so many have one more
        Map<UUID, Set<Integer>> wish = new TreeMap<>();
        owners.keySet().stream().filter(node -> !nodes.contains(node)).forEach(gone -> wish.put(gone, Set.of()));
        TreeSet<Integer> free = new TreeSet<>(SCATTERED);
        for (int partition = 0; partition < PartitionStore.PARTITIONS; partition++) {
            free.add(partition);
        }
        List<UUID> largestFirst = nodes.stream()
                .sorted((a, b) -> Integer.compare(size(owners, b), size(owners, a)))
                .toList();
        Map<UUID, Integer> target = new HashMap<>();
        for (UUID node : largestFirst) {
            target.put(node, target.size() < larger ? share + 1 : share);
        }
        for (UUID node : largestFirst) {
            Set<Integer> kept = new TreeSet<>();
            owners.getOrDefault(node, Set.of()).stream()
                    .filter(free::contains)
                    .sorted(SCATTERED)
                    .limit(target.getOrDefault(node, 0))
                    .forEach(kept::add);
            free.removeAll(kept);
            wish.put(node, kept);
        }
        for (UUID node : largestFirst) {
            Set<Integer> mine = wish.getOrDefault(node, new TreeSet<>());
            while (mine.size() < target.getOrDefault(node, 0) && !free.isEmpty()) {
                mine.add(free.pollFirst());
            }
        }
        return wish;
    }

    private static int size(Map<UUID, Set<Integer>> owners, UUID node) {
        return owners.getOrDefault(node, Set.of()).size();
    }
}
