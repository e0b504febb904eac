// Links to the console that an owner makes over the API, and what an erasure does to the logins of its person.
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::links_test {
namespace {

using storage::token_role;

TEST(console_link, is_made_by_an_owner_and_opens_one_session) {
    api_world world;
    auto const creation =
        world.post("/api/v1/console/links", R"({"role": "reader", "user_id": 9007199254740993})");
    std::string const path(creation.body.at("path").as_string());
    auto const log_in = [&] {
        auto const token = path.substr(path.find("login=") + 6);
        return world.send(
            "POST",
            "/api/v1/login",
            {{"Sec-Fetch-Site", "same-origin"}},
            R"({"token": ")" + token + R"("})"
        );
    };

    EXPECT_EQ(creation.status, 201);
    EXPECT_EQ(creation.headers.find("Cache-Control"), "no-store");
    EXPECT_THAT(path, testing::StartsWith("/console#login=prl_"));
    EXPECT_EQ(log_in().status, 204);
    EXPECT_EQ(log_in().status, 401);
    EXPECT_EQ(
        world.database.value("select role || ' ' || user_id from postrider.console_session"),
        "reader 9007199254740993"
    ) << "all digits of the id";
    EXPECT_EQ(
        world.database.value("select actor from postrider.audit where kind = 'console_link'"),
        "owner"
    );
    EXPECT_EQ(world.post("/api/v1/console/links", R"({"role": "user"})").status, 400);
    EXPECT_EQ(
        world
            .ask(
                "POST", "/api/v1/console/links", R"({"role": "reader"})", world.make_token("reader")
            )
            .status,
        403
    );
}

TEST(console_session, ends_where_its_person_is_erased) {
    api_world world;
    auto const theirs = world.log_in(token_role::owner, user_id{7});
    auto const others = world.log_in(token_role::owner, user_id{8});
    world.make_link(token_role::owner, user_id{7});
    auto const erase = [&] {
        std::string body = R"({"user_id": 7})";
        for (boost::json::value answer = world.post("/api/v1/erasures", body).body;
             answer.as_object().contains("next");
             answer = world.post("/api/v1/erasures", body).body)
            body = boost::json::serialize(boost::json::object{
                {"user_id", 7}, {"cursor", answer.at("next")}});
    };

    erase();

    EXPECT_EQ(world.ask_as(theirs, "GET", "/api/v1/me").code(), "login_required");
    EXPECT_EQ(world.ask_as(others, "GET", "/api/v1/me").status, 200);
    EXPECT_EQ(
        world.database.value("select count(*) from postrider.console_link where used_at is null"),
        "0"
    );
    EXPECT_EQ(
        world.database.value("select subject from postrider.audit where kind = 'console_revoke'"),
        "console:1"
    );
}

TEST(console_session, does_not_erase_the_person_that_it_acts_as) {
    api_world world;
    auto const own = world.log_in(token_role::owner, user_id{7});

    auto const refused = world.ask_as(own, "POST", "/api/v1/erasures", R"({"user_id": 7})");

    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(refused.code(), "own_access");
    EXPECT_THAT(
        std::string(refused.body.at("detail").as_string()),
        testing::HasSubstr("postrider erase --user 7")
    );
    EXPECT_EQ(world.ask_as(own, "POST", "/api/v1/erasures", R"({"user_id": 8})").status, 200);
    auto const configured = std::to_string(base::raw(api_world::person));
    EXPECT_EQ(world.post("/api/v1/erasures", R"({"user_id": )" + configured + "}").status, 200)
        << "no erasure ends the configured owner's token";
}

} // namespace
} // namespace postrider::tests::links_test
