-- Times as programs read them.

-- Times as programs read them. Infinity, which a lane may wait for, is no time.
create or replace function postrider.iso(t timestamptz) returns text language sql stable parallel safe as
$$ select case when isfinite(t) then to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end $$;
comment on function postrider.iso(timestamptz) is 'ISO 8601 with microseconds in UTC; null for null and infinity';
