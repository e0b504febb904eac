// The audit over the API.
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace postrider::tests::audit_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> kinds_of(api_answer const& page) {
    std::vector<std::string> kinds;
    for (auto const& entry : page.body.at("entries").as_array())
        kinds.emplace_back(entry.at("kind").as_string());
    return kinds;
}

struct api_audit : testing::Test {
    api_audit() {
        append("1, 'model_call', 41, 'assistant/model', '{}', 'user:5'");
        append("1, 'tool_call', 41, 'assistant/tool:1', '{}', 'user:5'");
        append("0, 'token_create', null, 'token:1', '{}', 'cli:root'");
    }
    void append(std::string const& row) {
        world.database.execute("select postrider.audit_append(" + row + ")");
    }
    api_world world;
};

// covers: X.15
TEST_F(api_audit, lists_the_newest_first_in_pages_and_by_filters) {
    auto const first = world.get("/api/v1/audit?limit=2");
    auto const next = std::string(first.body.at("next").as_string());
    auto const second = world.get("/api/v1/audit?limit=2&cursor=" + next);

    EXPECT_THAT(kinds_of(first), ElementsAre("token_create", "tool_call"));
    EXPECT_EQ(kinds_of(second).at(0), "model_call");
    EXPECT_THAT(
        kinds_of(world.get("/api/v1/audit?job=41")), ElementsAre("tool_call", "model_call")
    );
    EXPECT_THAT(kinds_of(world.get("/api/v1/audit?kind=model_call")), ElementsAre("model_call"));
    EXPECT_THAT(kinds_of(world.get("/api/v1/audit?actor=cli:root")), ElementsAre("token_create"));
    EXPECT_EQ(world.get("/api/v1/audit?cursor=7").status, 400);
}

// covers: X.15
TEST_F(api_audit, is_verified_page_by_page) {
    auto const chains = world.get("/api/v1/audit/verify");
    auto const next = std::string(chains.body.at("next").as_string());
    auto const ends = world.get("/api/v1/audit/verify?cursor=" + next);
    world.database.execute(
        "update postrider.audit set actor = 'nobody' where lane_id = 1 and number = 2"
    );
    auto const changed = world.get("/api/v1/audit/verify");

    EXPECT_EQ(
        std::to_string(chains.body.at("links").as_int64()),
        world.database.value("select count(*) from postrider.audit")
    );
    EXPECT_GE(chains.body.at("chains").as_int64(), 2);
    EXPECT_TRUE(chains.body.at("broken").is_null());
    EXPECT_FALSE(ends.body.as_object().contains("next"));
    EXPECT_EQ(ends.body.at("cut"), 0);
    EXPECT_GT(ends.body.at("lanes").as_int64(), 0);
    EXPECT_EQ(changed.body.at("broken").at("number"), 2);
    EXPECT_EQ(world.get("/api/v1/audit/verify?cursor=ends/x").status, 400);
}

// covers: X.15
TEST_F(api_audit, is_exported_chain_by_chain_with_its_contents) {
    world.database.execute("insert into postrider.audit_content (lane_id, number, created_at, "
                           "content) values (1, 1, now(), 'what was asked')");

    auto const first = world.get("/api/v1/audit/export?limit=2");
    auto const next = std::string(first.body.at("next").as_string());
    auto const second = world.get("/api/v1/audit/export?cursor=" + next);

    auto kinds = kinds_of(first);
    for (auto& kind : kinds_of(second)) kinds.push_back(std::move(kind));
    EXPECT_THAT(kinds, ElementsAre("token_create", "model_call", "tool_call")) << "by chain";
    EXPECT_EQ(first.body.at("entries").at(1).at("content"), "what was asked");
    EXPECT_FALSE(second.body.as_object().contains("next"));
    EXPECT_EQ(world.get("/api/v1/audit/export?cursor=7").status, 400);
}

// covers: X.15
TEST_F(api_audit, tells_of_its_exports) {
    auto const exported = [&] {
        return world.database.value(
            "select coalesce(string_agg(actor || ' ' || detail::text, ', ' order by number), '') "
            "from postrider.audit where kind = 'audit_export'"
        );
    };
    world.get("/api/v1/audit");
    EXPECT_EQ(exported(), "");

    auto const first = world.get("/api/v1/audit/export?limit=2");
    auto const next = std::string(first.body.at("next").as_string());
    world.get("/api/v1/audit/export?cursor=" + next);

    EXPECT_EQ(
        exported(),
        R"(owner {"after":"","entries":2,"last":"1/1"}, owner {"after":"1/1","entries":1,"last":"1/2"})"
    );
}

TEST_F(api_audit, is_exported_to_its_end_in_pages_of_any_size) {
    std::string target = "/api/v1/audit/export?limit=1";
    auto page = world.get(target);
    int pages = 1;
    for (; page.body.as_object().contains("next") && pages < 50; ++pages)
        page = world.get(target + "&cursor=" + std::string(page.body.at("next").as_string()));

    EXPECT_LT(pages, 50) << "each page is a row of the audit";
}

// covers: X.15
TEST_F(api_audit, is_exported_as_lines_page_by_page) {
    auto const exports = [&] {
        return world.database.value(
            "select count(*) from postrider.audit where kind = 'audit_export'"
        );
    };

    auto const answer = world.get("/api/v1/audit/export?format=jsonl&limit=1");

    EXPECT_EQ(answer.headers.find("Content-Disposition"), "attachment; filename=\"audit.jsonl\"");
    std::istringstream lines(std::string(answer.body.as_string()));
    std::vector<std::string> kinds;
    for (std::string line; std::getline(lines, line);)
        kinds.emplace_back(boost::json::parse(line).at("kind").as_string());
    std::erase(kinds, "audit_export");
    EXPECT_THAT(kinds, ElementsAre("token_create", "model_call", "tool_call"));
    EXPECT_NE(exports(), "0") << "each page is noted before it is sent";

    EXPECT_EQ(world.get("/api/v1/audit/export?format=csv").status, 400);
}

TEST_F(api_audit, is_for_owners) {
    auto const reader = world.make_token("reader");
    EXPECT_EQ(world.ask("GET", "/api/v1/audit/export", "", reader).status, 403);
    EXPECT_EQ(world.ask("GET", "/api/v1/audit", "", reader).status, 403);
    EXPECT_EQ(world.ask("GET", "/api/v1/audit/verify", "", reader).status, 403);
    EXPECT_EQ(world.ask("GET", "/api/v1/audit", "", world.make_token("owner")).status, 200);
}

} // namespace
} // namespace postrider::tests::audit_test
