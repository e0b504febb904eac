#pragma once
// Jobs with the model calls that they paid for, as SQL.

namespace postrider::tests {

// Two calls of user 7 in a chat, half an hour before and after midnight in Berlin; one of user 8 over
// the chat API; one of a schedule's job, whose input is none of ours; and a step that asked nobody.
inline constexpr auto four_calls = R"sql(
insert into postrider.lane (lane_id, lane_key) overriding system value values (1, 'a');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, input)
select job_id, 1, 9, job_id, 'running', 'turn', 1, '2026-11-20T20:00Z', input::jsonb from (values
    (41, '{"flow": "assistant", "agent": "assistant", "chat": 5, "user": 7}'),
    (42, '{"flow": "todo", "agent": "terse", "conversation": "00000000-0000-0000-0000-000000000001", "user": 8}'),
    (43, '["anything", {"user": "x"}]')) as t(job_id, input);
insert into postrider.step (job_id, attempt, seq, started_at, ended_at, node_id, key, outcome, result, usage)
select job_id, 1, seq, ended_at - interval '1 s', ended_at, 3, 'assistant/model' || seq, 'done', '{}', usage::jsonb from (values
    (41, 1, timestamptz '2026-11-20T22:30Z', '{"tokens_in": 100, "tokens_out": 10, "tokens_cached": 60, "cost_micro": 25000}'),
    (41, 2, '2026-11-20T23:30Z', '{"tokens_in": 200, "tokens_out": 20, "tokens_cached": 0, "cost_micro": 50000}'),
    (41, 3, '2026-11-20T23:31Z', null),
    (42, 1, '2026-11-20T23:40Z', '{"tokens_in": 1, "tokens_out": 2, "tokens_cached": 0, "cost_micro": 0}'),
    (43, 1, '2026-11-22T10:00Z', '{"tokens_in": 5, "tokens_out": 5, "tokens_cached": 0, "cost_micro": 1}')
    ) as t(job_id, seq, ended_at, usage)
)sql";

} // namespace postrider::tests
