#include "agent/talk/address.hpp"
#include "server/telegram/bot_api_bodies.hpp"
#include "server/telegram/business.hpp"
#include "server/telegram/business_routes.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::business_test {
namespace {

constexpr user_id account{10};
constexpr user_id customer{20};
constexpr chat_id place_of_customer{4503599627370497}; // ours

bot_settings settings() {
    bot_settings bot;
    bot.id = bot_id{3};
    bot.self = user_id{99};
    bot.username = "fern_bot";
    bot.allowlist = {{}, {chat_id{-100}}, {account}};
    bot.business = {account};
    return bot;
}

storage::business_chat served_chat(bool may_reply = true) {
    return {place_of_customer, account, customer, may_reply};
}

update of_message(
    user_id sender, std::string const& text, std::string const& kind = "business_message"
) {
    auto const body = R"({"update_id":1,")" + kind +
                      R"(":{"business_connection_id":"c1","message_id":5,"date":1,"from":{"id":)" +
                      base::to_string(sender) +
                      R"(,"first_name":"Name"},"chat":{"id":20,"type":"private"},"text":")" + text +
                      R"("}})";
    return std::get<update>(parse_update(body));
}

update deletion() {
    return std::get<update>(parse_update(
        R"({"update_id":1,"deleted_business_messages":{"business_connection_id":"c1",
        "chat":{"id":20,"type":"private"},"message_ids":[3,4]}})"
    ));
}

std::string rule_of(disposition const& decided) {
    auto const* nothing = std::get_if<to_nothing>(&decided);
    return nothing ? nothing->rule : "not ignored";
}

TEST(business, reads_connections_and_what_happens_in_their_chats) {
    auto const connected = std::get<update>(parse_update(
        R"({"update_id":1,"business_connection":{"id":"c1","user":{"id":10,"first_name":"Al"},"user_chat_id":10,
        "date":1795000000,"rights":{"can_reply":true},"is_enabled":true}})"
    ));
    auto const& change = std::get<business_change>(connected.content);
    EXPECT_EQ(change.connection, "c1");
    EXPECT_EQ(change.account, account);
    EXPECT_TRUE(change.is_enabled);
    EXPECT_TRUE(change.may_reply);
    auto const arrived = of_message(customer, "hi");
    EXPECT_EQ(arrived.business, "c1");
    EXPECT_EQ(std::get<new_message>(arrived.content).message.text, "hi");
    auto const edited = of_message(customer, "ho", "edited_business_message");
    EXPECT_EQ(edited.business, "c1");
    EXPECT_TRUE(std::holds_alternative<edited_message>(edited.content));
    EXPECT_EQ(deletion().business, "c1");
}

TEST(business, a_right_that_is_not_named_is_not_given) {
    auto const connected = std::get<update>(parse_update(
        R"({"update_id":1,"business_connection":{"id":"c1","user":{"id":10},"date":1,"is_enabled":true}})"
    ));
    EXPECT_FALSE(std::get<business_change>(connected.content).may_reply);
}

// Telegram calls the chat as it calls the customer's own chat with the bot.
TEST(business, a_chat_has_a_lane_of_its_own_and_its_customer_is_nobody_else) {
    auto const decided = decide_in_business(of_message(customer, "hi"), settings(), served_chat());
    auto const& job = std::get<to_job>(decided);
    EXPECT_EQ(job.heard.from.chat, place_of_customer);
    EXPECT_EQ(job.heard.user, user_id{base::raw(place_of_customer)});
    EXPECT_NE(job.lane_key, agent::own_lane_key({bot_id{3}, chat_id{20}, {}}));
    EXPECT_TRUE(agent::is_business(job.heard.from.chat));
    EXPECT_FALSE(agent::is_business(chat_id{20}));
    EXPECT_FALSE(agent::is_business(chat_id{-1002233445566}));
    EXPECT_TRUE(job.heard.addressed);
    EXPECT_FALSE(job.is_said_for_us);
}

TEST(business, an_owner_of_the_bot_who_is_a_customer_has_no_rights_there) {
    auto bot = settings();
    bot.allowlist.owners.insert(customer);
    auto const decided = decide_in_business(of_message(customer, "hi"), bot, served_chat());
    EXPECT_FALSE(bot.allowlist.owners.contains(std::get<to_job>(decided).heard.user));
}

TEST(business, what_looks_like_a_command_is_none) {
    auto const decided =
        decide_in_business(of_message(customer, "/cancel"), settings(), served_chat());
    EXPECT_EQ(std::get<to_job>(decided).command, "");
    EXPECT_EQ(std::get<to_job>(decided).text, "/cancel");
}

TEST(business, what_the_owner_writes_is_kept_and_starts_nothing) {
    auto const decided =
        decide_in_business(of_message(account, "I am here"), settings(), served_chat());
    auto const& job = std::get<to_job>(decided);
    EXPECT_TRUE(job.is_said_for_us);
    EXPECT_EQ(job.heard.user, account);
    EXPECT_EQ(job.heard.from.chat, place_of_customer);
}

TEST(business, serves_named_accounts_of_people_who_may_use_the_bot) {
    auto const hi = of_message(customer, "hi");
    auto bot = settings();
    bot.business.clear();
    EXPECT_EQ(rule_of(decide_in_business(hi, bot, served_chat())), "business:off");
    EXPECT_EQ(rule_of(decide_in_business(hi, settings(), {})), "business:connection");
    bot.business = {user_id{11}};
    EXPECT_EQ(rule_of(decide_in_business(hi, bot, served_chat())), "business:account");
    bot = settings();
    bot.allowlist.owners.clear();
    EXPECT_EQ(rule_of(decide_in_business(hi, bot, served_chat())), "business:account");
    bot.allowlist.users = {account};
    EXPECT_EQ(rule_of(decide_in_business(hi, bot, served_chat())), "not ignored");
}

TEST(business, starts_nothing_where_it_may_not_answer) {
    auto const decided =
        decide_in_business(of_message(customer, "hi"), settings(), served_chat(false));
    EXPECT_EQ(rule_of(decided), "business:no_right");
    auto const own = decide_in_business(of_message(account, "hi"), settings(), served_chat(false));
    EXPECT_TRUE(std::holds_alternative<to_job>(own));
}

TEST(business, hears_neither_itself_nor_notes_to_oneself) {
    auto own = of_message(account, "hi");
    std::get<new_message>(own.content).message.is_of_business_bot = true;
    EXPECT_EQ(rule_of(decide_in_business(own, settings(), served_chat())), "own");
    auto with_itself = served_chat();
    with_itself.customer = settings().self;
    EXPECT_EQ(
        rule_of(decide_in_business(of_message(account, "hi"), settings(), with_itself)), "own"
    );
    auto notes = served_chat();
    notes.customer = account;
    EXPECT_EQ(rule_of(decide_in_business(of_message(account, "hi"), settings(), notes)), "own");
}

TEST(business, edits_and_deletions_are_of_its_own_lane) {
    auto const edited = decide_in_business(
        of_message(customer, "ho", "edited_business_message"), settings(), served_chat()
    );
    EXPECT_EQ(std::get<to_edit>(edited).edit.at.chat, place_of_customer);
    auto const deleted = decide_in_business(deletion(), settings(), served_chat());
    EXPECT_EQ(std::get<to_removal>(deleted).at.chat, place_of_customer);
    EXPECT_EQ(std::get<to_removal>(deleted).messages.size(), 2u);
}

// It would mark messages of the customer's own chat, which has the same id.
TEST(business, a_deletion_that_was_not_placed_marks_nothing) {
    auto bot = settings();
    bot.allowlist.users = {customer};
    EXPECT_EQ(rule_of(decide(deletion(), bot)), "business:unplaced");
    EXPECT_EQ(rule_of(decide_in_business(deletion(), bot, {})), "business:connection");
}

TEST(business, connections_of_others_are_not_kept) {
    auto bot = settings();
    update const connected{update_id{1}, business_change{"c1", account, 7, true, true}};
    EXPECT_EQ(std::get<to_connection>(decide(connected, bot)).connection.id, "c1");
    bot.business.clear();
    EXPECT_EQ(rule_of(decide(connected, bot)), "business:account");
}

TEST(business, messages_name_the_connection_and_the_chat_as_telegram_calls_it) {
    send_request message;
    message.chat = place_of_customer;
    message.content.text = "hello";
    message.business = business_route{"c1", chat_id{20}};
    auto const body = body_of(message);
    EXPECT_EQ(body.at("business_connection_id"), "c1");
    EXPECT_EQ(body.at("chat_id"), 20);
    message.business.reset();
    EXPECT_FALSE(body_of(message).contains("business_connection_id"));
}

TEST(business, choices_stand_below_the_text) {
    agent::message_content question{.text = "Which?", .markup = agent::text_markup::html};
    question.buttons = {{{"A & B", "a"}}, {{"C", "c"}}};
    auto const plain = without_buttons(std::move(question));
    EXPECT_EQ(plain.text, "Which?\n- A &amp; B\n- C");
    EXPECT_TRUE(plain.buttons.empty());
}

} // namespace
} // namespace postrider::telegram::business_test
