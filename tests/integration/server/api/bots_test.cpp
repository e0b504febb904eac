// How bots are set up at Telegram, over the API.
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::bots_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto noted =
    "select coalesce(string_agg(kind || ' ' || actor || ' ' || subject || ' ' || "
    "detail::text, ', ' order by number), '') from postrider.audit where kind "
    "like 'webhook%'";

TEST(api_bots, are_checked_in_plain_words) {
    api_world world;
    auto& says = world.bots_at_telegram.says;
    says.wanted_url = "https://a.example/telegram/main";
    says.webhook = server::webhook_state{
        .url = "https://b.example/x", .pending = 3, .as_of = "2026-11-30T10:00:00Z"};
    says.findings = {{"webhook main", server::verdict::warn, "set to another one", "do this"}};

    auto const answer = world.post("/api/v1/bots/main/check");

    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.at("wanted_url"), "https://a.example/telegram/main");
    EXPECT_EQ(answer.body.at("webhook").at("pending"), 3);
    EXPECT_EQ(answer.body.at("webhook").at("as_of"), "2026-11-30T10:00:00Z");
    EXPECT_EQ(answer.body.at("findings").at(0).at("result"), "warn");
    EXPECT_EQ(answer.body.at("findings").at(0).at("detail"), "set to another one");
    EXPECT_EQ(world.database.value(noted), "") << "nothing was changed";
}

TEST(api_bots, have_their_webhook_set_and_deleted_in_the_name_of_the_caller) {
    api_world world;
    auto const set = world.ask("PUT", "/api/v1/bots/main/webhook");
    auto const session = world.log_in(storage::token_role::owner, user_id{42});
    auto const removed = world.ask_as(session, "DELETE", "/api/v1/bots/main/webhook");

    EXPECT_EQ(set.body.at("url"), "https://a.example/telegram/main");
    EXPECT_EQ(removed.status, 204);
    EXPECT_THAT(world.bots_at_telegram.calls, ElementsAre("set main", "delete main"));
    EXPECT_THAT(
        world.database.value(noted),
        HasSubstr(R"(webhook_set owner bot:main {"outcome":"begun"}, webhook_set owner bot:main )"
                  R"({"outcome":"done","url":"https://a.example/telegram/main"})")
    );
    EXPECT_THAT(
        world.database.value(noted), HasSubstr("webhook_delete user:42/console:1 bot:main")
    );
}

TEST(api_bots, say_what_telegram_refuses) {
    api_world world;
    auto const refusal = [&](base::error reason) {
        world.bots_at_telegram.refusal = std::move(reason);
        return world.ask("PUT", "/api/v1/bots/main/webhook");
    };

    auto const without_url = refusal({base::errc::invalid, "it has no public URL"});
    auto const unknown = refusal({base::errc::unauthorized, "HTTP 401"});
    auto const away = refusal({base::errc::timeout, "no answer"});
    base::error later{base::errc::rate_limited, "HTTP 429"};
    later.retry_after = std::chrono::milliseconds{6'500};
    auto const busy = refusal(later);

    EXPECT_EQ(without_url.status, 409);
    EXPECT_EQ(without_url.code(), "telegram_refused");
    EXPECT_EQ(without_url.body.at("detail"), "it has no public URL");
    EXPECT_EQ(unknown.status, 409);
    EXPECT_EQ(away.status, 503);
    EXPECT_THAT(std::string(away.body.at("detail").as_string()), HasSubstr("Telegram"));
    EXPECT_EQ(busy.status, 503);
    EXPECT_EQ(busy.headers.find("Retry-After"), "7");
    EXPECT_EQ(world.ask("DELETE", "/api/v1/bots/other/webhook").status, 404);
    EXPECT_THAT(
        world.database.value(noted), HasSubstr(R"({"outcome":"failed","error":"unauthorized"})")
    );
}

TEST(api_bots, are_not_changed_where_the_audit_cannot_say_so) {
    api_world world;
    world.lose_database();

    EXPECT_EQ(world.ask("PUT", "/api/v1/bots/main/webhook").status, 503);
    EXPECT_EQ(world.ask("DELETE", "/api/v1/bots/main/webhook").status, 503);
    EXPECT_THAT(world.bots_at_telegram.calls, IsEmpty());
}

} // namespace
} // namespace postrider::tests::bots_test
