package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.schedule.BeanTrigger;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.OnceAfterTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Spread;
import dev.distributedscheduler.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.support.PeriodicTrigger;

/** What an annotation says about its schedule. */
class ScheduleReaderTests {

    private final Reading reading = new Reading(Declared.class);

    @Test
    void defaultsAreTaken() {
        Schedule schedule = schedule("bare");

        assertThat(schedule.key()).isEqualTo(ScheduleKey.of("bean.bare"));
        assertThat(schedule.job()).isEqualTo("bean.bare");
        assertThat(schedule.policy()).isEqualTo(SchedulePolicy.DEFAULT);
        assertThat(schedule.timing()).isEqualTo(Timing.of(CronTrigger.of("@daily", "UTC")));
        assertThat(schedule.work()).isEqualTo(Schedule.Work.OF_THE_JOB);
    }

    @Test
    void everyPolicyIsRead() {
        Schedule schedule = schedule("policies");

        assertThat(schedule.policy())
                .isEqualTo(new SchedulePolicy(Misfire.REPLAY_LATEST, Duration.ofHours(6), Overlap.QUEUE, null));
        assertThat(schedule.timing().trigger())
                .isEqualTo(CronTrigger.of("@daily", "Europe/Paris", DstGap.SKIP, DstOverlap.TWICE));
        assertThat(schedule.timing().shift())
                .isEqualTo(Spread.shift(ScheduleKey.of("bean.policies"), Duration.ofMinutes(10)))
                .isPositive();
    }

    @Test
    void boundsMayBeLocalTimesOfTheZone() {
        Timing timing = schedule("localBounds").timing();

        assertThat(timing.from()).isEqualTo(Instant.parse("2026-11-30T23:00:00Z"));
        assertThat(timing.until()).isEqualTo(Instant.parse("2027-06-01T16:30:00Z"));
    }

    @Test
    void boundsMayHaveAnOffset() {
        Timing timing = schedule("bounds").timing();

        assertThat(timing.from()).isEqualTo(Instant.parse("2026-12-01T08:00:00Z"));
        assertThat(timing.until())
                .isEqualTo(Instant.parse("2026-12-01T06:00:00.000001Z").plus(Duration.ofDays(1)));
    }

    @Test
    void boundsWithoutZoneAreInTheZoneOfTheJvm() {
        assertThat(schedule("zonelessBound").timing().from())
                .isEqualTo(LocalDateTime.parse("2026-12-01T08:00")
                        .atZone(ZoneId.systemDefault())
                        .toInstant());
    }

    @Test
    void everyStringIsResolved() {
        reading.environment
                .withProperty("bean", "monthly")
                .withProperty("grace", "2h")
                .withProperty("span", "1h")
                .withProperty("begin", "2026-01-01")
                .withProperty("end", "2027-01-01T00:00Z")
                .withProperty("region", "UTC");
        reading.triggerBeans.put("monthly", new PeriodicTrigger(Duration.ofDays(30)));

        Schedule schedule = schedule("placeholders");

        assertThat(schedule.timing().trigger().expression()).isEqualTo("monthly");
        assertThat(schedule.timing().shift())
                .isEqualTo(Spread.shift(ScheduleKey.of("bean.placeholders"), Duration.ofHours(1)));
        assertThat(schedule.timing().from()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(schedule.timing().until()).isEqualTo(Instant.parse("2027-01-01T00:00:00Z"));
        assertThat(schedule.policy().grace()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void triggerMayBeABean() {
        PeriodicTrigger bean = new PeriodicTrigger(Duration.ofDays(30));
        reading.triggerBeans.put("monthly", bean);

        assertThat(reading.trigger("byBean")).isEqualTo(new BeanTrigger("monthly", bean));
        assertThat(schedule("byBean").initialDelay()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void initialDelayAloneMeansOnce() {
        assertThat(reading.trigger("once")).isEqualTo(new OnceAfterTrigger(Duration.ofMinutes(2)));
        assertThat(schedule("once").initialDelay()).isZero();
        assertThat(reading.trigger("atOnce")).isEqualTo(new OnceAfterTrigger(Duration.ZERO));
    }

    @Test
    void overlappingRunsMayBeLimited() {
        assertThat(reading.read("limited").job().policy().maxConcurrent()).isEqualTo(3);
        assertThat(schedule("limited").policy().overlap()).isEqualTo(Overlap.ALLOW);
        assertThat(schedule("oneAtATime").policy().overlap()).isEqualTo(Overlap.SKIP);
    }

    @Test
    void limitThatTheOverlapPolicyMakesMeaninglessIsRefused() {
        reading.refused("meaningless", "maxConcurrent = 3, but overlap = SKIP", "overlap = ALLOW");
    }

    @Test
    void unknownTriggerBeanIsRefused() {
        reading.refused("byBean", "trigger = \"monthly\": there is no Trigger bean", "Declare a bean of type");

        reading.triggerBeans.put("weekly", new PeriodicTrigger(Duration.ofDays(7)));
        reading.triggerBeans.put("daily", new PeriodicTrigger(Duration.ofDays(1)));
        reading.refused("byBean", "trigger = \"monthly\"", "[daily, weekly]");
    }

    @Test
    void triggerBeanBesideACronExpressionIsRefused() {
        reading.refused("twoWays", "[cron, trigger]", "exactly one");
    }

    @Test
    void boundsInTheWrongOrderAreRefused() {
        reading.refused("reversed", "until = \"2026-01-01\" is not after from = \"2026-01-02\"", "Change one");
    }

    @Test
    void unreadableBoundIsRefused() {
        reading.refused("badFrom", "from = \"tomorrow\" is not a time", "2026-12-01T08:00");
        reading.refused("badUntil", "until = \"2026-13-01T00:00Z\" is not a time", "2026-12-01T08:00");
    }

    @Test
    void unreadableDurationsAreRefused() {
        reading.refused("badGrace", "misfireGrace = \"a while\" is not a duration", "500ms");
        reading.refused("badSpread", "spread = \"wide\" is not a duration", "500ms");
    }

    @Test
    void impossibleDurationsAreRefused() {
        reading.refused("noGrace", "misfireGrace = PT0S: A misfire grace must be positive", "leave it out");
        reading.refused("wide", "spread = PT48H: A spread is between zero and a day", "10m");
    }

    private Schedule schedule(String method) {
        return reading.read(method).schedule();
    }

    @SuppressWarnings("unused")
    private interface Declared {

        @DistributedScheduled(cron = "@daily", zone = "UTC")
        void bare();

        @DistributedScheduled(
                cron = "@daily",
                zone = "Europe/Paris",
                dstGap = DstGap.SKIP,
                dstOverlap = DstOverlap.TWICE,
                spread = "10m",
                overlap = Overlap.QUEUE,
                misfire = Misfire.REPLAY_LATEST,
                misfireGrace = "6h")
        void policies();

        @DistributedScheduled(fixedRate = 1, zone = "Europe/Paris", from = "2026-12-01", until = "2027-06-01T18:30")
        void localBounds();

        @DistributedScheduled(
                fixedRate = 1,
                from = "2026-12-01T08:00:00Z",
                until = "2026-12-02T08:00:00.000001999+02:00")
        void bounds();

        @DistributedScheduled(fixedRate = 1, from = "2026-12-01T08:00:00")
        void zonelessBound();

        @DistributedScheduled(
                trigger = "${bean}",
                spread = "${span}",
                misfireGrace = "${grace}",
                from = "${begin}",
                until = "${end}",
                zone = "${region}")
        void placeholders();

        @DistributedScheduled(trigger = "monthly", initialDelayString = "5s")
        void byBean();

        @DistributedScheduled(initialDelay = 2, timeUnit = TimeUnit.MINUTES)
        void once();

        @DistributedScheduled(initialDelayString = "0s")
        void atOnce();

        @DistributedScheduled(fixedRate = 1, overlap = Overlap.ALLOW, maxConcurrent = 3)
        void limited();

        @DistributedScheduled(fixedRate = 1, maxConcurrent = 1)
        void oneAtATime();

        @DistributedScheduled(fixedRate = 1, maxConcurrent = 3)
        void meaningless();

        @DistributedScheduled(cron = "@daily", trigger = "monthly")
        void twoWays();

        @DistributedScheduled(fixedRate = 1, from = "2026-01-02", until = "2026-01-01")
        void reversed();

        @DistributedScheduled(fixedRate = 1, from = "tomorrow")
        void badFrom();

        @DistributedScheduled(fixedRate = 1, until = "2026-13-01T00:00Z")
        void badUntil();

        @DistributedScheduled(fixedRate = 1, misfireGrace = "a while")
        void badGrace();

        @DistributedScheduled(fixedRate = 1, spread = "wide")
        void badSpread();

        @DistributedScheduled(fixedRate = 1, misfireGrace = "0s")
        void noGrace();

        @DistributedScheduled(fixedRate = 1, spread = "48h")
        void wide();
    }
}
