package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.mock.env.MockEnvironment;

class DeclarationReaderTests {

    private final MockEnvironment environment =
            new MockEnvironment().withProperty("every", "90s").withProperty("nightly", "0 0 2 * * *");

    @Test
    void everyAttributeIsRead() {
        Declaration declaration = read("everything");

        assertThat(declaration.job().name()).isEqualTo("invoices");
        assertThat(declaration.job().queue()).isEqualTo("reports");
        assertThat(declaration.job().priority()).isEqualTo(Priority.HIGH);
        assertThat(declaration.job().maxAttempts()).isEqualTo(7);
        assertThat(declaration.job().timeout()).isEqualTo(Duration.ofMinutes(30));
        assertThat(declaration.schedule().trigger()).isEqualTo(CronTrigger.of("0 0 2 * * *", "Europe/Paris"));
    }

    @Test
    void defaultsAreTaken() {
        Declaration declaration = read("bare");

        assertThat(declaration.job().name()).isEqualTo("bean.bare");
        assertThat(declaration.schedule().name()).isEqualTo("bean.bare");
        assertThat(declaration.job().queue()).isEqualTo("default");
        assertThat(declaration.job().maxAttempts()).isEqualTo(5);
        assertThat(declaration.job().timeout()).isNull();
        assertThat(declaration.schedule().initialDelay()).isZero();
        assertThat(declaration.schedule().trigger()).isEqualTo(new FixedRateTrigger(Duration.ofMillis(1500)));
    }

    @Test
    void cronWithoutZoneUsesTheZoneOfTheJvm() {
        assertThat(read("cronOnly").schedule().trigger())
                .isEqualTo(CronTrigger.of("@hourly", ZoneId.systemDefault().getId()));
    }

    @Test
    void placeholdersAndUnitsWorkInDurations() {
        Declaration declaration = read("placeholders");

        assertThat(declaration.schedule().trigger()).isEqualTo(new FixedDelayTrigger(Duration.ofSeconds(90)));
        assertThat(declaration.schedule().initialDelay()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void dashSwitchesTheScheduleOff() {
        assertThat(read("off").schedule().trigger()).isNull();
    }

    @Test
    void springsNameForTheQueueWorks() {
        assertThat(read("springs").job().queue()).isEqualTo("io");
    }

    @Test
    void badCronIsRefused() {
        refused("badCron", "cron = \"every day\"", "six fields");
    }

    @Test
    void cronThatNeverFiresIsRefused() {
        refused("february30", "cron = \"0 0 0 30 2 *\" never fires", "a date that exists");
    }

    @Test
    void unknownZoneIsRefused() {
        refused("badZone", "zone = \"Europe/Pariss\"", "Europe/Paris");
    }

    @Test
    void noTriggerIsRefused() {
        refused("never", "says not when to run", "exactly one of cron, fixedRate and fixedDelay");
    }

    @Test
    void twoTriggersAreRefused() {
        refused("twice", "[cron, fixedRate]", "exactly one");
    }

    @Test
    void oneTriggerInTwoFormsIsRefused() {
        refused("twoForms", "gives fixedRate twice", "Remove one");
    }

    @Test
    void unreadableDurationIsRefused() {
        refused("badDuration", "fixedRate = \"soon\" is not a duration", "500ms");
    }

    @Test
    void zeroPeriodIsRefused() {
        refused("zeroRate", "between 1 ms and 10 years", "Change it");
    }

    @Test
    void initialDelayOfACronScheduleIsRefused() {
        refused("cronWithDelay", "a cron expression and an initialDelay", "Remove the initialDelay");
    }

    @Test
    void missingPlaceholderIsRefused() {
        refused("missing", "${nowhere}", "Define the property");
    }

    @Test
    void negativeAttemptsAreRefused() {
        refused("negativeAttempts", "maxAttempts = -1", "at least 1");
    }

    @Test
    void zeroTimeoutIsRefused() {
        refused("zeroTimeout", "A timeout must be positive", "Change that attribute");
    }

    private void refused(String method, String problem, String remedy) {
        assertThatExceptionOfType(SchedulerConfigurationException.class)
                .isThrownBy(() -> read(method))
                .withMessageContaining("method Declared.%s() of bean 'bean'".formatted(method))
                .withMessageContaining(problem)
                .satisfies(refused -> assertThat(refused.remedy()).contains(remedy));
    }

    private Declaration read(String method) {
        try {
            DistributedScheduled annotation = AnnotatedElementUtils.getMergedAnnotation(
                    Declared.class.getDeclaredMethod(method), DistributedScheduled.class);
            String where = "method Declared.%s() of bean 'bean'".formatted(method);
            return new DeclarationReader(annotation, where, environment::resolveRequiredPlaceholders)
                    .read("bean." + method, context -> {}, 5);
        } catch (NoSuchMethodException ex) {
            throw new IllegalArgumentException(ex);
        }
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
