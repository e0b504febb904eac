// Jobs of which the database holds more than this program can read: only they fail.
#include "queue/admin/job_views.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::unreadable_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::HasSubstr;

// Postgres takes it; storage::row::json does not.
constexpr auto too_deep = "(repeat('[', 1500) || repeat(']', 1500))::jsonb";

constexpr storage::statement follow_failure{
    "follow_failure",
    "insert into postrider.lane (lane_key) select 'told' from json_to_recordset($1::json) as t(i "
    "int)",
    60};

class unreadable : public engine_fixture {
protected:
    awaitable<outcome> work(workflow&) {
        ++called;
        co_return outcome::completed();
    }
    awaitable<outcome> sleep_then_work(workflow& flow) {
        co_await flow.run("read", {}, [] { return give(1); });
        co_await flow.sleep("night", 1h);
        ++called;
        co_return outcome::completed();
    }
    awaitable<std::vector<storage::write>> tell(queue::job const&, outcome const&) {
        co_return std::vector<storage::write>{{&follow_failure, ""}};
    }

    node& start() {
        queue::job_kind work_kind{"work", [this](workflow& flow) { return work(flow); }};
        queue::job_kind sleeper{
            "sleeper", [this](workflow& flow) { return sleep_then_work(flow); }};
        for (auto* kind : {&work_kind, &sleeper})
            kind->failed = [this](queue::job const& job, outcome const& ended) {
                return tell(job, ended);
            };
        return w.start_node({work_kind, sleeper});
    }
    std::string ending_of(queue::enqueued const& job) {
        return w.value(
            "select state || ' ' || coalesce(error_class || ': ' || error, '') from postrider.job "
            "where job_id = " +
            base::to_string(job.id)
        );
    }
    boost::json::value shown_input_of(queue::enqueued const& job) {
        boost::json::value input;
        w.in_transaction([&](storage::transaction& tx) {
            input = queue::read_job_details(tx, job.id).value().input;
        });
        return input;
    }
    void until_all_are_over() {
        w.until("select count(*) from postrider.job where finished_at is null", "0");
        w.until("select count(*) from postrider.busy_lane", "0");
    }

    int called = 0;
};

// covers: E.21
TEST_F(unreadable, input_fails_its_own_job_and_no_other_of_its_claim) {
    auto& node = start();
    w.execute("select postrider.pause_all()");
    auto const deep = w.enqueue(node, w.make_lane("a"), "work");
    auto const beside = w.enqueue(node, w.make_lane("b"), "work");
    w.execute(
        "update postrider.job set input = " + std::string(too_deep) +
        " where job_id = " + base::to_string(deep.id)
    );

    w.execute("select postrider.resume_all()");
    until_all_are_over();

    EXPECT_THAT(ending_of(deep), HasSubstr("failed invalid: its input cannot be read"));
    EXPECT_EQ(ending_of(beside), "completed ");
    EXPECT_EQ(called, 1);
    EXPECT_EQ(shown_input_of(deep), "this cannot be read: too deep");
    EXPECT_EQ(w.value("select count(*) from postrider.lane where lane_key = 'told'"), "1");
}

// covers: E.21
TEST_F(unreadable, input_of_the_lanes_next_job_does_not_undo_the_end_of_the_one_before) {
    auto& node = start();
    auto const lane = w.make_lane("a");
    w.execute("select postrider.pause_all()");
    auto const first = w.enqueue(node, lane, "work");
    auto const deep = w.enqueue(node, lane, "work");
    auto const last = w.enqueue(node, lane, "work");
    w.execute(
        "update postrider.job set input = " + std::string(too_deep) +
        " where job_id = " + base::to_string(deep.id)
    );

    w.execute("select postrider.resume_all()");
    until_all_are_over();

    EXPECT_EQ(ending_of(first), "completed ");
    EXPECT_THAT(ending_of(deep), HasSubstr("failed invalid: its input cannot be read"));
    EXPECT_EQ(ending_of(last), "completed ");
    EXPECT_EQ(called, 2);
}

// covers: E.14
TEST_F(unreadable, record_fails_the_job_and_closes_what_it_left_open) {
    auto& node = start();
    auto const job = w.enqueue(node, w.make_lane("a"), "sleeper");
    w.until("select state from postrider.job", "waiting");
    w.execute(
        "update postrider.step set result = " + std::string(too_deep) + " where key = 'read'"
    );
    w.execute("insert into postrider.effect (job_id, key, kind, class, state) "
              "select job_id, 'send', 'test.send', 'at_least_once', 'started' from postrider.job");

    w.pass("2 hours");
    until_all_are_over();

    EXPECT_THAT(ending_of(job), HasSubstr("failed invalid: its step read cannot be read"));
    EXPECT_EQ(called, 0);
    EXPECT_EQ(w.value("select state from postrider.effect"), "unknown");
    EXPECT_EQ(w.value("select count(*) from postrider.lane where lane_key = 'told'"), "1");
}

TEST_F(unreadable, stored_ending_of_a_rollback_fails_the_job) {
    auto& node = start();
    auto const job = w.enqueue(node, w.make_lane("a"), "sleeper");
    w.until("select state from postrider.job", "waiting");
    w.execute("update postrider.job set rolling_back = " + std::string(too_deep));

    w.pass("2 hours");
    until_all_are_over();

    EXPECT_THAT(ending_of(job), HasSubstr("failed invalid: its stored ending cannot be read"));
    EXPECT_EQ(called, 0);
}

} // namespace

} // namespace postrider::tests::unreadable_test
