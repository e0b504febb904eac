-- Others replace them, which see operators' changes of reminders, too (functions/audited.sql).
drop trigger if exists schedule_set_audited on postrider.schedule;
drop trigger if exists schedule_removed_audited on postrider.schedule;
drop trigger if exists schedule_changed_audited on postrider.schedule;
