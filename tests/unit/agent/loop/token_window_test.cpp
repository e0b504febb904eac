#include "agent/flow/chat/history.hpp"
#include "agent/loop/token_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::agent::token_window_test {
namespace {

// A conversation of so many turns, each of a question and an answer of 92 bytes: 31 tokens.
struct talk {
    explicit talk(int turns) {
        for (int turn = 1; turn <= turns; ++turn) {
            storage::message_row row;
            row.job = job_id{std::int64_t{7} * turn};
            for (auto const side : {role::user, role::assistant}) {
                auto text = std::to_string(turn);
                text.resize(92, '.');
                history.push_back({.role = side, .content = std::move(text)});
                marks.push_back(mark_of(row));
                ++row.position;
            }
        }
    }

    std::vector<chat_message> within(int tokens) const {
        return token_window(history, marks, tokens);
    }

    std::vector<chat_message> history;
    message_marks marks;
};

TEST(token_window, counts_four_bytes_and_some_for_each_message) {
    EXPECT_EQ(tokens_of(chat_message{}), 8);
    EXPECT_EQ(tokens_of({.role = role::user, .content = "12345678"}), 10);
    chat_message calling{.role = role::assistant, .content = {}};
    calling.calls.push_back({"1", "abcd", boost::json::object{{"x", 12345}}, {}});
    EXPECT_EQ(tokens_of(calling), 8 + (4 + 11) / 4);
    EXPECT_EQ(tokens_of(talk(2).history), 4 * 31);
}

// covers: S2.10
TEST(token_window, holds_all_that_fits) {
    talk const all(50);
    EXPECT_EQ(all.within(100 * 31).size(), 100u);
    EXPECT_LT(all.within(100 * 31 - 1).size(), 100u);
}

// covers: S0.14
TEST(token_window, holds_the_newest_within_the_budget_and_most_of_it) {
    constexpr int budget = 1000;
    int moves = 0;
    std::string first;
    for (int turns = 20; turns < 1000; ++turns) {
        auto const shown = talk(turns).within(budget);
        ASSERT_LE(tokens_of(shown), budget);
        ASSERT_GT(tokens_of(shown), budget * 2 / 3 - 2 * 31);
        ASSERT_EQ(shown.back().content, talk(turns).history.back().content);
        ASSERT_EQ(shown.front().role, role::user);
        if (shown.front().content != first) ++moves;
        first = shown.front().content;
    }
    EXPECT_LT(moves, 980 / 2) << "it begins at the same message for several turns";
}

TEST(token_window, leaves_out_a_message_that_is_too_long_and_all_before_it) {
    talk all(3);
    all.history[3].content.resize(8000);
    auto const shown = all.within(1000);
    ASSERT_EQ(shown.size(), 2u);
    EXPECT_EQ(shown[0].content.front(), '3');

    all.history.back().content.resize(8000);
    EXPECT_TRUE(all.within(1000).empty());
    EXPECT_TRUE(token_window({}, {}, 1000).empty());
}

TEST(token_window, shows_a_last_message_that_is_most_of_the_budget) {
    talk all(3);
    all.history.back().content.resize(3900); // 983 tokens
    ASSERT_EQ(all.within(1000).size(), 1u);
    EXPECT_EQ(all.within(1000)[0].content, all.history.back().content);
}

TEST(token_window, reads_more_messages_than_a_budget_holds) {
    std::vector<chat_message> const empty_ones(
        static_cast<std::size_t>(longest_token_window(1000)), chat_message{}
    );
    EXPECT_GT(tokens_of(empty_ones), 1000);
}

} // namespace
} // namespace postrider::agent::token_window_test
