// Requests that are wrong, by mistake or by intent.
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::misuse_test {
namespace {

using testing::HasSubstr;

std::string detail(api_answer const& answer) {
    return std::string(answer.body.at("detail").as_string());
}

TEST(api_misuse, every_mistake_of_a_query_is_named_at_once) {
    api_world world;

    auto const answer =
        world.get("/api/v1/jobs?state=faild&limit=0&cursor=x&after=soon&lan=1&kind=%00&kind=a");

    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.code(), "invalid");
    EXPECT_EQ(answer.body.at("errors").as_array().size(), 7u) << detail(answer);
    EXPECT_THAT(detail(answer), HasSubstr("did you mean lane?"));
}

TEST(api_misuse, a_cursor_of_ones_own_making_is_a_mistake) {
    api_world world;

    for (auto const* cursor :
         {"-1", "0", "01", "1e3", "1.0", "%20", "9007199254740992", "99999999999999999999", "1;2"})
        EXPECT_EQ(world.get(std::string("/api/v1/jobs?cursor=") + cursor).status, 400) << cursor;
}

TEST(api_misuse, an_id_that_is_none_is_a_mistake_and_not_a_failure) {
    api_world world;

    for (auto const* id : {"x", "0", "-1", "007", "1%2F2", "99999999999999999999", "41%00"})
        EXPECT_EQ(world.get(std::string("/api/v1/jobs/") + id).status, 400) << id;
}

TEST(api_misuse, the_language_of_the_database_is_only_text) {
    api_world world;

    for (auto const* text :
         {"%27%20or%20%271%27%3D%271",
          "%27%3B%20drop%20table%20postrider.job%3B%20--",
          "%25",
          "_",
          "%5C",
          "%24%241",
          "%7B1%2C2%7D"})
        for (auto const* filter : {"kind", "lane", "error_class", "lane_text"}) {
            auto const answer =
                world.get("/api/v1/jobs?" + std::string(filter) + "=" + std::string(text));
            EXPECT_EQ(answer.status, 200) << filter << text;
            EXPECT_TRUE(answer.body.at("jobs").as_array().empty()) << filter << text;
        }
    EXPECT_EQ(world.post("/api/v1/lanes/'%20or%20true%20--/pause").status, 404);
    EXPECT_EQ(world.post("/api/v1/bots/'%3B--/pause").status, 404);
    EXPECT_EQ(world.post("/api/v1/jobs/41/effects/'%20or%20true/done").status, 404);
    EXPECT_EQ(
        world.post("/api/v1/jobs/retry", R"({"kind": "' or true --"})")
            .body.at("matched")
            .as_int64(),
        0
    );
    EXPECT_EQ(world.database.value("select count(*) from postrider.job"), "6");
}

TEST(api_misuse, text_that_no_database_holds_is_a_mistake) {
    api_world world;

    EXPECT_EQ(world.get("/api/v1/jobs?kind=%ff%fe").status, 400);
    EXPECT_EQ(world.get("/api/v1/jobs?kind=%zz").status, 400);
    EXPECT_EQ(world.post("/api/v1/lanes/%ff/pause").status, 400);
    EXPECT_EQ(world.post("/api/v1/lanes/a%00b/pause").status, 400);
    EXPECT_EQ(world.post("/api/v1/jobs/44/events", R"({"type": "a\u0000b"})").status, 400);
}

TEST(api_misuse, a_body_is_a_small_object_of_known_members) {
    api_world world;
    auto const post = [&world](std::string body) {
        return world.post("/api/v1/jobs/44/events", std::move(body));
    };
    std::string const deep =
        R"({"type": "x", "payload": )" + std::string(100, '[') + std::string(100, ']') + "}";

    EXPECT_THAT(detail(post("")), HasSubstr("type is missing"));
    EXPECT_THAT(detail(post("[]")), HasSubstr("not a JSON object"));
    EXPECT_THAT(detail(post("{")), HasSubstr("not valid JSON"));
    EXPECT_THAT(
        detail(post(R"({"type": x})")),
        HasSubstr("the body is not valid JSON: syntax error (line 1, column 10)")
    );
    EXPECT_THAT(detail(post(deep)), HasSubstr("not valid JSON"));
    EXPECT_THAT(detail(post(R"({"type": 7})")), HasSubstr("type is not a string"));
    EXPECT_THAT(detail(post(R"({"type": ""})")), HasSubstr("type is empty"));
    EXPECT_THAT(
        detail(post(R"({"type": "x", "playload": 1})")), HasSubstr("did you mean payload?")
    );
    EXPECT_THAT(detail(post(R"({"type": ")" + std::string(600, 'x') + "\"}")), HasSubstr("longer"));
    auto const huge = post(R"({"type": ")" + std::string(70'000, 'x') + "\"}");
    EXPECT_EQ(huge.status, 413);
    EXPECT_EQ(huge.headers.find("Content-Type"), "application/problem+json");
    EXPECT_EQ(world.database.value("select count(*) from postrider.event"), "0");
}

// Nobody can make the server read for nothing.
TEST(api_misuse, a_body_without_a_token_is_not_read) {
    api_world world;

    auto const answer = world.send("POST", "/api/v1/jobs/cancel", {}, std::string(1'000'000, ' '));

    EXPECT_EQ(answer.status, 401);
}

TEST(api_misuse, what_does_not_exist_is_a_problem_document_too) {
    api_world world;
    net::header_list const token{{"Authorization", std::string("Bearer ") + api_world::owner}};

    auto const unknown = world.send("GET", "/api/v1/nothing", token);
    auto const method = world.send("PUT", "/api/v1/jobs", token);
    auto const options = world.send("OPTIONS", "/api/v1/tokens", {});

    EXPECT_EQ(unknown.status, 404);
    EXPECT_EQ(unknown.headers.find("Content-Type"), "application/problem+json");
    EXPECT_EQ(method.status, 405);
    EXPECT_EQ(method.headers.find("Content-Type"), "application/problem+json");
    EXPECT_EQ(method.headers.find("Allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(options.status, 204);
    EXPECT_EQ(options.headers.find("Allow"), "GET, HEAD, POST, OPTIONS");
}

} // namespace
} // namespace postrider::tests::misuse_test
