// What an agent reads of a group, of what the archive has.
#include "agent/flow/nodes/group_reading.hpp"
#include "agent/group/compaction.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::flow::group_reading_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

base::sys_time at(std::int64_t second) {
    return base::sys_time{std::chrono::seconds{second}};
}

storage::context_row message_row(int number, int second, std::string text) {
    storage::context_row row;
    row.place = {job_id{number}, 0};
    row.message = telegram_message_id{number};
    row.user = user_id{7};
    row.name = "alice";
    row.text = std::move(text);
    row.said_at = at(second);
    row.stored_at = at(second);
    return row;
}

storage::group_history history(std::vector<storage::context_row> messages, int arrived_at) {
    storage::group_history read;
    read.arrived_at = at(arrived_at);
    read.read_at = at(arrived_at + 1);
    read.messages = std::move(messages);
    return read;
}

// "1 hello", and "1 := hello all" of an edit.
std::vector<std::string> lines_of(agent::group::context const& conversation) {
    std::vector<std::string> lines;
    for (auto const& message : conversation.messages) {
        bool const is_edit = message.kind == agent::group::context_message::kind::edited;
        lines.push_back(base::to_string(message.id) + (is_edit ? " := " : " ") + message.text);
    }
    return lines;
}

constexpr chat_id chat{-100};

// covers: S4.07
TEST(group_reading, keeps_what_was_said_and_adds_edits_where_they_came) {
    auto first = message_row(1, 10, "third");
    first.earlier = {{"first", at(25)}, {"second", at(40)}};
    auto const read = history({first, message_row(2, 20, "two"), message_row(3, 30, "three")}, 50);

    EXPECT_THAT(
        lines_of(current_context(read, chat)),
        ElementsAre("1 first", "2 two", "1 := second", "3 three", "1 := third")
    );
}

// Its check comes with the next turn.
// covers: S4.01 S4.07
TEST(group_reading, leaves_out_edits_that_came_behind_the_turn) {
    auto first = message_row(1, 10, "buy now");
    first.earlier = {{"hello", at(60)}};
    auto const read = history({first, message_row(2, 20, "two")}, 50);

    EXPECT_THAT(lines_of(current_context(read, chat)), ElementsAre("1 hello", "2 two"));
}

TEST(group_reading, has_the_new_words_in_their_place_once_there_is_a_summary) {
    auto first = message_row(5, 10, "later");
    first.earlier = {{"first", at(25)}, {"second", at(40)}};
    auto read = history({first, message_row(6, 45, "six")}, 50);
    read.summary = storage::summary_row{{job_id{4}, 0}, 9, "They met.", at(30)};

    auto const conversation = current_context(read, chat);

    EXPECT_EQ(conversation.summary, "They met.");
    EXPECT_THAT(lines_of(conversation), ElementsAre("5 second", "5 := later", "6 six"));
}

// covers: S4.07
TEST(group_reading, adds_edits_of_what_the_summary_covers_where_they_came) {
    auto first = message_row(1, 10, "spam");
    first.earlier = {{"first", at(25)}, {"second", at(40)}, {"third", at(60)}};
    auto read = history({message_row(5, 35, "five"), message_row(6, 45, "six")}, 50);
    read.summary = storage::summary_row{{job_id{4}, 0}, 9, "They met.", at(30)};
    read.edited = {first};

    EXPECT_THAT(lines_of(current_context(read, chat)), ElementsAre("5 five", "1 := third", "6 six"))
        << "what came behind the turn is not checked yet";

    agent::group::context corrected{.chat = chat};
    corrected.messages = corrections_of(read);
    EXPECT_THAT(lines_of(corrected), ElementsAre("1 second", "1 := third"));
}

// covers: S4.07
TEST(group_reading, knows_up_to_when_edits_are_in_a_summary) {
    auto edited = message_row(1, 10, "second");
    edited.earlier = {{"first", at(25)}};
    EXPECT_EQ(reaches_to(history({edited}, 50)), at(51)) << "when it was read";

    edited.earlier = {{"first", at(50) + 500ms}};

    EXPECT_EQ(reaches_to(history({edited}, 50)), at(50)) << "the turn has not seen that edit";
}

TEST(group_reading, shows_a_chat_that_writes_as_itself) {
    auto row = message_row(1, 10, "news");
    row.sender_chat = chat_id{-1009};
    row.media = "photo";
    row.reply = storage::quoted_context{telegram_message_id{9}, "Bob", "what?"};

    auto const message = current_context(history({row}, 50), chat).messages.at(0);

    EXPECT_EQ(message.user, user_id{-1009});
    EXPECT_EQ(message.media, "photo");
    EXPECT_EQ(message.reply->text, "what?");
}

// covers: S4.14
TEST(group_reading, leaves_out_the_oldest_in_steps) {
    std::vector<storage::context_row> rows;
    for (int number = 1; number <= 400; ++number)
        rows.push_back(message_row(number, number, std::string(40, 'x')));
    auto const zone = base::find_time_zone("UTC").value();
    auto conversation = current_context(history(rows, 500), chat);
    auto const whole = agent::group::tokens_of(conversation, zone);

    leave_out_oldest(conversation, whole / 2, zone);

    EXPECT_THAT(conversation.messages, SizeIs(400 - 2 * 128));
    EXPECT_LE(agent::group::tokens_of(conversation, zone), whole / 2);
    EXPECT_EQ(conversation.messages.front().id, telegram_message_id{257});
}

TEST(group_reading, asks_for_more_messages_than_the_tokens_hold) {
    agent::group::context shortest{chat, "", {{.id = telegram_message_id{1}}}};
    auto const zone = base::find_time_zone("UTC").value();
    agent::group::context none{chat, "", {}};
    auto const line = agent::group::tokens_of(shortest, zone) - agent::group::tokens_of(none, zone);

    EXPECT_GE(most_messages_of(100'000), 100'000 / std::max<std::int64_t>(line, 18));
    EXPECT_LE(most_messages_of(1'000'000'000), 50'000);
    EXPECT_GE(least_tokens_of(most_messages_of(100'000)), 100'000 - 18);
}

} // namespace
} // namespace postrider::agent::flow::group_reading_test
