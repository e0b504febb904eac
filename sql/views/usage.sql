-- Model calls and their cost. Each day is read separately, so a condition on "day" skips the other days.

create view postrider.usage as
select d.day, u.user_id, u.chat_id, u.conversation, u.agent, u.flow, u.calls, u.tokens_in, u.tokens_cached, u.tokens_out, u.cost
from (select s::date as day
      from generate_series(postrider.day_of((select min(ended_at) from postrider.step where usage is not null))::timestamp,
                           postrider.day_of(postrider.now())::timestamp, interval '1 day') s) d
cross join lateral (select postrider.day_begins(d.day) as since, postrider.day_begins(d.day + 1) as until_at offset 0) t
cross join lateral (
    select nullif(postrider.number_in(j.input, 'user'), 0) as user_id, postrider.number_in(j.input, 'chat') as chat_id,
           j.input ->> 'conversation' as conversation, j.input ->> 'agent' as agent, j.input ->> 'flow' as flow,
           sum(p.calls)::bigint as calls, postrider.as_bigint(sum(p.tokens_in)) as tokens_in,
           postrider.as_bigint(sum(p.tokens_cached)) as tokens_cached, postrider.as_bigint(sum(p.tokens_out)) as tokens_out,
           round(nullif(sum(p.cost_micro), 0) / 1e6, 6) as cost
    from (select s.job_id, count(*) as calls, sum((s.usage ->> 'tokens_in')::bigint) as tokens_in,
                 sum((s.usage ->> 'tokens_cached')::bigint) as tokens_cached,
                 sum((s.usage ->> 'tokens_out')::bigint) as tokens_out, sum((s.usage ->> 'cost_micro')::bigint) as cost_micro
          from postrider.step s
          where s.usage is not null and s.ended_at >= t.since and s.ended_at < t.until_at
          group by s.job_id) p
    cross join lateral (select j.input from postrider.job j where j.job_id = p.job_id offset 0) j
    group by 1, 2, 3, 4, 5) u;
comment on view postrider.usage is
    'paid model calls by day (in the time zone of postrider.calendar), user, chat, agent and flow; kept as long as their jobs';
comment on column postrider.usage.day is 'the day on which the call ended';
comment on column postrider.usage.user_id is 'the user whose message the call answers; null = no user, for example in a job of a schedule';
comment on column postrider.usage.conversation is 'the conversation in the chat API, which has no chat_id';
comment on column postrider.usage.agent is 'the NAME of [agents.NAME]';
comment on column postrider.usage.cost is 'US dollars, by the configured prices; null = no price is configured';
