#pragma once
// A turn as the engine leaves it, written by hand: one failed try, an answer, a reply in doubt.
#include "tests/support/postgres.hpp"

namespace postrider::tests {

inline constexpr auto one_turn = R"sql(
insert into postrider.lane (lane_id, lane_key, bot_id, chat_id, conversation_id)
overriding system value values (1, '1:5:0', 1, 5, 9);
select setval(pg_get_serial_sequence('postrider.lane', 'lane_id'), 1);
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at,
                           state, kind, run_no, tokens_in, tokens_out, input, output, error_class, error)
values (42, 1, 9, 1, '2026-11-21T09:00:00Z', '2026-11-21T09:00:00.01Z', '2026-11-21T09:00:03Z',
        'completed', 'turn', 2, 100, 7, '{"agent": "assistant"}', '{"delivery": "sent"}',
        null, null),
       (43, 1, 9, 2, '2026-11-21T09:01:00Z', '2026-11-21T09:01:00Z', '2026-11-21T09:01:01Z',
        'failed', 'turn', 1, null, null, '{}', null,
        'invalid', 'no such agent');
insert into postrider.step (job_id, attempt, seq, started_at, ended_at, next_at, node_id, key, outcome,
                            error_class, error, result)
values (42, 1, 1, '2026-11-21T09:00:00.02Z', '2026-11-21T09:00:00.12Z', '2026-11-21T09:00:02Z', 3,
        'model', 'retry', 'overloaded', 'try later', null),
       (42, 2, 1, '2026-11-21T09:00:02Z', '2026-11-21T09:00:02.5Z', null, 3, 'model', 'done', null, null,
        '{"text": "hi"}');
insert into postrider.effect (job_id, flagged, key, kind, class, state)
values (42, true, 'reply', 'telegram.send', 'at_least_once', 'done');
)sql";

} // namespace postrider::tests
