#include "server/telemetry/measured_model.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace postrider::telemetry::measured_model_test {
namespace {

using base::errc;
using namespace std::chrono_literals;

// Takes two seconds for an answer; without one in its script, for ever.
class slow_model final : public agent::model {
public:
    slow_model(base::manual_clock& clock, std::deque<base::result<agent::chat_reply>> script)
        : clock_(clock),
          script_(std::move(script)) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.vision = true}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request) override {
        if (script_.empty()) co_await base::sleep_for(1h);
        clock_.advance(2s);
        auto next = std::move(script_.front());
        script_.pop_front();
        co_return next;
    }

private:
    base::manual_clock& clock_;
    std::deque<base::result<agent::chat_reply>> script_;
    std::string name_ = "anthropic/claude-haiku-4-5";
};

agent::chat_reply reply_of(agent::token_usage used) {
    agent::chat_reply reply;
    reply.usage = used;
    return reply;
}

struct measured_model : testing::Test {
    void begin(std::deque<base::result<agent::chat_reply>> script) {
        auto inner = std::make_unique<slow_model>(clock, std::move(script));
        // A dollar for a million tokens of the input, five for those of the output.
        agent::token_prices const prices{.input = 1, .cached = 0.1, .output = 5};
        model = measured(std::move(inner), prices, measures, clock);
    }
    base::histogram const& calls(std::string const& error) const {
        return measures.calls.all().at(name).at(error);
    }

    std::string const name = "anthropic/claude-haiku-4-5";
    tests::loop io;
    base::manual_clock clock;
    model_measures measures;
    std::unique_ptr<agent::model> model;
};

TEST_F(measured_model, counts_durations_errors_tokens_and_cost) {
    begin(
        {reply_of({.input = 1'000'000, .cached = 400'000, .output = 20'000}),
         reply_of({.input = 100}),
         base::error(errc::overloaded)}
    );

    for (int call = 0; call < 3; ++call) (void)io.run(model->chat({}));

    EXPECT_EQ(calls("").cumulative().back(), 2u);
    EXPECT_DOUBLE_EQ(calls("").sum(), 4.0);
    EXPECT_EQ(calls("overloaded").cumulative().back(), 1u);
    auto const& tokens = measures.tokens.all().at(name);
    EXPECT_DOUBLE_EQ(tokens.at("input").sum(), 1'000'100);
    EXPECT_DOUBLE_EQ(tokens.at("output").sum(), 20'000);
    EXPECT_EQ(tokens.at("input").cumulative().back(), 2u);
    auto const& totals = measures.totals.all().at(name).at("");
    EXPECT_EQ(totals.cached, 400'000);
    EXPECT_EQ(totals.cost_micro, 600'000 + 40'000 + 100'000 + 100);
}

TEST_F(measured_model, does_not_count_a_usage_that_was_not_told) {
    begin({reply_of({})});

    ASSERT_TRUE(io.run(model->chat({})));

    EXPECT_EQ(calls("").cumulative().back(), 1u);
    EXPECT_TRUE(measures.tokens.all().empty());
}

TEST_F(measured_model, counts_a_call_that_was_cut_off) {
    begin({});

    auto const late = io.run(base::with_timeout(model->chat({}), 1ms));

    ASSERT_FALSE(late);
    EXPECT_EQ(calls("cancelled").cumulative().back(), 1u);
}

TEST_F(measured_model, is_the_same_model) {
    begin({});

    EXPECT_EQ(model->name(), name);
    EXPECT_TRUE(model->capabilities().vision);
}

} // namespace
} // namespace postrider::telemetry::measured_model_test
