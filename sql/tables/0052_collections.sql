-- Collections of documents that flows and agents may search.

create table postrider.collection (
    collection_id bigint generated always as identity primary key,
    name          text not null unique check (name ~ '^[a-z0-9_-]{1,64}$'),
    description   text not null default '' check (char_length(description) <= 500),
    flows         text[],
    people        text not null default 'allowed' check (people in ('owners', 'allowed')),
    created_at    timestamptz not null default postrider.now(),
    updated_at    timestamptz not null default postrider.now()
);
comment on table postrider.collection is 'collections of documents';
comment on column postrider.collection.flows is 'the flows that may search it; null = every flow';
comment on column postrider.collection.people is 'whose questions may search it: owners'' of the bot alone, or of all whom a bot answers';
