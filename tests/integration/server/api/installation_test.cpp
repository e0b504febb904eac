// Nodes, bots, budgets and schedules.
#include "queue/admin/schedules.hpp"
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::installation_test {
namespace {

using namespace std::chrono_literals;
using testing::SizeIs;

TEST(api_installation, lists_nodes_with_their_work) {
    api_world world;
    world.database.execute(
        "insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, host, version, "
        "slots, busy, beat_at) values (4, 1, 1, 'b', 'p', 'other', 'v', 2, 1, postrider.now() - "
        "interval '1 minute'); insert into postrider.poll_lease (bot_id, node_id) values (1, 3)"
    );

    auto const nodes = world.get("/api/v1/nodes").body.at("nodes").as_array();

    ASSERT_THAT(nodes, SizeIs(2));
    EXPECT_EQ(nodes[0].at("node_id").as_int64(), 3);
    EXPECT_TRUE(nodes[0].at("alive").as_bool());
    EXPECT_EQ(nodes[0].at("slots").as_int64(), 8);
    EXPECT_EQ(nodes[0].at("polled_bots").at(0).as_string(), "main");
    EXPECT_FALSE(nodes[1].at("alive").as_bool()) << "it is silent";
    EXPECT_EQ(nodes[1].at("running").as_int64(), 1);
    auto const first = world.get("/api/v1/nodes?limit=1").body;
    auto const second = world.get("/api/v1/nodes?limit=1&cursor=3").body;
    EXPECT_EQ(first.at("next").as_string(), "3");
    EXPECT_EQ(second.at("nodes").at(0).at("host").as_string(), "other");
}

// The editor shows the addresses of webhooks and forms with it.
TEST(api_installation, says_where_others_reach_the_server) {
    api_world world;
    EXPECT_TRUE(world.get("/api/v1/me").body.at("public_url").is_null());

    world.settings().public_url = "https://bot.example/post/";

    EXPECT_EQ(world.get("/api/v1/me").body.at("public_url"), "https://bot.example/post");
}

TEST(api_installation, lists_bots_without_their_secrets) {
    api_world world;
    world.database.execute(
        "update postrider.bot set webhook_secret = 'whsec', username = 'main_bot', stopped_at = "
        "postrider.now(), stopped_reason = 'getMe: 401'; insert into postrider.bot (bot_id, name) "
        "overriding system value values (9, 'old'); insert into postrider.pause (scope, bot_id) "
        "values ('bot:main', 1)"
    );
    server::bot_state running{.name = "main", .agent = "todo", .polls = false};
    running.webhook = server::webhook_state{
        .url = "https://a.example/telegram/main", .pending = 3, .as_of = "2026-11-30T10:00:00Z"};
    running.owners = 1;
    world.running_bots = {running};

    auto const answer = world.get("/api/v1/bots");

    auto const& bots = answer.body.at("bots").as_array();
    ASSERT_THAT(bots, SizeIs(2));
    auto const& main = bots[0].as_object();
    EXPECT_EQ(main.at("username").as_string(), "main_bot");
    EXPECT_EQ(main.at("mode").as_string(), "webhook");
    EXPECT_EQ(main.at("webhook").at("pending").as_int64(), 3);
    EXPECT_EQ(main.at("owners").as_int64(), 1);
    EXPECT_EQ(main.at("stopped_reason").as_string(), "getMe: 401");
    EXPECT_FALSE(main.at("paused_at").is_null());
    EXPECT_FALSE(bots[1].at("configured").as_bool());
    EXPECT_TRUE(bots[1].at("mode").is_null());
    EXPECT_EQ(boost::json::serialize(answer.body).find("whsec"), std::string::npos);
    EXPECT_EQ(
        world.get("/api/v1/bots?limit=1&cursor=main").body.at("bots").at(0).at("name").as_string(),
        "old"
    );
}

TEST(api_installation, asks_telegram_at_most_twice_a_minute) {
    api_world world;
    world.get("/api/v1/bots");
    world.running_bots = {{.name = "main", .agent = "todo"}};

    auto const soon = world.get("/api/v1/bots").body;
    world.clock.advance(30s);
    auto const later = world.get("/api/v1/bots").body;

    EXPECT_FALSE(soon.at("bots").at(0).at("configured").as_bool());
    EXPECT_TRUE(later.at("bots").at(0).at("configured").as_bool());
}

TEST(api_installation, lists_todays_budgets_with_their_limits) {
    api_world world;
    world.database.execute(
        "insert into postrider.budget_day (day, scope, subject, calls, cost_micro) values "
        "(postrider.day_of(postrider.now()), 'chat', '5', 1, 0), "
        "(postrider.day_of(postrider.now()), 'user', '7', 2, 30000), "
        "(postrider.day_of(postrider.now()) - 1, 'user', '8', 2, 0)"
    );

    auto const budgets = world.get("/api/v1/budgets").body.at("budgets").as_array();

    ASSERT_THAT(budgets, SizeIs(2));
    EXPECT_TRUE(budgets[0].at("limit").is_null()) << "none of chats is configured";
    EXPECT_FALSE(budgets[0].at("is_spent").as_bool());
    EXPECT_EQ(budgets[1].at("limit").at("calls").as_int64(), 2);
    EXPECT_TRUE(budgets[1].at("limit").at("tokens").is_null());
    EXPECT_TRUE(budgets[1].at("is_spent").as_bool());
    EXPECT_DOUBLE_EQ(budgets[1].at("spent").at("cost").to_number<double>(), 3);
    auto const page = world.get("/api/v1/budgets?limit=1").body;
    EXPECT_EQ(page.at("next").as_string(), "chat:5");
    auto const rest = world.get("/api/v1/budgets?limit=1&cursor=chat%3A5").body;
    EXPECT_EQ(rest.at("budgets").at(0).at("subject").as_string(), "7");
    EXPECT_THAT(world.get("/api/v1/budgets?scope=total").body.at("budgets").as_array(), SizeIs(0));
}

void add_schedules(api_world& world) {
    world.database.execute(
        "insert into postrider.schedule (name, kind, input, cron, timezone, next_at) values "
        "('a', 'flow', '{\"flow\": \"f\"}', '@daily', 'Europe/Berlin', '2036-01-01T23:00:00Z'), "
        "('b', 'reminder', '{\"user\": \"7\"}', '@hourly', 'UTC', null)"
    );
    world.database.execute(
        "insert into postrider.schedule (name, kind, at, paused_at) values ('c/1', "
        "'flow', '2036-01-01T00:00:00Z', postrider.now())"
    );
}

TEST(api_schedules, are_listed_by_name) {
    api_world world;
    add_schedules(world);

    auto const first = world.get("/api/v1/schedules?limit=2").body;
    auto const second = world.get("/api/v1/schedules?limit=2&cursor=b").body;

    EXPECT_EQ(first.at("next").as_string(), "b");
    auto const& daily = first.at("schedules").at(0).as_object();
    EXPECT_EQ(daily.at("state").as_string(), "active");
    EXPECT_EQ(daily.at("next").at(0).as_string(), "2036-01-02T00:00:00+01:00");
    EXPECT_THAT(daily.at("next").as_array(), SizeIs(1));
    ASSERT_THAT(second.at("schedules").as_array(), SizeIs(1));
    EXPECT_EQ(second.at("schedules").at(0).at("state").as_string(), "paused");
    EXPECT_THAT(
        world.get("/api/v1/schedules?kind=reminder").body.at("schedules").as_array(), SizeIs(1)
    );
}

TEST(api_schedules, tell_the_next_five_times_of_one) {
    api_world world;
    add_schedules(world);

    EXPECT_THAT(world.get("/api/v1/schedules/a").body.at("next").as_array(), SizeIs(5));
    EXPECT_EQ(world.get("/api/v1/schedules/c%2F1").body.at("name").as_string(), "c/1");
    EXPECT_EQ(world.get("/api/v1/schedules/none").code(), "not_found");
}

TEST(api_installation, names_the_mistakes_of_a_query) {
    api_world world;

    for (auto const* target :
         {"nodes?cursor=x",
          "nodes?limit=0",
          "nodes?state=alive",
          "bots?limit=201",
          "bots?cursor=%00",
          "budgets?scope=person",
          "budgets?cursor=7",
          "budgets?cursor=person%3A7",
          "schedules?limit=x",
          "schedules?kind=%ff",
          "schedules/a?x=1",
          "schedules/a%00"})
        EXPECT_EQ(world.get(std::string("/api/v1/") + target).status, 400) << target;
}

TEST(api_installation, is_for_operators) {
    api_world world;
    auto const user = world.make_token("user");
    auto const reader = world.make_token("reader");

    for (auto const* path : {"nodes", "bots", "budgets", "schedules"}) {
        auto const target = std::string("/api/v1/") + path;
        EXPECT_EQ(world.ask("GET", target, "", user).status, 403) << path;
        EXPECT_EQ(world.ask("GET", target, "", reader).status, 200) << path;
    }
}

} // namespace
} // namespace postrider::tests::installation_test
