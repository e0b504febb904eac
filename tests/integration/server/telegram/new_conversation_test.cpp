// /new in a chat: the messages behind it are another conversation.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::new_conversation_test {
namespace {

// "text text | text": a bar between conversations.
std::string conversations_of(intake_world const& w) {
    return w.value("select string_agg(said, ' | ' order by conversation_id) from ("
                   "select conversation_id, string_agg(content, ' ' order by job_id) as said "
                   "from postrider.message group by conversation_id) c");
}

// covers: S0.14 S3.22
TEST(new_conversation, begins_behind_the_command) {
    intake_world w;
    std::int64_t update = 0;
    for (auto const* text : {"one", "two", "/new", "three"})
        ASSERT_TRUE(w.accept(w.body(++update, alex, text)));

    EXPECT_EQ(conversations_of(w), "one two /new | three") << "and every row is there";
    EXPECT_EQ(
        w.value("select string_agg(coalesce(input ->> 'command', '-'), ' ' order by job_id) "
                "from postrider.job"),
        "- - /new -"
    );
    EXPECT_EQ(
        w.value("select bool_and(j.conversation_id = m.conversation_id) from postrider.job j "
                "join postrider.message m using (job_id) where not j.input ? 'command'"),
        "t"
    );
    EXPECT_EQ(w.value("select bool_and(conversation_id < job_id) from postrider.message"), "t")
        << "what is read of a conversation counts on it";
}

TEST(new_conversation, begins_once_however_often_the_update_comes) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "one")));
    ASSERT_TRUE(w.accept(w.body(2, alex, "/new")));
    ASSERT_TRUE(w.accept(w.body(3, alex, "two")));
    EXPECT_FALSE(w.accept(w.body(2, alex, "/new"))->is_new);
    ASSERT_TRUE(w.accept(w.body(4, alex, "three")));

    EXPECT_EQ(conversations_of(w), "one /new | two three");
}

TEST(new_conversation, begins_in_a_chat_that_was_never_heard_of) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "/new")));
    ASSERT_TRUE(w.accept(w.body(2, alex, "one")));

    EXPECT_EQ(conversations_of(w), "/new | one");
}

TEST(new_conversation, begins_in_the_lane_in_which_the_flow_answers) {
    intake_world w;
    w.flows.lane_key = "customer 7";
    for (std::int64_t update = 1; auto const* text : {"one", "/new", "two"})
        ASSERT_TRUE(w.accept(w.body(update++, alex, text)));

    EXPECT_EQ(conversations_of(w), "one /new | two");
    EXPECT_EQ(
        w.value("select string_agg(lane_key, ', ' order by lane_id) from postrider.lane"),
        "customer 7, commands:customer 7"
    );
}

TEST(new_conversation, is_the_flows_own_matter_where_its_trigger_asks_for_the_command) {
    intake_world w;
    w.flows.asks_for_command = true;
    for (std::int64_t update = 1; auto const* text : {"one", "/new", "two"})
        ASSERT_TRUE(w.accept(w.body(update++, alex, text)));

    EXPECT_EQ(conversations_of(w), "one /new two");
    EXPECT_EQ(w.value("select count(*) from postrider.job where input ? 'command'"), "0");
}

TEST(new_conversation, is_asked_for_by_the_whole_word) {
    intake_world w;
    for (std::int64_t update = 1; auto const* text : {"/news", "say /new", "/New"})
        ASSERT_TRUE(w.accept(w.body(update++, alex, text)));

    EXPECT_EQ(w.value("select count(distinct conversation_id) from postrider.message"), "1");
}

// covers: E.04 S0.14
TEST(new_conversation, in_a_group_is_for_those_who_may_command_this_bot) {
    intake_world w;
    w.flows.stores_the_rest = true;
    EXPECT_EQ(w.accept(in_group(1, alex, "one"))->disposition, "event");
    EXPECT_EQ(w.accept(in_group(2, stranger_id, "/new@fern_bot"))->disposition, "ignored");
    EXPECT_EQ(w.accept(in_group(3, alex, "/new@other_bot"))->disposition, "event");
    EXPECT_EQ(w.accept(in_group(4, alex, "/new@fern_bot"))->disposition, "job");
    EXPECT_EQ(w.accept(in_group(5, alex, "two"))->disposition, "event");

    EXPECT_EQ(conversations_of(w), "one /new@other_bot /new@fern_bot | two");
}

} // namespace
} // namespace postrider::telegram::new_conversation_test
