// One table of filters, asked of the database and of the memory: both give the same jobs.
#include "queue/admin/job_match.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <set>

namespace postrider::tests::job_match_test {
namespace {

using ids = std::set<std::int64_t>;

constexpr auto jobs_of_all_kinds = R"sql(
insert into postrider.lane (lane_id, lane_key) overriding system value values (1, 'bot:5:0'), (2, 'chat:a');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at, due_at, paused_at,
                           state, kind, run_no, input, error_class, error, degraded, degraded_reason)
values (1, 1, 1, 1, '2026-11-21T09:00:00Z', null, null, null, null, 'available', 'turn', 0, '{"flow": "assistant"}', null, null, null, null),
       (2, 1, 1, 2, '2026-11-21T09:01:00Z', postrider.now(), null, null, null, 'running', 'turn', 1, '{"flow": "todo"}', null, null, null, null),
       (3, 2, 1, 1, '2026-11-21T09:02:00Z', postrider.now(), postrider.now(), null, null, 'failed', 'flow', 1, '{"flow": "todo"}', 'timeout', 'too long', null, null),
       (4, 2, 1, 1, '2026-11-21T09:03:00Z', postrider.now(), postrider.now(), null, null, 'completed', 'turn', 1, '{}', 'invalid', 'e', true, 'reply_not_delivered'),
       (5, 2, 1, 1, '2026-11-21T09:03:00.5Z', postrider.now(), postrider.now(), null, null, 'completed', 'turn', 1, null, null, null, null, null),
       (6, 2, 1, 1, '2026-11-21T09:04:00Z', null, null, null, postrider.now(), 'paused', 'report', 0, '{"flow": 7}', null, null, null, null),
       (7, 1, 1, 3, '2026-11-21T09:05:00Z', postrider.now(), null, 'infinity', null, 'waiting', 'turn', 1, '{"flow": "assistant"}', null, null, null, null);
)sql";

struct filter_case {
    char const* name;
    queue::job_filter filter;
    ids expected;
};

base::sys_time at(char const* text) {
    return base::from_iso8601(text).value();
}

std::vector<filter_case> cases() {
    using queue::job_state;
    std::vector<filter_case> all{{"nothing", {}, {1, 2, 3, 4, 5, 6, 7}}};
    auto const add = [&](char const* name, ids expected) -> queue::job_filter& {
        all.push_back({name, {}, std::move(expected)});
        return all.back().filter;
    };
    add("a state", {1}).states = {job_state::available};
    add("states", {2, 3}).states = {job_state::running, job_state::failed};
    add("failed alone", {3}).states = {job_state::failed};
    add("paused alone", {6}).states = {job_state::paused};
    add("degraded", {4}).degraded = true;
    auto& beside = add("degraded beside a state", {3, 4});
    beside.degraded = true;
    beside.states = {job_state::failed};
    auto& reason = add("why it is degraded", {4});
    reason.degraded = true;
    reason.degraded_reason = "reply_not_delivered";
    auto& other_reason = add("another reason", {});
    other_reason.degraded = true;
    other_reason.degraded_reason = "cut_off";
    add("a reason alone", {4}).degraded_reason = "reply_not_delivered";
    add("a kind", {3}).kind = "flow";
    add("a flow", {2, 3}).flow = "todo";
    add("a flow that is a number", {6}).flow = "7";
    add("no flow of this name", {}).flow = "other";
    add("a lane", {1, 2, 7}).lane = "bot:5:0";
    add("no such lane", {}).lane = "bot:5";
    add("a part of a lane's key", {1, 2, 7}).lane_text = ":5:";
    add("another part", {3, 4, 5, 6}).lane_text = "chat";
    auto& both = add("a lane and a part of another", {});
    both.lane = "bot:5:0";
    both.lane_text = "chat";
    auto& fitting = add("a lane and a part of it", {1, 2, 7});
    fitting.lane = "bot:5:0";
    fitting.lane_text = "5";
    add("an error class", {3}).error_class = "timeout";
    add("created from", {4, 5, 6, 7}).created_after = at("2026-11-21T09:03:00Z");
    add("created before", {1, 2, 3, 4}).created_before = at("2026-11-21T09:03:00.5Z");
    auto& all_fields = add("every field", {3});
    all_fields.states = {job_state::failed, job_state::running};
    all_fields.kind = "flow";
    all_fields.flow = "todo";
    all_fields.lane_text = "a";
    all_fields.error_class = "timeout";
    all_fields.created_after = at("2026-11-21T09:00:00Z");
    all_fields.created_before = at("2026-11-21T10:00:00Z");
    return all;
}

TEST(job_match, asks_as_the_database_does) {
    test_database database;
    database.execute(jobs_of_all_kinds);
    std::vector<job_id> all;
    for (std::int64_t id = 1; id <= 7; ++id) all.push_back(job_id{id});

    storage::run_blocking(database.options(), [&](storage::transaction& tx) {
        auto const summaries = queue::summaries_of(tx, all);
        for (auto const& [name, filter, expected] : cases()) {
            ids in_database;
            for (auto const job : queue::matching_jobs(tx, filter, std::nullopt, 100))
                in_database.insert(base::raw(job));
            ids in_memory;
            for (auto const& job : summaries) {
                auto const flow = database.value(
                    "select input ->> 'flow' from postrider.job where job_id = " +
                    std::to_string(job.id)
                );
                if (queue::matches(filter, job, flow, queue::standing_of(job)))
                    in_memory.insert(job.id);
            }
            EXPECT_EQ(in_database, expected) << name;
            EXPECT_EQ(in_memory, expected) << name;
        }
    }).value();
}

TEST(job_match, as_it_stood_before) {
    queue::job_summary job;
    job.lane = "chat:a";
    job.kind = "turn";
    job.state = "completed";
    queue::job_filter filter;
    filter.states = {queue::job_state::running};
    filter.kind = "turn";

    EXPECT_FALSE(queue::matches(filter, job, "", queue::standing_of(job)));
    EXPECT_TRUE(queue::matches(filter, job, "", {.state = "running"}));
    EXPECT_TRUE(queue::may_match(filter, job, ""));
    filter.kind = "report";
    EXPECT_FALSE(queue::may_match(filter, job, ""));
}

} // namespace
} // namespace postrider::tests::job_match_test
