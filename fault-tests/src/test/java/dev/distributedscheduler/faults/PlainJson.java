package dev.distributedscheduler.faults;

import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.job.PayloadReader;
import java.lang.reflect.Type;
import tools.jackson.databind.json.JsonMapper;

/** Payloads of a test, as an application would write them; or as nobody would. */
final class PlainJson implements PayloadCodec {

    private final JsonMapper mapper = JsonMapper.builder().build();

    /** Is written as it is. */
    record Raw(String text) {}

    @Override
    public String write(Object payload) {
        if (payload instanceof Raw raw) {
            return raw.text();
        }
        return mapper.writeValueAsString(payload);
    }

    @Override
    public PayloadReader reader(Type type) {
        throw new UnsupportedOperationException("Tests only write");
    }
}
