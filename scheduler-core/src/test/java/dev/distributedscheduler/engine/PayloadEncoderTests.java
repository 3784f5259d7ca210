package dev.distributedscheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.job.PayloadReader;
import java.lang.reflect.Type;
import org.junit.jupiter.api.Test;

class PayloadEncoderTests {

    private final PayloadEncoder encoder = new PayloadEncoder(new AsItIs(), 10);

    private static final class AsItIs implements PayloadCodec {

        @Override
        public String write(Object payload) {
            return (String) payload;
        }

        @Override
        public PayloadReader reader(Type type) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void payloadIsTextOrNone() {
        assertThat(encoder.encode("a run", "0123456789")).isEqualTo("0123456789");
        assertThat(encoder.encode("a run", null)).isNull();
    }

    @Test
    void bytesAreCountedNotCharacters() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encoder.encode("a run of 'job'", "éééééé"))
                .withMessageStartingWith("The payload of a run of 'job' has 12 bytes, more than the 10");
    }

    @Test
    void whatTheDatabaseCannotStoreIsRefusedBeforeItSeesIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encoder.encode("a run of 'job'", "a\0b"))
                .withMessage(
                        "The payload of a run of 'job' contains the character U+0000, which PostgreSQL cannot store");
    }
}
