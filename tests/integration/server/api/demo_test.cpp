// The chat of demo mode over the API.
#include "net/base64.hpp"
#include "tests/integration/server/api/api_world.hpp"
#include "tests/unit/net/raw_connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace postrider::tests::demo_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(demo_chat, is_nothing_outside_demo_mode) {
    api_world world;

    for (auto const* path : {"messages", "presses", "model-timeout", "kill"})
        EXPECT_EQ(world.send("POST", std::string("/api/v1/demo/") + path, {}, "{}").status, 404);
    EXPECT_EQ(world.send("GET", "/api/v1/demo/chat", {}).status, 404);
    auto const token = "Bearer " + std::string(api_world::owner);
    EXPECT_EQ(world.send("GET", "/api/v1/demo/chat", {{"Authorization", token}}).status, 404);
    EXPECT_FALSE(world.get("/api/v1/me").body.at("demo").as_bool());
}

TEST(demo_chat, is_shown_to_operators_and_used_by_owners) {
    api_world world(true);
    auto const reader = world.make_token("reader");
    auto const user = world.make_token("user");

    EXPECT_EQ(world.ask("GET", "/api/v1/demo/chat", "", reader).status, 200);
    EXPECT_EQ(world.ask("GET", "/api/v1/demo/chat", "", user).status, 403);
    EXPECT_EQ(world.ask("POST", "/api/v1/demo/messages", R"({"text": "hi"})", reader).status, 403);
    EXPECT_EQ(
        world.ask("POST", "/api/v1/demo/presses", R"({"message": "7", "data": "q:yes"})", reader)
            .status,
        403
    );
    EXPECT_EQ(world.ask("POST", "/api/v1/demo/model-timeout", "{}", reader).status, 403);
    EXPECT_EQ(world.ask("POST", "/api/v1/demo/kill", "{}", reader).status, 403);
    EXPECT_THAT(world.demo.done, IsEmpty());

    EXPECT_EQ(world.post("/api/v1/demo/messages", R"({"text": "hi"})").status, 202);
    EXPECT_EQ(
        world.post("/api/v1/demo/presses", R"({"message": "7", "data": "q:yes"})").status, 202
    );
    EXPECT_EQ(world.post("/api/v1/demo/model-timeout", "{}").status, 202);
    EXPECT_EQ(world.post("/api/v1/demo/kill", "{}").status, 202);
    EXPECT_THAT(world.demo.done, ElementsAre("say hi", "press q:yes", "hang", "kill"));
}

TEST(demo_chat, takes_no_change_from_another_sites_page) {
    api_world world(true);
    auto const cookie = world.log_in(storage::token_role::owner);

    auto const refused = world.send(
        "POST", "/api/v1/demo/kill", {{"Cookie", cookie}, {"Sec-Fetch-Site", "cross-site"}}, "{}"
    );

    EXPECT_EQ(refused.status, 403);
    EXPECT_THAT(world.demo.done, IsEmpty());
}

TEST(demo_chat, a_kill_is_in_the_audit_before_it_is_done) {
    api_world world(true);

    world.post("/api/v1/demo/kill", "{}");

    EXPECT_EQ(
        world.database.value("select actor from postrider.audit where kind = 'demo_kill'"), "owner"
    );
    world.lose_database();
    EXPECT_EQ(world.post("/api/v1/demo/kill", "{}").status, 503);
    EXPECT_THAT(world.demo.done, ElementsAre("kill")) << "what is not in the audit is not done";
}

TEST(demo_chat, is_streamed_with_its_changes_and_the_turn_of_its_lane) {
    api_world world(true);
    raw_connection stream(world.io.executor());
    stream.connect(world.address());
    world.io.run(stream.send(
        "GET /api/v1/events?topics=demo HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " +
        std::string(api_world::owner) + "\r\n\r\n"
    ));

    auto const first = world.io.run(stream.read_until("\"typing\":false"));
    world.demo.type();
    auto const next = world.io.run(stream.read_until("\"typing\":true"));

    EXPECT_THAT(first, HasSubstr("event: turn\ndata: {\"topic\":\"demo\",\"job_id\":44"));
    EXPECT_THAT(first, HasSubstr("event: chat\ndata: {\"topic\":\"demo\""));
    EXPECT_THAT(next, HasSubstr("event: chat\ndata: {\"topic\":\"demo\""));
}

TEST(demo_chat, a_picture_is_an_image_of_a_known_kind) {
    api_world world(true);
    std::string const image = "\xff\xd8\xff\xe0 a JPEG";
    auto const body = R"({"picture": ")" + net::to_base64(image) + "\"}";

    EXPECT_EQ(world.post("/api/v1/demo/messages", body).status, 202);
    EXPECT_EQ(world.post("/api/v1/demo/messages", R"({"picture": "aGVsbG8="})").status, 400);
    EXPECT_EQ(world.post("/api/v1/demo/messages", R"({"picture": "%%"})").status, 400);
    EXPECT_EQ(world.post("/api/v1/demo/messages", R"({"text": " "})").status, 400);

    EXPECT_THAT(world.demo.done, ElementsAre("say  with " + image));
    auto const shown = world.get("/api/v1/demo/pictures/3");
    EXPECT_EQ(shown.status, 200);
    EXPECT_EQ(shown.headers.find("Content-Type"), "image/jpeg");
    EXPECT_EQ(world.get("/api/v1/demo/pictures/4").status, 404);
    EXPECT_EQ(world.get("/api/v1/demo/pictures/x").status, 404);
}

TEST(demo_chat, an_old_picture_is_gone_and_says_so) {
    api_world world(true);

    auto const old = world.get("/api/v1/demo/pictures/2");

    EXPECT_EQ(old.status, 404);
    EXPECT_EQ(old.code(), "gone");
    EXPECT_EQ(world.get("/api/v1/demo/pictures/4").code(), "not_found");
}

TEST(demo_chat, a_message_under_a_key_is_written_once) {
    api_world world(true);
    auto const say = [&](std::string key, std::string text) {
        return world.ask_with(
            {{"Idempotency-Key", std::move(key)}},
            "POST",
            "/api/v1/demo/messages",
            R"({"text": ")" + text + R"("})"
        );
    };

    EXPECT_EQ(say("k1", "hi").status, 202);
    EXPECT_EQ(say("k1", "hi").status, 202);
    EXPECT_EQ(say("k1", "ho").code(), "key_reused");
    EXPECT_EQ(say("k2", "hi").status, 202);

    EXPECT_THAT(world.demo.done, ElementsAre("say hi", "say hi"));
}

TEST(demo_chat, a_message_has_as_many_characters_as_telegram_takes) {
    api_world world(true);
    auto const say = [&](std::size_t letters) {
        std::string text;
        for (; letters > 0; --letters) text += "\u00e4"; // two bytes, one character
        return world.post("/api/v1/demo/messages", R"({"text": ")" + text + R"("})");
    };

    EXPECT_EQ(say(4096).status, 202);
    auto const refused = say(5000);
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(
        std::string(refused.body.at("detail").as_string()),
        HasSubstr("5000 characters: Telegram takes 4096")
    );
}

TEST(demo_chat, does_nothing_where_a_parameter_is_not_known) {
    api_world world(true);
    std::map<std::string, std::string> const changes{
        {"messages", R"({"text": "hi"})"},
        {"presses", R"({"message": "7", "data": "q:yes"})"},
        {"model-timeout", "{}"},
        {"kill", "{}"}};

    for (auto const& [place, body] : changes)
        EXPECT_EQ(world.post("/api/v1/demo/" + place + "?dry_run=true", body).status, 400) << place;
    EXPECT_EQ(world.get("/api/v1/demo/pictures/3?size=1").status, 400);

    EXPECT_THAT(world.demo.done, IsEmpty());
}

TEST(demo_chat, a_button_that_is_not_shown_cannot_be_pressed) {
    api_world world(true);

    EXPECT_EQ(
        world.post("/api/v1/demo/presses", R"({"message": "8", "data": "q:yes"})").status, 409
    );
    EXPECT_EQ(
        world.post("/api/v1/demo/presses", R"({"message": "x", "data": "q:yes"})").status, 409
    );
    EXPECT_THAT(world.demo.done, IsEmpty());
}

} // namespace
} // namespace postrider::tests::demo_test
