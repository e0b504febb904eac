// Streams whose token no longer counts: a real server, a real Postgres, clients that only listen.
#include "server/api/token_mint.hpp"
#include "tests/integration/server/api/watched_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::stream_access_test {
namespace {

using namespace std::chrono_literals;
using testing::Le;

class session_streams : public watched_conversations {
protected:
    // A session of the person, as a login makes it.
    std::string open_session(std::string const& user) {
        auto const session = mint.make_token(base::system_random(), api::token_kind::session);
        database.execute(
            "insert into postrider.console_session (user_id, role, sha256, expires_at, ends_at) "
            "values (" +
            user + ", 'owner', '\\x" + api::hash_of(session) + "', " + in_an_hour + ", " +
            in_an_hour + ")"
        );
        return session.reveal();
    }
    stream watch_as(std::string const& session, std::string const& where) {
        return send(
            "GET",
            where.substr(0, where.rfind('/')) + "/events",
            {{"Cookie", "postrider_session=" + session}, {"Sec-Fetch-Site", "same-origin"}}
        );
    }

    std::string const in_an_hour = "postrider.now() + interval '1 hour'";
};

class streams : public watched_conversations {
protected:
    // As another process does it.
    void change(std::string const& assignment) {
        database.execute(
            "update postrider.token set " + assignment + " where sha256 = '\\x" +
            api::hash_of(base::secret(tokens.at("alice"))) + "'"
        );
        changed_at_ = base::system_clock().steady();
    }

    void expect_to_end_soon(stream const& line) {
        (void)heard_to_the_end(line);
        EXPECT_THAT(base::system_clock().steady() - changed_at_, Le(2s));
    }

private:
    base::steady_time changed_at_;
};

TEST_F(streams, end_when_their_token_is_revoked) {
    auto const where = begin();
    auto const first_stream = watch_from_now(where);
    auto const second_stream = watch_from_now(where);

    change("revoked_at = postrider.now()");

    expect_to_end_soon(first_stream);
    expect_to_end_soon(second_stream);
    ask(401, "GET", where, "");
}

TEST_F(streams, end_when_their_token_expires_or_has_another_role) {
    auto const where = begin();
    auto const expiring = watch_from_now(where);
    change("expires_at = postrider.now() + interval '200 ms'");
    expect_to_end_soon(expiring);

    change("expires_at = null");
    auto const demoted = watch_from_now(where);
    change("role = 'reader'");
    expect_to_end_soon(demoted);
}

TEST_F(streams, of_others_go_on) {
    auto const hers = watch_from_now(begin());
    auto const begun = ask(201, "POST", "", "{}", "owner");
    auto const owners_where =
        "/" + std::string(begun.at("conversation_id").as_string()) + "/messages";
    auto const owners = watch(owners_where, {}, "owner");
    (void)heard(owners, "event: watching\ndata: {}\n\n");
    server.start_engine();

    change("revoked_at = postrider.now()");
    expect_to_end_soon(hers);
    ask(202, "POST", owners_where, R"({"text": "hi"})", "owner");

    EXPECT_THAT(contents_of(heard(owners, "event: message")), testing::ElementsAre("hi"));
}

TEST_F(session_streams, end_with_their_session_and_not_with_another) {
    auto const where = begin(); // alice's, who is user 7
    auto const kept = watch_as(open_session("7"), where);
    auto const revoked = watch_as(open_session("7"), where);
    (void)heard(kept, "event: watching\ndata: {}\n\n");
    (void)heard(revoked, "event: watching\ndata: {}\n\n");
    server.start_engine();

    database.execute(
        "update postrider.console_session set revoked_at = postrider.now(), expires_at = "
        "postrider.now() where session_id = 2"
    );
    auto const revoked_at = base::system_clock().steady();
    (void)heard_to_the_end(revoked);
    EXPECT_THAT(base::system_clock().steady() - revoked_at, Le(2s));
    ask(202, "POST", where, R"({"text": "hi"})");
    EXPECT_THAT(contents_of(heard(kept, "event: message")), testing::ElementsAre("hi"));

    database.execute("update postrider.console_session set expires_at = postrider.now()");
    (void)heard_to_the_end(kept);
}

} // namespace
} // namespace postrider::tests::stream_access_test
