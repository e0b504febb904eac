-- Reminders are schedules of the kind `reminder`, found by the person whose they are.

create index schedule_reminder on postrider.schedule ((input ->> 'user')) where kind = 'reminder';
comment on index postrider.schedule_reminder is 'the reminders of a person; their text, their place and their lane stand in the input';
