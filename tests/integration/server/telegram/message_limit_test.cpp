// How many messages of a person are taken within a minute.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::message_limit_test {
namespace {

// Whoever goes beyond the limit of a minute is told once, and starts nothing.
// covers: X.04
TEST(message_limit, ignores_what_is_beyond_it_and_tells_so_once) {
    intake_world w;
    w.fern.settings.messages_per_minute = 2;

    for (int n = 1; n <= 5; ++n) {
        auto const stored = w.accept(w.body(n, alex, "hello"));
        ASSERT_TRUE(stored) << stored.error().detail;
        EXPECT_TRUE(stored->is_new);
        EXPECT_EQ(stored->disposition, n <= 2 ? "job" : "ignored");
    }

    EXPECT_EQ(
        w.value(
            "select string_agg(disposition || coalesce(' ' || reason, ''), ',' order by update_id) "
            "from postrider.inbox"
        ),
        "job,job,ignored messages_per_minute,ignored messages_per_minute,ignored "
        "messages_per_minute"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.job where kind = 'turn'"), "2");
    EXPECT_EQ(w.value("select count(*) from postrider.message"), "2");
    EXPECT_EQ(
        w.value("select string_agg(lane_key || ' ' || state || ' ' || (input ->> 'chat'), ',') "
                "from postrider.job "
                "join postrider.lane using (lane_id) where kind = 'failure_notice'"),
        "limits:1:10 scheduled 10"
    );
    EXPECT_NE(
        w.value("select input ->> 'text' from postrider.job where kind = 'failure_notice'")
            .find("limit of 2 messages a minute"),
        std::string::npos
    );

    w.database.execute("update postrider.message_count set since = since - interval '1 minute'");
    EXPECT_EQ(w.accept(w.body(6, alex, "hello")).value().disposition, "job");
}

TEST(message_limit, is_told_in_the_language_of_the_message) {
    intake_world w;
    w.fern.settings.messages_per_minute = 1;
    for (int n = 1; n <= 2; ++n) ASSERT_TRUE(w.accept(w.body(n, alex, "Wie geht es dir?")));

    EXPECT_NE(
        w.value("select input ->> 'text' from postrider.job where kind = 'failure_notice'")
            .find("Das Limit ist erreicht: 1 Nachricht pro Minute."),
        std::string::npos
    );
}

// covers: X.04
TEST(message_limit, counts_no_redelivery) {
    intake_world w;
    w.fern.settings.messages_per_minute = 2;

    for (int n = 0; n < 5; ++n) ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));

    EXPECT_EQ(w.accept(w.body(2, alex, "hello")).value().disposition, "job");
    EXPECT_EQ(w.value("select messages from postrider.message_count"), "2");
}

// Messages of one commit are counted one by one, each person's apart.
TEST(message_limit, holds_within_one_commit) {
    intake_world w;
    w.fern.settings.messages_per_minute = 3;
    w.fern.settings.allowlist.users.insert(user_id{11});
    std::vector<std::string> bodies;
    for (int n = 0; n < 40; ++n) bodies.push_back(w.body(n, n % 4 == 0 ? user_id{11} : alex, "hi"));

    for (auto const& outcome : w.accept_all(bodies)) ASSERT_TRUE(outcome) << outcome.error().detail;

    EXPECT_EQ(w.value("select count(*) from postrider.job where kind = 'turn'"), "6");
    EXPECT_EQ(w.value("select count(*) from postrider.job where kind = 'failure_notice'"), "2");
}

} // namespace
} // namespace postrider::telegram::message_limit_test
