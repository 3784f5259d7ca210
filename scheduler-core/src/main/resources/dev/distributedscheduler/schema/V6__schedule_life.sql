-- The life of a schedule: misfires and their replay, overlap, bounds, tenants, declarations by several deployments.

alter table schedule
    -- null for what the job says, so that a changed job changes no schedule
    alter column queue drop not null,
    alter column priority drop not null,
    drop column max_attempts,
    drop constraint schedule_state_check,
    add constraint schedule_state_check check (state in ('ACTIVE', 'PAUSED', 'RETIRED', 'ENDED', 'FAILED')),
    drop constraint schedule_trigger_kind_check,
    add constraint schedule_trigger_kind_check
        check (trigger_kind in ('CRON', 'FIXED_RATE', 'FIXED_DELAY', 'ONCE', 'BEAN')),
    add column dst_gap text check (dst_gap in ('RUN_AFTER', 'SKIP')),
    add column dst_overlap text check (dst_overlap in ('ONCE', 'TWICE')),
    -- ticks come so much later than the trigger says, to spread a herd
    add column shift interval not null default '0',
    add column starts_at timestamptz,
    add column ends_at timestamptz,
    add column misfire text not null default 'REPLAY_ALL' check (misfire in ('REPLAY_ALL', 'REPLAY_LATEST', 'SKIP')),
    add column misfire_grace interval check (misfire_grace > '0'),
    add column overlap text not null default 'SKIP' check (overlap in ('SKIP', 'QUEUE', 'ALLOW')),
    add column max_overlap integer check (max_overlap > 0),
    -- ticks that are still to be replayed, as ranges that begin at a tick; and when the next one may be
    add column missed tstzmultirange not null default '{}',
    add column replay_at timestamptz,
    -- the deployment whose declaration this is; null for one that was registered by a program
    add column declared_by bigint,
    add column undeclared_since timestamptz,
    add column paused_at timestamptz,
    add column resumed_at timestamptz,
    add column changed_by text;

-- What there is was declared in code, by deployments that nobody counted, and had the defaults.
update schedule
set declared_by = 0,
    dst_gap = case trigger_kind when 'CRON' then 'RUN_AFTER' end,
    dst_overlap = case trigger_kind when 'CRON' then 'ONCE' end;

alter table schedule
    add check ((trigger_kind = 'CRON') = (dst_gap is not null)),
    add check ((trigger_kind = 'CRON') = (dst_overlap is not null)),
    add check (isempty(missed) = (replay_at is null)),
    add check (declared_by is null or tenant = '');

create index schedule_replay on schedule (replay_at) where state = 'ACTIVE' and replay_at is not null;
create index schedule_ended on schedule (updated_at) where state = 'ENDED';
create index schedule_declared on schedule (name) where declared_by is not null;

-- What was declared together; a greater id is newer. A redeployed older version keeps its old id.
create table deployment (
    id bigint generated always as identity primary key,
    fingerprint text not null unique,
    first_seen_at timestamptz not null default now()
);

alter table job add column declared_by bigint;

alter table node
    add column deployment bigint,
    add column schedules text[] not null default '{}';

-- How many schedules a tenant has: counted as they come and go, so that nobody has to count the rows.
create table tenant (
    name text primary key,
    schedules integer not null check (schedules >= 0),
    -- null for the default
    quota integer check (quota >= 0)
) with (fillfactor = 50);

-- A run for a tick that was missed, made up for later.
alter table run add column replayed boolean not null default false;

-- A skipped tick may stand for all up to this time.
alter table execution add column tick_until timestamptz;
