// How a browser gets a session by a one-time link, keeps it, and loses it: a real server, a real
// Postgres, its clock.
#include "net/digest.hpp"
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::login_test {
namespace {

using storage::token_role;
using testing::HasSubstr;
using testing::Not;

net::header_list own_page() {
    return {{"Sec-Fetch-Site", "same-origin"}};
}

api_answer log_in_with(api_world& world, std::string const& token) {
    return world.send(
        "POST",
        "/api/v1/login",
        own_page(),
        boost::json::serialize(boost::json::object{{"token", token}})
    );
}

std::string value_of(std::string const& cookie) {
    return cookie.substr(cookie.find('=') + 1);
}

void expect_login_required(api_answer const& answer) {
    EXPECT_EQ(answer.status, 401);
    EXPECT_EQ(answer.code(), "login_required");
}

// covers: X.13
TEST(console_login, opens_a_session_and_sets_its_cookie) {
    api_world world;

    auto const answer = log_in_with(world, world.make_link(token_role::editor, user_id{7}));

    EXPECT_EQ(answer.status, 204);
    std::string const cookie(answer.headers.find("Set-Cookie"));
    EXPECT_THAT(cookie, testing::StartsWith("postrider_session=prs_"));
    EXPECT_THAT(cookie, testing::EndsWith("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"));
    EXPECT_EQ(answer.headers.find("Cache-Control"), "no-store");
    EXPECT_EQ(answer.headers.find("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.headers.find("Referrer-Policy"), "no-referrer");
}

TEST(console_login, ends_the_session_that_it_replaces) {
    api_world world;
    auto const former = world.log_in(token_role::owner);
    auto headers = own_page();
    headers.add("Cookie", former);

    auto const answer = world.send(
        "POST",
        "/api/v1/login",
        std::move(headers),
        boost::json::serialize(boost::json::object{{"token", world.make_link(token_role::reader)}})
    );

    EXPECT_EQ(answer.status, 204);
    expect_login_required(world.ask_as(former, "GET", "/api/v1/me"));
}

TEST(console_login, is_stored_as_hashes_alone) {
    api_world world;
    auto const link = world.make_link(token_role::owner);
    auto const answer = log_in_with(world, link);
    auto const cookie = value_of(std::string(answer.headers.find("Set-Cookie")));
    auto const session = cookie.substr(0, cookie.find(';'));

    EXPECT_EQ(
        world.database.value("select encode(sha256, 'hex') from postrider.console_link"),
        net::sha256_hex(link)
    );
    EXPECT_EQ(
        world.database.value("select encode(sha256, 'hex') from postrider.console_session"),
        net::sha256_hex(session)
    );
}

// A link that was stolen from a history or replayed opens nothing, and does not say why.
TEST(console_login, refuses_used_expired_and_unknown_links_alike) {
    api_world world;
    auto const used = world.make_link(token_role::owner);
    ASSERT_EQ(log_in_with(world, used).status, 204);
    auto const expired = world.make_link(token_role::owner);
    world.database.execute(
        "update postrider.console_link set expires_at = postrider.now() where used_at is null"
    );
    auto const pruned = world.make_link(token_role::owner);
    world.database.execute(
        "delete from postrider.console_link where sha256 = '\\x" + net::sha256_hex(pruned) + "'"
    );
    auto forged = world.make_link(token_role::owner);
    forged.back() = forged.back() == '0' ? '1' : '0';

    std::set<std::string> bodies;
    for (auto const& token : {used, expired, pruned, forged, std::string("x")}) {
        auto const answer = log_in_with(world, token);
        EXPECT_EQ(answer.status, 401);
        EXPECT_EQ(answer.code(), "login_refused");
        EXPECT_EQ(answer.headers.count("Set-Cookie"), 0u);
        bodies.insert(boost::json::serialize(answer.body));
    }
    EXPECT_EQ(bodies.size(), 1u);
    EXPECT_EQ(world.database.value("select count(*) from postrider.console_session"), "1");
}

TEST(console_login, looks_up_genuine_links_alone) {
    api_world world;
    auto const link = world.make_link(token_role::owner);
    auto const bearer = world.make_token("owner");
    world.lose_database();

    EXPECT_EQ(log_in_with(world, bearer).status, 401);
    EXPECT_EQ(log_in_with(world, link).status, 503);
}

TEST(console_login, names_the_mistakes_of_a_body) {
    api_world world;
    auto const send = [&world](std::string body) {
        return world.send("POST", "/api/v1/login", own_page(), std::move(body));
    };

    EXPECT_EQ(send("").status, 400);
    EXPECT_EQ(send("[]").status, 400);
    EXPECT_EQ(send(R"({"token": 7})").status, 400);
    EXPECT_EQ(send(R"({"token": "x", "role": "owner"})").status, 400);
    EXPECT_EQ(send(R"({"token": ")" + std::string(600, 'x') + "\"}").status, 400);
    EXPECT_EQ(send(R"({"token": ")" + std::string(5000, 'x') + "\"}").status, 413);
}

// A page that logs a browser in with a link of its own would hear all that is done there.
TEST(console_login, is_for_pages_of_this_server_alone) {
    api_world world;
    auto const body =
        boost::json::serialize(boost::json::object{{"token", world.make_link(token_role::owner)}});
    auto const send = [&](net::header_list headers) {
        return world.send("POST", "/api/v1/login", std::move(headers), body).status;
    };

    EXPECT_EQ(send({{"Cookie", "postrider_session=x"}}), 403);
    EXPECT_EQ(send({{"Sec-Fetch-Site", "cross-site"}}), 403);
    EXPECT_EQ(send({{"Host", "evil.example"}}), 403);
    EXPECT_EQ(send({{"Origin", "http://evil.example"}}), 403);
    EXPECT_EQ(send({{"Host", "evil.example"}, {"Sec-Fetch-Site", "same-origin"}}), 403);
    EXPECT_EQ(send({{"Origin", "http://" + world.address()}}), 204) << "an older browser";
}

TEST(console_login, is_open_to_programs_that_name_no_page) {
    api_world world;
    auto const body =
        boost::json::serialize(boost::json::object{{"token", world.make_link(token_role::owner)}});

    EXPECT_EQ(world.send("POST", "/api/v1/login", {}, body).status, 204);
}

TEST(console_session, is_known_by_its_cookie) {
    api_world world;
    auto const cookie = world.log_in(token_role::reader, user_id{7});

    auto const me = world.ask_as(cookie, "GET", "/api/v1/me").body;

    EXPECT_EQ(me.at("role").as_string(), "reader");
    EXPECT_EQ(me.at("user_id").as_int64(), 7);
    EXPECT_EQ(me.at("actor").as_string(), "user:7/console:1");
    EXPECT_EQ(me.at("session_id").as_int64(), 1);
    EXPECT_TRUE(me.at("expires_at").is_string());
    EXPECT_FALSE(me.at("demo").as_bool());
}

TEST(console_session, of_nobody_and_a_token_say_so) {
    api_world world;
    auto const nobody = world.ask_as(world.log_in(token_role::owner), "GET", "/api/v1/me").body;
    auto const owner = world.get("/api/v1/me").body;
    auto const user = world.ask("GET", "/api/v1/me", "", world.make_token("user")).body;

    EXPECT_TRUE(nobody.at("user_id").is_null());
    EXPECT_EQ(nobody.at("actor").as_string(), "console:1");
    EXPECT_EQ(owner.at("actor").as_string(), "owner");
    EXPECT_EQ(owner.at("user_id").as_int64(), base::raw(api_world::person));
    EXPECT_TRUE(owner.at("session_id").is_null());
    EXPECT_TRUE(owner.at("expires_at").is_null());
    EXPECT_EQ(user.at("role").as_string(), "user");
    EXPECT_EQ(user.at("actor").as_string(), "token:1");
}

TEST(console_session, ends_when_it_is_revoked_or_expires) {
    api_world world;
    auto const revoked = world.log_in(token_role::owner);
    auto const expired = world.log_in(token_role::owner);

    world.ask("DELETE", "/api/v1/console/sessions/1");
    world.database.execute(
        "update postrider.console_session set expires_at = postrider.now() where session_id = 2"
    );

    expect_login_required(world.ask_as(revoked, "GET", "/api/v1/jobs"));
    expect_login_required(world.ask_as(expired, "GET", "/api/v1/jobs"));
    expect_login_required(world.ask_as(expired, "POST", "/api/v1/pause"));
    world.note_uses();
    EXPECT_EQ(
        world.database.value("select count(*) from postrider.console_session "
                             "where expires_at > postrider.now()"),
        "0"
    ) << "a use does not bring it back";
}

TEST(console_session, slides_with_its_use_up_to_its_end) {
    api_world world;
    auto const cookie = world.log_in(token_role::owner);
    auto const use_after = [&](std::string const& assignment) {
        world.database.execute("update postrider.console_session set " + assignment);
        EXPECT_EQ(world.ask_as(cookie, "GET", "/api/v1/me").status, 200);
        world.note_uses();
        return world.database.value(
            "select round(extract(epoch from expires_at - postrider.now()) / 86400) "
            "from postrider.console_session"
        );
    };
    std::string const long_ago = "last_seen_at = '2026-01-01', ";
    std::string const in_a_day = "expires_at = postrider.now() + interval '1 day'";

    EXPECT_EQ(use_after(long_ago + in_a_day), "7");
    EXPECT_EQ(use_after("last_seen_at = 'infinity', " + in_a_day), "1") << "noted already";
    EXPECT_EQ(
        use_after(long_ago + in_a_day + ", ends_at = postrider.now() + interval '2 days'"), "2"
    );
}

TEST(console_session, is_left_by_a_logout) {
    api_world world;
    auto const cookie = world.log_in(token_role::owner, user_id{7});
    auto const log_out = [&](net::header_list headers) {
        return world.send("DELETE", "/api/v1/session", std::move(headers));
    };

    EXPECT_EQ(log_out({{"Cookie", cookie}, {"Sec-Fetch-Site", "cross-site"}}).status, 403);
    EXPECT_EQ(world.ask_as(cookie, "GET", "/api/v1/me").status, 200);
    auto const left = log_out({{"Cookie", cookie}, {"Sec-Fetch-Site", "same-origin"}});
    EXPECT_EQ(left.status, 204);
    EXPECT_THAT(std::string(left.headers.find("Set-Cookie")), HasSubstr("Max-Age=0"));
    expect_login_required(world.ask_as(cookie, "GET", "/api/v1/me"));
    EXPECT_EQ(log_out(own_page()).status, 204) << "nobody is logged in";
}

TEST(console_session, lists_and_ends_those_that_the_caller_may) {
    api_world world;
    auto const owner = world.log_in(token_role::owner, user_id{7});
    auto const reader = world.log_in(token_role::reader, user_id{8});
    auto const nobody = world.log_in(token_role::reader);
    auto const seen_by = [&](std::string const& cookie) {
        std::vector<std::int64_t> ids;
        auto const answer = world.ask_as(cookie, "GET", "/api/v1/console/sessions").body;
        for (auto const& session : answer.at("sessions").as_array()) {
            ids.push_back(session.at("session_id").as_int64());
            if (session.at("current").as_bool()) ids.push_back(0);
        }
        return ids;
    };
    auto const end = [&](std::string const& cookie, int id) {
        return world.ask_as(cookie, "DELETE", "/api/v1/console/sessions/" + std::to_string(id))
            .status;
    };

    EXPECT_THAT(seen_by(owner), testing::ElementsAre(3, 2, 1, 0));
    EXPECT_THAT(seen_by(reader), testing::ElementsAre(2, 0));
    EXPECT_THAT(seen_by(nobody), testing::ElementsAre(3, 0));
    EXPECT_EQ(end(reader, 1), 404);
    EXPECT_EQ(end(reader, 3), 404);
    EXPECT_EQ(end(owner, 3), 204);
    EXPECT_EQ(end(owner, 3), 404) << "it is over";
    EXPECT_EQ(end(reader, 2), 204) << "one's own";
    EXPECT_THAT(seen_by(owner), testing::ElementsAre(1, 0));
    auto const page = world.ask("GET", "/api/v1/console/sessions?limit=1").body;
    EXPECT_EQ(page.at("next").as_string(), "1");
    EXPECT_EQ(world.ask("DELETE", "/api/v1/console/sessions/x").status, 400);
    EXPECT_EQ(world.get("/api/v1/console/sessions?cursor=x").status, 400);
    EXPECT_EQ(world.get("/api/v1/me?x=1").status, 400);
}

TEST(console_session, of_a_higher_role_is_hidden_from_its_own_person) {
    api_world world;
    user_id const person{7};
    world.log_in(token_role::owner, person);
    auto const editor = world.log_in(token_role::editor, person);
    auto const reader = world.log_in(token_role::reader, person);
    auto const status = [&](std::string const& cookie, std::string const& id) {
        return world.ask_as(cookie, "DELETE", "/api/v1/console/sessions/" + id).status;
    };
    auto const seen = [&](std::string const& cookie) {
        auto const answer = world.ask_as(cookie, "GET", "/api/v1/console/sessions").body;
        return answer.at("sessions").as_array().size();
    };

    EXPECT_EQ(seen(editor), 2u);
    EXPECT_EQ(seen(reader), 1u);
    EXPECT_EQ(status(reader, "1"), 404);
    EXPECT_EQ(status(reader, "2"), 404);
    EXPECT_EQ(status(editor, "1"), 404);
    EXPECT_EQ(status(editor, "3"), 204) << "a lower one";
}

// covers: X.13
TEST(console_session, cannot_be_used_by_pages_of_others) {
    api_world world;
    auto const cookie = world.log_in(token_role::owner);
    auto const ask = [&](std::string method, std::string target, net::header_list headers) {
        headers.add("Cookie", cookie);
        return world.send(std::move(method), std::move(target), std::move(headers));
    };
    std::string const own = "http://" + world.address();

    for (auto const& headers : std::vector<net::header_list>{
             {},
             {{"Sec-Fetch-Site", "cross-site"}},
             {{"Sec-Fetch-Site", "same-site"}},
             {{"Sec-Fetch-Site", "none"}},
             {{"Origin", "null"}},
             {{"Origin", "http://evil.example"}},
             {{"Origin", own}, {"Sec-Fetch-Site", "cross-site"}},
             {{"Host", "evil.example"}, {"Origin", "http://evil.example"}},
         }) {
        auto const answer = ask("POST", "/api/v1/pause", headers);
        EXPECT_EQ(answer.status, 403);
        EXPECT_EQ(answer.code(), "foreign_origin");
    }
    EXPECT_EQ(world.database.value("select count(*) from postrider.pause"), "0");
    EXPECT_EQ(ask("GET", "/api/v1/jobs", {{"Host", "evil.example"}}).status, 403);
    EXPECT_EQ(ask("GET", "/api/v1/jobs", {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
    EXPECT_EQ(ask("GET", "/api/v1/jobs", {}).status, 200);
    EXPECT_EQ(ask("POST", "/api/v1/pause", {{"Origin", own}}).status, 202);
    EXPECT_EQ(ask("POST", "/api/v1/resume", {{"Sec-Fetch-Site", "same-origin"}}).status, 200);
    EXPECT_EQ(ask("POST", "/mcp", {{"Sec-Fetch-Site", "same-origin"}}).status, 401);
}

TEST(console_session, is_named_with_its_person_in_the_audit) {
    api_world world;
    auto const cookie = world.log_in(token_role::owner, user_id{7});

    world.ask_as(cookie, "POST", "/api/v1/pause");
    world.send(
        "DELETE", "/api/v1/session", {{"Cookie", cookie}, {"Sec-Fetch-Site", "same-origin"}}
    );

    EXPECT_EQ(
        world.database.value("select string_agg(kind || ' ' || subject || ' ' || actor, ', ' order "
                             "by number) from postrider.audit where lane_id = 0 "
                             "and kind <> 'console_link'"),
        "console_login console:1 user:7/console:1, pause all user:7/console:1, "
        "console_revoke console:1 user:7/console:1"
    );
    auto const of_person = world.get("/api/v1/audit?actor=user:7").body;
    EXPECT_EQ(of_person.at("entries").as_array().size(), 3u) << "with all their sessions";
}

TEST(console_access, is_deleted_a_day_after_it_is_over) {
    api_world world;
    world.log_in(token_role::owner);
    world.log_in(token_role::owner);
    world.database.execute(
        "update postrider.console_session set expires_at = postrider.now() - interval '25 hours' "
        "where session_id = 1; "
        "update postrider.console_link set expires_at = postrider.now() - interval '25 hours' "
        "where link_id = 1"
    );

    EXPECT_EQ(world.database.value("select postrider.prune_console()"), "2");
    EXPECT_EQ(world.database.value("select postrider.prune_console()"), "0");
    EXPECT_EQ(world.database.value("select session_id from postrider.console_session"), "2");
}

TEST(console_access, has_no_secret_in_what_it_tells) {
    api_world world;
    auto const cookie = world.log_in(token_role::owner, user_id{7});

    auto const sessions = world.ask_as(cookie, "GET", "/api/v1/console/sessions");

    EXPECT_THAT(boost::json::serialize(sessions.body), Not(HasSubstr("prs_")));
    for (auto const* header :
         {"Cache-Control",
          "X-Content-Type-Options",
          "Referrer-Policy",
          "Cross-Origin-Resource-Policy"}) {
        EXPECT_EQ(sessions.headers.count(header), 1u) << header;
        EXPECT_EQ(world.send("GET", "/api/v1/jobs", {}).headers.count(header), 1u) << header;
    }
}

} // namespace
} // namespace postrider::tests::login_test
