alter table postrider.message add column earlier jsonb;
comment on column postrider.message.earlier is
    'of a message that its sender edited after its turn had begun to answer: what it said before, oldest first: [{"content", "until"}], the first text and the newest 19; its own turn goes on with the first';
