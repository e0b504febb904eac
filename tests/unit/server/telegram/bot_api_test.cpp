// The client against a simulated Telegram on this machine.
#include "base/json/json.hpp"
#include "base/log.hpp"
#include "server/telegram/bot_api.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::telegram::bot_api_test {
namespace {

using base::errc;
using tests::fake_telegram;
using namespace std::chrono_literals;

constexpr user_id alex{10};
constexpr chat_id alexs_chat{10};

struct client {
    tests::loop loop;
    base::durations calls{base::call_bounds};
    std::unique_ptr<net::http_client> http = net::make_http_client(loop.executor());
    std::unique_ptr<bot_api> api;

    explicit client(fake_telegram const& telegram)
        : client(telegram.api_base(), telegram.token()) {}
    client(std::string base, std::string token) {
        bot_api_options options{std::move(base), base::secret(std::move(token)), &calls};
        api = make_bot_api(*http, base::system_clock(), std::move(options)).value();
    }

    template<class T>
    T run(base::awaitable<T> work) {
        return loop.run(std::move(work));
    }
};

send_request to_alex(std::string text) {
    send_request request;
    request.chat = alexs_chat;
    request.content.text = std::move(text);
    return request;
}

edit_request edit_of(chat_id chat, telegram_message_id message, std::string text) {
    edit_request request{chat, message};
    request.content.text = std::move(text);
    return request;
}

TEST(bot_api, tells_who_it_is) {
    fake_telegram telegram;
    client c(telegram);

    auto const who = c.run(c.api->get_me());

    ASSERT_TRUE(who);
    EXPECT_EQ(who->id, telegram.bot().id);
    EXPECT_EQ(who->username, "fern_bot");
}

TEST(bot_api, sends_with_topic_and_reply) {
    fake_telegram telegram;
    client c(telegram);
    chat_id const group{-1001};
    telegram.say({.from = alex, .group = group, .topic = thread_id{17}, .text = "hi"});
    agent::message_content content{"naïve 😀", agent::text_markup::html};
    send_request wanted{group, thread_id{17}, std::move(content), telegram_message_id{1}};

    auto const sent = c.run(c.api->send_message(wanted));

    ASSERT_TRUE(sent);
    auto const received = telegram.sent(group).at(0);
    EXPECT_EQ(received.message, *sent);
    EXPECT_EQ(received.text, "naïve 😀");
    EXPECT_EQ(received.params.at("message_thread_id"), 17);
    EXPECT_EQ(received.params.at("parse_mode"), "HTML");
    EXPECT_EQ(received.params.at("link_preview_options").at("is_disabled"), true);
    EXPECT_EQ(received.params.at("reply_parameters").at("message_id"), 1);
    EXPECT_EQ(received.params.at("reply_parameters").at("allow_sending_without_reply"), true);
}

// covers: S3.21
TEST(bot_api, loads_a_file_that_somebody_sent) {
    fake_telegram telegram;
    client c(telegram);
    std::string const photo("\xff\xd8\xff\x00 a photo", 12);
    telegram.say({.from = alex, .text = "look", .photo = photo});
    auto const updates = c.run(c.api->get_updates(update_id{}, 0s, {})).value();
    auto const update = base::parse_json(updates.at(0)).value();
    auto const& message = update.at("message");
    EXPECT_EQ(message.at("caption"), "look");
    std::string const file(message.at("photo").as_array().back().at("file_id").as_string());

    EXPECT_EQ(c.run(c.api->get_file(file, 1000)).value(), photo);
    EXPECT_EQ(c.run(c.api->get_file(file, 11)).error().cause.code, errc::too_large);
    EXPECT_EQ(c.run(c.api->get_file("AgAC", 1000)).error().cause.code, errc::invalid);
}

TEST(bot_api, a_plain_send_has_nothing_extra) {
    fake_telegram telegram;
    client c(telegram);
    telegram.say({.from = alex, .text = "hi"});

    ASSERT_TRUE(c.run(c.api->send_message(to_alex("hello"))));

    EXPECT_EQ(telegram.sent().at(0).params.size(), 3u) << "chat, text and no preview of links";
}

TEST(bot_api, names_the_updates_it_wants) {
    fake_telegram telegram;
    client c(telegram);

    ASSERT_TRUE(c.run(
        c.api->set_webhook({"https://bot.example.org/telegram/main", base::secret("s3cr3t"), 20})
    ));

    auto const call = telegram.calls("setWebhook").at(0);
    EXPECT_EQ(
        base::json::value(call.params.at("allowed_updates")),
        base::json::value({"message", "edited_message", "callback_query", "my_chat_member"})
    );
    EXPECT_EQ(call.params.at("secret_token"), "s3cr3t");
    webhook_settings with_members{"https://bot.example.org/telegram/main", base::secret("s3cr3t")};
    with_members.more.member_changes = true;
    ASSERT_TRUE(c.run(c.api->set_webhook(std::move(with_members))));
    EXPECT_EQ(
        telegram.calls("setWebhook").at(1).params.at("allowed_updates").as_array().back(),
        "chat_member"
    );
    webhook_settings with_all{"https://bot.example.org/telegram/main", base::secret("s3cr3t")};
    with_all.more = {true, true, true, true, true};
    ASSERT_TRUE(c.run(c.api->set_webhook(std::move(with_all))));
    auto const kinds = telegram.calls("setWebhook").at(2).params.at("allowed_updates").as_array();
    EXPECT_EQ(kinds.size(), 12u);
    for (auto const* kind :
         {"message_reaction",
          "chat_join_request",
          "business_connection",
          "edited_business_message",
          "deleted_business_messages",
          "stopped_message_generation"})
        EXPECT_NE(std::ranges::find(kinds, base::json::value(kind)), kinds.end()) << kind;
    EXPECT_EQ(c.run(c.api->get_webhook_info())->url, "https://bot.example.org/telegram/main");
    ASSERT_TRUE(c.run(c.api->delete_webhook()));
    EXPECT_EQ(c.run(c.api->get_webhook_info())->url, "");
}

TEST(bot_api, sets_the_commands_that_are_listed_and_reads_them) {
    fake_telegram telegram;
    client c(telegram);
    std::vector<bot_command> const menu{{"new", "Begin anew"}, {"report_2", "The day's numbers"}};

    command_list const anybody;
    command_list const germans{command_scope::everywhere, "de"};
    command_list const in_private{command_scope::private_chats};
    auto const before = c.run(c.api->get_my_commands(anybody));
    auto const set = c.run(c.api->set_my_commands(menu, anybody));
    auto const refused = c.run(c.api->set_my_commands({{"New", "Capitals are refused"}}, anybody));

    ASSERT_TRUE(before);
    EXPECT_TRUE(before->empty());
    ASSERT_TRUE(set);
    EXPECT_EQ(refused.error().cause, errc::invalid);
    EXPECT_EQ(*c.run(c.api->get_my_commands(anybody)), menu);
    EXPECT_TRUE(c.run(c.api->get_my_commands(in_private))->empty());
    EXPECT_TRUE(c.run(c.api->get_my_commands(germans))->empty());
    EXPECT_EQ(telegram.calls("getMyCommands").back().params.at("language_code"), "de");
}

TEST(bot_api, a_webhook_that_telegram_would_refuse) {
    fake_telegram telegram;
    client c(telegram);
    auto refused = [&](std::string url, std::string secret) {
        webhook_settings settings{std::move(url), base::secret(std::move(secret))};
        auto const set = c.run(c.api->set_webhook(std::move(settings)));
        return !set && set.error().cause == errc::invalid;
    };
    EXPECT_TRUE(refused("http://bot.example.org/hook", "s3cr3t"));
    EXPECT_TRUE(refused("https://bot.example.org/hook", "not allowed"));
    EXPECT_FALSE(refused("https://bot.example.org/hook", "s3cr3t"));
}

TEST(bot_api, an_edit_that_changes_nothing_is_a_success) {
    fake_telegram telegram;
    client c(telegram);
    telegram.say({.from = alex, .text = "hi"});
    auto const id = c.run(c.api->send_message(to_alex("hello"))).value();

    EXPECT_TRUE(c.run(c.api->edit_message(edit_of(alexs_chat, id, "hello"))));
    EXPECT_TRUE(c.run(c.api->edit_message(edit_of(alexs_chat, id, "changed"))));
    auto const lost = c.run(c.api->edit_message(edit_of(alexs_chat, telegram_message_id{77}, "x")));
    EXPECT_EQ(lost.error().cause, errc::invalid);
}

TEST(bot_api, deletes_once_and_does_not_mind_that_it_is_gone) {
    fake_telegram telegram;
    client c(telegram);
    telegram.say({.from = alex, .text = "hi"});
    auto const id = c.run(c.api->send_message(to_alex("hello"))).value();

    EXPECT_TRUE(c.run(c.api->delete_message(alexs_chat, id)));
    EXPECT_TRUE(c.run(c.api->delete_message(alexs_chat, id)));
    EXPECT_EQ(telegram.calls("deleteMessage").back().status, 400) << "the second one was not there";
    auto const edited = c.run(c.api->edit_message(edit_of(alexs_chat, id, "x")));
    EXPECT_EQ(edited.error().cause, errc::invalid);
}

TEST(bot_api, updates_come_as_they_are) {
    fake_telegram telegram;
    client c(telegram);
    auto const id = telegram.next_update_id();
    std::string const deep = R"({"update_id":)" + base::to_string(id) + R"(,"x":)" +
                             std::string(200, '[') + std::string(200, ']') + "}";
    telegram.deliver_raw("odd", id, deep);
    telegram.say({.from = alex, .text = "hi"});

    auto const updates = c.run(c.api->get_updates(update_id{0}, 1s, {}));

    ASSERT_TRUE(updates);
    ASSERT_EQ(updates->size(), 2u) << "one update beyond our limits does not hide the next";
    EXPECT_EQ(updates->at(0), deep);
}

struct failure_case {
    simulated_fault fault;
    errc code;
};

// covers: X.02
TEST(bot_api, failures_by_what_may_be_done_about_them) {
    fake_telegram telegram;
    client c(telegram);
    telegram.say({.from = alex, .text = "hi"});
    failure_case const table[]{
        {fake_telegram::too_many_requests(14), errc::rate_limited},
        {fake_telegram::unauthorized(), errc::unauthorized},
        {fake_telegram::blocked(), errc::refused},
        {fake_telegram::cannot_parse(), errc::invalid},
        {fake_telegram::server_error(500), errc::ambiguous},
        {fake_telegram::server_error(502), errc::ambiguous},
        {fake_telegram::lost_answer(), errc::ambiguous},
    };
    for (auto const& row : table) {
        telegram.fail({.method = "sendMessage", .fault = row.fault});
        auto const sent = c.run(c.api->send_message(to_alex("hello")));
        ASSERT_FALSE(sent) << row.fault.status;
        EXPECT_EQ(sent.error().cause, row.code) << row.fault.status;
        EXPECT_EQ(sent.error().objection == objection::markup, row.code == errc::invalid);
    }
    EXPECT_EQ(telegram.sent().size(), 1u) << "only the lost one was carried out";
}

// covers: X.02
TEST(bot_api, what_telegram_calls_done_is_not_sent_again_for_its_id) {
    fake_telegram telegram;
    client c(telegram);
    telegram.say({.from = alex, .text = "hi"});
    telegram.fail({.method = "sendMessage", .fault = fake_telegram::lost_result()});
    EXPECT_EQ(c.run(c.api->send_message(to_alex("hello"))).value(), telegram_message_id{0});
    EXPECT_EQ(telegram.sent().size(), 1u);
}

TEST(bot_api, counts_its_requests_by_method_and_class_of_error) {
    fake_telegram telegram;
    client c(telegram);
    telegram.say({.from = alex, .text = "hi"});
    auto const count = [&c](std::string const& method, std::string const& error) {
        return c.calls.all().at(method).at(error).cumulative().back();
    };

    ASSERT_TRUE(c.run(c.api->send_message(to_alex("hello"))));
    telegram.fail({.method = "sendMessage", .fault = fake_telegram::lost_answer()});
    ASSERT_FALSE(c.run(c.api->send_message(to_alex("hello"))));
    telegram.fail({.method = "getMe", .fault = fake_telegram::unauthorized()});
    ASSERT_FALSE(c.run(c.api->get_me()));

    EXPECT_EQ(c.calls.all().size(), 2u);
    EXPECT_EQ(count("sendMessage", ""), 1u);
    EXPECT_EQ(count("sendMessage", "ambiguous"), 1u);
    EXPECT_EQ(count("getMe", "unauthorized"), 1u);
}

TEST(bot_api, what_can_be_repeated_is_never_ambiguous) {
    fake_telegram telegram;
    client c(telegram);
    telegram.fail({.method = "getMe", .fault = fake_telegram::server_error()});
    EXPECT_EQ(c.run(c.api->get_me()).error().cause, errc::unavailable);
    telegram.fail({.method = "getMe", .times = 2, .fault = fake_telegram::lost_answer()});
    EXPECT_EQ(c.run(c.api->get_me()).error().cause, errc::unavailable);
}

TEST(bot_api, nobody_there_is_certainly_not_sent) {
    client c("http://127.0.0.1:1", "1:x");
    EXPECT_EQ(c.run(c.api->send_message(to_alex("hello"))).error().cause, errc::unavailable);
}

TEST(bot_api, the_token_is_in_no_error_and_no_log_line) {
    fake_telegram telegram;
    client c(telegram);
    base::log::configure(base::log::level::debug, base::log::format::logfmt);
    testing::internal::CaptureStderr();
    auto mean = fake_telegram::server_error();
    mean.description = "failed: /bot" + telegram.token() + "/getMe";
    telegram.fail({.fault = mean});

    auto const failed = c.run(c.api->get_me());
    EXPECT_EQ(failed.error().cause.detail.find(telegram.token()), std::string::npos);
    EXPECT_NE(failed.error().cause.detail.find("/bot***/getMe"), std::string::npos);

    client nobody("http://127.0.0.1:1", telegram.token());
    auto const lost = nobody.run(nobody.api->get_me());
    EXPECT_EQ(lost.error().cause.detail.find(telegram.token()), std::string::npos);
    auto const bad =
        make_bot_api(*c.http, base::system_clock(), {"http://h", base::secret("1:x/../y")});
    EXPECT_EQ(bad.error(), errc::invalid);
    EXPECT_EQ(bad.error().detail.find("1:x"), std::string::npos);
    telegram.fail({.method = "getMe", .times = 2, .fault = fake_telegram::lost_answer()});
    EXPECT_FALSE(c.run(c.api->get_me()));
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    auto const logged = testing::internal::GetCapturedStderr();
    EXPECT_NE(logged.find("http.session"), std::string::npos) << "the log is looked at";
    EXPECT_EQ(logged.find(telegram.token()), std::string::npos) << logged;
}

net::http_answer answered(int status, std::string body, net::header_list headers = {}) {
    return {status, std::move(headers), std::move(body)};
}

TEST(failure_of, reads_the_parameters) {
    auto const limited = failure_of(
        answered(
            429,
            R"({"ok":false,"error_code":429,"description":"d","parameters":{"retry_after":14}})"
        ),
        true,
        {}
    );
    EXPECT_EQ(limited.cause.retry_after, 14s);
    EXPECT_EQ(
        failure_of(answered(429, "", {{"Retry-After", "3"}}), true, {}).cause.retry_after, 3s
    );
    EXPECT_EQ(failure_of(answered(429, "busy"), true, {}).cause.retry_after, 1s);

    auto const moved = failure_of(
        answered(400, R"({"description":"Bad Request: group chat was upgraded to a supergroup chat",
                          "parameters":{"migrate_to_chat_id":-1002233445566}})"),
        true,
        {}
    );
    EXPECT_EQ(moved.migrated_to, chat_id{-1002233445566});
}

TEST(failure_of, knows_what_another_form_would_satisfy) {
    auto objection_to = [](std::string text) {
        auto const body = R"({"description":"Bad Request: )" + text + "\"}";
        return failure_of(answered(400, body), true, {}).objection;
    };
    EXPECT_EQ(objection_to("can't parse entities: Unclosed start tag"), objection::markup);
    EXPECT_EQ(objection_to("message is too long"), objection::length);
    EXPECT_EQ(objection_to("MESSAGE_TOO_LONG"), objection::length);
    for (auto const* gone :
         {"message to be replied not found", "replied message not found", "MESSAGE_ID_INVALID"})
        EXPECT_EQ(objection_to(gone), objection::reply_target) << gone;
    for (auto const* gone :
         {"message thread not found",
          "TOPIC_CLOSED",
          "TOPIC_DELETED",
          "TOPIC_ID_INVALID",
          "MESSAGE_THREAD_ID_INVALID",
          "the chat is not a forum"})
        EXPECT_EQ(objection_to(gone), objection::thread) << gone;
    EXPECT_EQ(objection_to("message caption is too long"), objection::length);
    EXPECT_EQ(objection_to("ENTITY_BOUNDS_INVALID"), objection::markup);
    EXPECT_EQ(objection_to("chat not found"), objection::none);
    EXPECT_EQ(
        failure_of(answered(403, R"({"description":"message is too long"})"), true, {}).objection,
        objection::none
    ) << "only a 400 is about the form";
}

TEST(failure_of, knows_the_refusals_among_the_bad_requests) {
    auto code = [](std::string text) {
        return failure_of(
                   answered(400, R"({"description":"Bad Request: )" + text + "\"}"), true, {}
        )
            .cause.code;
    };
    EXPECT_EQ(code("chat not found"), errc::refused);
    EXPECT_EQ(code("not enough rights to send text messages to the chat"), errc::refused);
    EXPECT_EQ(code("message is too long"), errc::invalid);
    EXPECT_EQ(failure_of(answered(409, ""), false, {}).cause, errc::conflict);
    EXPECT_EQ(failure_of(answered(302, ""), true, {}).cause, errc::ambiguous);
}

} // namespace
} // namespace postrider::telegram::bot_api_test
