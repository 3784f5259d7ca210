package dev.distributedscheduler.autoconfigure.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.distributedscheduler.DistributedJob;
import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.Priority;
import dev.distributedscheduler.engine.SchedulerEngine.Declarations;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.JobHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.StringUtils;

/** Jobs without a schedule: methods and handler beans. */
@ExtendWith(OutputCaptureExtension.class)
class JobDiscoveryTests {

    private static final List<Object> calls = new ArrayList<>();

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Map<String, JobOverrides> configured = new HashMap<>();

    @AfterEach
    void close() {
        context.close();
        calls.clear();
    }

    @Test
    void methodGetsItsPayloadAndContextInAnyOrder() throws Exception {
        Declarations found = discover(Methods.class);

        run(found, "invoice");
        run(found, "reversed");
        run(found, "methods.bare");

        assertThat(calls).containsExactly("payload", "context", "context", "payload", "bare");
        assertThat(found.schedules()).isEmpty();
    }

    @Test
    void genericPayloadTypeIsKept() {
        assertThat(payloadType(discover(Generic.class), "lists")).isEqualTo("java.util.List<java.lang.Integer>");
    }

    @Test
    void typeVariableOfASuperclassIsResolved() {
        assertThat(payloadType(discover(OfString.class), "ofString.take")).isEqualTo("java.lang.String");
    }

    @Test
    void handlerBeanIsAJobUnderItsOwnName() throws Exception {
        Declarations found = discover(Handler.class);

        assertThat(payloadType(found, "handler")).isEqualTo("java.util.List<java.lang.String>");
        run(found, "handler");
        assertThat(calls).containsExactly("handled");
    }

    @Test
    void annotatedHandlerBeanSaysMore() {
        JobDefinition job = discover(Annotated.class).jobs().get("renamed");

        assertThat(job.aliases()).containsExactly("former");
        assertThat(job.policy().queue()).isEqualTo("slow");
        assertThat(job.policy().priority()).isEqualTo(Priority.LOW);
        assertThat(discover(Annotated.class).jobs().get("former")).isNotNull();
    }

    @Test
    void handlerWhosePayloadCannotBeToldIsRefused() {
        context.registerBean("lambda", JobHandler.class, () -> (payload, run) -> {});

        assertThatThrownBy(this::discover)
                .rootCause()
                .hasMessageContaining("JobHandler bean 'lambda'")
                .hasMessageContaining("type cannot be told");
    }

    @Test
    void twoPayloadsAreRefused() {
        assertThatThrownBy(() -> discover(TwoPayloads.class))
                .rootCause()
                .hasMessageContaining("more than a payload and a JobContext");
    }

    @Test
    void configurationOfJobsThatThereAreNotIsToldOnce(CapturedOutput output) {
        configured.put("methods.bare", JobOverrides.NONE);
        configured.put("methods", JobOverrides.NONE);

        discover(Methods.class);
        context.getBean(DistributedScheduledBeanPostProcessor.class).declarations();

        assertThat(output)
                .containsOnlyOnce(
                        "says something about [methods], but the jobs of this application are [invoice, methods.bare, reversed]")
                .contains("distributed-scheduler.jobs.[bean.method].cron");
    }

    private Declarations discover(Class<?>... beans) {
        AnnotationConfigApplicationContext fresh =
                context.isActive() ? new AnnotationConfigApplicationContext() : context;
        fresh.registerBean(
                DistributedScheduledBeanPostProcessor.class,
                () -> new DistributedScheduledBeanPostProcessor(
                        () -> new DiscoverySettings(5, new NoPayloads(), configured)));
        for (Class<?> bean : beans) {
            fresh.registerBean(StringUtils.uncapitalize(bean.getSimpleName()), bean);
        }
        fresh.refresh();
        return fresh.getBean(DistributedScheduledBeanPostProcessor.class).declarations();
    }

    private static Object payloadType(Declarations found, String job) {
        return found.jobs().get(job).payload().read(null);
    }

    @SuppressWarnings("unchecked")
    private static void run(Declarations found, String job) throws Exception {
        Object payload = job.equals("handler") ? List.of() : "payload";
        ((JobHandler<Object>) found.jobs().get(job).handler()).run(payload, null);
    }

    static class Methods {

        @DistributedJob("invoice")
        void invoice(String payload, JobContext context) {
            calls.add(payload);
            calls.add("context");
        }

        @DistributedJob(name = "reversed")
        void reversed(JobContext context, String payload) {
            calls.add("context");
            calls.add(payload);
        }

        @DistributedJob
        void bare() {
            calls.add("bare");
        }
    }

    static class Generic {

        @DistributedJob("lists")
        void lists(List<Integer> numbers) {}
    }

    abstract static class Of<T> {

        @DistributedJob
        void take(T payload) {}
    }

    static class OfString extends Of<String> {}

    static class Handler implements JobHandler<List<String>> {

        @Override
        public void run(List<String> payload, JobContext context) {
            calls.add("handled");
        }
    }

    @DistributedJob(name = "renamed", aliases = "former", queue = "slow", priority = Priority.LOW)
    static class Annotated extends Handler {}

    static class TwoPayloads {

        @DistributedJob("two")
        void two(String one, String other) {}
    }
}
