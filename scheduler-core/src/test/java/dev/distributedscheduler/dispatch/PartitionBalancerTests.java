package dev.distributedscheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.store.PartitionStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PartitionBalancerTests {

    private final Set<UUID> nodes = new TreeSet<>();
    private Map<UUID, Set<Integer>> owners = Map.of();

    private UUID join() {
        UUID node = UUID.randomUUID();
        nodes.add(node);
        return node;
    }

    /** What changes hands; afterwards everybody has what was wished for. */
    private int balance() {
        Map<UUID, Set<Integer>> wish = PartitionBalancer.wish(owners, nodes);
        int moved = 0;
        for (Map.Entry<UUID, Set<Integer>> entry : wish.entrySet()) {
            Set<Integer> gained = new HashSet<>(entry.getValue());
            gained.removeAll(owners.getOrDefault(entry.getKey(), Set.of()));
            moved += gained.size();
        }
        owners = new HashMap<>(wish);
        owners.values().removeIf(Set::isEmpty);
        return moved;
    }

    private void assertThatEachPartitionHasOneOwnerAndSharesAreEven() {
        Set<Integer> all = new HashSet<>();
        owners.values().forEach(partitions -> assertThat(partitions).allMatch(all::add));
        assertThat(all).hasSize(PartitionStore.PARTITIONS);
        assertThat(owners.keySet()).isEqualTo(nodes);
        int share = PartitionStore.PARTITIONS / nodes.size();
        assertThat(owners.values())
                .allMatch(partitions -> partitions.size() == share || partitions.size() == share + 1);
        assertThat(PartitionBalancer.isBalanced(owners, nodes)).isTrue();
    }

    @Test
    void firstNodeGetsAll() {
        UUID only = join();

        assertThat(balance()).isEqualTo(256);

        assertThat(owners.get(only)).hasSize(256);
    }

    @Test
    void nodeThatJoinsGetsItsShareAndNothingElseMoves() {
        join();
        join();
        join();
        balance();

        join();

        assertThat(balance()).isEqualTo(64);
        assertThatEachPartitionHasOneOwnerAndSharesAreEven();
    }

    @Test
    void whatALostNodeHadIsSpreadAndNothingElseMoves() {
        UUID lost = join();
        join();
        join();
        join();
        balance();

        nodes.remove(lost);

        assertThat(balance()).isEqualTo(64);
        assertThatEachPartitionHasOneOwnerAndSharesAreEven();
    }

    @Test
    void comingAndGoingAtRandomKeepsSharesEven() {
        Random random = new Random(42);
        join();
        for (int step = 0; step < 500; step++) {
            if (nodes.size() > 1 && random.nextBoolean()) {
                nodes.remove(nodes.stream()
                        .skip(random.nextInt(nodes.size()))
                        .findFirst()
                        .orElseThrow());
            } else if (nodes.size() < 20) {
                join();
            }
            balance();
            assertThatEachPartitionHasOneOwnerAndSharesAreEven();
        }
    }

    @Test
    void withoutNodesThereIsNothingToBalance() {
        assertThat(PartitionBalancer.isBalanced(Map.of(), Set.of())).isTrue();
    }
}
