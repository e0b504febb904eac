alter table postrider.question add column choices text[];
comment on column postrider.question.choices is
    'what its buttons say behind its id, each with the mark in front (: closes it, ? does not): any other press counts for nothing; null = anything';
alter table postrider.question add column people bigint[];
comment on column postrider.question.people is
    'who alone may answer it, wherever a bot has told them: approvers of a turn without a chat; null = by place and user_id';
