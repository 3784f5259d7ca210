package dev.distributedscheduler.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Repeats a {@link Scenario}, each time with another seed, and notes how it ended in the file {@code -Dfaults.results}, from
 * which {@code fault-tests/run} makes its lines: scenario, test, repetition, seed, result, and figures or the reason.
 */
final class Repetitions implements TestTemplateInvocationContextProvider {

    private static final int REPEATS = Integer.getInteger("faults.repeats", 1);
    private static final long SEED = Long.getLong("faults.seed", 1);

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(Scenario.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return IntStream.range(0, REPEATS).mapToObj(Repetition::new);
    }

    private record Repetition(int number) implements TestTemplateInvocationContext {

        private long seed() {
            return SEED + number;
        }

        @Override
        public String getDisplayName(int invocation) {
            return "%d of %d, seed %d".formatted(number + 1, REPEATS, seed());
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new Choosing(seed()), new Noting(number + 1, seed()));
        }
    }

    private record Choosing(long seed) implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Chance.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return Chance.of(seed);
        }
    }

    private record Noting(int number, long seed) implements TestWatcher, BeforeEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            Report.forgetFigures();
        }

        @Override
        public void testSuccessful(ExtensionContext context) {
            note(context, "passed", String.join(";", Report.figures()));
        }

        @Override
        public void testFailed(ExtensionContext context, Throwable cause) {
            note(context, "failed", String.valueOf(cause.getMessage()));
        }

        @Override
        public void testAborted(ExtensionContext context, Throwable cause) {
            note(context, "impossible", String.valueOf(cause.getMessage()));
        }

        private void note(ExtensionContext context, String result, String about) {
            String file = System.getProperty("faults.results");
            if (file == null) {
                return;
            }
            String line = "%02d\t%s.%s\t%d\t%d\t%s\t%s%n"
                    .formatted(
                            context.getRequiredTestMethod()
                                    .getAnnotation(Scenario.class)
                                    .value(),
                            context.getRequiredTestClass().getSimpleName(),
                            context.getRequiredTestMethod().getName(),
                            number,
                            seed,
                            result,
                            about.lines()
                                    .limit(3)
                                    .reduce("", (all, next) -> all + " " + next.strip())
                                    .strip());
            try {
                Files.writeString(Path.of(file), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
