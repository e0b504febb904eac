// What models were asked and what it cost, as the view counts it.
#include "storage/stores/usage.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::storage {
namespace {

// Half an hour before and after midnight in Berlin; over the chat API; of a job whose input is none of
// ours; and a step that asked nobody.
constexpr auto four_calls = R"sql(
insert into postrider.lane (lane_id, lane_key) overriding system value values (1, 'a');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, run_no, started_at, input)
select job_id, 1, 9, job_id, 'running', 'turn', 1, '2026-11-20T20:00Z', input::jsonb from (values
    (41, '{"flow": "assistant", "agent": "assistant", "chat": 5, "user": 7}'),
    (42, '{"flow": "todo", "agent": "terse", "conversation": "0-1", "user": 8}'),
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

class usage_store : public testing::Test {
protected:
    usage_store() { database.execute(four_calls); }

    std::string read(usage_key by, int days = most_usage_days) {
        std::string text;
        auto const done = run_blocking(database.options(), [&](transaction& tx) {
            for (auto const& line : read_usage(tx, by, days).lines)
                text += line.subject.value_or("-") + "=" + std::to_string(line.calls) + "/" +
                        std::to_string(line.tokens_in) + "/" + std::to_string(line.tokens_cached) +
                        "/" + std::to_string(line.tokens_out) + "/" +
                        std::to_string(line.cost_micro) + " ";
        });
        EXPECT_TRUE(done) << to_string(done.error());
        return text;
    }

    tests::test_database database;
};

// covers: X.04
TEST_F(usage_store, tells_who_used_how_much_most_first) {
    EXPECT_EQ(read(usage_key::user), "7=2/300/60/30/75000 -=1/5/0/5/1 8=1/1/0/2/0 ");
    EXPECT_EQ(read(usage_key::chat), "5=2/300/60/30/75000 -=1/5/0/5/1 0-1=1/1/0/2/0 ");
    EXPECT_EQ(read(usage_key::agent), "assistant=2/300/60/30/75000 -=1/5/0/5/1 terse=1/1/0/2/0 ");
    EXPECT_EQ(read(usage_key::flow), "assistant=2/300/60/30/75000 -=1/5/0/5/1 todo=1/1/0/2/0 ");
}

TEST_F(usage_store, a_day_begins_in_the_configured_zone) {
    auto const in_utc = read(usage_key::day);
    auto const kept = run_blocking(database.options(), [](transaction& tx) {
        keep_timezone(tx, "Europe/Berlin");
    });
    auto const unknown = run_blocking(database.options(), [](transaction& tx) {
        keep_timezone(tx, "Europe/Berln");
    });

    EXPECT_EQ(in_utc, "2026-11-22=1/5/0/5/1 2026-11-20=3/301/60/32/75000 ");
    ASSERT_TRUE(kept);
    EXPECT_FALSE(unknown);
    EXPECT_EQ(
        read(usage_key::day),
        "2026-11-22=1/5/0/5/1 2026-11-21=2/201/0/22/50000 2026-11-20=1/100/60/10/25000 "
    );
}

TEST_F(usage_store, leaves_out_the_days_before) {
    database.execute("update postrider.step set ended_at = postrider.now() where job_id = 43");

    EXPECT_EQ(read(usage_key::user, 1), "-=1/5/0/5/1 ");
}

} // namespace
} // namespace postrider::storage
