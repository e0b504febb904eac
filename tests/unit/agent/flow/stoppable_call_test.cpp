// A person stops an answer while a model writes it.
#include "agent/flow/run/stoppable_call.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::stoppable_call_test {

namespace {

namespace flow = agent::flow;

base::awaitable<base::result<agent::chat_reply>> speak_for_ever(agent::text_listener hear) {
    hear("Ferns like ");
    hear("shade");
    co_await base::sleep_for(std::chrono::hours{1});
    co_return agent::chat_reply{};
}

base::awaitable<base::result<agent::chat_reply>> speak_and_stop(flow::stop_wish& stop) {
    stop.make();
    agent::chat_reply reply;
    reply.text = "All of it";
    co_return reply;
}

base::awaitable<base::result<agent::chat_reply>> count_call(int& calls) {
    ++calls;
    co_return agent::chat_reply{};
}

base::awaitable<bool> make_stop(flow::stop_wish& stop) {
    stop.make();
    co_return true;
}

using called = std::optional<base::result<agent::chat_reply>>;

base::awaitable<bool> keep(base::awaitable<called> work, called& into) {
    into = co_await std::move(work);
    co_return true;
}

TEST(stoppable_call, ends_with_the_wish_and_keeps_what_was_said) {
    loop io;
    flow::stop_wish stop(io.executor());
    std::string streamed;
    auto const hear = flow::remembering([](std::string_view) {}, streamed);
    called reply = agent::chat_reply{};
    std::vector<base::awaitable<bool>> both;
    both.push_back(keep(flow::call_unless_stopped(speak_for_ever(hear), stop), reply));
    both.push_back(make_stop(stop));

    io.run(base::run_while_well("both", std::move(both)));

    EXPECT_FALSE(reply);
    auto const stopped = flow::stopped_reply(streamed, "(stopped)", 100);
    EXPECT_EQ(stopped.text, "Ferns like shade\n\n(stopped)");
    EXPECT_TRUE(stopped.calls.empty());
    EXPECT_EQ(stopped.usage.input, 100);
    EXPECT_EQ(stopped.usage.output, 5);
}

TEST(stoppable_call, that_ended_in_the_same_moment_is_whole) {
    loop io;
    flow::stop_wish stop(io.executor());
    auto const reply = io.run(flow::call_unless_stopped(speak_and_stop(stop), stop));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->value().text, "All of it");
}

TEST(stoppable_call, is_not_made_behind_the_wish) {
    loop io;
    flow::stop_wish stop(io.executor());
    stop.make();
    int calls = 0;

    EXPECT_FALSE(io.run(flow::call_unless_stopped(count_call(calls), stop)));

    EXPECT_EQ(calls, 0);
    EXPECT_EQ(flow::stopped_reply("", "(stopped)", 1).text, "(stopped)");
}

TEST(stoppable_call, keeps_nothing_that_was_taken_back) {
    std::string streamed;
    std::vector<std::string> heard;
    auto const hear =
        flow::remembering([&](std::string_view text) { heard.emplace_back(text); }, streamed);
    hear("Hm");
    hear("");
    hear("Shade.");
    EXPECT_EQ(streamed, "Shade.");
    EXPECT_EQ(heard.size(), 3u);
}

} // namespace

} // namespace postrider::tests::stoppable_call_test
