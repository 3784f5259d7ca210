package dev.distributedscheduler.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.distributedscheduler.fixture.PostgresDatabase;
import dev.distributedscheduler.fixture.PostgresTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Every endpoint over HTTP on full tables: {@code -Dscale.queued=1000000 -Dscale.dead=1000000 -Dscale.history=10000000
 * -Dscale.requests=200 -Dscale.p95=50} for the figures in the docs.
 *
 * <p>One job is rare: what is asked about it must not cost a look at all the others. The limit of the normal build is
 * generous, because its machine is shared; what must not happen is that an answer grows with the tables.
 */
@PostgresTest
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class EndpointScaleIntegrationTests {

    private static final int QUEUED = Integer.getInteger("scale.queued", 30_000);
    private static final int DEAD = Integer.getInteger("scale.dead", 30_000);
    private static final int HISTORY = Integer.getInteger("scale.history", 100_000);
    private static final int REQUESTS = Integer.getInteger("scale.requests", 20);
    private static final int LIMIT_MILLIS = Integer.getInteger("scale.p95", 1_000);

    private final PostgresDatabase database;
    private final JdbcClient jdbc;

    EndpointScaleIntegrationTests(PostgresDatabase database) {
        this.database = database;
        this.jdbc = JdbcClient.create(database.dataSource());
    }

    @Test
    void answersAreQuickHoweverMuchThereIs() {
        // it neither leads nor works: nothing may change while it is measured
        try (ConfigurableApplicationContext application = EndpointApplication.overHttp(
                database,
                "distributed-scheduler.dispatch.enabled=false",
                "distributed-scheduler.worker.enabled=false",
                "management.endpoint.schedulerjobs.access=unrestricted",
                "management.endpoint.schedulerruns.access=unrestricted",
                "management.endpoint.schedulerdeadletters.access=unrestricted")) {
            fill();
            plans();
            HttpUser user = new HttpUser(
                    Integer.parseInt(application.getEnvironment().getProperty("local.server.port")), "otto");
            List<String> reads = reads();
            for (int i = 0; i < REQUESTS / 2; i++) { // the compiler of the JVM is not what is measured
                reads.forEach(user::get);
            }
            Map<String, Times> measured = new LinkedHashMap<>();
            reads.forEach(path -> measured.put("GET  " + path, times(() -> expect(200, user.get(path)))));
            measured.put(
                    "POST schedulerjobs/nightly trigger",
                    times(() -> expect(200, user.post("schedulerjobs/nightly", Map.of("action", "trigger")))));
            measured.put("GET one, then POST schedulerruns/{id} cancel", times(() -> {
                String id = user.get("schedulerruns?size=1")
                        .json()
                        .at("/runs/0/runId")
                        .asString();
                expect(200, user.post("schedulerruns/" + id, Map.of("action", "cancel")));
            }));
            measured.put("GET one, then POST schedulerdeadletters/{id} replay", times(() -> {
                String id = user.get("schedulerdeadletters?size=1")
                        .json()
                        .at("/deadLetters/0/runId")
                        .asString();
                expect(200, user.post("schedulerdeadletters/" + id, Map.of("action", "replay")));
            }));
            print("%,d queued, %,d dead, %,d in the history; p95 of %d requests", QUEUED, DEAD, HISTORY, REQUESTS);
            measured.forEach(
                    (request, times) -> print("%8.1f ms, half in %6.1f ms: %s", times.p95(), times.p50(), request));
            assertThat(measured)
                    .allSatisfy((request, times) ->
                            assertThat(times.p95()).as(request).isLessThan((double) LIMIT_MILLIS));
        }
    }

    private List<String> reads() {
        String run = text("select max(id) from scheduler.run");
        String past = text("select max(run_id) from scheduler.execution");
        String dead = text("select max(run_id) from scheduler.dead_letter");
        return List.of(
                "scheduler",
                "schedulerjobs",
                "schedulerjobs/nightly",
                "schedulerjobs/job-1",
                "schedulerjobs/job-1/statistics?from=2020-01-01T00:00:00Z",
                "schedulerjobs/rare/statistics?from=2020-01-01T00:00:00Z",
                "schedulerjobs/nightly/ticks",
                "schedulerjobs/nightly/trace?size=1000",
                "schedulerjobs/nightly/trace?from=2020-01-01T00:00:00Z",
                "schedulerruns",
                "schedulerruns?state=READY&queue=queue-1",
                "schedulerruns?state=RUNNING",
                "schedulerruns?state=BLOCKED",
                "schedulerruns?job=rare",
                "schedulerruns?job=rare&state=SCHEDULED",
                "schedulerruns/" + run,
                "schedulerruns/" + past,
                "schedulerruns/past",
                "schedulerruns/past?size=500",
                "schedulerruns/past?outcome=FAILED",
                "schedulerruns/past?job=job-1",
                "schedulerruns/past?job=job-1&outcome=LOST",
                "schedulerruns/past?job=rare",
                "schedulerruns/past?job=job-1&before=" + text("""
                        select to_char((now() - interval '45 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                        """),
                "schedulerdeadletters",
                "schedulerdeadletters?job=rare",
                "schedulerdeadletters?errorType=none",
                "schedulerdeadletters?job=job-1&errorType=none",
                "schedulerdeadletters/" + dead);
    }

    private void fill() {
        jdbc.sql("""
                insert into scheduler.job (name, queue, priority, max_attempts)
                select 'job-' || i, 'queue-' || i % 5, 0, 5 from generate_series(1, 20) i
                union all values ('rare', 'default', 0, 5)
                on conflict do nothing
                """).update();
        long began = System.nanoTime();
        jdbc.sql("""
                insert into scheduler.run (job, queue, state, priority, place, run_at, payload, max_attempts, attempt)
                select case when i % 100000 = 7 then 'rare' else 'job-' || 1 + i % 20 end, 'queue-' || i % 5,
                       case when i % 100000 = 7 then 'SCHEDULED' else 'READY' end, 0, due, due,
                       repeat('x', 200), 5, 0
                from (select i, now() - (:queued - i) * interval '10 milliseconds' as due
                      from generate_series(1, :queued) i) q
                """).param("queued", QUEUED).update();
        jdbc.sql("""
                insert into scheduler.dead_letter (run_id, job, queue, priority, payload, attempts, max_attempts, outcome,
                                                   error_type, error_message, stack_trace, created_at, died_at)
                select -i, case when i % 100000 = 7 then 'rare' else 'job-' || 1 + i % 20 end, 'queue-' || i % 5, 0,
                       repeat('x', 200), 5, 5, 'FAILED', 'java.lang.IllegalStateException', 'It does not work',
                       repeat('at some.place.in.the.Code ', 80), now(), now() - i * interval '1 second'
                from generate_series(1, :dead) i
                """).param("dead", DEAD).update();
        makePastMonths();
        jdbc.sql("""
                insert into scheduler.execution (run_id, job, queue, attempt, token, outcome, run_at, claimed_at, started_at,
                                                 finished_at, schedule_id, tick_at)
                select 100000000 + i, case when i % 1000000 = 7 then 'rare' else 'job-' || 1 + i % 20 end, 'queue-' || i % 5, 1, i,
                       case when i % 50 = 0 then 'FAILED' else 'COMPLETED' end, done, done,
                       done - (i % 1000) * interval '1 millisecond', done,
                       case when i % 20 = 0 then s.id end, case when i % 20 = 0 then done end
                from (select id from scheduler.schedule where name = 'nightly') s,
                     (select i, now() - (:history - i) * (interval '85 days' / :history) as done
                      from generate_series(1, :history) i) h
                """).param("history", HISTORY).update();
        print("filled in %.0f s", (System.nanoTime() - began) / 1e9);
        for (String table : List.of("run", "dead_letter", "execution", "job", "schedule")) {
            jdbc.sql("vacuum analyze scheduler." + table).update();
        }
    }

    /** As they are when the scheduler has been there for so long. */
    private void makePastMonths() {
        jdbc.sql("""
                do $$
                declare
                    month timestamp;
                begin
                    for month in select date_trunc('month', now() at time zone 'UTC') - n * interval '1 month'
                                 from generate_series(1, 3) n
                    loop
                        execute format('create table scheduler.%I partition of scheduler.execution for values from (%L) to (%L)',
                            'execution_' || to_char(month, 'YYYY_MM'), month at time zone 'UTC',
                            (month + interval '1 month') at time zone 'UTC');
                    end loop;
                end $$
                """).update();
    }

    private void plans() {
        plan(
                "a window of live runs",
                "select id, job, queue from scheduler.run where id < 1000000000 order by id desc limit 2000");
        plan("the running ones", """
                select id, job, queue from scheduler.run where state = 'RUNNING' and id < 1000000000 order by id desc limit 2000
                """);
        plan("a window of a job's history", """
                select run_id, outcome from scheduler.execution
                where job = 'job-1' and finished_at < now()
                order by finished_at desc, coalesce(run_id, 0) desc, coalesce(token, 0) desc limit 500
                """);
        plan("dead letters of a rare job", """
                select run_id from scheduler.dead_letter where job = 'rare' and (died_at, run_id) < (now(), 0)
                order by died_at desc, run_id desc limit 50
                """);
    }

    private void plan(String what, String query) {
        print("%s:", what);
        jdbc.sql("explain (analyze, costs off, timing off) " + query)
                .query(String.class)
                .list()
                .forEach(System.out::println);
    }

    private static void expect(int status, HttpUser.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    }

    /** Of requests one after the other. */
    private static Times times(Runnable request) {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            long began = System.nanoTime();
            request.run();
            millis.add((System.nanoTime() - began) / 1e6);
        }
        Collections.sort(millis);
        return new Times(millis.get(millis.size() / 2), millis.get((int) Math.ceil(millis.size() * 0.95) - 1));
    }

    private record Times(double p50, double p95) {}

    private String text(String query) {
        return jdbc.sql(query).query(String.class).single();
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
