package dev.distributedscheduler.autoconfigure;

import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.job.PayloadReader;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Payloads as JSON. */
final class JacksonPayloadCodec implements PayloadCodec {

    private final JsonMapper mapper;

    JacksonPayloadCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public @Nullable String write(@Nullable Object payload) {
        return payload == null ? null : mapper.writeValueAsString(payload);
    }

    @Override
    public PayloadReader reader(Type type) {
        JavaType javaType = mapper.constructType(type);
        return text -> text == null ? null : mapper.readValue(text, javaType);
    }
}
