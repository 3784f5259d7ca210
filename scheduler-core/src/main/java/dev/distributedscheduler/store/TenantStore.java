package dev.distributedscheduler.store;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code tenant}: how many schedules each has, and how many it may have.
 *
 * <p>Counted in the transaction that adds or removes schedules, under the lock of the tenant's row: the count is exact, and
 * nobody counts rows.
 */
public final class TenantStore {

    private final Database database;

    public TenantStore(Database database) {
        this.database = database;
    }

    /**
     * Counts new schedules.
     *
     * @return the first tenant, if any, for whom they are too many
     */
    public Optional<String> add(Map<String, Integer> schedules, int usualQuota) {
        for (Map.Entry<String, Integer> tenant : new TreeMap<>(schedules).entrySet()) {
            if (!tenant.getKey().isEmpty() && !add(tenant.getKey(), tenant.getValue(), usualQuota)) {
                return Optional.of(tenant.getKey());
            }
        }
        return Optional.empty();
    }

    private boolean add(String tenant, int schedules, int usualQuota) {
        return database.sql("""
                                insert into scheduler.tenant as t (name, schedules)
                                select :tenant, :schedules where :schedules <= :quota or exists (
                                    select from scheduler.tenant where name = :tenant)
                                on conflict (name) do update set schedules = t.schedules + excluded.schedules
                                where t.schedules + excluded.schedules <= coalesce(t.quota, :quota)
                                """)
                        .param("tenant", tenant)
                        .param("schedules", schedules)
                        .param("quota", usualQuota)
                        .update()
                == 1;
    }

    /** @param quota of this tenant; null for the usual one */
    public void setQuota(String tenant, @Nullable Integer quota) {
        database.sql("""
                        insert into scheduler.tenant (name, schedules, quota)
                        values (:tenant, 0, cast(:quota as integer))
                        on conflict (name) do update set quota = excluded.quota
                        """).param("tenant", tenant).param("quota", quota).update();
    }

    public int schedules(String tenant) {
        return database.sql("select schedules from scheduler.tenant where name = :tenant")
                .param("tenant", tenant)
                .query(Integer.class)
                .optional()
                .orElse(0);
    }
}
