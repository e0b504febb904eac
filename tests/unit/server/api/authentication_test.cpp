#include "base/log.hpp"
#include "net/digest.hpp"
#include "server/api/authentication.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/server/telegram/recording_database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::authentication_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Answers every look-up with the same failure.
class failing_reads final : public storage::batcher {
public:
    explicit failing_reads(base::errc failure) : failure_(failure) {}

    base::awaitable<base::result<void>> commit(std::shared_ptr<storage::unit>, base::duration)
        override {
        ++asked;
        co_return base::error(failure_, "host=db.internal password");
    }
    storage::batcher_counts counts() const override { return {}; }
    void close() override {}

    int asked = 0;

private:
    base::errc failure_;
};

net::http_request asking(std::string method, std::string authorization) {
    net::http_request request;
    request.method = std::move(method);
    request.path = "/api/v1/jobs";
    request.headers = {{"Host", "127.0.0.1:8080"}, {"Authorization", std::move(authorization)}};
    request.remote = "127.0.0.1";
    return request;
}

// A page of this server, unless it says something else.
net::http_request with_session(
    std::string const& session, std::string method = "GET", std::string site = "same-origin"
) {
    net::http_request request;
    request.method = std::move(method);
    request.path = "/api/v1/jobs";
    request.headers = {
        {"Host", "127.0.0.1:8080"},
        {"Cookie", "postrider_session=" + session},
        {"Sec-Fetch-Site", std::move(site)}};
    request.remote = "127.0.0.1";
    return request;
}

struct scene {
    explicit scene(base::errc failure = base::errc::unavailable) : reads(failure) {}

    net::http_response refusal(std::string const& authorization) {
        auto const request = asking("GET", authorization);
        auto answer = io.run(authenticator.identify(request));
        return std::get<net::http_response>(answer);
    }

    std::string new_token() { return mint.make_token(base::system_random()).reveal(); }
    std::string new_session() {
        return mint.make_token(base::system_random(), token_kind::session).reveal();
    }

    failing_reads reads;
    telegram::recording_database db;
    base::manual_clock clock;
    tests::loop io;
    token_mint mint{base::secret("key of the database")};
    authentication authenticator{{base::secret("owners"), mint}, reads, db, clock};
};

TEST(authentication, the_owners_configured_token_needs_no_database) {
    scene with;

    auto const request = asking("POST", "Bearer owners");
    auto const answer = with.io.run(with.authenticator.identify(request));

    EXPECT_EQ(std::get<caller>(answer).role, storage::token_role::owner);
    EXPECT_EQ(with.reads.asked, 0);
}

TEST(authentication, the_owners_configured_token_acts_as_the_configured_person) {
    scene with;
    access_secrets const secrets{base::secret("owners"), with.mint, user_id{7}};
    authentication callers{secrets, with.reads, with.db, with.clock};

    auto const request = asking("POST", "Bearer owners");
    auto const answer = with.io.run(callers.identify(request));

    EXPECT_EQ(std::get<caller>(answer).user, user_id{7});
    EXPECT_EQ(std::get<caller>(answer).token, token_id{}) << "the audit knows it as the owner";
}

TEST(authentication, an_owner_without_a_token_is_nobody) {
    scene with;
    authentication nobody{{base::secret(), with.mint}, with.reads, with.db, with.clock};

    auto const request = asking("GET", "Bearer owners");
    auto const answer = with.io.run(nobody.identify(request));

    EXPECT_EQ(std::get<net::http_response>(answer).status, 401);
    EXPECT_EQ(with.reads.asked, 0);
}

TEST(authentication, a_slow_or_absent_database_is_503_without_its_words) {
    for (auto const code : {base::errc::timeout, base::errc::unavailable}) {
        scene with(code);

        auto const answer = with.refusal("Bearer " + with.new_token());

        EXPECT_EQ(answer.status, 503);
        EXPECT_EQ(answer.headers.find("Retry-After"), "1");
        EXPECT_THAT(answer.body, Not(HasSubstr("db.internal")));
    }
}

TEST(authentication, what_cannot_be_a_token_is_refused_by_its_head) {
    scene with;
    net::http_request head;
    EXPECT_EQ(with.authenticator.refuse_at_head(head)->status, 401);
    head.headers = {{"Authorization", "Basic eDp5"}};
    auto const basic = with.authenticator.refuse_at_head(head);
    ASSERT_TRUE(basic);
    EXPECT_THAT(std::string(basic->headers.find("WWW-Authenticate")), HasSubstr("invalid_token"));
    head.headers = {{"Authorization", "Bearer x"}, {"authorization", "Bearer y"}};
    EXPECT_TRUE(with.authenticator.refuse_at_head(head));
    head.headers = {{"Authorization", "Bearer " + with.new_token()}};
    EXPECT_FALSE(with.authenticator.refuse_at_head(head))
        << "whether it counts still is asked later";
    head.headers = {{"Authorization", "Bearer owners"}};
    EXPECT_FALSE(with.authenticator.refuse_at_head(head));
}

// covers: X.18
TEST(authentication, a_forged_token_costs_no_query_and_no_body) {
    scene with;
    auto const genuine = with.new_token();
    auto changed = genuine;
    changed.back() = changed.back() == '0' ? '1' : '0';
    auto other_random = genuine;
    other_random[10] = other_random[10] == '0' ? '1' : '0';
    token_mint const elsewhere(base::secret("another database's"));
    auto const foreign = elsewhere.make_token(base::system_random()).reveal();

    for (auto const& forged :
         {changed, other_random, foreign, genuine + "0", genuine.substr(0, 68), std::string("x")}) {
        net::http_request head;
        head.headers = {{"Authorization", "Bearer " + forged}};
        auto const refused = with.authenticator.refuse_at_head(head);
        ASSERT_TRUE(refused) << forged;
        EXPECT_EQ(refused->status, 401);
        EXPECT_EQ(with.refusal("Bearer " + forged).status, 401);
    }
    EXPECT_EQ(with.reads.asked, 0);
    with.refusal("Bearer " + genuine);
    EXPECT_EQ(with.reads.asked, 1);
}

TEST(authentication, without_a_key_no_token_is_genuine) {
    token_mint const keyless{base::secret()};
    EXPECT_FALSE(keyless.is_genuine(keyless.make_token(base::system_random()).reveal()));
}

TEST(authentication, knocking_fills_no_log) {
    scene with;
    net::http_request head;
    base::log::configure(base::log::level::info, base::log::format::logfmt);
    testing::internal::CaptureStderr();

    for (int i = 0; i < 1000; ++i) with.authenticator.refuse_at_head(head);
    with.clock.advance(10s);
    with.authenticator.refuse_at_head(head);

    auto const log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::ranges::count(log, '\n'), 2) << log;
    EXPECT_THAT(log, HasSubstr("times=1000"));
}

TEST(authentication, roles_may_what_they_are_for) {
    using storage::token_role;
    struct row {
        audience open_to;
        std::string owner, editor, reader, user; // the methods that each may use
    };
    std::string const all = "GET HEAD PUT POST DELETE", looks = "GET HEAD", nothing;
    for (auto const& [open_to, owner, editor, reader, user] : std::vector<row>{
             {audience::operators, all, looks, looks, nothing},
             {audience::editors, all, all, looks, nothing},
             {audience::owners, all, nothing, nothing, nothing},
             {audience::people, all, nothing, nothing, all},
             {audience::everybody, all, looks, looks, all},
             {audience::oneself, all, all, all, all},
         })
        for (auto const* method : {"GET", "HEAD", "PUT", "POST", "DELETE"}) {
            auto const where = std::to_string(static_cast<int>(open_to)) + " " + method;
            auto const is_in = [&](std::string const& methods) {
                return methods.find(method) != methods.npos;
            };
            EXPECT_EQ(may(token_role::owner, method, open_to), is_in(owner)) << where;
            EXPECT_EQ(may(token_role::editor, method, open_to), is_in(editor)) << where;
            EXPECT_EQ(may(token_role::reader, method, open_to), is_in(reader)) << where;
            EXPECT_EQ(may(token_role::user, method, open_to), is_in(user)) << where;
        }
}

TEST(authentication, callers_have_the_names_that_the_audit_knows) {
    using storage::token_role;
    EXPECT_EQ(actor_of({token_role::owner, {}, user_id{42}}), "owner");
    EXPECT_EQ(actor_of({token_role::owner, token_id{7}, user_id{42}}), "token:7");
    EXPECT_EQ(
        actor_of({token_role::owner, {}, user_id{42}, console_session_id{3}}), "user:42/console:3"
    );
    EXPECT_EQ(actor_of({token_role::reader, {}, {}, console_session_id{3}}), "console:3");
}

TEST(authentication, a_forged_session_costs_no_query_and_asks_for_a_login) {
    scene with;
    auto changed = with.new_session();
    changed.back() = changed.back() == '0' ? '1' : '0';

    // A bearer token is no session, nor the other way round.
    for (auto const& forged : {changed, with.new_token(), std::string("x"), std::string()}) {
        auto const refused = with.authenticator.refuse_at_head(with_session(forged));
        ASSERT_TRUE(refused) << forged;
        EXPECT_EQ(refused->status, 401);
        EXPECT_THAT(refused->body, HasSubstr("login_required"));
    }
    EXPECT_EQ(with.refusal("Bearer " + with.new_session()).status, 401);
    EXPECT_EQ(with.reads.asked, 0);
    auto const genuine = with_session(with.new_session());
    EXPECT_FALSE(with.authenticator.refuse_at_head(genuine));
    auto const asked = with.io.run(with.authenticator.identify(genuine));
    EXPECT_EQ(std::get<net::http_response>(asked).status, 503) << "only the database knows";
    EXPECT_EQ(with.reads.asked, 1);
}

TEST(authentication, a_session_counts_for_pages_of_this_server_alone) {
    scene with;
    auto const session = with.new_session();

    EXPECT_FALSE(with.authenticator.refuse_at_head(with_session(session, "POST")));
    for (auto const* site : {"cross-site", "same-site", "none"}) {
        auto const refused = with.authenticator.refuse_at_head(with_session(session, "POST", site));
        ASSERT_TRUE(refused) << site;
        EXPECT_EQ(refused->status, 403) << site;
        EXPECT_THAT(refused->body, HasSubstr("foreign_origin")) << site;
    }
}

TEST(authentication, a_session_reaches_the_api_alone_and_a_bearer_token_comes_before_it) {
    scene with;
    auto elsewhere = with_session(with.new_session());
    elsewhere.path = "/mcp";
    auto both = with_session(with.new_session(), "POST", "cross-site");
    both.headers.add("Authorization", "Bearer owners");

    EXPECT_EQ(with.authenticator.refuse_at_head(elsewhere)->status, 401);
    EXPECT_FALSE(with.authenticator.refuse_at_head(both));
    auto const answer = with.io.run(with.authenticator.identify(both));
    EXPECT_EQ(std::get<caller>(answer).session, console_session_id{});
}

// A browser forgets a cookie that is over.
TEST(authentication, a_page_without_a_session_is_asked_for_a_login) {
    scene with;
    net::http_request head;
    head.path = "/api/v1/me";
    head.headers = {{"Host", "127.0.0.1:8080"}, {"Sec-Fetch-Site", "same-origin"}};

    EXPECT_THAT(with.authenticator.refuse_at_head(head)->body, HasSubstr("login_required"));
}

TEST(authentication, a_tokens_hash_is_sha_256) {
    EXPECT_EQ(
        net::sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    EXPECT_EQ(hash_of(base::secret("abc")), net::sha256_hex("abc"));
}

} // namespace
} // namespace postrider::api::authentication_test
