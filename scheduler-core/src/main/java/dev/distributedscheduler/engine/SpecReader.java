package dev.distributedscheduler.engine;

import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.ScheduleSpec.Calendar;
import dev.distributedscheduler.ScheduleSpec.Policies;
import dev.distributedscheduler.ScheduleSpec.Said;
import dev.distributedscheduler.job.Names;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.FixedDelayTrigger;
import dev.distributedscheduler.schedule.FixedRateTrigger;
import dev.distributedscheduler.schedule.OnceTrigger;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.SchedulePolicy;
import dev.distributedscheduler.schedule.Spread;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.Trigger;
import dev.distributedscheduler.schedule.TriggerBeans;
import java.time.Duration;
import java.time.Instant;

/** Makes a schedule of what a user said, or refuses it with the schedule's name. */
record SpecReader(PayloadEncoder payloads, TriggerBeans beans) {

    Schedule read(Said said) {
        ScheduleKey key = said.key();
        Names.check("schedule", key.name());
        if (!key.tenant().isEmpty()) {
            Names.check("tenant", key.tenant());
        }
        try {
            return new Schedule(key, job(said), timing(said), said.initialDelay(), policy(said.policies()), work(said));
        } catch (RuntimeException refused) {
            throw new IllegalArgumentException("Schedule '%s': %s".formatted(key, refused.getMessage()), refused);
        }
    }

    private static String job(Said said) {
        if (said.job() == null) {
            throw new IllegalArgumentException("it names no job");
        }
        return said.job();
    }

    private Timing timing(Said said) {
        Calendar calendar = said.calendar();
        return new Timing(trigger(said), Spread.shift(said.key(), said.spread()), calendar.from(), calendar.until());
    }

    private Trigger trigger(Said said) {
        ScheduleSpec.When when = said.when();
        if (when == null) {
            throw new IllegalArgumentException("it says not when to run");
        }
        return switch (when.kind()) {
            case CRON -> cron((String) when.value(), said.calendar());
            case FIXED_RATE -> new FixedRateTrigger((Duration) when.value());
            case FIXED_DELAY -> new FixedDelayTrigger((Duration) when.value());
            case AT -> new OnceTrigger((Instant) when.value());
            case TRIGGER -> beans.get((String) when.value());
        };
    }

    private static Trigger cron(String expression, Calendar calendar) {
        if (calendar.zone() == null) {
            throw new IllegalArgumentException("a cron expression needs a zone");
        }
        return CronTrigger.of(expression, calendar.zone().getId(), calendar.gap(), calendar.overlap());
    }

    private static SchedulePolicy policy(Policies policies) {
        return new SchedulePolicy(
                policies.misfire(), policies.misfireGrace(), policies.overlap(), policies.maxOverlap());
    }

    private Schedule.Work work(Said said) {
        Policies policies = said.policies();
        if (policies.queue() != null) {
            Names.check("queue", policies.queue());
        }
        String payload = payloads.encode("schedule '%s'".formatted(said.key()), said.payload());
        return new Schedule.Work(payload, policies.queue(), policies.priority());
    }
}
