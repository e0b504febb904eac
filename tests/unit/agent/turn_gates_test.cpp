// The gates that a turn passes: its model's and its bot's.
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::turn_gates_test {
namespace {

using base::errc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct gated_world : turn_world {
    gated_world() {
        profile.breaker = "provider:p";
        profile.rate = "model:m";
        chat.gate = "bot:b";
    }
};

// What is reported to it.
class recording_limiter final : public queue::limiter {
public:
    base::awaitable<base::result<void>> start(std::vector<queue::rate_limit>) override {
        co_return base::result<void>{};
    }
    void follow(queue::poll&) override {}
    base::awaitable<void> stop() override { co_return; }
    bool open(std::string_view) const override { return true; }
    base::awaitable<queue::admission> take(
        std::string, bool, std::optional<std::chrono::milliseconds>, queue::gate_use
    ) override {
        co_return queue::admission{};
    }
    void report(std::string_view resource, base::result<void> const& outcome) override {
        auto const word = outcome ? "ok" : base::to_string(outcome.error().code);
        reports.push_back(std::string(resource) + " " + std::string(word));
    }
    void accepted(std::string_view resource, job_id) override {
        reports.push_back(std::string(resource) + " accepted");
    }
    void give_up(std::string_view resource, job_id) override {
        reports.push_back(std::string(resource) + " given up");
    }
    void stop_using(std::string_view, std::string) override {}
    void works(std::string_view) override {}
    base::awaitable<base::result<std::optional<queue::waiting_place>>> find_place(
        job_id, std::string_view
    ) override {
        co_return std::optional<queue::waiting_place>{};
    }
    std::vector<queue::gate_status> gates() const override { return {}; }

    std::vector<std::string> reports;
};

TEST(turn_gates, of_a_provider_hear_what_each_try_came_to) {
    gated_world world;
    recording_limiter limiter;
    world.limits = &limiter;
    world.model.script.push_back(base::error(errc::timeout, "it hangs"));
    world.model.script.push_back(says("at last"));

    world.run();

    EXPECT_THAT(limiter.reports, ElementsAre("provider:p timeout", "provider:p ok"));
}

TEST(turn_gates, of_a_provider_hear_of_an_answer_when_it_begins) {
    gated_world world;
    recording_limiter limiter;
    world.limits = &limiter;
    world.model.accepts = true;
    world.model.while_asked = [&] {
        EXPECT_THAT(limiter.reports, ElementsAre("provider:p accepted"));
    };
    world.model.script.push_back(says("at last"));

    world.run();

    EXPECT_THAT(limiter.reports, ElementsAre("provider:p accepted", "provider:p ok"));
}

// It may have been the one that tries.
TEST(turn_gates, of_a_provider_hear_that_it_was_not_asked) {
    gated_world world;
    recording_limiter limiter;
    world.limits = &limiter;
    world.closed["model:m"] = base::error(errc::unavailable, "bucket model:m is empty");

    world.run();

    EXPECT_THAT(world.model.requests, IsEmpty());
    EXPECT_THAT(limiter.reports, testing::Each("provider:p given up"));
    EXPECT_THAT(limiter.reports, testing::Not(IsEmpty()));
}

// A trial counts as lost when its call must be over, and not before.
TEST(turn_gates, know_how_long_a_call_may_take) {
    using namespace std::chrono_literals;
    gated_world world;
    world.profile.timeout = 10min;
    world.model.script.push_back(says("yes"));

    world.run();

    EXPECT_GE(world.longest_uses["provider:p"], 10min);
    EXPECT_LE(world.longest_uses["provider:p"], 11min);
}

TEST(turn_gates, are_passed_before_each_call_and_each_message) {
    gated_world world;
    world.chat.part_size = 4;
    world.model.script.push_back(calls({{"calculator", {{"expression", "1+1"}}}}));
    world.model.script.push_back(says("aaaabbbb"));

    world.run();

    EXPECT_THAT(
        world.admitted,
        ElementsAre("provider:p", "model:m", "provider:p", "model:m", "bot:b", "bot:b")
    );
}

// A model with a server of its own: its breaker and its rate are one gate, whose trial is one use.
TEST(turn_gates, that_are_the_same_are_passed_once) {
    gated_world world;
    world.profile.breaker = world.profile.rate;
    world.model.script.push_back(says("yes"));

    world.run();

    EXPECT_THAT(world.admitted, ElementsAre("model:m", "bot:b"));
}

TEST(turn_gates, count_every_try_of_the_model) {
    gated_world world;
    world.model.script.push_back(base::error(errc::overloaded));
    world.model.script.push_back(says("at last"));

    world.run();

    EXPECT_THAT(
        world.admitted, ElementsAre("provider:p", "model:m", "provider:p", "model:m", "bot:b")
    );
}

TEST(turn_gates, that_stay_closed_for_too_long_are_told) {
    gated_world world;
    world.closed["provider:p"] = base::error(errc::unavailable, "breaker provider:p is open");

    auto outcome = world.run();

    EXPECT_THAT(world.model.requests, IsEmpty());
    EXPECT_EQ(noted(outcome, "error_class").as_string(), "unavailable");
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("cannot reach")));
    EXPECT_THAT(world.chat.sent, SizeIs(1));
}

TEST(turn_gates, that_are_closed_until_a_known_time_are_told_with_it) {
    gated_world world;
    world.closed["provider:p"] =
        base::error(errc::unavailable, "breaker provider:p is open until 2026-11-23T16:00:00Z");
    world.closed["provider:p"].until =
        std::chrono::floor<std::chrono::seconds>(*base::from_iso8601("2026-11-23T16:00:00Z"));

    world.run();

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("after 16:00 UTC")));
}

// covers: S0.05
TEST(turn_gates, that_close_after_a_failure_leave_its_reason) {
    gated_world world;
    world.closing["provider:p"] = base::error(errc::unavailable, "breaker provider:p is tried");
    world.model.script.push_back(base::error(errc::overloaded, "HTTP 529: “Overloaded”"));

    auto const ended = world.run();

    EXPECT_THAT(world.model.requests, SizeIs(1));
    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(
        base::to_string(ended.degraded->error),
        "overloaded: HTTP 529: “Overloaded”; then not asked again: breaker provider:p is tried"
    );
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre(HasSubstr("too busy")));
}

// What the provider said in the run before stands in the record alone.
TEST(turn_gates, that_are_closed_in_a_later_run_leave_the_reason_of_an_earlier_one) {
    gated_world world;
    world.job.run_no = 2;
    world.closed["provider:p"] = base::error(errc::unavailable, "breaker provider:p is open");
    auto const attempt = [](std::string key, std::string number, std::string outcome) {
        return storage::row{
            {"0",
             key,
             number,
             "1",
             outcome,
             std::nullopt,
             "overloaded",
             "HTTP 529",
             std::nullopt,
             std::nullopt,
             "3000",
             std::nullopt}};
    };
    world.table.attempts = {attempt("assistant/model", "1", "retry")};

    auto const ended = world.run();

    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(
        base::to_string(ended.degraded->error),
        "overloaded: HTTP 529; then not asked again: breaker provider:p is open"
    );
}

TEST(turn_gates, say_themselves_that_they_are_closed_where_no_try_was_answered) {
    gated_world world;
    world.job.run_no = 2;
    world.closed["provider:p"] = base::error(errc::unavailable, "breaker provider:p is open");

    auto const ended = world.run();

    ASSERT_TRUE(ended.degraded);
    EXPECT_EQ(
        base::to_string(ended.degraded->error), "unavailable: not asked: breaker provider:p is open"
    );
}

TEST(turn_gates, are_not_asked_for_what_stands_in_the_record) {
    gated_world world;
    world.model.script.push_back(says("hello"));
    world.run();

    world.run();

    EXPECT_THAT(world.admitted, IsEmpty());
}

// covers: X.02
TEST(turn_gates, a_bot_that_is_stopped_while_it_sends_sends_later) {
    gated_world world;
    world.model.script.push_back(says("hello"));
    world.chat.failures.push_back(base::error(errc::unauthorized, "401"));

    auto outcome = world.run();

    EXPECT_EQ(noted(outcome, "delivery").as_string(), "sent");
    EXPECT_THAT(world.chat.sent, SizeIs(1));
}

} // namespace
} // namespace postrider::tests::turn_gates_test
