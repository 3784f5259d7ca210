package dev.distributedscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.distributedscheduler.Priority;
import dev.distributedscheduler.WhenStuck;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobDefinitionTests {

    private final JobHandler<String> handler = (payload, run) -> {};
    private final JobDefinition job = JobDefinition.of("report", PayloadReader.NONE, handler);

    @Test
    void defaultsAreThePromisedOnes() {
        assertThat(job)
                .isEqualTo(new JobDefinition(
                        "report",
                        Set.of(),
                        PayloadReader.NONE,
                        handler,
                        new JobPolicy(
                                "default",
                                Priority.NORMAL,
                                5,
                                RetryPolicy.DEFAULT,
                                null,
                                WhenStuck.WAIT,
                                null,
                                null,
                                false)));
    }

    @Test
    void eachPolicyChangesAlone() {
        RetryPolicy retry = new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(2));

        JobDefinition changed = job.withQueue("slow")
                .withPriority(Priority.HIGH)
                .withMaxAttempts(2)
                .withRetry(retry)
                .withTimeout(Duration.ofMinutes(1));

        assertThat(changed.policy())
                .isEqualTo(new JobPolicy(
                        "slow", Priority.HIGH, 2, retry, Duration.ofMinutes(1), WhenStuck.WAIT, null, null, false));
        assertThat(changed.handler()).isSameAs(handler);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\tb", "a\u0000b", "line\n"})
    void nameThatCannotBeReadIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobDefinition.of(name, PayloadReader.NONE, handler))
                .withMessageStartingWith("A job name has 1 to 200 printable characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.withQueue(name))
                .withMessageStartingWith("A queue name has 1 to 200 printable characters");
    }

    @Test
    void longestNameIsTwoHundredCharacters() {
        assertThat(JobDefinition.of("x".repeat(200), PayloadReader.NONE, handler)
                        .name())
                .hasSize(200);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobDefinition.of("x".repeat(201), PayloadReader.NONE, handler));
    }

    @Test
    void jobWithoutAttemptsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.withMaxAttempts(0))
                .withMessage("A job needs at least one attempt, but has 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void timeoutThatCannotBeKeptIsRefused(Duration timeout) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.withTimeout(timeout))
                .withMessage("A timeout must be positive, but is %s", timeout);
    }
}
