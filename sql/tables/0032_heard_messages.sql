-- Messages that do not concern a wait stay in the lane and are looked at once.
alter table postrider.wait add column heard_to bigint not null default 0;
comment on column postrider.wait.heard_to is
    'messages of its lane up to this job were looked at and did not concern it: they wait for their turn; 0 = none';
