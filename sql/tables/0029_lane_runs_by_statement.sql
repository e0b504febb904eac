-- Messages to chats never seen before come in batches: one insert for all of their lanes, not one for each.

drop trigger make_lane_run on postrider.lane;
drop function postrider.make_lane_run();
create function postrider.make_lane_runs() returns trigger language plpgsql as $$
begin
    insert into postrider.lane_run (lane_id, bot_id, priority) select l.lane_id, l.bot_id, 3 from new_lanes l;
    return null;
end $$;
comment on function postrider.make_lane_runs() is 'for the trigger of lane: new lanes are idle';
create trigger make_lane_runs after insert on postrider.lane referencing new table as new_lanes
    for each statement execute function postrider.make_lane_runs();
