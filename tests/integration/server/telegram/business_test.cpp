#include "server/telegram/business_accounts.hpp"
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::business_test {
namespace {

constexpr user_id customer{20};

// What Telegram says when it is asked.
class scripted_accounts final : public business_accounts {
public:
    std::optional<storage::business_connection> connection;
    bool away = false;
    int asked = 0;

    base::awaitable<base::result<std::optional<storage::business_connection>>> find(
        bot_settings const&, std::string
    ) override {
        ++asked;
        if (away) co_return base::error(base::errc::unavailable);
        co_return connection;
    }
};

// Alex, an allowed user, connects the bot with their business account, where a customer writes who also has a
// chat of their own with the bot.
struct shop : intake_world {
    std::int64_t last = 0;
    scripted_accounts accounts;

    shop() : intake_world({}, 5s, &accounts) {
        fern.settings.business = {alex};
        fern.settings.allowlist.users.insert(customer);
    }

    std::string fate(std::string with) {
        auto const stored = accept(std::move(with));
        return stored ? std::string(stored->disposition) : base::to_string(stored.error());
    }
    std::string connect(bool is_enabled = true, bool may_reply = true) {
        boost::json::object rights;
        if (may_reply) rights["can_reply"] = true;
        return fate(boost::json::serialize(boost::json::object{
            {"update_id", ++last},
            {"business_connection",
             {{"id", "c1"},
              {"user", {{"id", base::raw(alex)}, {"first_name", "Al"}}},
              {"user_chat_id", base::raw(alex)},
              {"date", 1795000000},
              {"rights", rights},
              {"is_enabled", is_enabled}}}}));
    }
    std::string says(
        user_id sender,
        std::string_view text,
        std::int64_t message,
        std::string_view kind = "business_message"
    ) {
        return fate(boost::json::serialize(boost::json::object{
            {"update_id", ++last},
            {kind,
             {{"business_connection_id", "c1"},
              {"message_id", message},
              {"date", 1795000000},
              {"from", {{"id", base::raw(sender)}, {"first_name", "Name"}}},
              {"chat", {{"id", base::raw(customer)}, {"type", "private"}}},
              {"text", text}}}}));
    }
    std::string writes_to_the_bot(std::string_view text) {
        return fate(body(++last, customer, std::string(text)));
    }
    std::string deletes(std::int64_t message) {
        return fate(boost::json::serialize(boost::json::object{
            {"update_id", ++last},
            {"deleted_business_messages",
             {{"business_connection_id", "c1"},
              {"chat", {{"id", base::raw(customer)}, {"type", "private"}}},
              {"message_ids", {message}}}}}));
    }
    std::string reasons() {
        return value(
            "select coalesce(string_agg(reason, ' ' order by update_id), '') from postrider.inbox "
            "where disposition = 'ignored'"
        );
    }
};

TEST(business_intake, a_customer_has_a_turn_in_a_lane_of_the_business_chat) {
    shop s;
    EXPECT_EQ(s.connect(), "event");
    EXPECT_EQ(s.says(customer, "are you open?", 5), "job");
    EXPECT_EQ(s.says(customer, "hello?", 6), "job");
    EXPECT_EQ(s.writes_to_the_bot("hello bot"), "job");

    EXPECT_EQ(s.value("select count(*) from postrider.business_chat"), "1");
    EXPECT_EQ(
        s.value("select string_agg(lane_key, ' ' order by lane_id) from postrider.lane"),
        "1:4503599627370497:0 1:20:0"
    );
    EXPECT_EQ(
        s.value("select string_agg(distinct input ->> 'user', ' ' order by input ->> 'user') from "
                "postrider.job"),
        "20 4503599627370497"
    ) << "memories are found by the user";
}

TEST(business_intake, a_customer_commands_nothing) {
    shop s;
    s.connect();
    EXPECT_EQ(s.says(customer, "/new", 5), "job");
    EXPECT_EQ(s.value("select kind from postrider.job"), "turn");
    EXPECT_EQ(s.value("select content from postrider.message"), "/new");
    EXPECT_EQ(s.flows.commands, std::vector<std::string>{""});
    EXPECT_EQ(s.says(customer, "stop", 6), "job");
    EXPECT_EQ(s.value("select count(*) from postrider.job where input->>'command' <> ''"), "0");
}

TEST(business_intake, what_the_owner_writes_stands_in_the_history_as_our_side_said_it) {
    shop s;
    s.connect();
    s.says(customer, "are you open?", 5);
    EXPECT_EQ(s.says(alex, "until six", 6), "event");
    EXPECT_EQ(s.value("select count(*) from postrider.job"), "1");
    EXPECT_EQ(
        s.value(
            "select m.role || ' ' || m.origin || ' ' || m.sender_id || ' ' || m.content || ' ' || "
            "(m.lane_id = l.lane_id) from postrider.message m, postrider.lane l where "
            "m.telegram_message_id = 6"
        ),
        "assistant person 10 until six true"
    );
}

TEST(business_intake, edits_and_deletions_leave_the_customers_own_chat_alone) {
    shop s;
    s.connect();
    s.says(customer, "in the shop", 1000);
    s.writes_to_the_bot("to the bot"); // its number is 1000, too

    EXPECT_EQ(s.says(customer, "in the store", 1000, "edited_business_message"), "event");
    EXPECT_EQ(s.deletes(1000), "event");

    EXPECT_EQ(
        s.value(
            "select string_agg(content || ' ' || (removed_at is not null), ', ' order by job_id) "
            "from postrider.message"
        ),
        "in the store true, to the bot false"
    );
}

TEST(business_intake, a_deletion_without_the_setting_marks_nothing) {
    shop s;
    s.fern.settings.business.clear();
    s.writes_to_the_bot("to the bot");
    EXPECT_EQ(s.deletes(1000), "ignored");
    EXPECT_EQ(s.value("select count(*) from postrider.message where removed_at is not null"), "0");
    EXPECT_EQ(s.reasons(), "business:off");
}

TEST(business_intake, where_it_may_not_reply_nothing_starts_and_the_owner_is_told_once) {
    shop s;
    EXPECT_EQ(s.says(customer, "hello", 5), "ignored");
    s.connect();
    EXPECT_EQ(s.value("select count(*) from postrider.job"), "0");
    s.connect(true, false);
    EXPECT_EQ(s.says(customer, "hello", 6), "ignored");
    EXPECT_EQ(s.says(customer, "hello?", 7), "ignored");
    s.connect(false);

    EXPECT_EQ(s.reasons(), "business:connection business:no_right business:no_right");
    EXPECT_EQ(s.value("select string_agg(input ->> 'chat', ' ') from postrider.job"), "10 10")
        << "once for each change";
}

TEST(business_intake, a_connection_that_no_update_reported_is_asked_about_once) {
    shop s;
    s.accounts.connection = {bot_id{1}, "c1", alex, 1795000000, true, true};

    EXPECT_EQ(s.says(customer, "are you open?", 5), "job");
    EXPECT_EQ(s.says(customer, "hello?", 6), "job");

    EXPECT_EQ(s.accounts.asked, 1);
    EXPECT_EQ(s.value("select connection from postrider.business_connection"), "c1");
}

TEST(business_intake, a_connection_that_may_not_reply_is_kept_and_starts_nothing) {
    shop s;
    s.accounts.connection = {bot_id{1}, "c1", alex, 1795000000, true, false};

    EXPECT_EQ(s.says(customer, "are you open?", 5), "ignored");

    EXPECT_EQ(s.reasons(), "business:no_right");
}

TEST(business_intake, an_update_waits_where_telegram_does_not_say_whose_the_connection_is) {
    shop s;
    s.accounts.away = true;
    EXPECT_EQ(s.says(customer, "are you open?", 5).find("unavailable"), 0u);
    EXPECT_EQ(s.value("select count(*) from postrider.inbox"), "0") << "it is sent again";
}

TEST(business_intake, nothing_is_asked_without_the_setting) {
    shop s;
    s.fern.settings.business.clear();
    s.says(customer, "are you open?", 5);
    EXPECT_EQ(s.accounts.asked, 0);
}

TEST(business_intake, an_account_that_is_not_served_is_not_kept) {
    shop s;
    s.fern.settings.business = {user_id{11}};
    EXPECT_EQ(s.connect(), "ignored");
    EXPECT_EQ(s.value("select count(*) from postrider.business_connection"), "0");
    EXPECT_EQ(s.reasons(), "business:account");
}

} // namespace
} // namespace postrider::telegram::business_test
