-- What the spam filter needs to count a message once, however often it is judged, and to notice trainings.
alter table postrider.spam_training add column revision bigint not null default 0;
comment on column postrider.spam_training.revision is 'rises with each change of the group''s samples: what was loaded of them before is out of date';

alter table postrider.spam_verdict add column counts boolean not null default false;
comment on column postrider.spam_verdict.counts is 'the message counts towards its author''s approval, once, whatever its wordings';

alter table postrider.spam_recent add column message_id bigint;
create unique index spam_recent_message on postrider.spam_recent (chat_id, message_id);
comment on column postrider.spam_recent.message_id is 'null: of a message from before the column; an edit replaces the wording';

create table postrider.spam_reaction (
    chat_id    bigint not null,
    user_id    bigint not null,
    message_id bigint not null,
    reacted_at timestamptz not null,
    primary key (chat_id, user_id, message_id)
);
create index spam_reaction_age on postrider.spam_reaction (reacted_at);
create index spam_reaction_of_person on postrider.spam_reaction (user_id);
comment on table postrider.spam_reaction is 'the messages to which people reacted who are not approved, for the check of reactions; kept for a day';

create table postrider.spam_registration (
    user_id       bigint primary key,
    is_registered boolean not null,
    asked_at      timestamptz not null default postrider.now()
);
create index spam_registration_age on postrider.spam_registration (asked_at);
comment on table postrider.spam_registration is 'what the register of spammers (CAS) said of a person; the row of user 0 says when it last gave no answer';

create table postrider.spam_opinion (
    chat_id  bigint not null,
    digest   bytea not null,
    user_id  bigint not null,
    is_spam  boolean not null,
    reason   text not null,
    given_at timestamptz not null default postrider.now(),
    primary key (chat_id, digest)
);
create index spam_opinion_age on postrider.spam_opinion (given_at);
create index spam_opinion_of_person on postrider.spam_opinion (user_id);
comment on table postrider.spam_opinion is 'a model''s word on a text in a group, so that it is asked once';
comment on column postrider.spam_opinion.digest is 'of the folded text';
comment on column postrider.spam_opinion.user_id is 'who wrote the text when the model was asked: postrider erase deletes the row';
