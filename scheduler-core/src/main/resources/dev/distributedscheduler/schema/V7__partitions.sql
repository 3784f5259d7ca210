-- Dispatch by several nodes at once: who turns the ticks of which virtual partitions into runs.

-- One row per dispatching node. Its transactions hold the row 'for key share'; taking partitions away needs it 'for update'.
create table partition_owner (
    node_id uuid primary key,
    partitions smallint[] not null,
    term bigint not null
) with (fillfactor = 50);

alter table node
    add column partitioned boolean not null default false,
    -- the node's own database session, whose end tells of its death before its lease does
    add column session_pid integer,
    add column session_started_at timestamptz;
