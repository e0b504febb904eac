#include "agent/flow/chat/history.hpp"
#include "agent/loop/window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::window_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

chat_message user(std::string text) {
    return {.role = role::user, .content = std::move(text)};
}
chat_message assistant(std::string text, std::vector<std::string> calls = {}) {
    chat_message message{.role = role::assistant, .content = std::move(text)};
    for (auto& id : calls) message.calls.push_back({id, "calculator", boost::json::object{}, {}});
    return message;
}
chat_message result(std::string call) {
    chat_message message{.role = role::tool, .content = "result of " + call};
    message.call_id = call;
    return message;
}

// "user hi", "assistant [1 2] text", "tool 1", one per message.
std::vector<std::string> lines(std::vector<chat_message> const& messages) {
    std::vector<std::string> all;
    for (auto const& message : messages) {
        std::string line(to_string(message.role));
        for (auto const& call : message.calls) line += " [" + call.id + "]";
        if (message.role == role::tool)
            line += " " + message.call_id;
        else if (!message.content.empty())
            line += " " + message.content;
        all.push_back(line);
    }
    return all;
}

TEST(window, keeps_the_newest_in_order) {
    std::vector<chat_message> history{user("a"), assistant("b"), user("c"), assistant("d")};

    EXPECT_THAT(lines(window(history, 3)), ElementsAre("assistant b", "user c", "assistant d"));
    EXPECT_THAT(window(history, 10), testing::SizeIs(4));
    EXPECT_THAT(window(history, 0), IsEmpty());
    EXPECT_THAT(window(history, -1), IsEmpty());
    EXPECT_THAT(window({}, 20), IsEmpty());
}

// covers: S3.09
TEST(window, keeps_whole_tool_rounds) {
    std::vector<chat_message> history{
        user("a"), assistant("", {"1", "2"}), result("2"), result("1"), assistant("b")};

    EXPECT_THAT(
        lines(window(history, 5)),
        ElementsAre("user a", "assistant [1] [2]", "tool 2", "tool 1", "assistant b")
    );
}

// covers: S3.09
TEST(window, never_begins_within_a_tool_round) {
    std::vector<chat_message> history{
        user("a"), assistant("", {"1", "2"}), result("1"), result("2"), assistant("b")};

    EXPECT_THAT(lines(window(history, 3)), ElementsAre("assistant b"));
    EXPECT_THAT(lines(window(history, 2)), ElementsAre("assistant b"));
}

TEST(window, mends_a_round_that_ended_early) {
    std::vector<chat_message> history{
        user("a"),
        assistant("let me see", {"1", "2"}),
        result("1"),
        user("b"),
        assistant("", {"3"}),
        user("c")};

    auto seen = window(history, 20);

    EXPECT_THAT(lines(seen), ElementsAre("user a", "assistant let me see", "user b", "user c"));
}

TEST(window, drops_a_result_that_answers_no_call) {
    std::vector<chat_message> history{user("a"), result("9"), assistant("b")};

    EXPECT_THAT(lines(window(history, 20)), ElementsAre("user a", "assistant b"));
}

struct steadiness {
    int moves = 0;
    std::size_t least = 1000;
    std::size_t most = 0;
};

// A conversation of as many turns, each of a question and an answer; how often its window begins
// elsewhere.
steadiness hold_conversation(int turns, int limit) {
    window_size const size{.messages = limit, .slack = limit / 2};
    steadiness seen;
    std::vector<chat_message> history;
    message_marks marks;
    std::string first;
    for (int turn = 1; turn <= turns; ++turn) {
        storage::message_row row;
        row.job = job_id{std::int64_t{7} * turn};
        for (auto const& message :
             {user("q" + std::to_string(turn)), assistant("a" + std::to_string(turn))}) {
            history.push_back(message);
            marks.push_back(mark_of(row));
            ++row.position;
        }
        // As read: not more than the window may have.
        auto const most = static_cast<std::size_t>(size.most());
        auto const unread = history.size() - std::min(history.size(), most);
        auto const from = static_cast<std::ptrdiff_t>(unread);
        auto const shown = steady_window(
            {history.begin() + from, history.end()}, {marks.begin() + from, marks.end()}, size
        );
        EXPECT_EQ(shown.back().content, history.back().content);
        if (unread == 0 && history.size() < most) {
            EXPECT_EQ(shown.size(), history.size());
        } else {
            seen.least = std::min(seen.least, shown.size());
            seen.most = std::max(seen.most, shown.size());
            if (shown.front().content != first) ++seen.moves;
        }
        first = shown.front().content;
    }
    return seen;
}

// What was sent once is the beginning of the next request until the window moves.
TEST(steady_window, begins_at_the_same_message_for_many_turns) {
    auto const usual = hold_conversation(1000, 20);
    EXPECT_LT(usual.moves, 400) << "else it moves with each of the 1000 turns";
    EXPECT_GE(usual.least, 20u);
    EXPECT_LE(usual.most, 30u);
    auto const wide = hold_conversation(1000, 100);
    EXPECT_LT(wide.moves, 100);
    EXPECT_GE(wide.least, 100u);
    EXPECT_LE(wide.most, 150u);
}

TEST(steady_window, has_bounds) {
    message_marks const marks{5, 4, 3, 2};
    std::vector<chat_message> const history{user("a"), assistant("b"), user("c"), assistant("d")};

    EXPECT_THAT(lines(steady_window(history, marks, {9})), testing::SizeIs(4)) << "it is short";
    EXPECT_THAT(
        lines(steady_window(history, marks, {3})),
        ElementsAre("assistant b", "user c", "assistant d")
    );
    EXPECT_THAT(
        lines(steady_window(history, marks, {.messages = 3, .slack = 1})), testing::SizeIs(4)
    );
    EXPECT_THAT(lines(steady_window(history, marks, {2})), ElementsAre("user c", "assistant d"));
    EXPECT_THAT(lines(steady_window(history, marks, {1})), ElementsAre("assistant d"));
    EXPECT_THAT(steady_window(history, marks, {0}), IsEmpty());
    EXPECT_THAT(steady_window({}, {}, {0}), IsEmpty());
    EXPECT_THAT(steady_window({}, {}, {20}), IsEmpty());
}

// covers: S0.11
TEST(steady_window, counts_what_was_said_and_brings_calls_and_results_with_it) {
    std::vector<chat_message> history;
    for (auto const* turn : {"1", "2", "3"}) {
        auto const id = std::string(turn);
        history.push_back(user("q" + id));
        for (auto const* round : {"a", "b", "c"}) {
            history.push_back(assistant("", {id + round}));
            history.push_back(result(id + round));
        }
        history.push_back(assistant("a" + id));
    }
    message_marks const marks(history.size(), 7);

    EXPECT_THAT(
        lines(steady_window(history, marks, {3})),
        ElementsAre(
            "assistant a2",
            "user q3",
            "assistant [3a]",
            "tool 3a",
            "assistant [3b]",
            "tool 3b",
            "assistant [3c]",
            "tool 3c",
            "assistant a3"
        )
    );
    EXPECT_THAT(steady_window(history, marks, {6}), testing::SizeIs(24)) << "all of it";

    // Each call has "{}" and each result eleven or twelve characters: room for the newest round alone.
    EXPECT_THAT(
        lines(steady_window(history, marks, {4, 30})),
        ElementsAre(
            "user q2", "assistant a2", "user q3", "assistant [3c]", "tool 3c", "assistant a3"
        )
    ) << "the oldest calls give way to what was said";
}

TEST(window, tells_two_calls_of_one_id_apart) {
    std::vector<chat_message> history{assistant("x", {"1", "1"}), result("1"), user("a")};

    EXPECT_THAT(lines(window(history, 20)), ElementsAre("assistant x", "user a"));
}

} // namespace
} // namespace postrider::agent::window_test
