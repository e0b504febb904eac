// The diagnosis and the configuration, over HTTP.
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::doctor_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::map<std::string, boost::json::object> findings_by_subject(api_world& world) {
    auto const answer = world.get("/api/v1/doctor");
    EXPECT_EQ(answer.status, 200);
    std::map<std::string, boost::json::object> all;
    for (auto const& finding : answer.body.at("findings").as_array())
        all[std::string(finding.at("what").as_string())] = finding.as_object();
    return all;
}

// covers: X.13
TEST(api_doctor, finds_what_the_command_line_finds) {
    api_world world;
    world.database.execute(
        "insert into postrider.pause (scope, reason) values ('all', 'moving house')"
    );
    world.ask_tool_server("absent");

    auto const found = findings_by_subject(world);

    EXPECT_EQ(found.at("schema").at("result").as_string(), "ok");
    EXPECT_EQ(found.at("nodes").at("result").as_string(), "ok");
    EXPECT_EQ(found.at("dead letters").at("result").as_string(), "warn");
    EXPECT_THAT(
        std::string(found.at("paused").at("detail").as_string()), HasSubstr("moving house")
    );
    EXPECT_EQ(found.at("mcp absent").at("result").as_string(), "failed");
    EXPECT_FALSE(world.get("/api/v1/doctor").body.at("ok").as_bool());
}

TEST(api_doctor, looks_once_in_ten_seconds) {
    api_world world;
    EXPECT_EQ(findings_by_subject(world).count("paused"), 0u);
    world.database.execute("insert into postrider.pause (scope) values ('all')");

    EXPECT_EQ(findings_by_subject(world).count("paused"), 0u);
    world.clock.advance(10s);
    EXPECT_EQ(findings_by_subject(world).count("paused"), 1u);
}

// covers: X.13
TEST(api_settings, have_their_source_and_no_secret) {
    api_world world;

    auto const answer = world.get("/api/v1/settings");

    std::map<std::string, boost::json::object> settings;
    for (auto const& line : answer.body.at("settings").as_array())
        settings[std::string(line.at("key").as_string())] = line.as_object();
    EXPECT_EQ(settings.at("engine.slots").at("value").as_string(), "8");
    EXPECT_EQ(settings.at("engine.slots").at("source").as_string(), "POSTRIDER_SLOTS");
    EXPECT_EQ(settings.at("engine.slots").at("source_kind").as_string(), "environment");
    EXPECT_EQ(settings.at("engine.slots").at("fallback").as_string(), "256");
    EXPECT_EQ(settings.at("log.level").at("source_kind").as_string(), "default");
    EXPECT_TRUE(settings.at("audit.key").at("secret").as_bool());
    EXPECT_EQ(
        boost::json::serialize(answer.body).find("a-key-of-thirty-two-characters-at"),
        std::string::npos
    );
    auto const set = world.get("/api/v1/settings?set=true").body.at("settings").as_array();
    EXPECT_EQ(set.size(), 2u);
}

TEST(api_settings, are_for_operators) {
    api_world world;
    auto const user = world.make_token("user");
    auto const reader = world.make_token("reader");

    for (auto const* path : {"/api/v1/settings", "/api/v1/doctor"}) {
        EXPECT_EQ(world.ask("GET", path, "", user).status, 403) << path;
        EXPECT_EQ(world.ask("GET", path, "", reader).status, 200) << path;
    }
}

TEST(api_settings, name_the_mistakes_of_a_query) {
    api_world world;

    EXPECT_EQ(world.get("/api/v1/settings?set=yes").code(), "invalid");
    EXPECT_EQ(world.get("/api/v1/settings?limit=5").code(), "invalid");
    EXPECT_EQ(world.get("/api/v1/doctor?online=true").code(), "invalid");
}

} // namespace
} // namespace postrider::tests::doctor_test
