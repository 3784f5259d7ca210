-- Who did what to schedules, runs and dead letters: written in the transaction that does it, kept as long as the history.

create table operation (
    id bigint generated always as identity primary key,
    done_at timestamptz not null default now(),
    act text not null check (act in ('PAUSE', 'RESUME', 'TRIGGER', 'CANCEL', 'RETRY', 'REPLAY', 'DISCARD')),
    -- null for somebody whom the application does not know
    who text,
    reason text,
    -- what it was done to: by name, because the schedule may be gone before the record
    tenant text,
    schedule text,
    job text,
    run_id bigint,
    check ((tenant is null) = (schedule is null)),
    check (schedule is not null or run_id is not null)
);

create index operation_schedule on operation (tenant, schedule, id) where schedule is not null;
create index operation_job on operation (job, id) where job is not null;
create index operation_run on operation (run_id, id) where run_id is not null;
create index operation_done on operation (done_at);
