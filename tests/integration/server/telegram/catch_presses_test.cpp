// Presses below a catch of spam, from the update to the job.
// covers: X.09
#include "agent/moderation/press_job.hpp"
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::catch_presses_test {
namespace {

struct admin_chat : intake_world {
    base::result<accepted> press(
        std::int64_t update, std::string data, user_id person = stranger_id
    ) {
        boost::json::object body{{"update_id", update}};
        body["callback_query"] = {
            {"id", "query " + std::to_string(update)},
            {"from", {{"id", base::raw(person)}, {"first_name", "Ada"}}},
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

// Whatever the time is outside, it is this minute.
struct stopped_minute final : base::clock {
    base::sys_time now() const override { return minute; }
    base::steady_time steady() const override { return base::system_clock().steady(); }
    std::chrono::nanoseconds boot() const override { return base::system_clock().boot(); }

    base::sys_time minute{30h};
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

TEST(catch_presses, of_people_who_run_no_group_are_answered_without_a_job) {
    admin_chat w;
    w.presses.outsiders = {stranger_id};
    auto const stored = w.press(1, "spam:ham:-100:50:7");
    w.press(1, "spam:ham:-100:50:7").value(); // the same update again

    EXPECT_EQ(stored->disposition, "ignored");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "0");
    EXPECT_EQ(w.value("select reason from postrider.inbox"), "not_administrator");
    ASSERT_EQ(w.presses.all.size(), 2u);
    EXPECT_EQ(w.presses.all[0].second, agent::not_an_administrator);
    EXPECT_EQ(w.presses.all[1].second, "") << "it may have been answered";
}

TEST(catch_presses, of_one_button_within_a_minute_are_one_job) {
    admin_chat w;
    stopped_minute clock;
    w.inbox =
        make_intake(*w.executions, w.moves, w.flows, w.presses, clock, base::system_random(), 5s);
    w.press(1, "spam:ham:-100:50:7").value();
    auto const again = w.press(2, "spam:ham:-100:50:7");
    w.press(3, "spam:why:-100:50:7").value();
    w.press(4, "spam:ham:-100:50:7", alex).value();
    clock.minute += 1min;
    w.press(5, "spam:ham:-100:50:7").value();

    EXPECT_TRUE(again->is_new);
    EXPECT_EQ(again->disposition, "ignored");
    EXPECT_EQ(w.value("select reason from postrider.inbox where update_id = 2"), "repeated_press");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "4")
        << "another button, another person, and another minute";
    EXPECT_EQ(w.presses.all.size(), 1u);
}

TEST(catch_presses, beyond_a_rate_are_no_jobs) {
    admin_chat w;
    w.presses.outsiders = {stranger_id};
    for (int number = 1; number <= 25; ++number)
        w.press(number, "spam:ham:-100:" + std::to_string(number) + ":7").value();

    EXPECT_EQ(w.presses.asked, 20) << "Telegram is not asked any more";
    EXPECT_EQ(
        w.value("select count(*) from postrider.inbox where reason = 'presses_per_minute'"), "5"
    );
    EXPECT_EQ(w.press(30, "spam:ham:-100:1:7", alex)->disposition, "job") << "of somebody else";
}

// Its configuration has the new number alone by now.
TEST(catch_presses, of_a_supergroup_are_taken_below_what_was_caught_before) {
    admin_chat w;
    w.moves.note(bot_id{1}, chat_id{-77}, chat_id{-100});
    w.moves.note(bot_id{1}, chat_id{-78}, chat_id{-300});

    EXPECT_EQ(w.press(1, "spam:ham:-77:50:7")->disposition, "job");
    EXPECT_EQ(w.press(2, "spam:ham:-78:50:7")->disposition, "ignored") << "not served";
}

TEST(catch_presses, of_a_group_that_is_not_served_are_strangers) {
    admin_chat w;
    EXPECT_EQ(w.press(1, "spam:ham:-300:50:7")->disposition, "ignored");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "0");
}

} // namespace
} // namespace postrider::telegram::catch_presses_test
