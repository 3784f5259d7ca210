package dev.distributedscheduler.benchmarks.contestant;

import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.job.PayloadReader;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Payloads that are text already. */
final class PlainText implements PayloadCodec {

    @Override
    public @Nullable String write(@Nullable Object payload) {
        return (String) payload;
    }

    @Override
    public PayloadReader reader(Type type) {
        return text -> text;
    }
}
