-- What those who look on need: the trace of the enqueuer, and what a job promises about its time.

-- Null for most runs; what a tracing library wants to find again where the run is executed.
alter table run add column trace text;

alter table job
    add column timeout interval check (timeout > '0'),
    add column must_succeed_every interval check (must_succeed_every > '0'),
    -- a job that has never succeeded is measured from here
    add column known_since timestamptz not null default now();
