package dev.distributedscheduler.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FailureTests {

    private static final int LONGEST_MESSAGE = 4_000;

    /** What PostgreSQL asks of a text: no NUL, and valid UTF-8. */
    private static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    @Test
    void exceptionIsKeptWithTypeMessageAndTrace() {
        Failure failure = Failure.of(new IllegalStateException("no luck"));

        assertThat(failure.type()).isEqualTo("java.lang.IllegalStateException");
        assertThat(failure.message()).isEqualTo("no luck");
        assertThat(failure.stackTrace()).contains("IllegalStateException: no luck", "at dev.distributedscheduler");
    }

    @Test
    void missingMessageStaysMissing() {
        assertThat(Failure.of(new IllegalStateException()).message()).isNull();
    }

    @Test
    void nulIsReplaced() {
        Failure failure = Failure.of(new IllegalStateException("a\0b"));

        assertThat(failure.message()).isEqualTo("a\uFFFDb");
        assertThat(failure.stackTrace()).matches(FailureTests::isStorable);
    }

    @Test
    void loneSurrogateIsReplaced() {
        Failure failure = Failure.of("type\uDC00", "a\uD83Db");

        assertThat(failure.message()).isEqualTo("a?b");
        assertThat(failure.type()).matches(FailureTests::isStorable);
    }

    @Test
    void completePairStays() {
        assertThat(Failure.of("type", "done \uD83D\uDE00").message()).isEqualTo("done \uD83D\uDE00");
    }

    @Test
    void cutInsideAPairLeavesNoHalf() {
        Failure failure = Failure.of("type", "x".repeat(LONGEST_MESSAGE - 1) + "\uD83D\uDE00 and more");

        assertThat(failure.message()).matches(FailureTests::isStorable).endsWith("x?… (cut)");
    }

    @Test
    void tenMegabytesAreCut() {
        Failure failure = Failure.of(new IllegalStateException("x".repeat(10_000_000)));

        assertThat(failure.message()).hasSize(LONGEST_MESSAGE + "… (cut)".length());
        assertThat(failure.stackTrace()).hasSizeLessThan(17_000).endsWith("… (cut)");
    }

    @Test
    void longestMessageIsNotCut() {
        assertThat(Failure.of("type", "x".repeat(LONGEST_MESSAGE)).message()).isEqualTo("x".repeat(LONGEST_MESSAGE));
    }

    @Test
    void exceptionThatCannotBeReadIsKeptAllTheSame() {
        Failure failure = Failure.of(new Unreadable());

        assertThat(failure.type()).isEqualTo(Unreadable.class.getName());
        assertThat(failure.message()).isEqualTo("(message not readable: java.lang.UnsupportedOperationException)");
        assertThat(failure.stackTrace()).contains("(stack trace not printable: ");
    }

    @Test
    void endlessChainOfCausesIsKeptAllTheSame() {
        Throwable deep = new IllegalStateException("root");
        for (int i = 0; i < 50_000; i++) {
            deep = new IllegalStateException("cause", deep);
        }

        assertThat(Failure.of(deep).stackTrace()).startsWith("java.lang.IllegalStateException: cause");
    }

    private static final class Unreadable extends RuntimeException {

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException();
        }
    }
}
