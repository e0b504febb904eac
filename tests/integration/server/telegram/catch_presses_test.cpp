// Presses below a catch of spam, from the update to the job.
// covers: X.09
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::catch_presses_test {
namespace {

struct admin_chat : intake_world {
    base::result<accepted> press(std::int64_t update, std::string data) {
        boost::json::object body{{"update_id", update}};
        body["callback_query"] = {
            {"id", "query " + std::to_string(update)},
            {"from", {{"id", base::raw(stranger_id)}, {"first_name", "Ada"}}},
            {"message",
             {{"message_id", 900},
              {"date", 1},
              {"text", "Spam from Eve"},
              {"chat", {{"id", -200}, {"type", "supergroup"}}}}},
            {"data", std::move(data)},
        };
        return accept(boost::json::serialize(body));
    }
};

TEST(catch_presses, become_jobs_in_a_lane_beside_the_group) {
    admin_chat w;
    auto const stored = w.press(1, "spam:ham:-100:50:7");

    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->disposition, "job");
    EXPECT_TRUE(stored->is_new);
    EXPECT_EQ(
        w.value("select l.lane_key || ' ' || j.kind || ' ' || (j.input->>'data') || ' ' || "
                "(j.input->>'user') || ' ' || (j.input->>'message') || ' ' || (j.input->>'chat') "
                "from postrider.job j join postrider.lane l using (lane_id)"),
        "moderation:1:-100:0 catch_press spam:ham:-100:50:7 666 900 -200"
    );
    EXPECT_TRUE(w.presses.all.empty()) << "the job answers";
    EXPECT_EQ(w.value("select count(*) from postrider.message"), "0");
}

TEST(catch_presses, are_taken_once) {
    admin_chat w;
    w.press(1, "spam:ham:-100:50:7").value();
    auto const again = w.press(1, "spam:ham:-100:50:7");

    EXPECT_FALSE(again->is_new);
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1");
}

TEST(catch_presses, of_a_group_that_is_not_served_are_strangers) {
    admin_chat w;
    EXPECT_EQ(w.press(1, "spam:ham:-300:50:7")->disposition, "ignored");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "0");
}

} // namespace
} // namespace postrider::telegram::catch_presses_test
