package dev.distributedscheduler.actuate.endpoint;

import dev.distributedscheduler.job.PayloadCodec;
import org.jspecify.annotations.Nullable;

/** Reads a payload that somebody typed, as the database would keep it. */
record Payloads(PayloadCodec codec) {

    @Nullable
    Object read(String text) {
        try {
            return codec.reader(Object.class).read(text);
        } catch (RuntimeException malformed) {
            throw Parameters.bad("'payload' cannot be read; it is a text with JSON in it, as \"{\\\"to\\\": 42}\" is");
        }
    }
}
