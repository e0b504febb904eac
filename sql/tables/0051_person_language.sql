-- People may choose a language beside a time zone, or one of them alone.

alter table postrider.person alter column timezone drop not null;
alter table postrider.person add column language text check (language <> '');
comment on column postrider.person.timezone is 'by whose wall clock reminders and times are meant: an IANA name; null = not set';
comment on column postrider.person.language is 'in which the person is answered: a code such as "de"; null = that of their messages';
