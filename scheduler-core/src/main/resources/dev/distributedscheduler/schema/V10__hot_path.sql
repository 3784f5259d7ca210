-- The two statements that every run passes: the claim and the completion.
--
-- They are functions because of their settings. A plan that was made while the queue was empty reads the whole table, and
-- stays in use after a million runs have come; with these settings there is one plan, by index, whatever the statistics say.
-- A later version of the scheduler adds functions under new names: nodes of this version call these until they are gone.

-- Gives a node the first runs in line that it can execute, each with a new attempt and token.
--
-- Nothing for a node that has been expelled or whose lease has run out: the lock on its row also keeps it from being
-- expelled before this is committed. Nobody is locked out when the line is empty.
--
-- most_failed    how many, where the first in line has failed or got lost before. One that takes its node down with it would
--                otherwise cost the next attempt of everything that the node has claimed ahead.
-- from_place     where in line to begin. Those before it are claimed, and their dead index entries need not be passed again.
create function claim(claimer uuid, line text, known text[], most integer, most_failed integer, from_place timestamptz)
    returns table (id bigint, job text, attempt integer, token bigint, failures integer, schedule_id bigint,
                   tick_at timestamptz, run_at timestamptz, claimed_at timestamptz, idempotency_key text, payload text,
                   snoozes integer, trace text, place timestamptz)
    language plpgsql
    set search_path from current
    set enable_seqscan = off
    set enable_bitmapscan = off
    set plan_cache_mode = force_generic_plan
    set jit = off
as
$$
#variable_conflict use_column
declare
    first_failures integer;
begin
    select r.failures into first_failures
    from run r
    where r.queue = line and r.state = 'READY' and r.place >= from_place and r.job = any(known)
    order by r.place, r.id
    limit 1;
    if not found then
        return;
    end if;
    perform from node n where n.id = claimer and n.lease_until > clock_timestamp() for key share;
    if not found then
        return;
    end if;
    return query
        with claimed as (
            update run r
            set state = 'RUNNING',
                node_id = claimer,
                attempt = r.attempt + 1,
                token = nextval('token'),
                claimed_at = clock_timestamp()
            where r.ctid = any(array(
                select i.ctid
                from run i
                where i.queue = line and i.state = 'READY' and i.place >= from_place and i.job = any(known)
                order by i.place, i.id
                limit case when first_failures > 0 then least(most, most_failed) else most end
                for update skip locked))
            returning r.*)
        select c.id, c.job, c.attempt, c.token, c.failures, c.schedule_id, c.tick_at, c.run_at, c.claimed_at,
               c.idempotency_key, c.payload, c.snoozes, c.trace, c.place
        from claimed c
        order by c.place, c.id;
end
$$;

-- Moves succeeded runs from the queue to the history, with what hangs on them: their idempotency keys are given up, or
-- reserved for a while, and schedules with a fixed delay get their next tick.
--
-- Returns the tokens of attempts that are not the current ones any more; their results are void.
create function complete(ids bigint[], tokens bigint[], waited bigint[], ran bigint[], channel text, due text)
    returns bigint[]
    language plpgsql
    set search_path from current
    set enable_seqscan = off
    set enable_hashjoin = off
    set enable_mergejoin = off
    set plan_cache_mode = force_generic_plan
    set jit = off
as
$$
declare
    accepted bigint[];
    leader_wanted boolean;
begin
    with done as (
        delete from run r
        using unnest(ids, tokens, waited, ran) as f (id, token, waited, ran)
        where r.id = f.id and r.token = f.token
        returning r.id, r.job, r.queue, r.schedule_id, r.tick_at, r.attempt, r.token, r.node_id, r.run_at, r.claimed_at,
                  r.idempotency_key, r.deduplicate_for, r.job_limited, r.concurrency_key,
                  r.claimed_at + f.waited * interval '1 microsecond' as started_at,
                  r.claimed_at + (f.waited + f.ran) * interval '1 microsecond' as finished_at
    ), recorded as (
        insert into execution
            (run_id, job, queue, schedule_id, tick_at, attempt, token, node_id, outcome, run_at, claimed_at, started_at,
             finished_at)
        select d.id, d.job, d.queue, d.schedule_id, d.tick_at, d.attempt, d.token, d.node_id, 'COMPLETED', d.run_at,
               d.claimed_at, d.started_at, d.finished_at
        from done d
    ), released as (
        delete from idempotency i
        using done d
        where d.idempotency_key is not null and d.deduplicate_for is null
          and i.job = d.job and i.key = d.idempotency_key and i.run_id = d.id
    ), reserved as (
        update idempotency i
        set reserved_until = now() + d.deduplicate_for
        from done d
        where d.idempotency_key is not null and d.deduplicate_for is not null
          and i.job = d.job and i.key = d.idempotency_key and i.run_id = d.id
    ), repeated as (
        update schedule s
        set next_tick_at = greatest(now() + s.delay, s.last_tick_at + interval '1 microsecond')
        from (select i.id
              from schedule i
              where i.id in (select d.schedule_id from done d where d.schedule_id is not null)
                and i.delay is not null and i.next_tick_at is null
                and not exists (
                    select from run r where r.schedule_id = i.id and r.id not in (select d.id from done d))
              order by i.id
              for no key update) i
        where s.id = i.id
        returning s.id
    )
    select array_agg(d.token),
           exists (select from repeated)
               or bool_or(d.job_limited and exists (
                    select from run b where b.blocked_by = 'JOB' and b.job = d.job))
               or bool_or(d.concurrency_key is not null and exists (
                    select from run b
                    where b.blocked_by = 'KEY' and b.job = d.job and b.concurrency_key = d.concurrency_key))
    into accepted, leader_wanted
    from done d;
    if leader_wanted then
        perform pg_notify(channel, due);
    end if;
    if cardinality(accepted) = cardinality(tokens) then
        return '{}';
    end if;
    return array(select t from unnest(tokens) t where accepted is null or t <> all(accepted));
end
$$;
