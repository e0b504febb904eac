// Turns that complete although their person did not get what was asked for, and their reasons.
#include "agent/loop/decide.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::degraded_turn_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

agent::chat_reply stopped(agent::stop_reason stop, std::string text) {
    auto reply = says(std::move(text));
    reply.stop = stop;
    return reply;
}

agent::chat_reply sums(int count) {
    std::vector<std::pair<std::string, json::object>> all;
    for (int i = 1; i <= count; ++i)
        all.emplace_back("calculator", json::object{{"expression", std::to_string(i)}});
    return calls(std::move(all));
}

std::string reason_of(queue::outcome const& ended) {
    EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
    return ended.degraded ? ended.degraded->reason : "";
}

std::string reason_of(std::deque<base::result<agent::chat_reply>> script) {
    turn_world world;
    world.model.script = std::move(script);
    return reason_of(world.run());
}

TEST(degraded_turn, tells_why_by_what_its_model_said) {
    using enum agent::stop_reason;
    EXPECT_EQ(reason_of({says("A fern.")}), "");
    EXPECT_EQ(reason_of({sums(1), says("A fern.")}), "");
    EXPECT_EQ(reason_of({says(" \n")}), "empty_answer");
    EXPECT_EQ(reason_of({stopped(length, "A fer")}), "answer_cut");
    EXPECT_EQ(reason_of({stopped(length, "")}), "answer_cut");
    EXPECT_EQ(reason_of({says(std::string(agent::longest_answer + 1, 'x'))}), "answer_cut");
    EXPECT_EQ(reason_of({stopped(refusal, "")}), "model_declined");
    EXPECT_EQ(reason_of({sums(6), says("1 to 5")}), "limit_reached");
    EXPECT_EQ(reason_of({base::error(base::errc::unauthorized)}), "model_failed");
}

TEST(degraded_turn, keeps_its_reason_wherever_its_process_dies) {
    for (int commit = 1; commit <= 3; ++commit) {
        turn_world world;
        world.model.script = {sums(6), says("1 to 5")};
        world.run_and_die(commit);
        world.model.script = {says("1 to 5")};
        if (commit == 1) world.model.script.push_front(sums(6)); // nothing is known of it

        EXPECT_EQ(reason_of(world.run()), "limit_reached") << commit;
    }
}

// Beside an empty answer the person has nothing at all.
TEST(degraded_turn, has_the_gravest_of_its_reasons) {
    turn_world world;
    world.model.script = {says("")};
    world.chat.failures.push_back(base::error(base::errc::refused, "blocked"));

    EXPECT_EQ(reason_of(world.run()), "undelivered");
}

std::string looking_up(std::string_view on_error) {
    return flow_builder("looking")
        .trigger("In", "manual")
        .node("Call", "call_flow", {{"flow", "nowhere"}})
        .with("on_error", json::value(on_error))
        .text();
}

TEST(degraded_turn, tells_of_a_node_that_failed_where_the_flow_continues) {
    flow_world w(looking_up("continue"));
    auto const ended = w.run();

    EXPECT_EQ(reason_of(ended), "node_failed");
    EXPECT_THAT(ended.degraded->error.detail, HasSubstr("Call: "));
    flow_world handled(looking_up("error_output"));
    EXPECT_EQ(reason_of(handled.run()), "") << "the flow has a way for it";
}

std::string asking_with_memory() {
    return flow_builder("asking")
        .trigger("In", "manual")
        .agent("Ask")
        .part("Memory", "memory.buffer", {{"session_id", "one"}})
        .text();
}

TEST(degraded_turn, tells_of_an_answer_without_the_agents_memory) {
    flow_world w(asking_with_memory());
    w.model.script = {says("Hello.")};
    w.table.sessions_away = true;

    EXPECT_EQ(reason_of(w.run(json::object{{"text", "Hello"}})), "memory_degraded");
}

TEST(degraded_turn, tells_of_tools_that_its_model_was_not_offered) {
    flow_world w(flow_builder("asking")
                     .trigger("In", "manual")
                     .agent("Ask")
                     .part("Sum", "tool.calculator")
                     .text());
    auto reply = says("4, I think.");
    reply.lacks_tools = true;
    w.model.script = {reply};

    EXPECT_EQ(reason_of(w.run(json::object{{"text", "2+2?"}})), "tools_missing");
}

} // namespace
} // namespace postrider::tests::degraded_turn_test
