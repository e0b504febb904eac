-- How far agents have read back for long-term memories.

create table postrider.memory_progress (
    lane_id  bigint primary key,
    job_id   bigint not null,
    position bigint not null
);
comment on table postrider.memory_progress is 'the last message of a lane that a job has summarised and searched for facts; set back when a summary goes with one of its messages';
