package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.job.JobHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a bean's method, through its proxy where it has one.
 *
 * @param payloadType what the method wants as payload; null when it wants none
 */
record MethodJobHandler(
        Object bean, Method method, @Nullable Type payloadType) implements JobHandler<@Nullable Object> {

    /** Throws IllegalArgumentException or IllegalStateException when the method cannot be the handler of a job. */
    static MethodJobHandler of(Object bean, Class<?> type, Method method) {
        if (isAsynchronous(method)) {
            throw new IllegalArgumentException(
                    "it returns before its work is done, so a run would count as completed too early");
        }
        Type payloadType = payloadType(type, method);
        Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(invocable);
        return new MethodJobHandler(bean, invocable, payloadType);
    }

    private static @Nullable Type payloadType(Class<?> type, Method method) {
        Type payload = null;
        int contexts = 0;
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (method.getParameterTypes()[i] == JobContext.class) {
                contexts++;
            } else if (payload == null) {
                payload = GenericTypeResolver.resolveType(method.getGenericParameterTypes()[i], type);
            } else {
                throw new IllegalArgumentException("it takes more than a payload and a JobContext");
            }
        }
        if (contexts > 1) {
            throw new IllegalArgumentException("it takes more than one JobContext");
        }
        return payload;
    }

    private static boolean isAsynchronous(Method method) {
        Class<?> type = method.getReturnType();
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
                || AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Async.class);
    }

    @Override
    public void run(@Nullable Object payload, JobContext context) throws Exception {
        @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = method.getParameterTypes()[i] == JobContext.class ? context : payload;
        }
        try {
            method.invoke(bean, arguments);
        } catch (InvocationTargetException thrown) {
            ReflectionUtils.rethrowException(thrown.getTargetException());
        }
    }
}
