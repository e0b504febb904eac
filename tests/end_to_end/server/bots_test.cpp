// Several bots in one process.
#include "base/json/json.hpp"
#include "tests/end_to_end/server/scene.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include <fstream>

namespace postrider::tests::bots_test {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string const sales_secret = "the-secret-of-sales";

// The scene's bot, and another one with a persona and a model of its own.
struct two_bots : scene {
    explicit two_bots(std::string const& token = {}) {
        sales = telegram.add_bot("sales_bot", user_id{7100200301});
        std::ofstream file(product().folder() / "postrider.toml");
        file << "[bots.sales]\nbot_token = '" << (token.empty() ? sales.token : token)
             << "'\napi_base = '" << telegram.api_base() << "'\nwebhook_secret = '" << sales_secret
             << "'\nallowed_users = [" << base::raw(alice) << "]\nagent = 'seller'\n"
             << "[agents.seller]\npersona = 'You sell shoes.'\nmodel = 'cheap'\n"
             << "[models.cheap]\nprovider = 'anthropic'\nmodel = 'claude-cheap'\n";
    }

    void say_to_sales(user_id from, std::string text) {
        telegram::simulated_message message;
        message.from = from;
        message.text = std::move(text);
        telegram.say_to("sales_bot", message);
    }

    std::vector<std::string> texts_of(std::string const& bot) const {
        std::vector<std::string> all;
        for (auto const& call : telegram.sent())
            if (call.bot == bot) all.push_back(call.text);
        return all;
    }

    telegram::simulated_bot sales;
};

std::string body_of(fake_request const& request) {
    return boost::json::serialize(request.body);
}

TEST(bots, answer_the_same_person_side_by_side_and_share_nothing) {
    two_bots s;
    s.product().start();

    s.say(alice, "my dog is called Fern");
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    s.say_to_sales(alice, "which shoes are there?");
    ASSERT_TRUE(s.replies(2)) << s.product().log();
    s.say(alice, "what is my dog called?");
    ASSERT_TRUE(s.replies(3)) << s.product().log();
    ASSERT_TRUE(s.settles());

    EXPECT_THAT(s.texts_of("sales_bot"), ElementsAre("You said: which shoes are there?"));
    EXPECT_EQ(s.texts_of("fern_bot").size(), 2u);
    auto const requests = s.models.requests();
    ASSERT_EQ(requests.size(), 3u);
    EXPECT_THAT(body_of(requests[1]), HasSubstr("You sell shoes."));
    EXPECT_THAT(body_of(requests[1]), HasSubstr("claude-cheap"));
    EXPECT_THAT(body_of(requests[1]), Not(HasSubstr("Fern")));
    EXPECT_THAT(body_of(requests[2]), HasSubstr("Fern"));
    EXPECT_THAT(body_of(requests[2]), HasSubstr("claude-haiku-4-5"));
    EXPECT_THAT(body_of(requests[2]), Not(HasSubstr("shoes")));
    EXPECT_EQ(
        s.value("select count(distinct bot_id) || ' ' || count(*) || ' ' || count(distinct "
                "conversation_id) from postrider.lane where chat_id = 7001"),
        "2 2 2"
    );
}

// covers: E.01
TEST(bots, have_secrets_and_allowlists_of_their_own) {
    two_bots s;
    s.product().start();
    auto const port = s.product().port();
    auto const body = update_json(update_id{70001}, bob, "hello");

    EXPECT_EQ(post_update(port, s.secret, body, "sales").status, 401);
    EXPECT_EQ(post_update(port, sales_secret, body, "main").status, 401);
    EXPECT_EQ(post_update(port, sales_secret, body, "sales").status, 200);

    EXPECT_EQ(
        s.value("select string_agg(b.name || ' ' || i.disposition || ' ' || i.reason, ',') from "
                "postrider.inbox i join postrider.bot b using (bot_id)"),
        "sales ignored allowlist"
    );
}

// covers: X.02
TEST(bots, go_on_when_one_of_them_is_refused) {
    two_bots s("7100200999:AAA-a_token_of_nobody_at_all");
    s.product().start();

    s.say(alice, "hello");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.comes_true(
        "select string_agg(name || ' ' || (stopped_at is not null), ',' order by name) = "
        "'main false,sales true' from postrider.bot"
    )) << s.product().log();
    EXPECT_EQ(s.value("select breaker from postrider.limits where name = 'bot:sales'"), "open");
    EXPECT_EQ(
        s.value("select count(*) from postrider.limits where name = 'bot:main' and breaker "
                "<> 'closed'"),
        "0"
    );
}

TEST(bots, that_poll_take_their_own_updates) {
    two_bots s;
    s.product().start({{"POSTRIDER_PUBLIC_URL", ""}});

    s.say(alice, "to main");
    s.say_to_sales(alice, "to sales");

    ASSERT_TRUE(s.replies(2)) << s.product().log();
    EXPECT_THAT(s.texts_of("fern_bot"), ElementsAre("You said: to main"));
    EXPECT_THAT(s.texts_of("sales_bot"), ElementsAre("You said: to sales"));
}

TEST(bots, wait_for_a_node_that_has_them) {
    two_bots s;
    auto const without_sales = s.neighbour();
    auto held = fake_reply::saying("never");
    held.hold = true;
    s.models.script(held);
    s.product().start();
    s.say_to_sales(alice, "which shoes are there?");
    ASSERT_TRUE(s.models.wait_for_requests(1, 10s)) << s.product().log();
    s.product().kill();

    without_sales->start();
    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.waiting_jobs "
                             "where reason like 'the node that took it does not have bot %'")
    ) << without_sales->log();
    s.models.release();
    s.product().start();

    ASSERT_TRUE(s.replies(1, 120s)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_THAT(s.texts_of("sales_bot"), ElementsAre("You said: which shoes are there?"));
    EXPECT_EQ(s.value("select lost || ' ' || state from postrider.job"), "0 completed");
}

TEST(bots, are_chosen_by_name_on_the_command_line) {
    two_bots s;

    auto const set = s.product().run({"bot", "webhook", "set", "--bot", "sales"});
    auto const main = s.product().run({"bot", "webhook", "info", "--json"});
    auto const unknown = s.product().run({"bot", "webhook", "info", "--bot", "sails"});

    EXPECT_EQ(set.code, 0);
    EXPECT_EQ(set.out, s.product().origin() + "/telegram/sales\n");
    EXPECT_EQ(main.code, 0);
    EXPECT_THAT(main.out, HasSubstr("\"url\":\"\""));
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(s.product().log(), HasSubstr("--bot is one of: main, sales"));
}

struct listing_bot : scene {
    // As @BotFather does.
    void list(std::string const& command) const {
        auto const base = telegram.api_base();
        std::string const body =
            R"({"commands": [{"command": ")" + command + R"(", "description": "Buy shoes"}]})";
        auto const port = std::stoi(base.substr(base.rfind(':') + 1));
        auto const set = http_exchange(
            port,
            "POST /bot" + telegram.token() +
                "/setMyCommands HTTP/1.1\r\nHost: t\r\nConnection: close\r\n"
                "Content-Type: application/json\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body
        );
        ASSERT_EQ(set.status, 200) << set.body;
    }
    bool has_set(std::size_t lists) const {
        return telegram.wait_for_calls("setMyCommands", lists, 20s) && eventually([&] {
                   return value("select count(*) from postrider.bot where offered_commands <> ''"
                          ) == "1";
               });
    }
    // What the last call for the list has set; "" = the language of all others.
    boost::json::array last_list(std::string_view scope, std::string_view language) const {
        boost::json::array found;
        for (auto const& call : telegram.calls("setMyCommands")) {
            boost::json::value const params = call.params;
            base::json_reader const read{params};
            if (read["scope"]["type"].string_or("default") == scope &&
                read["language_code"].string_or("") == language)
                found = params.at("commands").as_array();
        }
        return found;
    }
};

TEST(bots, list_their_commands_in_all_languages_and_leave_what_else_is_listed) {
    listing_bot s;
    s.list("shop");

    s.product().start();
    ASSERT_TRUE(s.has_set(13)) << s.product().log();
    EXPECT_EQ(s.product().stop(), 0);

    auto const listed = s.last_list("default", "");
    ASSERT_EQ(listed.size(), 8u);
    EXPECT_EQ(listed[0].at("command"), "help");
    EXPECT_EQ(listed[1].at("command"), "new");
    EXPECT_EQ(listed[2].at("command"), "cancel");
    EXPECT_EQ(listed[3].at("command"), "usage");
    EXPECT_EQ(listed[4].at("command"), "approvals");
    EXPECT_EQ(listed[5].at("command"), "settings");
    EXPECT_EQ(listed[6].at("command"), "memory");
    EXPECT_EQ(listed[7].at("command"), "shop");
    EXPECT_EQ(s.last_list("all_private_chats", "").size(), 10u) << "with /start and /knowledge";
    for (auto const* language : {"de", "fr", "es", "ru", "ur"}) {
        auto const spoken = s.last_list("default", language);
        ASSERT_EQ(spoken.size(), 8u) << language;
        EXPECT_NE(spoken[2].at("description"), listed[2].at("description")) << language;
        EXPECT_EQ(spoken[7].at("command"), "shop");
        EXPECT_EQ(s.last_list("all_private_chats", language).size(), 10u);
    }
    EXPECT_EQ(
        s.last_list("default", "de")[2].at("description"), "Abbrechen, was ich gerade für dich tue"
    );
}

TEST(bots, that_list_their_commands_already_ask_once) {
    listing_bot s;
    s.product().start();
    ASSERT_TRUE(s.has_set(12)) << s.product().log();
    EXPECT_EQ(s.product().stop(), 0);
    auto const asked = s.telegram.calls("getMyCommands").size();

    s.product().start();
    ASSERT_TRUE(s.telegram.wait_for_calls("getMyCommands", asked + 1, 20s)) << s.product().log();
    s.say(alice, "hello");
    EXPECT_TRUE(s.replies(1)) << "a second question would have come by now";
    EXPECT_EQ(s.product().stop(), 0);
    EXPECT_EQ(s.telegram.calls("getMyCommands").size(), asked + 1);
    EXPECT_EQ(s.telegram.calls("setMyCommands").size(), 12u);

    s.list("shop");
    s.product().start();
    ASSERT_TRUE(s.telegram.wait_for_calls("setMyCommands", 13 + 12, 20s)) << s.product().log();
    EXPECT_EQ(s.last_list("all_private_chats", "ru").size(), 8u) << "the new command is in all";
}

TEST(bots, whose_commands_telegram_refuses_answer_all_the_same) {
    scene s;
    fault_order order;
    order.method = "getMyCommands";
    order.times = -1;
    order.fault = fake_telegram::server_error(404);
    s.telegram.fail(order);

    s.product().start();
    s.say(alice, "hello");

    EXPECT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_TRUE(eventually([&] {
        return s.product().log().find("bot.commands_failed") != std::string::npos;
    }));
}

} // namespace

} // namespace postrider::tests::bots_test
