package dev.distributedscheduler.engine;

import dev.distributedscheduler.Page;
import dev.distributedscheduler.QuotaExceededException;
import dev.distributedscheduler.ScheduleDetails;
import dev.distributedscheduler.ScheduleFilter;
import dev.distributedscheduler.ScheduleKey;
import dev.distributedscheduler.ScheduleSpec;
import dev.distributedscheduler.Schedules;
import dev.distributedscheduler.TickPreview;
import dev.distributedscheduler.TickTrace;
import dev.distributedscheduler.job.PayloadCodec;
import dev.distributedscheduler.schedule.CronTrigger;
import dev.distributedscheduler.schedule.DstNote;
import dev.distributedscheduler.schedule.Schedule;
import dev.distributedscheduler.schedule.Timing;
import dev.distributedscheduler.schedule.TriggerBeans;
import dev.distributedscheduler.store.Database;
import dev.distributedscheduler.store.JobStore;
import dev.distributedscheduler.store.ScheduleControl;
import dev.distributedscheduler.store.ScheduleSearch;
import dev.distributedscheduler.store.ScheduleSearch.Position;
import dev.distributedscheduler.store.ScheduleStore;
import dev.distributedscheduler.store.TenantStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a user asks of schedules, checked before the database sees it. */
public final class ScheduleOperations implements Schedules {

    private static final int SCHEDULES_PER_STATEMENT = 10_000;
    private static final int LONGEST_PREVIEW = 1_000;

    private final Database database;
    private final ScheduleStore schedules;
    private final TenantStore tenants;
    private final ScheduleControl control;
    private final ScheduleSearch search;
    private final JobStore jobs;
    private final PayloadEncoder payloads;
    private final Supplier<TriggerBeans> beans;
    private final int quota;

    /**
     * What may be registered.
     *
     * @param schedulesPerTenant quota of tenants that have none of their own
     */
    public record Limits(int maxPayloadBytes, int schedulesPerTenant) {}

    /** @param database on the connections of the application, whose transactions it joins */
    public ScheduleOperations(Database database, PayloadCodec payloads, Limits limits, Supplier<TriggerBeans> beans) {
        this.database = database;
        this.schedules = new ScheduleStore(database);
        this.tenants = new TenantStore(database);
        this.control = new ScheduleControl(database);
        this.search = new ScheduleSearch(database);
        this.jobs = new JobStore(database);
        this.payloads = new PayloadEncoder(payloads, limits.maxPayloadBytes());
        this.beans = beans;
        this.quota = limits.schedulesPerTenant();
    }

    @Override
    public ScheduleSpec schedule(String name) {
        return new ScheduleSpec(name, spec -> registerAll(List.of(spec)));
    }

    @Override
    public int registerAll(Collection<ScheduleSpec> specs) {
        SpecReader reader = new SpecReader(payloads, beans.get());
        Map<ScheduleKey, Schedule> wanted = new LinkedHashMap<>();
        for (ScheduleSpec spec : specs) {
            if (wanted.put(spec.key(), reader.read(spec.said())) != null) {
                throw new IllegalArgumentException("Schedule '%s' is to be registered twice".formatted(spec.key()));
            }
        }
        checkJobs(wanted.values());
        return database.inTransaction(() -> register(List.copyOf(wanted.values())));
    }

    private void checkJobs(Collection<Schedule> wanted) {
        Set<String> known = Set.copyOf(jobs.names());
        wanted.stream()
                .filter(schedule -> !known.contains(schedule.job()))
                .findAny()
                .ifPresent(schedule -> {
                    throw new IllegalArgumentException("Schedule '%s': no node has declared a job '%s'; there are %s"
                            .formatted(schedule.key(), schedule.job(), jobs.names()));
                });
    }

    private int register(List<Schedule> wanted) {
        Map<String, Integer> added = new HashMap<>();
        for (int i = 0; i < wanted.size(); i += SCHEDULES_PER_STATEMENT) {
            List<Schedule> part = wanted.subList(i, Math.min(wanted.size(), i + SCHEDULES_PER_STATEMENT));
            schedules.register(part).forEach((tenant, count) -> added.merge(tenant, count, Integer::sum));
        }
        List<String> declared =
                schedules.declared(wanted.stream().map(Schedule::key).toList());
        if (!declared.isEmpty()) {
            throw new IllegalStateException(
                    "%s are declared in code; change them there, or in distributed-scheduler.jobs.*"
                            .formatted(declared));
        }
        tenants.add(added, quota).ifPresent(tenant -> {
            throw new QuotaExceededException(tenant);
        });
        return added.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public Optional<ScheduleDetails> find(ScheduleKey key) {
        return search.find(key);
    }

    @Override
    public List<ScheduleDetails> list(ScheduleFilter filter, @Nullable ScheduleKey after, int most) {
        return search.list(filter, after, Cursors.size(most, LARGEST_PAGE));
    }

    @Override
    public Page<ScheduleDetails> page(ScheduleFilter filter, @Nullable String after, int most) {
        ScheduleSearch.Found found =
                search.find(filter, Cursors.schedule(after), Cursors.size(most, LARGEST_PAGE), ScheduleSearch.WINDOW);
        return new Page<>(found.schedules(), Cursors.text(found.next()));
    }

    @Override
    public boolean pause(ScheduleKey key, @Nullable String reason, @Nullable String who) {
        return control.pause(key, reason, who);
    }

    @Override
    public boolean resume(ScheduleKey key, @Nullable String who) {
        return control.resume(key, who);
    }

    @Override
    public Optional<Long> trigger(ScheduleKey key) {
        return control.trigger(key, false, null);
    }

    @Override
    public Optional<Long> trigger(ScheduleKey key, @Nullable Object payload) {
        return control.trigger(key, true, payloads.encode("schedule '%s'".formatted(key), payload));
    }

    @Override
    public boolean delete(ScheduleKey key) {
        if (!schedules.declared(List.of(key)).isEmpty()) {
            throw new IllegalStateException(
                    "Schedule '%s' is declared in code and would come back; pause it, or remove it there"
                            .formatted(key));
        }
        return control.delete(key);
    }

    @Override
    public List<TickPreview> preview(ScheduleKey key, int most) {
        Position position = search.position(key).orElse(null);
        if (position == null) {
            return List.of();
        }
        Timing timing = position.timing().read(beans.get());
        List<TickPreview> ticks = new ArrayList<>();
        Instant tick = position.nextTick() == null ? timing.next(position.now()) : position.nextTick();
        while (tick != null && ticks.size() < Math.min(most, LONGEST_PREVIEW)) {
            ticks.add(new TickPreview(tick, note(timing, tick)));
            tick = timing.next(tick);
        }
        return ticks;
    }

    private static @Nullable String note(Timing timing, Instant tick) {
        return timing.trigger() instanceof CronTrigger cron
                ? cron.note(tick.minus(timing.shift())).map(DstNote::sentence).orElse(null)
                : null;
    }

    @Override
    public List<TickTrace> trace(ScheduleKey key, Instant from, Instant until, int most) {
        return search.trace(key, from, until, most);
    }

    @Override
    public void setQuota(String tenant, @Nullable Integer schedulesOfTenant) {
        tenants.setQuota(tenant, schedulesOfTenant);
    }
}
