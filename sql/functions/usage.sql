-- Days as the configuration has them: of usage and of budgets.

create or replace function postrider.day_of(instant timestamptz) returns date language sql stable parallel safe as
$$ select (instant at time zone (select timezone from postrider.calendar))::date $$;
comment on function postrider.day_of(timestamptz) is 'the day in the configured time zone';

create or replace function postrider.day_begins(day date) returns timestamptz language sql stable parallel safe as
$$ select day::timestamp at time zone (select timezone from postrider.calendar) $$;
comment on function postrider.day_begins(date) is 'when the day begins in the configured time zone';

create or replace function postrider.number_in(input jsonb, member text) returns bigint language sql immutable parallel safe as
$$ select case when input ->> member ~ '^-?[0-9]{1,18}$' then (input ->> member)::bigint end $$;
comment on function postrider.number_in(jsonb, text) is 'an integer that a job was given; null where there is none';

create or replace function postrider.as_bigint(total numeric) returns bigint language sql immutable parallel safe as
$$ select case when total > 9223372036854775807 then 9223372036854775807 else total::bigint end $$;
comment on function postrider.as_bigint(numeric) is 'a sum of counts; in place of more than a bigint holds, the most that it does';
