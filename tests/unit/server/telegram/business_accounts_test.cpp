// What Telegram is asked about business accounts, against a simulated one.
#include "server/telegram/business_accounts.hpp"
#include "tests/unit/server/telegram/messenger_desk.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::business_accounts_test {
namespace {

using namespace std::chrono_literals;

struct accounts_desk : messenger_desk {
    asked_business_accounts accounts{{&fern}, clock};

    accounts_desk() {
        fern.settings.business = {alex};
        fern.settings.allowlist.users = {alex};
    }
    base::result<std::optional<storage::business_connection>> find(std::string connection) {
        return loop.run(accounts.find(fern.settings, std::move(connection)));
    }
    std::size_t questions() { return telegram.calls("getBusinessConnection").size(); }
};

TEST(business_accounts, has_a_served_one_as_telegram_has_it) {
    accounts_desk d;
    d.telegram.connect({.id = "c1", .account = alex, .may_reply = false});

    auto const connection = d.find("c1").value();

    ASSERT_TRUE(connection);
    EXPECT_EQ(connection->bot, our_bot);
    EXPECT_EQ(connection->id, "c1");
    EXPECT_EQ(connection->account, alex);
    EXPECT_TRUE(connection->is_enabled);
    EXPECT_FALSE(connection->may_reply);
}

TEST(business_accounts, has_none_that_the_setting_does_not_name_and_asks_once_an_hour) {
    accounts_desk d;
    d.telegram.connect({.id = "c1", .account = user_id{11}});

    EXPECT_FALSE(d.find("c1").value());
    EXPECT_FALSE(d.find("c1").value());
    EXPECT_EQ(d.questions(), 1u);
    d.clock.advance(1h);
    EXPECT_FALSE(d.find("c1").value());
    EXPECT_EQ(d.questions(), 2u);
}

TEST(business_accounts, has_none_that_telegram_does_not_know) {
    accounts_desk d;

    EXPECT_FALSE(d.find("c2").value());
    EXPECT_FALSE(d.find("c2").value());
    EXPECT_EQ(d.questions(), 1u);
}

TEST(business_accounts, fails_where_telegram_does_and_asks_again) {
    accounts_desk d;
    d.telegram.connect({.id = "c1", .account = alex});
    d.telegram.fail(
        {.method = "getBusinessConnection", .fault = tests::fake_telegram::too_many_requests(3)}
    );

    EXPECT_EQ(d.find("c1").error(), base::errc::unavailable);
    EXPECT_TRUE(d.find("c1").value());
}

} // namespace
} // namespace postrider::telegram::business_accounts_test
