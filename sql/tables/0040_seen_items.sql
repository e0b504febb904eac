-- Items that a node has passed on before, for nodes that pass on each item once over all executions of their flow.

create table postrider.seen_item (
    seen_no bigint not null generated always as identity,
    job_id  bigint not null,
    seen_at timestamptz not null default postrider.now(),
    flow    text not null,
    node    text not null,
    claim   text not null,
    digest  bytea not null,
    primary key (flow, node, digest)
);
create unique index seen_item_order on postrider.seen_item (flow, node, seen_no);
create index seen_item_of_job on postrider.seen_item (job_id);
comment on table postrider.seen_item is
    'items that a node has seen, as digests; a node remembers a bounded number, and a deleted flow none';
comment on column postrider.seen_item.job_id is
    'that saw it first: its digests stay until it is over; postrider erase deletes those of a person''s jobs';
comment on column postrider.seen_item.seen_no is 'ascends with the rows of a node: the oldest ones are forgotten first';
comment on column postrider.seen_item.claim is
    'the run of the node, within its job, that saw the item first: the item is new for this run alone';
comment on column postrider.seen_item.digest is 'HMAC-SHA-256 of what the node compares, with the key of this database';
