-- Dead letters that can be listed page by page, newest first, and run again as they were.

alter table dead_letter
    add column deduplicate_for interval,
    add check (deduplicate_for is null or idempotency_key is not null);

drop index dead_letter_job;
create index dead_letter_job on dead_letter (job, died_at, run_id);
create index dead_letter_died on dead_letter (died_at, run_id);
