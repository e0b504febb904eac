// Who gets in, and who may do what.
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace postrider::tests::access_test {
namespace {

using testing::HasSubstr;

bool open_to_all(net::route const& route) {
    return route.pattern == "/api/openapi.json";
}

void expect_refused(api_answer const& answer, std::string const& where) {
    EXPECT_EQ(answer.status, 401) << where;
    EXPECT_EQ(answer.headers.find("Content-Type"), "application/problem+json") << where;
    EXPECT_THAT(std::string(answer.headers.find("WWW-Authenticate")), HasSubstr("Bearer")) << where;
    EXPECT_EQ(answer.code(), "unauthorized") << where;
}

// covers: X.18
TEST(api_access, every_route_wants_a_token) {
    api_world world;

    for (auto const& route : world.routes()) {
        if (open_to_all(route)) continue;
        auto const where = route.method + " " + route.pattern;
        expect_refused(world.send(route.method, harmless(route), {}), where);
        expect_refused(
            world.send(route.method, harmless(route), {{"Authorization", "Bearer prt_00"}}), where
        );
    }
}

TEST(api_access, nothing_but_one_bearer_token_is_one) {
    api_world world;
    std::string const owner(api_world::owner);

    for (auto const& header : std::vector<std::string>{
             "Basic " + owner,
             owner,
             "Bearer",
             "Bearer ",
             "Bearer " + owner + "x",
             "Bearer " + owner.substr(1),
             "Bearer x " + owner,
             "Bearer " + std::string(600, 'x'),
             "Bearer \xff\xfe",
         })
        expect_refused(world.send("GET", "/api/v1/jobs", {{"Authorization", header}}), header);
    expect_refused(
        world.send(
            "GET",
            "/api/v1/jobs",
            {{"Authorization", "Bearer " + owner}, {"Authorization", "Bearer x"}}
        ),
        "two headers"
    );
    expect_refused(world.send("GET", "/api/v1/jobs", {{"Cookie", "token=" + owner}}), "a cookie");
    expect_refused(world.send("GET", "/api/v1/jobs?access_token=" + owner, {}), "the query");
    EXPECT_EQ(
        world.send("GET", "/api/v1/jobs", {{"Authorization", "bEaReR  " + owner}}).status, 200
    );
}

TEST(api_access, a_token_ends_with_its_revocation_and_its_time) {
    api_world world;
    auto const revoked = world.make_token("owner");
    auto const expired = world.make_token("owner");
    EXPECT_EQ(world.ask("GET", "/api/v1/jobs", "", revoked).status, 200);
    EXPECT_EQ(world.ask("GET", "/api/v1/jobs", "", expired).status, 200);

    world.ask("DELETE", "/api/v1/tokens/1");
    world.database.execute("update postrider.token set expires_at = postrider.now() - interval '1 "
                           "s' where token_id = 2");

    auto const with_revoked = world.ask("GET", "/api/v1/jobs", "", revoked);
    auto const with_expired = world.ask("GET", "/api/v1/jobs", "", expired);
    expect_refused(with_revoked, "revoked");
    expect_refused(with_expired, "expired");
    EXPECT_EQ(with_revoked.body.at("detail").as_string(), "the token was revoked");
    EXPECT_EQ(with_expired.body.at("detail").as_string(), "the token has expired");
    EXPECT_EQ(world.database.value("select count(last_used_at) from postrider.token"), "2")
        << "the uses that counted";
}

// Where everybody has their own.
bool is_for_people(net::route const& route) {
    return route.pattern.starts_with("/api/v1/conversations") ||
           route.pattern == "/api/v1/chat-partners" || route.pattern == "/mcp";
}

// Where operators see all, and users what is their own.
bool is_for_everybody(net::route const& route) {
    return route.pattern.starts_with("/api/v1/approvals") || route.pattern == "/api/v1/events";
}

bool is_for_owners(net::route const& route) {
    return route.pattern.starts_with("/api/v1/audit") || route.pattern == "/api/v1/erasures" ||
           route.pattern == "/api/v1/console/links";
}

// Where each sees and changes their own, whatever their role.
bool is_for_oneself(net::route const& route) {
    return route.pattern == "/api/v1/me" || route.pattern.starts_with("/api/v1/console/sessions");
}

// Drafts of flows, and what helps to make and try them; what a spam filter says changes nothing.
bool is_for_editors(net::route const& route) {
    static std::set<std::string> const all{
        "POST /api/v1/flows",
        "POST /api/v1/flows/import-n8n",
        "PUT /api/v1/flows/{name}",
        "POST /api/v1/flows/{name}/versions/{version}/restore",
        "POST /api/v1/flows/{name}/run",
        "POST /api/v1/flows/{name}/replays",
        "POST /api/v1/flows/validate",
        "POST /api/v1/expressions/preview",
        "POST /api/v1/spam/check",
        "POST /api/v1/spam/replay",
        "POST /api/v1/executions/{id}/replay",
        "POST /api/v1/executions/{id}/trials"};
    return all.contains(route.method + " " + route.pattern);
}

// The whole matrix: an owner may do everything, a reader every GET but the audit's, an editor these and
// what drafts of flows need, a user what is their own. It is the same by token and by session.
// covers: X.18
TEST(api_access, roles_decide_for_every_route) {
    api_world world;
    auto const owner = world.make_token("owner");
    auto const reader = world.make_token("reader");
    auto const user = world.make_token("user");
    auto const editor = world.make_token("editor");
    using storage::token_role;
    auto const reader_session = world.log_in(token_role::reader);
    auto const editor_session = world.log_in(token_role::editor);
    auto const owner_session = world.log_in(token_role::owner, user_id{7});

    for (auto const& route : world.routes()) {
        if (open_to_all(route)) continue;
        auto const where = route.method + " " + route.pattern;
        auto const as_user = world.ask(route.method, harmless(route), "", user);
        auto const as_reader = world.ask(route.method, harmless(route), "", reader);
        auto const as_editor = world.ask(route.method, harmless(route), "", editor);
        auto const as_owner = world.ask(route.method, harmless(route), "", owner);

        bool const people = is_for_people(route);
        bool const own = is_for_oneself(route);
        EXPECT_EQ(as_user.status == 403, !people && !is_for_everybody(route) && !own) << where;
        bool const closed = people || is_for_owners(route);
        bool const changes = route.method != "GET";
        bool const no_reader = !own && (closed || changes);
        bool const no_editor = no_reader && !is_for_editors(route);
        EXPECT_EQ(as_reader.status == 403, no_reader) << where;
        EXPECT_EQ(as_editor.status == 403, no_editor) << where;
        EXPECT_NE(as_owner.status, 403) << where;
        EXPECT_NE(as_owner.status, 401) << where;

        if (route.pattern == "/mcp") continue; // it takes tokens alone
        auto const by_session = [&](std::string const& cookie) {
            return world.ask_as(cookie, route.method, harmless(route)).status;
        };
        EXPECT_EQ(by_session(reader_session) == 403, no_reader) << where;
        EXPECT_EQ(by_session(editor_session) == 403, no_editor) << where;
        EXPECT_NE(by_session(owner_session), 403) << where;
        EXPECT_NE(by_session(owner_session), 401) << where;
    }
}

TEST(api_access, a_user_sees_each_approval_of_their_own_and_operators_see_all) {
    api_world world;
    world.database.execute(
        "insert into postrider.approval (approval_id, job_id, lane_id, requester, expires_at, "
        "state, "
        "decided_at, question, call, tool, arguments, digest) select 'a' || n, 48, 1, n, "
        "postrider.now(), 'rejected', postrider.now(), 'q', 'tool:' || n, 'calculator', '{}', 'd' "
        "from generate_series(7, 8) n"
    );
    auto const user = world.make_token("user"); // of user 7
    auto const seen = [&](std::string const& path, std::string const& token) {
        return world.ask("GET", "/api/v1/approvals" + path, "", token);
    };

    EXPECT_EQ(seen("/a7", user).body.at("state").as_string(), "rejected");
    EXPECT_EQ(seen("/a8", user).status, 404);
    EXPECT_EQ(seen("/a8", api_world::owner).body.at("requester").as_int64(), 8);
    EXPECT_EQ(seen("/a9", api_world::owner).code(), "not_found");
    EXPECT_EQ(seen("?state=all", user).body.at("approvals").as_array().size(), 1u);
    EXPECT_EQ(seen("?state=all", api_world::owner).body.at("approvals").as_array().size(), 2u);
    EXPECT_EQ(seen("?state=waiting", user).body.at("approvals").as_array().size(), 0u);
}

TEST(api_access, a_reader_has_head_as_well) {
    api_world world;
    auto const reader = world.make_token("reader");

    auto const answer = world.send("HEAD", "/api/v1/jobs", {{"Authorization", "Bearer " + reader}});

    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.body.is_null());
}

// The database is gone: the owner is still known, nobody else can be.
TEST(api_access, without_the_database_the_answer_is_503_and_says_when_to_come_again) {
    api_world world;
    auto const reader = world.make_token("reader");
    world.lose_database();

    auto const as_reader = world.ask("GET", "/api/v1/jobs", "", reader);
    auto const as_owner = world.get("/api/v1/jobs");

    EXPECT_EQ(as_reader.status, 503);
    EXPECT_EQ(as_reader.headers.find("Retry-After"), "1");
    EXPECT_EQ(as_owner.status, 503);
    EXPECT_EQ(as_owner.code(), "unavailable");
}

} // namespace
} // namespace postrider::tests::access_test
