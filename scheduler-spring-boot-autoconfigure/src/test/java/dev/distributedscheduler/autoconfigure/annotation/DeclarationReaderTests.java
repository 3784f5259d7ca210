package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.Retry;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Declaration;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeclarationReaderTests {

    private final Reading reading = new Reading(Declared.class);

    @BeforeEach
    void define() {
        reading.environment.withProperty("every", "90s").withProperty("nightly", "0 0 2 * * *");
    }

    @Test
    void everyAttributeIsRead() {
        Declaration declaration = reading.read("everything");

        assertThat(declaration.job().name()).isEqualTo("invoices");
        assertThat(declaration.job().policy().queue()).isEqualTo("reports");
        assertThat(declaration.job().policy().priority()).isEqualTo(Priority.HIGH);
        assertThat(declaration.job().policy().maxAttempts()).isEqualTo(7);
        assertThat(declaration.job().policy().timeout()).isEqualTo(Duration.ofMinutes(30));
        assertThat(declaration.schedule().timing().trigger()).isEqualTo(CronTrigger.of("0 0 2 * * *", "Europe/Paris"));
    }

    @Test
    void retryIsRead() {
        RetryPolicy retry = reading.read("retrying").job().policy().retry();

        assertThat(retry.retryIn(1, new IllegalStateException()))
                .hasValueSatisfying(wait -> assertThat(wait).isLessThanOrEqualTo(Duration.ofSeconds(2)));
        assertThat(retry.retryIn(1, new NumberFormatException())).isEmpty();
    }

    @Test
    void retryPolicyMayBeABean() {
        reading.retryBeans.put("never", (failures, error) -> Optional.empty());

        assertThat(reading.read("retryingByBean").job().policy().retry().retryIn(1, new IllegalStateException()))
                .isEmpty();
    }

    @Test
    void defaultsAreTaken() {
        Declaration declaration = reading.read("bare");

        assertThat(declaration.job().name()).isEqualTo("bean.bare");
        assertThat(declaration.schedule().name()).isEqualTo("bean.bare");
        assertThat(declaration.job().policy().queue()).isEqualTo("default");
        assertThat(declaration.job().policy().maxAttempts()).isEqualTo(5);
        assertThat(declaration.job().policy().timeout()).isNull();
        assertThat(declaration.schedule().initialDelay()).isZero();
        assertThat(declaration.schedule().timing().trigger()).isEqualTo(new FixedRateTrigger(Duration.ofMillis(1500)));
    }

    @Test
    void cronWithoutZoneUsesTheZoneOfTheJvm() {
        assertThat(reading.trigger("cronOnly"))
                .isEqualTo(CronTrigger.of("@hourly", ZoneId.systemDefault().getId()));
    }

    @Test
    void placeholdersAndUnitsWorkInDurations() {
        Declaration declaration = reading.read("placeholders");

        assertThat(declaration.schedule().timing().trigger()).isEqualTo(new FixedDelayTrigger(Duration.ofSeconds(90)));
        assertThat(declaration.schedule().initialDelay()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void dashSwitchesTheScheduleOff() {
        assertThat(reading.read("off").schedule().timing()).isNull();
    }

    @Test
    void springsNameForTheQueueWorks() {
        assertThat(reading.read("springs").job().policy().queue()).isEqualTo("io");
    }

    @Test
    void badCronIsRefused() {
        reading.refused("badCron", "cron = \"every day\"", "six fields");
    }

    @Test
    void cronThatNeverFiresIsRefused() {
        reading.refused("february30", "cron = \"0 0 0 30 2 *\" never fires", "a date that exists");
    }

    @Test
    void unknownZoneIsRefused() {
        reading.refused("badZone", "zone = \"Europe/Pariss\"", "Europe/Paris");
    }

    @Test
    void noTriggerIsRefused() {
        reading.refused("never", "says not when to run", "exactly one of cron, fixedRate, fixedDelay and trigger");
    }

    @Test
    void twoTriggersAreRefused() {
        reading.refused("twice", "[cron, fixedRate]", "exactly one");
    }

    @Test
    void oneTriggerInTwoFormsIsRefused() {
        reading.refused("twoForms", "gives fixedRate twice", "Remove one");
    }

    @Test
    void unreadableDurationIsRefused() {
        reading.refused("badDuration", "fixedRate = \"soon\" is not a duration", "500ms");
    }

    @Test
    void zeroPeriodIsRefused() {
        reading.refused("zeroRate", "between 1 ms and 10 years", "Change it");
    }

    @Test
    void initialDelayOfACronScheduleIsRefused() {
        reading.refused("cronWithDelay", "a cron expression and an initialDelay", "Remove the initialDelay");
    }

    @Test
    void missingPlaceholderIsRefused() {
        reading.refused("missing", "${nowhere}", "Define the property");
    }

    @Test
    void negativeAttemptsAreRefused() {
        reading.refused("negativeAttempts", "maxAttempts = -1", "at least 1");
    }

    @Test
    void zeroTimeoutIsRefused() {
        reading.refused("zeroTimeout", "A timeout must be positive", "Change that attribute");
    }

    @SuppressWarnings("unused")
    private interface Declared {

        @DistributedScheduled(
                name = "invoices",
                cron = "${nightly}",
                zone = "Europe/Paris",
                queue = "reports",
                priority = Priority.HIGH,
                timeout = "30m",
                maxAttempts = 7)
        void everything();

        @DistributedScheduled(
                fixedRate = 1,
                retry = @Retry(base = "2s", cap = "1m", noRetryFor = IllegalArgumentException.class))
        void retrying();

        @DistributedScheduled(fixedRate = 1, retry = @Retry(policy = "never"))
        void retryingByBean();

        @DistributedScheduled(fixedRate = 1500)
        void bare();

        @DistributedScheduled(cron = "@hourly")
        void cronOnly();

        @DistributedScheduled(fixedDelayString = "${every}", initialDelay = 2, timeUnit = TimeUnit.MINUTES)
        void placeholders();

        @DistributedScheduled(cron = "-")
        void off();

        @DistributedScheduled(fixedRate = 1, scheduler = "io")
        void springs();

        @DistributedScheduled(cron = "every day")
        void badCron();

        @DistributedScheduled(cron = "0 0 0 30 2 *")
        void february30();

        @DistributedScheduled(cron = "@daily", zone = "Europe/Pariss")
        void badZone();

        @DistributedScheduled
        void never();

        @DistributedScheduled(cron = "@daily", fixedRate = 1)
        void twice();

        @DistributedScheduled(fixedRate = 1, fixedRateString = "1s")
        void twoForms();

        @DistributedScheduled(fixedRateString = "soon")
        void badDuration();

        @DistributedScheduled(fixedRate = 0)
        void zeroRate();

        @DistributedScheduled(cron = "@daily", initialDelay = 1)
        void cronWithDelay();

        @DistributedScheduled(cron = "${nowhere}")
        void missing();

        @DistributedScheduled(fixedRate = 1, maxAttempts = -1)
        void negativeAttempts();

        @DistributedScheduled(fixedRate = 1, timeout = "0s")
        void zeroTimeout();
    }
}
