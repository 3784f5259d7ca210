package dev.distributedscheduler.engine;

import dev.distributedscheduler.job.PayloadCodec;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Turns payloads into the text that is stored, unless it is too long or cannot be stored. */
record PayloadEncoder(PayloadCodec payloads, int maxBytes) {

    /** @param whose whose payload it is, for the message of a refusal */
    @Nullable
    String encode(String whose, @Nullable Object payload) {
        String text = payloads.write(payload);
        int bytes = text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxBytes) {
            throw new IllegalArgumentException(
                    "The payload of %s has %d bytes, more than the %d that distributed-scheduler.max-payload allows; keep large data elsewhere and enqueue a reference to it"
                            .formatted(whose, bytes, maxBytes));
        }
        if (text != null && text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "The payload of %s contains the character U+0000, which PostgreSQL cannot store".formatted(whose));
        }
        return text;
    }
}
