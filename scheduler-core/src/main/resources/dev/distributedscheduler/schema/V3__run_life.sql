-- What an enqueued run needs: the jobs that exist, keys that make enqueueing idempotent, and more ways to end an attempt.

-- The jobs as their nodes declared them: what a run of them gets when the enqueuer says nothing else.
create table job (
    name text primary key,
    queue text not null,
    priority smallint not null,
    max_attempts integer not null check (max_attempts > 0),
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
    add check (deduplicate_for is null or idempotency_key is not null);

alter table execution drop constraint execution_outcome_check;
alter table execution add constraint execution_outcome_check check (
    outcome in ('COMPLETED', 'FAILED', 'TIMED_OUT', 'INTERRUPTED', 'SNOOZED', 'LOST', 'STALE', 'CANCELLED', 'SKIPPED'));
