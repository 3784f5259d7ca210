package dev.distributedscheduler.autoconfigure.annotation;

import dev.distributedscheduler.JobContext;
import dev.distributedscheduler.job.JobHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/** Calls a bean's method, through its proxy where it has one. */
record MethodJobHandler(Object bean, Method method) implements JobHandler {

    /** Throws IllegalArgumentException or IllegalStateException when the method cannot be the handler of a job. */
    static MethodJobHandler of(Object bean, Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length > 1 || (parameters.length == 1 && parameters[0] != JobContext.class)) {
            throw new IllegalArgumentException("it takes parameters other than a single JobContext");
        }
        if (isAsynchronous(method)) {
            throw new IllegalArgumentException(
                    "it returns before its work is done, so a run would count as completed too early");
        }
        Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(invocable);
        return new MethodJobHandler(bean, invocable);
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
    public void run(JobContext context) throws Exception {
        try {
            invoke(method.getParameterCount() == 0 ? new Object[0] : new Object[] {context});
        } catch (InvocationTargetException thrown) {
            ReflectionUtils.rethrowException(thrown.getTargetException());
        }
    }

    private @Nullable Object invoke(Object... arguments) throws IllegalAccessException, InvocationTargetException {
        return method.invoke(bean, arguments);
    }
}
