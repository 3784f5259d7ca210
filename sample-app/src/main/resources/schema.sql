create table if not exists invoice (
    id bigint generated always as identity primary key,
    draft_key text not null unique,
    customer text not null,
    cents integer not null,
    number bigint unique,
    state text not null default 'DRAFT' check (state in ('DRAFT', 'SENT', 'ARCHIVED'))
);

create table if not exists invoice_number (
    id integer primary key default 1 check (id = 1),
    last bigint not null default 0
);

insert into invoice_number default values on conflict do nothing;
