package dev.distributedscheduler.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.DistributedScheduled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What somebody sees whose declaration is wrong. */
@ExtendWith(OutputCaptureExtension.class)
class StartupFailureTests {

    @Test
    void reportNamesBeanMethodValueAndRemedy(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .run())
                .isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("method Application.work() of bean")
                .contains("cron = \"61 * * * * *\"")
                .contains("Use six fields (second minute hour day month weekday)");
    }

    @Configuration
    @Import(DistributedSchedulerAutoConfiguration.class)
    static class Application {

        @DistributedScheduled(cron = "61 * * * * *")
        void work() {}
    }
}
