package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.distributedscheduler.DistributedScheduled;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.Retry;
import dev.distributedscheduler.SchedulerConfigurationException;
import dev.distributedscheduler.WhenStuck;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Declaration;
import dev.distributedscheduler.autoconfigure.annotation.DeclarationReader.Surroundings;
import dev.distributedscheduler.job.ExponentialBackoff;
import dev.distributedscheduler.job.JobPolicy;
import dev.distributedscheduler.job.RetryPolicy;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.mock.env.MockEnvironment;

class DeclarationReaderTests {

    private final MockEnvironment environment =
            new MockEnvironment().withProperty("every", "90s").withProperty("nightly", "0 0 2 * * *");

    private final Map<String, JobOverrides> overrides = new HashMap<>();
    private final Map<String, RetryPolicy> retryBeans = new HashMap<>();

    @Test
    void everyAttributeIsRead() {
        Declaration declaration = read("everything");

        assertThat(declaration.job().name()).isEqualTo("invoices");
        assertThat(declaration.job().policy().queue()).isEqualTo("reports");
        assertThat(declaration.job().policy().priority()).isEqualTo(Priority.HIGH);
        assertThat(declaration.job().policy().maxAttempts()).isEqualTo(7);
        assertThat(declaration.job().policy().timeout()).isEqualTo(Duration.ofMinutes(30));
        assertThat(declaration.schedule().trigger()).isEqualTo(CronTrigger.of("0 0 2 * * *", "Europe/Paris"));
    }

    @Test
    void retryIsRead() {
        RetryPolicy retry = read("retrying").job().policy().retry();

        assertThat(retry.retryIn(1, new IllegalStateException()))
                .hasValueSatisfying(wait -> assertThat(wait).isLessThanOrEqualTo(Duration.ofSeconds(2)));
        assertThat(retry.retryIn(1, new NumberFormatException())).isEmpty();
    }

    @Test
    void retryPolicyMayBeABean() {
        retryBeans.put("never", (failures, error) -> Optional.empty());

        assertThat(read("retryingByBean").job().policy().retry().retryIn(1, new IllegalStateException()))
                .isEmpty();
    }

    @Test
    void configurationWinsOverTheAnnotation() {
        overrides.put(
                "invoices",
                new JobOverrides(
                        "slow",
                        Priority.LOW,
                        Duration.ofHours(1),
                        WhenStuck.ABANDON,
                        2,
                        4,
                        Duration.ZERO,
                        Duration.ZERO));

        assertThat(read("everything").job().policy())
                .isEqualTo(new JobPolicy(
                        "slow",
                        Priority.LOW,
                        2,
                        new ExponentialBackoff(Duration.ZERO, Duration.ZERO),
                        Duration.ofHours(1),
                        WhenStuck.ABANDON,
                        4,
                        false));
    }

    @Test
    void defaultsAreTaken() {
        Declaration declaration = read("bare");

        assertThat(declaration.job().name()).isEqualTo("bean.bare");
        assertThat(declaration.schedule().name()).isEqualTo("bean.bare");
        assertThat(declaration.job().policy().queue()).isEqualTo("default");
        assertThat(declaration.job().policy().maxAttempts()).isEqualTo(5);
        assertThat(declaration.job().policy().timeout()).isNull();
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
        assertThat(read("springs").job().policy().queue()).isEqualTo("io");
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

    private static Object proxy() {
        return Proxy.newProxyInstance(
                Declared.class.getClassLoader(), new Class<?>[] {Declared.class}, (proxy, method, arguments) -> null);
    }

    private Declaration read(String method) {
        try {
            DistributedScheduled annotation = AnnotatedElementUtils.getMergedAnnotation(
                    Declared.class.getDeclaredMethod(method), DistributedScheduled.class);
            DeclarationReader reader = new DeclarationReader(
                    proxy(),
                    "bean",
                    Declared.class,
                    new DiscoverySettings(5, new NoPayloads(), overrides),
                    new Surroundings(environment::resolveRequiredPlaceholders, retryBeans::get));
            return reader.read(Declared.class.getDeclaredMethod(method), annotation);
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
