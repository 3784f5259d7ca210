create table if not exists invoice (
    id bigint generated always as identity primary key,
    draft_key text not null unique,
    customer text not null,
    cents integer not null,
    state text not null default 'DRAFT' check (state in ('DRAFT', 'SENT'))
);
