-- A pause of one bot finds what it has to hold by the bot, however many lanes of others have work.

alter table postrider.lane_run add column bot_id bigint;
update postrider.lane_run r set bot_id = l.bot_id from postrider.lane l where l.lane_id = r.lane_id and l.bot_id is not null;
-- A burst that a node leases as it arrives never stands in it. Only what asks for a bot can use it.
create index lane_run_bot on postrider.lane_run (bot_id, ready_at)
    where node_id is null and ready_at < 'infinity' and bot_id is not null;
comment on column postrider.lane_run.bot_id is 'that of the lane, which never changes';

-- In place of add_lane_run(), which knew no bot.
drop trigger add_lane_run on postrider.lane;
drop function postrider.add_lane_run();
create function postrider.make_lane_run() returns trigger language plpgsql as $$
begin
    insert into postrider.lane_run (lane_id, bot_id, priority) values (new.lane_id, new.bot_id, 3);
    return null;
end $$;
comment on function postrider.make_lane_run() is 'for the trigger of lane: a new lane is idle';
create trigger make_lane_run after insert on postrider.lane for each row execute function postrider.make_lane_run();
