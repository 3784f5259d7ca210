-- The tables of the scheduler. Names are unqualified: Flyway runs this in the scheduler's own schema.
-- Only database time is stored and compared.

-- One row per live incarnation of a replica. Its absence means: expelled, whatever the node may believe.
create table node (
    id uuid primary key,
    name text not null,
    version text,
    dispatcher boolean not null,
    worker boolean not null,
    jobs text[] not null,
    started_at timestamptz not null default now(),
    lease_until timestamptz not null,
    draining boolean not null default false
) with (fillfactor = 50);

-- Exactly one row. The term only rises; it fences every transaction that enqueues ticks.
create table leader (
    id smallint primary key default 1 check (id = 1),
    node_id uuid,
    term bigint not null default 0,
    acquired_at timestamptz,
    lease_until timestamptz not null default '-infinity',
    session_pid integer,
    session_started_at timestamptz,
    check ((session_pid is null) = (session_started_at is null))
) with (fillfactor = 50);

insert into leader default values;

create table schedule (
    id bigint generated always as identity primary key,
    tenant text not null default '',
    name text not null,
    job text not null,
    queue text not null,
    priority smallint not null,
    max_attempts integer not null check (max_attempts > 0),
    payload text,
    trigger_kind text not null check (trigger_kind in ('CRON', 'FIXED_RATE', 'FIXED_DELAY', 'ONCE')),
    trigger_expression text not null,
    zone text,
    delay interval,
    partition smallint not null generated always as ((id & 255)::smallint) stored,
    state text not null default 'ACTIVE' check (state in ('ACTIVE', 'PAUSED', 'RETIRED', 'FAILED')),
    state_reason text,
    last_tick_at timestamptz,
    next_tick_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (tenant, name),
    check ((trigger_kind = 'CRON') = (zone is not null)),
    -- apart from the expression, so that the end of a run can always set the next tick
    check ((trigger_kind = 'FIXED_DELAY') = (delay is not null)),
    -- a schedule never goes back: no tick is handed out twice, even if the database's clock is set back
    check (next_tick_at > last_tick_at)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Fixed-delay schedules between the start and the end of a run.
create index schedule_waiting on schedule (id) where state = 'ACTIVE' and delay is not null and next_tick_at is null;
create index schedule_due on schedule (next_tick_at) where state = 'ACTIVE' and next_tick_at is not null;

-- Fencing tokens: every attempt of every run gets a greater one.
create sequence token as bigint;

-- The hot queue: live runs only. No foreign keys: checking them per row would cost more than the row.
create table run (
    id bigint generated always as identity primary key,
    job text not null,
    queue text not null,
    state text not null check (state in ('SCHEDULED', 'READY', 'BLOCKED', 'RUNNING')),
    priority smallint not null,
    place timestamptz not null,
    run_at timestamptz not null,
    schedule_id bigint,
    tick_at timestamptz,
    idempotency_key text,
    payload text,
    attempt integer not null default 0,
    failures integer not null default 0,
    max_attempts integer not null check (max_attempts > 0),
    token bigint,
    node_id uuid,
    claimed_at timestamptz,
    created_at timestamptz not null default now(),
    check ((schedule_id is null) = (tick_at is null)),
    check ((state = 'RUNNING') = (token is not null)),
    check ((state = 'RUNNING') = (node_id is not null)),
    check ((state = 'RUNNING') = (claimed_at is not null)),
    check (failures < max_attempts)
) with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 20000,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 20000,
    autovacuum_vacuum_cost_delay = 0
);

create unique index run_tick on run (schedule_id, tick_at) where schedule_id is not null;
create unique index run_idempotency on run (job, idempotency_key) where idempotency_key is not null;
create index run_ready on run (queue, place, id) where state = 'READY';
create index run_scheduled on run (run_at) where state = 'SCHEDULED';
create index run_running on run (node_id) where state = 'RUNNING';

-- Append-only history: one row per attempt and one per skipped tick.
create table execution (
    run_id bigint,
    job text not null,
    queue text not null,
    schedule_id bigint,
    tick_at timestamptz,
    attempt integer,
    token bigint,
    node_id uuid,
    outcome text not null check (
        outcome in ('COMPLETED', 'FAILED', 'TIMED_OUT', 'INTERRUPTED', 'LOST', 'STALE', 'CANCELLED', 'SKIPPED')),
    run_at timestamptz not null,
    claimed_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz not null default now(),
    error_type text,
    error_message text,
    stack_trace text,
    check ((run_id is null) = (outcome = 'SKIPPED'))
) partition by range (finished_at);

create index execution_run on execution (run_id);
create index execution_job on execution (job, finished_at);
create index execution_tick on execution (schedule_id, tick_at) where schedule_id is not null;

-- Catches what no month was made for, so that a late housekeeper never keeps a run from ending.
create table execution_other partition of execution default;

create table dead_letter (
    run_id bigint primary key,
    job text not null,
    queue text not null,
    priority smallint not null,
    schedule_id bigint,
    tick_at timestamptz,
    idempotency_key text,
    payload text,
    attempts integer not null,
    max_attempts integer not null,
    outcome text not null check (outcome in ('FAILED', 'TIMED_OUT', 'LOST')),
    error_type text,
    error_message text,
    stack_trace text,
    created_at timestamptz not null,
    died_at timestamptz not null default now()
);

create index dead_letter_job on dead_letter (job, died_at);
