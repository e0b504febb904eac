-- What an agent in a group remembers of messages that it does not read any more.
create table postrider.group_summary (
    lane_id    bigint not null,
    job_id     bigint not null,
    position   bigint not null,
    created_at timestamptz not null default postrider.now(),
    read_at    timestamptz not null,
    since      timestamptz,
    messages   bigint not null,
    content    text not null,
    primary key (lane_id, job_id, position)
);
create index group_summary_age on postrider.group_summary (created_at);
comment on table postrider.group_summary is
    'summaries of what was said in a group, one for each compaction; each covers all messages of its lane up to a place. It is out of date, and nobody reads it, once one of these was deleted after it was read';
comment on column postrider.group_summary.job_id is 'with position: the place of the last message that it covers';
comment on column postrider.group_summary.read_at is 'when its messages were read: later edits and deletions are not in it';
comment on column postrider.group_summary.since is 'of a memory that lives with the process: when that began; null = of one in the database';
comment on column postrider.group_summary.messages is 'how many messages it covers, with those of the summaries before it';
comment on column postrider.group_summary.content is 'the summary; empty = the memory was cleared there';

-- Summaries ask whether something that they cover was deleted.
create index message_removed on postrider.message (lane_id, removed_at) where removed_at is not null;
