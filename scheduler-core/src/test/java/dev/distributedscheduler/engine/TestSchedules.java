package dev.distributedscheduler.engine;

import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.engine.ScheduleOperations.Limits;
import dev.distributedscheduler.job.JobDefinition;
import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.job.PayloadReader;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.JobStore;
import dev.distributedscheduler.store.TestTables;
import java.lang.reflect.Type;
import java.util.List;

/** What a user has of the schedules: the jobs "report" and "mail" are known, and payloads are plain text. */
final class TestSchedules {

    static final int QUOTA = 5;
    static final int MAX_PAYLOAD = 100;

    static final PayloadCodec TEXT = new PayloadCodec() {
        @Override
        public String write(Object payload) {
            return payload == null ? null : payload.toString();
        }

        @Override
        public PayloadReader reader(Type type) {
            throw new UnsupportedOperationException();
        }
    };

    private TestSchedules() {}

    static Schedules on(TestTables tables) {
        return on(tables, QUOTA, TriggerBeans.NONE);
    }

    static Schedules on(TestTables tables, int quota, TriggerBeans beans) {
        new JobStore(tables.database())
                .declare(List.of(JobDefinition.of("mail", run -> {}), JobDefinition.of("report", run -> {})), 1);
        return new ScheduleOperations(tables.database(), TEXT, new Limits(MAX_PAYLOAD, quota), () -> beans);
    }
}
