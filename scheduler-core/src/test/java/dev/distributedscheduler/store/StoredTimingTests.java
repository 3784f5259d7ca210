package dev.distributedscheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.OnceTrigger;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredTimingTests {

    private static final Instant NOON = Instant.parse("2026-01-15T12:00:00Z");

    private static StoredTiming stored(String kind, String expression) {
        return new StoredTiming(kind, expression, null, null, null, Duration.ZERO, null, null);
    }

    private static Trigger readBack(Trigger trigger) {
        return stored(trigger.kind().name(), trigger.expression())
                .read(TriggerBeans.NONE)
                .trigger();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "PT1M30S", "PT87840H"})
    void periodReadsBackAsTheSameTrigger(Duration period) {
        assertThat(readBack(new FixedRateTrigger(period))).isEqualTo(new FixedRateTrigger(period));
        assertThat(readBack(new FixedDelayTrigger(period))).isEqualTo(new FixedDelayTrigger(period));
    }

    @ParameterizedTest
    @EnumSource(DstGap.class)
    void cronReadsBackWithZoneAndPolicies(DstGap gap) {
        for (DstOverlap overlap : DstOverlap.values()) {
            CronTrigger trigger = CronTrigger.of("0 0 14 ? * MON#1", "Europe/Paris", gap, overlap);

            StoredTiming stored = new StoredTiming(
                    "CRON",
                    trigger.expression(),
                    trigger.zone(),
                    gap.name(),
                    overlap.name(),
                    Duration.ZERO,
                    null,
                    null);

            assertThat(stored.read(TriggerBeans.NONE)).isEqualTo(Timing.of(trigger));
        }
    }

    @Test
    void pointInTimeReadsBackAsExactAsTheDatabaseIs() {
        OnceTrigger trigger = new OnceTrigger(NOON.plusNanos(123_456_789));

        assertThat(trigger.at()).isEqualTo(NOON.plusNanos(123_456_000));
        assertThat(readBack(trigger)).isEqualTo(trigger);
    }

    @Test
    void shiftAndBoundsAreReadBack() {
        Instant end = NOON.plusSeconds(60);

        StoredTiming stored =
                new StoredTiming("ONCE", NOON.toString(), null, null, null, Duration.ofSeconds(7), NOON, end);

        assertThat(stored.read(TriggerBeans.NONE))
                .isEqualTo(new Timing(new OnceTrigger(NOON), Duration.ofSeconds(7), NOON, end));
    }

    @Test
    void beanIsLookedUpByItsName() {
        TriggerBeans beans = new TriggerBeans(Map.of("moon", context -> NOON));

        assertThat(stored("BEAN", "moon").read(beans).trigger()).isEqualTo(beans.get("moon"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stored("BEAN", "sun").read(beans))
                .withMessage("There is no Trigger bean 'sun' on this node, but [moon]");
    }

    @Test
    void whatCannotBeUnderstoodIsRefused() {
        assertThatThrownBy(() -> stored("FIXED_RATE", "soon").read(TriggerBeans.NONE))
                .isInstanceOf(DateTimeParseException.class);
        assertThatThrownBy(() -> stored("ONCE", "PT1H").read(TriggerBeans.NONE))
                .isInstanceOf(DateTimeParseException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stored("MOON", "full").read(TriggerBeans.NONE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stored("CRON", "0 0 0 * * *").read(TriggerBeans.NONE));
    }
}
