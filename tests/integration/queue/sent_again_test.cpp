// Commits whose answer was lost: they are sent again, and all that they hold is there once.
#include "base/fault.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/lanes.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::sent_again_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;

class sent_again : public engine_fixture {
protected:
    ~sent_again() override { base::fault::arm("").value(); }

    static void lose_the_next_answer() {
        base::fault::arm("checkpoint.after_commit:error").value();
    }
};

awaitable<std::vector<storage::write>> alarm(queue::job const& job, outcome const&) {
    queue::later_job next;
    next.kind = "alarm";
    next.lane_key = "alarms";
    next.while_running = job.id;
    co_return std::vector{storage::ensure_lane({.key = next.lane_key}), queue::enqueue_later(next)};
}

// covers: E.10
TEST_F(sent_again, an_end_is_followed_by_one_job_though_its_lane_was_handed_on) {
    latch door(w.io);
    auto fails = [&](workflow&) -> awaitable<outcome> {
        (void)co_await pass_through(door, 1);
        lose_the_next_answer();
        co_return outcome::failed({base::errc::refused, "no stock"});
    };
    auto completes = [](workflow&) -> awaitable<outcome> { co_return outcome::completed(); };
    auto& node = w.start_node(
        {{.name = "order", .run = fails, .failed = alarm},
         {.name = "note", .run = completes},
         {.name = "alarm", .run = completes}}
    );
    auto const lane = w.make_lane("a");
    w.enqueue(node, lane, "order");
    w.enqueue(node, lane, "note");
    door.let_go();
    w.until("select count(*) from postrider.job where finished_at is not null", "3");

    EXPECT_EQ(
        w.value("select string_agg(kind || ' ' || state, ', ' order by job_id) from postrider.job"),
        "order failed, note completed, alarm completed"
    );
}

// covers: E.07
TEST_F(sent_again, a_wait_that_was_too_long_does_not_begin_anew) {
    auto asks = [](workflow& flow) -> awaitable<outcome> {
        queue::awaited_event event{.type = "answer", .timeout = 1h};
        auto answer = co_await flow.wait_for_event("answer", std::move(event));
        if (answer) co_return outcome::completed(*answer);
        co_return outcome::failed(answer.error());
    };
    auto& node = w.start_node({{"ask", asks}});
    w.enqueue(node, w.make_lane("a"), "ask");
    w.until("select state from postrider.job", "waiting");

    lose_the_next_answer();
    w.pass("61 min");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(w.value("select error_class from postrider.job"), "timeout");
    EXPECT_EQ(w.value("select count(*) from postrider.step"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.wait"), "0");
}

} // namespace

} // namespace postrider::tests::sent_again_test
