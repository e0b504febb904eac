// What was asked of a job and its worker did not live to do, or was asked of the job before it.
#include "tests/integration/queue/mailboxes.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::unheard_request_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;

// Its second step is put off for an hour.
awaitable<outcome> pay_later(workflow& flow, diary& book) {
    co_await step(flow, book, "pay");
    flow.on_rollback("pay", [&] { return write_into(book, "refund"); });
    auto paid = co_await flow.run("confirm", {}, []() -> awaitable<queue::step_value> {
        base::error later{base::errc::unavailable, "the bank sleeps"};
        later.retry_after = 1h;
        co_return later;
    });
    co_return outcome::completed(*paid);
}

awaitable<outcome> pay_or_answer(workflow& flow, diary& book, latch& door) {
    if (said(flow) == "pay") co_return co_await pay_later(flow, book);
    co_return co_await answer(flow, book, door);
}

std::string state_of(world& w, std::string const& job) {
    return w.value("select state from postrider.job where job_id = " + job);
}

// The message came while the job before it was to be rolled back: that one it interrupts, not itself.
// covers: E.10 E.12
TEST(unheard_request, of_an_older_job_is_not_asked_of_the_newest_message) {
    world w;
    diary book;
    latch door(w.io);
    door.let_go();
    auto& node =
        w.start_node({{"turn", [&](workflow& f) { return pay_or_answer(f, book, door); }}});
    auto const lane = make_lane(w, "a", "interrupt");
    auto const older = base::to_string(w.enqueue(node, lane, "turn", "pay").id);
    w.until("select state from postrider.job", "retryable");
    w.until([&] { return node.engine->counts().busy == 0; });
    w.execute("select postrider.lane_pause('a')");
    w.execute("select postrider.job_cancel(" + older + ", true)");
    auto const newer = base::to_string(w.enqueue(node, lane, "turn", "hello").id);

    w.execute("select postrider.lane_resume('a')");
    node.engine->wake();
    w.until("select count(*) from postrider.job where finished_at is not null", "2");

    EXPECT_EQ(state_of(w, older), "cancelled");
    EXPECT_EQ(state_of(w, newer), "completed");
    EXPECT_THAT(book, ElementsAre("pay", "refund", "answer hello"));
}

class put_back_job : public testing::Test {
protected:
    // Runs the job up to its door, asks something of it, and shuts its node down before it can hear.
    void ask_and_put_back(std::string const& mailbox, std::string const& request) {
        lane = make_lane(w, "a", mailbox);
        job = base::to_string(w.enqueue(first, lane, "turn", "one").id);
        first.engine->wake();
        w.until([&] { return stuck.arrived == 1; });
        EXPECT_EQ(operate(request), "asked");
        w.io.run(first.engine->drain(0ms));
        EXPECT_EQ(w.value("select state from postrider.job"), "available");
    }
    std::string operate(std::string const& function) {
        return w.value("select (postrider." + function + "(" + job + ")).code");
    }
    void go_on() {
        w.start_node({{"turn", [this](workflow& f) { return answer(f, book, open); }}});
    }

    world w;
    diary book;
    latch stuck{w.io};
    latch open{w.io};
    node& first = w.start_node({{"turn", [this](workflow& f) { return answer(f, book, stuck); }}});
    lane_id lane{};
    std::string job;

    put_back_job() { open.let_go(); }
};

// covers: E.12
TEST_F(put_back_job, goes_on_where_its_pause_was_withdrawn) {
    ask_and_put_back("queue", "job_pause");
    EXPECT_EQ(operate("job_resume"), "done");
    go_on();
    w.until("select state from postrider.job", "completed");
}

// covers: E.12
TEST_F(put_back_job, that_is_paused_once_more_is_resumed_by_a_single_word) {
    ask_and_put_back("queue", "job_pause");
    EXPECT_EQ(operate("job_pause"), "done");
    EXPECT_EQ(operate("job_resume"), "done");
    go_on();
    w.until("select state from postrider.job", "completed");
}

// covers: E.10 E.12
TEST_F(put_back_job, is_cancelled_as_asked_and_not_answered_by_a_newer_message) {
    ask_and_put_back("coalesce", "job_cancel");
    w.enqueue(first, lane, "turn", "two");
    go_on();
    w.until("select count(*) from postrider.job where finished_at is not null", "2");

    EXPECT_EQ(state_of(w, job), "cancelled");
    EXPECT_THAT(book, ElementsAre("answer two"));
}

// covers: E.10 E.12
TEST(unheard_request, keeps_a_message_from_being_answered_by_a_newer_one) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node({{"turn", [&](workflow& f) { return answer(f, book, door); }}});
    auto const lane = make_lane(w, "a", "coalesce");
    w.enqueue(node, lane, "turn", "one");
    node.engine->wake();
    w.until([&] { return door.arrived == 1; });
    w.enqueue(node, lane, "turn", "two");
    auto const asked = base::to_string(w.enqueue(node, lane, "turn", "three").id);
    w.enqueue(node, lane, "turn", "four");
    w.execute("update postrider.job set asked = 'cancel' where job_id = " + asked);

    door.let_go();
    w.until("select count(*) from postrider.job where finished_at is not null", "4");

    EXPECT_EQ(state_of(w, asked), "cancelled");
    EXPECT_THAT(book, ElementsAre("answer one", "answer two", "answer four"));
}

} // namespace

} // namespace postrider::tests::unheard_request_test
