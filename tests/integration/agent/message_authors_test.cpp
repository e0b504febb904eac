#include "tests/integration/agent/messages_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::message_authors_test {
namespace {

using storage::message_origin;

class message_authors : public messages {
protected:
    // A channel's message, forwarded into a group by Ivana as an answer to somebody.
    storage::message_row full_row(int job) {
        auto said = row(job, 0, "user", "less in winter");
        said.origin = message_origin::person;
        said.telegram_message = telegram_message_id{50};
        said.chat = chat_id{7};
        said.thread = thread_id{17};
        said.sender = user_id{5};
        said.sender_chat = chat_id{-9};
        said.sender_name = "Garden news";
        said.reply_to = telegram_message_id{49};
        said.sent_at = std::chrono::sys_seconds{std::chrono::seconds{1795228800}};
        said.author.username = "ivana_k";
        said.author.first_name = "Ivana";
        said.author.last_name = "Kralj";
        said.author.is_bot = true;
        said.author.chat_username = "gardens";
        said.author.reply_user = user_id{6};
        said.author.quote = "how much water?";
        said.author.forward = storage::message_forward{
            "channel", -9, "Garden news", "gardens", telegram_message_id{12}, said.sent_at};
        said.author.media = "photo";
        return said;
    }
};

TEST_F(message_authors, come_back_as_they_were_written) {
    // Of a message that no turn answers: behind the conversation's own.
    database_.execute("select setval('postrider.number', 1000)");
    auto const written = full_row(20);
    add(written);
    commit({storage::add_message_from_beside(full_row(21))});
    commit({storage::add_unanswered_message(full_row(0))});

    EXPECT_EQ(
        database_.value("select count(*) || ' ' || string_agg(distinct concat_ws(' ', origin, "
                        "telegram_message_id, "
                        "thread_id, sender_id, sender_chat_id, sender_name, reply_to, "
                        "extract(epoch from sent_at)::bigint, "
                        "author), '; ') from postrider.message"),
        R"(3 person 50 17 5 -9 Garden news 49 1795228800 {"media": "photo", "quote": "how much water?", )"
        R"("is_bot": true, "forward": {"id": -9, "date": 1795228800, "kind": "channel", )"
        R"("name": "Garden news", "message": 12, "username": "gardens"}, "username": "ivana_k", )"
        R"("last_name": "Kralj", "first_name": "Ivana", "reply_user": 6, "chat_username": "gardens"})"
    );
    EXPECT_EQ(
        database_.value(
            "select origin || ' ' || sender_chat_id || ' ' || (author ->> 'name') || ' ' || "
            "(author #>> '{forward,name}') from postrider.messages limit 1"
        ),
        "person -9 Garden news Garden news"
    ) << "in the view for people";
}

// Rows from before have no origin.
TEST_F(message_authors, of_rows_without_one_are_known_by_the_role) {
    add(row(20, 0, "user", "a"));
    add(row(20, 2, "assistant", "b"));
    add(row(20, 4, "tool", "c"));
    add(row(20, 6, "system", "d"));

    EXPECT_EQ(
        database_.value("select string_agg(postrider.origin_of(m), ' ' order by position) || ' ' "
                        "|| count(author) "
                        "from postrider.message m"),
        "person agent agent engine 0"
    );
    EXPECT_EQ(database_.value("select count(origin) from postrider.message"), "0");
}

TEST_F(message_authors, keep_their_message_through_edits) {
    live_turn(20);
    database_.execute("update postrider.message set origin = 'person', sender_id = 5, "
                      "sender_name = 'Ivana', author = '{\"username\": \"ivana_k\"}'");

    EXPECT_EQ(edit("new text"), "replaced");

    EXPECT_EQ(
        database_.value(
            "select content || ' ' || origin || ' ' || sender_id || ' ' || sender_name || ' ' || "
            "author::text from postrider.message"
        ),
        "new text person 5 Ivana {\"username\": \"ivana_k\"}"
    );
}

TEST_F(message_authors, have_an_origin_that_is_one_of_four) {
    auto const add_from_somebody = "insert into postrider.message (lane_id, job_id, "
                                   "conversation_id, position, role, id, content, "
                                   "origin) values (1, 20, 10, 0, 'user', 'x', 'x', 'somebody')";

    EXPECT_ANY_THROW(database_.execute(add_from_somebody));
}

} // namespace
} // namespace postrider::tests::message_authors_test
