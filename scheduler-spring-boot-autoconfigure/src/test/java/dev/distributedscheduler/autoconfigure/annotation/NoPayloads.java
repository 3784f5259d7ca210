package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.job.PayloadReader;
import java.lang.reflect.Type;

/** Tells of what type a payload would have been. */
final class NoPayloads implements PayloadCodec {

    @Override
    public String write(Object payload) {
        throw new UnsupportedOperationException();
    }

    @Override
    public PayloadReader reader(Type type) {
        return text -> type.getTypeName();
    }
}
