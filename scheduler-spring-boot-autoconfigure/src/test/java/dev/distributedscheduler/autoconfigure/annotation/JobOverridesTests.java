package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.DstGap;
import dev.distributedscheduler.DstOverlap;
import dev.distributedscheduler.Misfire;
import dev.distributedscheduler.Overlap;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.WhenStuck;
import dev.distributedscheduler.job.ExponentialBackoff;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Spread;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The configuration wins over the annotation. */
class JobOverridesTests {

    private final Reading reading = new Reading(Declared.class);

    @Test
    void everythingAboutTheJobCanBeOverridden() {
        reading.configured("invoices.queue", "slow")
                .configured("invoices.priority", "low")
                .configured("invoices.max-attempts", "2")
                .configured("invoices.retry-base", "0")
                .configured("invoices.retry-cap", "0")
                .configured("invoices.timeout", "1h")
                .configured("invoices.when-stuck", "abandon")
                .configured("invoices.max-concurrent", "1")
                .configured("invoices.must-succeed-every", "26h");

        assertThat(reading.read("invoices").job().policy())
                .isEqualTo(new JobPolicy(
                        "slow",
                        Priority.LOW,
                        2,
                        new ExponentialBackoff(Duration.ZERO, Duration.ZERO),
                        Duration.ofHours(1),
                        WhenStuck.ABANDON,
                        1,
                        Duration.ofHours(26),
                        false));
    }

    @Test
    void everyPolicyOfTheScheduleCanBeOverridden() {
        reading.configured("invoices.overlap", "allow")
                .configured("invoices.misfire", "replay-latest")
                .configured("invoices.misfire-grace", "6h")
                .configured("invoices.spread", "10m");

        Schedule schedule = reading.read("invoices").schedule();

        assertThat(schedule.policy())
                .isEqualTo(new SchedulePolicy(Misfire.REPLAY_LATEST, Duration.ofHours(6), Overlap.ALLOW, null));
        assertThat(schedule.timing().shift())
                .isEqualTo(Spread.shift(ScheduleKey.of("invoices"), Duration.ofMinutes(10)));
    }

    @Test
    void cronAndZoneReplaceThoseOfTheAnnotation() {
        reading.configured("invoices.cron", "0 0 3 * * *").configured("invoices.zone", "UTC");

        assertThat(reading.trigger("invoices"))
                .isEqualTo(CronTrigger.of("0 0 3 * * *", "UTC", DstGap.SKIP, DstOverlap.ONCE));
    }

    @Test
    void zoneAloneMovesTheExpressionOfTheAnnotation() {
        reading.configured("invoices.zone", "Asia/Tokyo");

        assertThat(reading.trigger("invoices"))
                .isEqualTo(CronTrigger.of("@daily", "Asia/Tokyo", DstGap.SKIP, DstOverlap.ONCE));
    }

    @Test
    void cronReplacesAFixedRateAndItsInitialDelay() {
        reading.configured("rate.cron", "@hourly").configured("rate.zone", "UTC");

        assertThat(reading.trigger("rate")).isEqualTo(CronTrigger.of("@hourly", "UTC"));
        assertThat(reading.read("rate").schedule().initialDelay()).isZero();
    }

    @Test
    void ratesAndDelaysReplaceEverythingElse() {
        reading.configured("invoices.fixed-rate", "90s")
                .configured("[bean.byBean].fixed-delay", "5000")
                .configured("rate.fixed-rate", "PT2S");

        assertThat(reading.trigger("invoices")).isEqualTo(new FixedRateTrigger(Duration.ofSeconds(90)));
        assertThat(reading.trigger("byBean")).isEqualTo(new FixedDelayTrigger(Duration.ofSeconds(5)));
        assertThat(reading.trigger("rate")).isEqualTo(new FixedRateTrigger(Duration.ofSeconds(2)));
        assertThat(reading.read("rate").schedule().initialDelay()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void emptyCronOverridesNothing() {
        reading.configured("rate.cron", "");

        assertThat(reading.trigger("rate")).isEqualTo(new FixedRateTrigger(Duration.ofSeconds(1)));
    }

    @Test
    void scheduleIsSwitchedOffAndOn() {
        reading.configured("invoices.enabled", "false")
                .configured("rate.cron", "-")
                .configured("off.cron", "@daily");

        assertThat(reading.read("invoices").schedule().timing()).isNull();
        assertThat(reading.read("rate").schedule().timing()).isNull();
        assertThat(reading.trigger("off")).isInstanceOf(CronTrigger.class);
    }

    @Test
    void switchedOffScheduleNeedNotBeValid() {
        reading.configured("[bean.byBean].enabled", "false");

        assertThat(reading.read("byBean").schedule().timing()).isNull();
    }

    @Test
    void overlapCanBeForbiddenInSpiteOfALimit() {
        reading.configured("limited.overlap", "skip");

        assertThat(reading.read("limited").schedule().policy().overlap()).isEqualTo(Overlap.SKIP);
    }

    @Test
    void limitThatTheOverlapPolicyMakesMeaninglessIsRefused() {
        reading.configured("invoices.max-concurrent", "4");

        reading.refused("invoices", "maxConcurrent = 4, but overlap = SKIP", "overlap = ALLOW");
    }

    @Test
    void refusalsNameTheProperty() {
        reading.configured("invoices.cron", "every day")
                .configured("rate.fixed-rate", "0s")
                .configured("[bean.byBean].cron", "0 0 0 30 2 *")
                .configured("off.cron", "@daily")
                .configured("off.zone", "Europe/Pariss")
                .configured("limited.spread", "2d");

        reading.refused("invoices", "distributed-scheduler.jobs.invoices.cron = \"every day\"", "six fields");
        reading.refused("rate", "distributed-scheduler.jobs.rate.fixed-rate = PT0S", "Change it");
        reading.refused("byBean", "distributed-scheduler.jobs.[bean.byBean].cron", "a date that exists");
        reading.refused("off", "distributed-scheduler.jobs.off.zone = \"Europe/Pariss\"", "Europe/Paris");
        reading.refused("limited", "distributed-scheduler.jobs.limited.spread = PT48H", "10m");
    }

    @Test
    void impossibleGraceIsRefused() {
        reading.configured("invoices.misfire-grace", "-1s");

        reading.refused("invoices", "distributed-scheduler.jobs.invoices.misfire-grace = PT-1S", "leave it out");
    }

    @Test
    void severalWaysAreRefused() {
        reading.configured("rate.cron", "@daily").configured("rate.fixed-delay", "1s");

        reading.refused(
                "rate",
                "[distributed-scheduler.jobs.rate.cron, distributed-scheduler.jobs.rate.fixed-delay]",
                "Keep one");
    }

    @Test
    void scheduleOfAJobThatHasNoneIsRefused() {
        reading.configured("enqueued.queue", "slow");
        assertThat(reading.read("enqueued").job().policy().queue()).isEqualTo("slow");

        reading.configured("enqueued.cron", "@daily");
        reading.refused("enqueued", "distributed-scheduler.jobs.enqueued.cron is set", "@DistributedScheduled");
    }

    @SuppressWarnings("unused")
    private interface Declared {

        @DistributedScheduled(name = "invoices", cron = "@daily", zone = "Europe/Paris", dstGap = DstGap.SKIP)
        void invoices();

        @DistributedScheduled(name = "rate", fixedRate = 1_000, initialDelay = 7_000)
        void rate();

        @DistributedScheduled(trigger = "nowhere")
        void byBean();

        @DistributedScheduled(name = "off", cron = "-")
        void off();

        @DistributedScheduled(name = "limited", fixedRate = 1, overlap = Overlap.ALLOW, maxConcurrent = 2)
        void limited();

        @DistributedJob("enqueued")
        void enqueued();
    }
}
