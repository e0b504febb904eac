// The messenger of conversations alone: what its calls leave in the database, and what they answer.
#include "server/chat/conversation_messenger.hpp"
#include "server/chat/switchboard.hpp"
#include "storage/connections.hpp"
#include "storage/stores/conversations.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::conversation_messenger_test {
namespace {

using base::errc;

constexpr std::string_view id = "00000000-0000-4000-8000-000000000001";

class conversation_messenger : public testing::Test {
protected:
    conversation_messenger() {
        database.execute(
            "insert into postrider.lane (lane_key) values ('chat:" + std::string(id) + "')"
        );
        database.execute(
            "insert into postrider.api_conversation (id, lane_id, user_id) select '" +
            std::string(id) + "', lane_id, 7 from postrider.lane"
        );
    }
    ~conversation_messenger() override { postgres.close(); }

    agent::outgoing saying(std::string text, std::string key = "say") const {
        agent::outgoing message{here, {.text = std::move(text)}};
        message.job = job_id{5};
        message.key = std::move(key);
        return message;
    }
    template<class T>
    base::result<T> wait(base::awaitable<base::result<T>> work) {
        return io.run(std::move(work));
    }
    std::string row(std::string column) {
        return database.value(
            "select string_agg((" + column +
            ")::text, '|' order by position) from postrider.message"
        );
    }

    test_database database;
    loop io;
    storage::connections postgres = storage::connect(io.executor(), database.options());
    postrider::chat::conversation_messenger out{
        *postgres.checkpoints, *postgres.reads, base::system_random()};
    agent::address const here = agent::conversation_address(id);
};

TEST_F(conversation_messenger, says_the_same_thing_once) {
    auto const first = wait(out.send(saying("hello"))).value();
    auto const again = wait(out.send(saying("hello"))).value();
    auto const other = wait(out.send(saying("hello", "another"))).value();

    EXPECT_EQ(again, first);
    EXPECT_NE(other, first);
    EXPECT_EQ(row("content"), "hello|hello");
    EXPECT_EQ(row("position"), "1|3") << "between the places of a history, which are even";
    EXPECT_EQ(row("conversation_id"), "0|0") << "no part of a history";
}

TEST_F(conversation_messenger, numbers_a_message_that_stands_in_the_history) {
    database.execute("insert into postrider.message (lane_id, job_id, conversation_id, position, "
                     "role, id, content) "
                     "select lane_id, 5, 3, 78, 'assistant', 'm', 'hello' from postrider.lane");
    auto message = saying("hello");
    message.position = 78;
    auto const first = wait(out.send(message)).value();
    auto const again = wait(out.send(message)).value();

    EXPECT_EQ(again, first);
    EXPECT_EQ(row("telegram_message_id"), base::to_string(first));
    EXPECT_EQ(row("conversation_id"), "3");
}

// A row at its place that is none of the history is something else that was said.
TEST_F(conversation_messenger, takes_nothing_else_for_a_message_of_the_history) {
    (void)wait(out.send(saying("a notice"))).value();
    auto message = saying("hello", "another");
    message.position = 1;
    EXPECT_EQ(wait(out.send(message)).error(), errc::refused);
    EXPECT_EQ(row("content"), "a notice");
}

TEST_F(conversation_messenger, refuses_what_is_not_there) {
    auto elsewhere = saying("hello");
    elsewhere.to = agent::conversation_address("00000000-0000-4000-8000-000000000002");
    EXPECT_EQ(wait(out.send(elsewhere)).error(), errc::refused);
    EXPECT_EQ(wait(out.send(saying(""))).error(), errc::invalid);
    telegram_message_id const nothing{99};
    EXPECT_EQ(wait(out.edit(here, nothing, {.text = "x"})).error(), errc::invalid);
    EXPECT_EQ(wait(out.react(here, nothing, "👍")).error(), errc::invalid);
    EXPECT_TRUE(wait(out.remove(here, nothing)).has_value()) << "gone already";
}

TEST_F(conversation_messenger, reacts_and_keeps_the_answer_to_a_press) {
    auto const number = wait(out.send(saying("hello"))).value();
    EXPECT_TRUE(wait(out.react(here, number, "👍")).has_value());
    EXPECT_EQ(row("shown ->> 'reaction'"), "👍");
    EXPECT_TRUE(wait(out.react(here, number, "")).has_value());
    EXPECT_EQ(row("shown ? 'reaction'"), "false");

    EXPECT_TRUE(wait(out.answer_press(here, base::to_string(number), "Thanks", true)).has_value());
    EXPECT_EQ(row("shown -> 'note' ->> 'text'"), "Thanks");
    EXPECT_EQ(wait(out.answer_press(here, "p1", "Thanks", false)).error(), errc::stale);
}

TEST_F(conversation_messenger, knows_the_conversations_own_user_alone) {
    auto const own = wait(out.get_member(here, user_id{7})).value();
    EXPECT_EQ(own.user, user_id{7});
    EXPECT_EQ(own.standing, agent::member_standing::member);
    EXPECT_EQ(wait(out.get_member(here, user_id{8})).error(), errc::not_found);
    EXPECT_EQ(wait(out.moderate(here, agent::restrict_member{user_id{7}})).error(), errc::refused);
    EXPECT_EQ(wait(out.moderate(here, agent::ban_member{user_id{7}})).error(), errc::refused);
}

TEST_F(conversation_messenger, stands_behind_the_switchboard_beside_telegrams) {
    recording_chat telegram;
    postrider::chat::switchboard both(telegram, out);
    agent::outgoing to_chat{{bot_id{1}, chat_id{2}}, {.text = "hello"}};

    EXPECT_TRUE(wait(both.send(to_chat)).has_value());
    EXPECT_EQ(row("content"), "");
    EXPECT_TRUE(wait(both.send(saying("hello"))).has_value());
    EXPECT_EQ(telegram.sent.size(), 1u);
    EXPECT_EQ(row("content"), "hello");
    telegram.gate = "telegram:1";
    EXPECT_EQ(both.resource(here), "");
    EXPECT_EQ(both.resource(to_chat.to), "telegram:1");
    telegram.missing = {bot_id{0}};
    EXPECT_TRUE(both.serves(here)) << "every node can";
}

} // namespace
} // namespace postrider::tests::conversation_messenger_test
