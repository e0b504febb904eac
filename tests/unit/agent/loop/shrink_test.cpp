#include "agent/loop/shrink.hpp"
#include "agent/loop/token_window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::shrink_test {
namespace {

using testing::HasSubstr;

chat_message said(agent::role role, std::string text) {
    return {.role = role, .content = std::move(text)};
}

std::vector<chat_message> talk(int turns) {
    std::vector<chat_message> all;
    for (int turn = 0; turn < turns; ++turn) {
        all.push_back(said(role::user, std::string(400, 'q')));
        all.push_back(said(role::assistant, std::string(400, 'a')));
    }
    return all;
}

// What tools returned for the last message.
void add_round(std::vector<chat_message>& all, std::string text) {
    auto asking = said(role::assistant, "");
    asking.calls = {{"c1", "read", boost::json::object{}, {}}};
    auto result = said(role::tool, std::move(text));
    result.call_id = "c1";
    all.push_back(asking);
    all.push_back(result);
}

TEST(shrink, leaves_out_the_older_half) {
    auto all = talk(20);
    std::size_t question = all.size();
    all.push_back(said(role::user, "And now?"));
    add_round(all, "42");
    auto const before = tokens_of(all);

    ASSERT_TRUE(shrink(all, question));

    EXPECT_LE(tokens_of(all), before / 2);
    EXPECT_GT(tokens_of(all), before / 3);
    EXPECT_EQ(all.front().role, role::user);
    EXPECT_EQ(all.at(question).content, "And now?");
    EXPECT_EQ(all.back().content, "42");
}

TEST(shrink, shortens_results_where_there_is_no_history) {
    std::vector<chat_message> all{said(role::user, "Read it.")};
    std::size_t question = 0;
    add_round(all, std::string(100'000, 'x'));
    auto const before = tokens_of(all);

    ASSERT_TRUE(shrink(all, question));

    EXPECT_LE(tokens_of(all), before / 2 + 50);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_THAT(all.back().content, HasSubstr("left out"));
}

TEST(shrink, cannot_shorten_a_question) {
    std::vector<chat_message> all{said(role::user, std::string(100'000, 'x'))};
    std::size_t question = 0;
    EXPECT_FALSE(shrink(all, question));
    EXPECT_EQ(all.size(), 1u);
}

} // namespace
} // namespace postrider::agent::shrink_test
