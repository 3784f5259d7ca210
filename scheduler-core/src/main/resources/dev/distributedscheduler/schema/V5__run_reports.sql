-- What a running attempt tells about itself, and runs that no live node can execute.

-- All null for most runs, and gone with the attempt: they cost the queue nothing.
alter table run
    add column progress_done bigint,
    add column progress_total bigint,
    add column progress_message text,
    add column stuck_since timestamptz,
    add column stuck_stack text,
    drop constraint run_blocked_by_check,
    add constraint run_blocked_by_check check (blocked_by in ('KEY', 'JOB', 'ORPHAN'));

create index run_orphaned on run (job, place, id) where blocked_by = 'ORPHAN';
