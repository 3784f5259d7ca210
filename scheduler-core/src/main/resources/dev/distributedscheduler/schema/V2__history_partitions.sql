-- Makes the monthly partitions of the history ahead of time and drops those that are wholly older than the retention.
--
-- A new month is attached, not created in place: attaching does not lock out the completions of running jobs. What the
-- default partition holds of that month moves with it, or attaching would be refused for ever. Dropping needs a lock on the
-- whole history; it gives up soon and is tried again, so that a long query on the history cannot stall completions behind it.
create function keep_history(months_ahead integer, retention interval) returns void
    language plpgsql
    set search_path from current
    set lock_timeout = '1s'
as
$$
declare
    this_month timestamp := date_trunc('month', now() at time zone 'UTC');
    month      timestamp;
    month_from timestamptz;
    month_to   timestamptz;
    part       name;
begin
    for month in select generate_series(this_month, this_month + months_ahead * interval '1 month', '1 month')
    loop
        part := 'execution_' || to_char(month, 'YYYY_MM');
        month_from := month at time zone 'UTC';
        month_to := (month + interval '1 month') at time zone 'UTC';
        if to_regclass(format('%I.%I', current_schema(), part)) is null then
            execute format('create table %I (like execution including defaults including constraints)', part);
            execute format(
                'with moved as (delete from execution_other where finished_at >= $1 and finished_at < $2 returning *)'
                    ' insert into %I select * from moved', part) using month_from, month_to;
            execute format(
                'alter table execution attach partition %I for values from (%L) to (%L)', part, month_from, month_to);
        end if;
    end loop;
    for part, month in
        select c.relname, to_timestamp(right(c.relname, 7), 'YYYY_MM') at time zone current_setting('TimeZone')
        from pg_inherits i
                 join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'execution'::regclass
          and c.relname ~ '^execution_\d{4}_\d{2}$'
    loop
        if (month + interval '1 month') at time zone 'UTC' < now() - retention then
            begin
                execute format('drop table %I', part);
            exception
                when lock_not_available then null; -- the next time, then
            end;
        end if;
    end loop;
end
$$;

do
$$
begin
    perform keep_history(2, interval '90 days');
end
$$;
