-- The tasks of people.

create table postrider.task_owner (
    user_id      bigint primary key,
    last_task_id bigint not null default 0
) with (fillfactor = 50);
comment on table postrider.task_owner is 'who has or had tasks; whoever changes tasks locks the owner''s row first';
comment on column postrider.task_owner.user_id is 'the person''s Telegram id, 0 = the configured owner''s token';
comment on column postrider.task_owner.last_task_id is 'the id of the newest task; ids of deleted tasks are not used again';

create table postrider.task (
    user_id       bigint not null,
    task_id       bigint not null check (task_id > 0),
    created_at    timestamptz not null default postrider.now(),
    completed_at  timestamptz,
    due_at        timestamptz,
    due_whole_day boolean not null default false,
    priority      text not null default 'medium' check (priority in ('low', 'medium', 'high')),
    title         text not null check (char_length(title) between 1 and 500),
    primary key (user_id, task_id)
);
comment on table postrider.task is 'tasks of people; read and written by the tools of the todo server alone';
comment on column postrider.task.task_id is 'from 1 for each person: what they type';
comment on column postrider.task.completed_at is 'null = open; completing again does not change it';
comment on column postrider.task.due_at is 'null = no due date; of a whole day: 9 o''clock of that day where the person is';

create table postrider.task_call (
    user_id    bigint not null,
    created_at timestamptz not null default postrider.now(),
    call_key   text not null check (char_length(call_key) between 1 and 200),
    digest     text not null,
    result     json,
    primary key (user_id, call_key)
);
create index task_call_age on postrider.task_call (created_at);
comment on table postrider.task_call is
    'results of changes that were asked for under a key, so that the same call, repeated after a crash, changes nothing and gets the same answer; kept for 30 days';
comment on column postrider.task_call.call_key is 'of a job''s step, or chosen by a client; counts for its person alone';
comment on column postrider.task_call.digest is 'SHA-256 of the tool and its arguments: another call with the same key is a mistake';
comment on column postrider.task_call.result is 'the task as it was answered; null = there was no such task';
