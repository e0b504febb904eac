// The model that hangs on demand, and the model that stands in for none.
#include "server/demo/hanging_call.hpp"
#include "server/demo/stand_in_model.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace postrider::server::hanging_call_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class rules_named final : public agent::model {
public:
    explicit rules_named(std::string name) : name_(std::move(name)) {}
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request) override {
        agent::chat_reply reply;
        reply.text = "answered";
        co_return reply;
    }

private:
    std::string name_;
};

class hanging : public testing::Test {
protected:
    base::result<agent::chat_reply> ask(agent::model& model, std::string text = "hello") {
        agent::chat_request request;
        request.messages.push_back({.content = std::move(text)});
        request.timeout = 5ms;
        agent::tool_spec tasks;
        tasks.name = "create_todo_task";
        request.tools = agent::tool_list({tasks});
        return io.run(model.chat(std::move(request)));
    }

    void note_state() {
        states.emplace_back(next.state());
        if (states.back() == "hangs" && std::exchange(asks_again, false)) next.ask_for();
    }

    tests::loop io;
    std::vector<std::string> states;
    bool asks_again = false; // while the first call hangs
    base::time_zone const zone = base::find_time_zone("UTC").value();
    hanging_call next{make_stand_in(base::system_clock(), zone), [this] { note_state(); }};
    std::unique_ptr<agent::model> const model =
        next.may_hang(std::make_unique<rules_named>("vendor/model"));
};

TEST_F(hanging, one_call_fails_at_its_deadline_and_the_next_is_answered) {
    EXPECT_TRUE(ask(*model));
    next.ask_for();

    auto const failed = ask(*model);
    auto const answered = ask(*model);

    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error(), base::errc::timeout);
    EXPECT_EQ(answered->text, "answered");
    EXPECT_THAT(states, ElementsAre("asked", "hangs", "off"));
}

TEST_F(hanging, another_call_may_be_asked_for_while_one_hangs) {
    asks_again = true;
    next.ask_for();

    EXPECT_FALSE(ask(*model));
    EXPECT_FALSE(ask(*model));
    EXPECT_TRUE(ask(*model));

    EXPECT_THAT(states, ElementsAre("asked", "hangs", "asked", "asked", "hangs", "off"));
}

TEST_F(hanging, where_rules_answer_a_stand_in_is_asked_for_it) {
    rules_named rules("rules/builtin");
    EXPECT_EQ(next.choose(rules), &rules);
    EXPECT_EQ(next.choose(*model), model.get());

    next.ask_for();

    EXPECT_EQ(next.choose(*model), model.get());
    EXPECT_EQ(next.choose(rules)->name(), "demo/stand-in");
}

TEST_F(hanging, the_stand_in_answers_as_the_rules_do) {
    auto const stand_in = make_stand_in(base::system_clock(), zone);

    auto const tasks = ask(*stand_in, "add buy milk");
    auto const greeting = ask(*stand_in, "12*7?");

    ASSERT_EQ(tasks->calls.size(), 1u);
    EXPECT_EQ(tasks->calls.front().name, "create_todo_task");
    EXPECT_FALSE(greeting->text.empty());
}

} // namespace
} // namespace postrider::server::hanging_call_test
