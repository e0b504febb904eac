// Edits that come in another order than they were made.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::late_edits_test {
namespace {

struct edited_chat : intake_world {
    edited_chat() { accept(body(1, alex, "first")).value(); }

    void edit(int update, std::string text, int date) {
        auto edited = boost::json::parse(body(update, alex, std::move(text), "edited_message"));
        edited.at("edited_message").as_object()["edit_date"] = date;
        ASSERT_TRUE(accept(boost::json::serialize(edited)));
    }
    std::string content() { return value("select content from postrider.message"); }
    std::string edits() { return value("select edits from postrider.busy_lane"); }
};

TEST(late_edits, change_nothing_that_a_later_one_has_changed) {
    edited_chat w;
    w.edit(3, "third", 300);
    w.edit(2, "second", 200);

    EXPECT_EQ(w.content(), "third");
    EXPECT_EQ(w.edits(), "1") << "the turn is not begun anew for it";
    w.edit(4, "fourth", 400);
    EXPECT_EQ(w.content(), "fourth");
}

TEST(late_edits, of_one_second_are_in_the_order_of_their_updates) {
    edited_chat w;
    w.edit(3, "third", 200);
    w.edit(2, "second", 200);
    EXPECT_EQ(w.content(), "third");
    w.edit(4, "fourth", 200);
    EXPECT_EQ(w.content(), "fourth");
}

// A link preview came, say.
TEST(late_edits, are_behind_one_that_left_the_words_as_they_were) {
    edited_chat w;
    w.edit(2, "second", 200);
    w.edit(4, "second", 400);
    w.edit(3, "third", 300);
    EXPECT_EQ(w.content(), "second");
    EXPECT_EQ(w.edits(), "1");
}

TEST(late_edits, of_a_message_that_was_answered_keep_no_wording) {
    edited_chat w;
    w.database.execute("update postrider.job set state = 'completed', finished_at = now(); "
                       "select postrider.idle_lanes(array(select lane_id from postrider.lane))");
    w.edit(3, "third", 300);
    w.edit(2, "second", 200);
    w.edit(4, "third", 400);

    EXPECT_EQ(w.content(), "third");
    EXPECT_EQ(
        w.value("select jsonb_path_query_array(earlier, '$[*].content') from postrider.message"),
        "[\"first\"]"
    );
}

} // namespace
} // namespace postrider::telegram::late_edits_test
