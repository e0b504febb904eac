// The chat of a demo in the browser, by what the page asks for: a model that hangs, a kill in the middle of
// the turn, and the answer after it.
#include "tests/end_to_end/server/product.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace postrider::tests::demo_chat_test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

class demo_chat : public testing::Test {
protected:
    demo_chat() { server.start(); }

    answer ask(std::string const& request, std::string const& body = "") {
        return http_exchange(
            server.port(),
            request + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" +
                "Authorization: Bearer the-owner\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body
        );
    }
    int post(std::string const& action, std::string const& body = "{}") {
        return ask("POST /api/v1/demo/" + action, body).status;
    }
    boost::json::value chat() {
        auto const answer = ask("GET /api/v1/demo/chat");
        return answer.status == 200 ? boost::json::parse(answer.body) : boost::json::value();
    }
    std::string state() {
        auto const shown = chat();
        if (shown.is_null()) return {};
        return std::string(shown.at("model_timeout").at("state").as_string());
    }
    // Of all messages that are shown, oldest first.
    std::vector<std::string> texts() {
        std::vector<std::string> all;
        auto const shown = chat();
        if (shown.is_null()) return all;
        for (auto const& message : shown.at("messages").as_array())
            all.emplace_back(message.at("content").as_string());
        return all;
    }
    bool comes_to(std::vector<std::string> const& expected) {
        return eventually([&] { return texts() == expected; }, 60s);
    }

    test_database database;
    product server{{{"DATABASE_URL", database.url()}, {"POSTRIDER_ADMIN_TOKEN", "the-owner"}}};
};

// covers: E.02 E.08
TEST_F(demo_chat, a_turn_that_is_killed_while_its_model_hangs_ends_after_the_restart) {
    EXPECT_EQ(post("model-timeout"), 202);
    EXPECT_EQ(state(), "asked");
    EXPECT_EQ(post("messages", R"({"text": "add buy milk"})"), 202);
    ASSERT_TRUE(eventually([&] { return state() == "hangs"; })) << server.log();

    EXPECT_EQ(post("kill"), 0) << "the process is gone before it answers";
    ASSERT_TRUE(server.wait_for_exit(10s));
    server.start();

    EXPECT_TRUE(comes_to({"add buy milk", "Created task: buy milk"}))
        << boost::json::serialize(chat()) << server.log();
    EXPECT_EQ(database.value("select string_agg(title, ' | ') from postrider.task"), "buy milk");
    EXPECT_EQ(database.value("select count(*) from postrider.audit where kind = 'demo_kill'"), "1");
    EXPECT_EQ(server.stop(), 0);
}

TEST_F(demo_chat, a_model_call_that_times_out_is_made_again) {
    EXPECT_EQ(post("model-timeout"), 202);
    EXPECT_EQ(post("messages", R"({"text": "add buy milk"})"), 202);

    EXPECT_TRUE(comes_to({"add buy milk", "Created task: buy milk"})) << server.log();

    EXPECT_EQ(state(), "off");
    EXPECT_EQ(
        database.value(
            "select string_agg(outcome || coalesce(':' || error_class, ''), ' ' order by attempt) "
            "from postrider.step where key = 'agent/model'"
        ),
        "retry:timeout done"
    );
    EXPECT_EQ(server.stop(), 0);
}

TEST_F(demo_chat, an_open_question_has_its_buttons_after_a_kill) {
    post("messages", R"({"text": "add buy milk"})");
    ASSERT_TRUE(comes_to({"add buy milk", "Created task: buy milk"})) << server.log();
    post("messages", R"({"text": "delete task 1"})");
    ASSERT_TRUE(eventually([&] { return texts().size() == 4; })) << server.log();
    ASSERT_TRUE(eventually([&] {
        return database.value("select count(*) from postrider.wait where type = 'press'") == "1";
    }));
    auto const before = chat().at("messages").as_array().back();

    server.kill();
    server.start();

    auto const after = chat().at("messages").as_array().back();
    EXPECT_EQ(after.at("id"), before.at("id"));
    EXPECT_EQ(after.at("content"), before.at("content"));
    ASSERT_EQ(after.at("buttons"), before.at("buttons"));
    auto const data = after.at("buttons").at(0).at(0).at("data");
    boost::json::object const press{{"message", after.at("id")}, {"data", data}};
    EXPECT_EQ(post("presses", boost::json::serialize(press)), 202);
    EXPECT_TRUE(eventually([&] {
        auto const all = texts();
        return !all.empty() && all.back() == "Deleted task: buy milk";
    })) << server.log();
    EXPECT_EQ(server.stop(), 0);
}

TEST_F(demo_chat, a_picture_reaches_the_bot) {
    EXPECT_EQ(post("messages", R"({"text": "what is this?", "picture": "/9j/4AAQ"})"), 202);

    ASSERT_TRUE(eventually([&] { return texts().size() == 2; })) << server.log();
    auto const source = chat().at("messages").at(0).at("media").at("source").as_string();
    EXPECT_THAT(ask("GET " + std::string(source)).head, HasSubstr("Content-Type: image/jpeg"));
    EXPECT_EQ(
        database.value("select count(*) from postrider.job where input::text like '%images%'"), "1"
    );
    EXPECT_EQ(server.stop(), 0);
}

} // namespace
} // namespace postrider::tests::demo_chat_test
