-- What an enqueued run needs: the jobs that exist, keys that make enqueueing idempotent, and more ways to end an attempt.

-- The jobs as their nodes declared them: what a run of them gets when the enqueuer says nothing else.
create table job (
    name text primary key,
    queue text not null,
    priority smallint not null,
    max_attempts integer not null check (max_attempts > 0),
    max_concurrent integer check (max_concurrent > 0),
    updated_at timestamptz not null default now()
);

-- One live run per (job, key), and none for a while after it where a window was asked for. The row is the arbiter: it is
-- taken before its run is inserted and given up in the statement that ends the run.
create table idempotency (
    job text not null,
    key text not null,
    run_id bigint not null,
    reserved_until timestamptz not null,
    primary key (job, key)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create index idempotency_reserved on idempotency (reserved_until) where reserved_until < 'infinity';

drop index run_idempotency;

alter table run
    add column deduplicate_for interval,
    add column snoozes integer not null default 0,
    add column cancel_requested boolean not null default false,
    add column concurrency_key text,
    add column key_limit integer check (key_limit > 0),
    add column job_limited boolean not null default false,
    add column blocked_by text check (blocked_by in ('KEY', 'JOB')),
    add check (deduplicate_for is null or idempotency_key is not null),
    add check ((concurrency_key is null) = (key_limit is null)),
    add check ((state = 'BLOCKED') = (blocked_by is not null));

-- Concurrency limits. Slots are not counted anywhere: a run that is READY or RUNNING has one, so none can leak. All four
-- indexes are empty for runs without limits.
create index run_blocked_by_key on run (job, concurrency_key, place, id) where blocked_by = 'KEY';
create index run_blocked_by_job on run (job, place, id) where blocked_by = 'JOB';
create index run_key_slots on run (job, concurrency_key)
    where concurrency_key is not null and (state in ('READY', 'RUNNING') or blocked_by = 'JOB');
create index run_job_slots on run (job) where job_limited and state in ('READY', 'RUNNING');

alter table dead_letter
    add column concurrency_key text,
    add column key_limit integer,
    add column job_limited boolean not null default false;

alter table execution drop constraint execution_outcome_check;
alter table execution add constraint execution_outcome_check check (
    outcome in ('COMPLETED', 'FAILED', 'TIMED_OUT', 'INTERRUPTED', 'SNOOZED', 'LOST', 'STALE', 'CANCELLED', 'SKIPPED'));
