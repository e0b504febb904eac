-- What a person has set for all that acts for that person, in whichever chat or conversation it was said.

create table postrider.person (
    user_id    bigint primary key,
    timezone   text not null check (timezone <> ''),
    changed_at timestamptz not null
);
comment on table postrider.person is 'what people have set for themselves; a row for each who has set something';
comment on column postrider.person.timezone is 'by whose wall clock reminders and times are meant: an IANA name';
