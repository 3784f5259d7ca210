create table if not exists application_table (id integer);
