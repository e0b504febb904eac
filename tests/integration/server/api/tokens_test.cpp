#include "net/digest.hpp"
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/held_lock.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::tokens_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(api_tokens, are_shown_once_and_stored_as_their_hash) {
    api_world world;

    auto const creation = world.post("/api/v1/tokens", R"({"user_id": 7, "role": "reader"})");
    auto const listed = world.get("/api/v1/tokens");

    ASSERT_EQ(creation.status, 201);
    std::string const token(creation.body.at("token").as_string());
    EXPECT_THAT(token, StartsWith("prt_"));
    EXPECT_EQ(token.size(), 4u + 64u + 32u) << "256 bits and their MAC";
    EXPECT_EQ(creation.headers.find("Cache-Control"), "no-store");
    EXPECT_EQ(creation.headers.find("Location"), "/api/v1/tokens/1");
    EXPECT_THAT(boost::json::serialize(listed.body), Not(HasSubstr(token)));
    EXPECT_EQ(
        world.database.value("select encode(sha256, 'hex') from postrider.token"),
        net::sha256_hex(token)
    );
    EXPECT_EQ(
        world.database.value("select string_agg(token::text, '') from postrider.token")
            .find(token.substr(4)),
        std::string::npos
    );
    EXPECT_NE(world.make_token("reader"), world.make_token("reader"));
}

TEST(api_tokens, are_revoked_once_and_keep_their_row) {
    api_world world;
    world.make_token("reader");

    auto const first = world.ask("DELETE", "/api/v1/tokens/1");
    auto const again = world.ask("DELETE", "/api/v1/tokens/1");

    EXPECT_EQ(first.status, 200);
    EXPECT_FALSE(first.body.at("active").as_bool());
    EXPECT_EQ(again.body.at("revoked_at"), first.body.at("revoked_at"));
    EXPECT_EQ(world.ask("DELETE", "/api/v1/tokens/2").status, 404);
    EXPECT_EQ(world.ask("DELETE", "/api/v1/tokens/x").status, 400);
}

TEST(api_tokens, that_cannot_be_made_are_refused_with_every_reason) {
    api_world world;

    auto const answer = world.post(
        "/api/v1/tokens", R"({"user_id": 0, "role": "king", "expires_in": -1, "nme": "x"})"
    );

    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.body.at("errors").as_array().size(), 4u)
        << boost::json::serialize(answer.body);
    EXPECT_THAT(std::string(answer.body.at("detail").as_string()), HasSubstr("did you mean name?"));
    EXPECT_EQ(world.database.value("select count(*) from postrider.token"), "0");
}

TEST(api_tokens, names_are_counted_in_characters) {
    api_world world;
    std::string umlauts;
    for (int i = 0; i < 100; ++i) umlauts += "\u00fc";
    auto const with_name = [&world](std::string const& name) {
        boost::json::object wanted{{"user_id", 7}, {"role", "reader"}, {"name", name}};
        return world.post("/api/v1/tokens", boost::json::serialize(wanted));
    };

    EXPECT_EQ(with_name(umlauts).status, 201);
    EXPECT_EQ(with_name(umlauts + "x").status, 400);
}

TEST(api_tokens, use_is_noted_once_a_minute) {
    api_world world;
    auto const token = world.make_token("reader");
    auto const last_use = [&world] {
        return world.database.value("select last_used_at from postrider.token");
    };
    auto const use = [&] { world.ask("GET", "/api/v1/jobs", "", token); };

    world.database.execute("update postrider.token set last_used_at = 'infinity'");
    use();
    EXPECT_EQ(last_use(), "infinity") << "noted already";
    world.database.execute("update postrider.token set last_used_at = '2026-01-01'");
    use();
    EXPECT_EQ(
        world.database.value(
            "select last_used_at > postrider.now() - interval '2 min' from postrider.token"
        ),
        "t"
    );
}

TEST(api_tokens, count_where_their_use_cannot_be_noted) {
    api_world world;
    auto const token = world.make_token("reader");
    held_lock const locked(world.database.options().url, "select from postrider.token for update");
    auto const start = base::system_clock().steady();

    auto const answer = world.send("GET", "/api/v1/jobs", {{"Authorization", "Bearer " + token}});

    EXPECT_EQ(answer.status, 200);
    EXPECT_LT(base::system_clock().steady() - start, api::database_waits.token);
}

} // namespace
} // namespace postrider::tests::tokens_test
