-- What a job says in another lane's history is found by the job: its end and its restart concern that, too.
alter table postrider.message add column beside boolean;
comment on column postrider.message.beside is
    'true or null: for the index of messages that may stand in another lane than their job; null also in rows from before the column';
create index message_beside on postrider.message (job_id) where beside;
