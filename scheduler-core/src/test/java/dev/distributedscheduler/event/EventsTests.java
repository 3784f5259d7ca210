package dev.distributedscheduler.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.distributedscheduler.event.SchedulerEvent.LeadershipGained;
import dev.distributedscheduler.event.SchedulerEvent.NodeLeft;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventsTests {

    private final List<SchedulerEvent> told = new ArrayList<>();

    @Test
    void everyListenerIsToldInOrder() {
        Events events = new Events(List.of(told::add, told::add));

        events.onEvent(new NodeLeft(0));
        events.onEvent(new LeadershipGained(new UUID(0, 1), 7));

        assertThat(told)
                .containsExactly(
                        new NodeLeft(0),
                        new NodeLeft(0),
                        new LeadershipGained(new UUID(0, 1), 7),
                        new LeadershipGained(new UUID(0, 1), 7));
    }

    @Test
    void listenerThatThrowsHarmsNobody() {
        Events events = new Events(List.of(
                event -> {
                    throw new IllegalStateException("on purpose");
                },
                event -> {
                    throw new StackOverflowError("on purpose");
                },
                told::add));

        assertThatNoException().isThrownBy(() -> events.onEvent(new NodeLeft(1)));

        assertThat(told).containsExactly(new NodeLeft(1));
    }

    @Test
    void exceptionThatCannotBePrintedHarmsNobody() {
        Events events = new Events(List.of(
                event -> {
                    throw new Unprintable();
                },
                told::add));

        assertThatNoException().isThrownBy(() -> events.onEvent(new NodeLeft(1)));

        assertThat(told).containsExactly(new NodeLeft(1));
    }

    private static final class Unprintable extends RuntimeException {

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException();
        }
    }
}
