// Edits of messages whose new words another flow takes, in another lane: the message is found all the same.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::intake_edits_test {
namespace {

constexpr std::string_view content = "select content from postrider.message";
constexpr std::string_view edits = "select sum(edits) from postrider.busy_lane";

struct lanes_of_words {
    std::string at_first; // "" = the chat's own
    std::string edited;
};

TEST(intake_edits, find_the_message_whatever_lane_the_new_words_choose) {
    for (auto const& [at_first, edited] :
         {lanes_of_words{"flow:report", ""},
          lanes_of_words{"", "flow:report"},
          lanes_of_words{"flow:sales", "flow:costs"}}) {
        intake_world w;
        w.flows.lane_key = at_first;
        ASSERT_TRUE(w.accept(w.body(1, alex, "/report sales")));
        w.flows.lane_key = edited;

        auto const stored = w.accept(w.body(2, alex, "report sales", "edited_message"));

        ASSERT_TRUE(stored) << stored.error().detail;
        EXPECT_EQ(stored->disposition, "event");
        EXPECT_EQ(w.value(content), "report sales") << at_first;
        EXPECT_EQ(w.value(edits), "1") << at_first << ": the turn reads the new words";
        EXPECT_EQ(w.flows.commands.size(), 1u) << "no flow is asked for an edit";
    }
}

TEST(intake_edits, find_a_message_that_no_flow_would_take_now) {
    intake_world w;
    w.flows.lane_key = "flow:report";
    ASSERT_TRUE(w.accept(w.body(1, alex, "/report sales")));
    w.flows.none = true;

    ASSERT_TRUE(w.accept(w.body(2, alex, "report sales", "edited_message")));

    EXPECT_EQ(w.value(content), "report sales");
}

TEST(intake_edits, keep_the_earlier_words_of_a_message_that_was_answered_in_a_flows_lane) {
    intake_world w;
    w.flows.lane_key = "flow:report";
    ASSERT_TRUE(w.accept(w.body(1, alex, "/report sales")));
    w.database.execute("update postrider.job set state = 'completed', finished_at = now(); "
                       "select postrider.idle_lanes(array(select lane_id from postrider.lane))");
    w.flows.lane_key = "";

    ASSERT_TRUE(w.accept(w.body(2, alex, "report sales", "edited_message")));

    EXPECT_EQ(w.value(content), "report sales");
    EXPECT_EQ(w.value("select earlier -> 0 ->> 'content' from postrider.message"), "/report sales");
    w.database.execute("update postrider.message set created_at = now() - interval '3 days'");
    ASSERT_TRUE(w.accept(w.body(3, alex, "too late", "edited_message")));
    EXPECT_EQ(w.value(content), "report sales");
}

TEST(intake_edits, find_commands_in_a_flows_lane) {
    intake_world w;
    w.flows.lane_key = "flow:report";
    ASSERT_TRUE(w.accept(w.body(1, alex, "/help")));
    w.flows.lane_key = "";

    ASSERT_TRUE(w.accept(w.body(2, alex, "help me", "edited_message")));

    EXPECT_EQ(w.value(content), "help me");
}

TEST(intake_edits, find_what_was_said_to_others_in_a_flows_lane) {
    intake_world w;
    w.flows.stores_the_rest = true;
    w.flows.lane_key = "flow:report";
    ASSERT_TRUE(w.accept(in_group(1, alex, "lunch?")));
    w.flows.lane_key = "";

    ASSERT_TRUE(w.accept(
        R"({"update_id":2,"edited_message":{"message_id":1001,"from":{"id":10,"first_name":"Al"},
        "chat":{"id":-100,"type":"supergroup"},"text":"@fern_bot lunch?"}})"
    ));

    EXPECT_EQ(w.value(content), "@fern_bot lunch?");
}

// Only what stands elsewhere than in its chat's lane is in the index.
TEST(intake_edits, mark_no_message_in_its_chats_lane) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    ASSERT_TRUE(w.accept(w.body(2, alex, "/help")));
    w.flows.lane_key = "flow:report";
    ASSERT_TRUE(w.accept(w.body(3, alex, "/report sales")));

    EXPECT_EQ(
        w.value(
            "select string_agg(content, ',') from postrider.message where number_elsewhere = 1000"
        ),
        "/report sales"
    );
}

// In one chat, so each of the bots has the message and the edit.
TEST(intake_edits, of_two_bots_that_share_a_flows_lane_change_their_own_message) {
    intake_world w;
    w.flows.lane_key = "flow:report";
    w.fern.settings.id = bot_id{2};
    ASSERT_TRUE(w.accept(w.body(1, alex, "of the other")));
    w.fern.settings.id = bot_id{1};
    ASSERT_TRUE(w.accept(w.body(1, alex, "mine")));
    w.flows.lane_key = "";

    ASSERT_TRUE(w.accept(w.body(2, alex, "edited", "edited_message")));

    EXPECT_EQ(
        w.value("select string_agg(content, ',' order by job_id) from postrider.message"),
        "of the other,edited"
    );
}

} // namespace
} // namespace postrider::telegram::intake_edits_test
