package dev.distributedscheduler.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Decides when and whom a fault hits; the same seed decides the same. */
record Chance(long seed, Random random) {

    static Chance of(long seed) {
        return new Chance(seed, new Random(seed));
    }

    /** Less than the given. */
    Duration within(Duration most) {
        return between(Duration.ZERO, most);
    }

    Duration between(Duration least, Duration most) {
        return least.plusNanos((long) (random.nextDouble() * most.minus(least).toNanos()));
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
