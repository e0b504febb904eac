#include "net/digest.hpp"
#include "server/api/token_mint.hpp"
#include "tests/integration/server/cli/database_commands.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::console_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class console_commands : public tests::database_commands {
protected:
    // Nothing yet: a link may be made before the first start.
    console_commands() : database_commands(tests::test_database::content::empty) {}

    void add_session(std::string const& user) {
        database.execute(
            "insert into postrider.console_session (user_id, role, sha256, expires_at, ends_at) "
            "values (" +
            user +
            ", 'reader', sha256(gen_random_uuid()::text::bytea), postrider.now() + "
            "interval '1 hour', postrider.now() + interval '1 day')"
        );
    }
};

TEST_F(console_commands, a_link_is_printed_once_and_stored_as_its_hash) {
    auto plain = run_with({"console", "link", "--role", "reader", "--user", "7"});
    auto json = run_with(
        {"console", "link", "--json"},
        {{"POSTRIDER_PUBLIC_URL", "https://bot.example.org/"}, {"TELEGRAM_BOT_TOKEN", "1:a"}}
    );

    ASSERT_EQ(plain.code, 0) << plain.err;
    EXPECT_THAT(
        plain.out, testing::MatchesRegex("http://127.0.0.1:8080/console#login=prl_[0-9a-f]+\n")
    );
    auto const token = plain.out.substr(plain.out.find("prl_"), 4 + 64 + 32);
    EXPECT_EQ(
        database.value("select encode(sha256, 'hex') from postrider.console_link where link_id = 1"
        ),
        net::sha256_hex(token)
    );
    EXPECT_EQ(
        database.value("select role || ' ' || user_id || ' ' || extract(epoch from expires_at - "
                       "created_at)::int from postrider.console_link where link_id = 1"),
        "reader 7 900"
    );
    ASSERT_EQ(json.code, 0) << json.err;
    auto const answer = boost::json::parse(json.out);
    EXPECT_THAT(
        std::string(answer.at("url").as_string()),
        testing::StartsWith("https://bot.example.org/console#login=prl_")
    );
    EXPECT_EQ(answer.at("role").as_string(), "owner");
    EXPECT_TRUE(answer.at("user_id").is_null()) << "no owner is configured";
    EXPECT_THAT(
        database.value("select actor from postrider.audit where kind = 'console_link' limit 1"),
        testing::StartsWith("cli:")
    );
}

TEST_F(console_commands, a_link_of_an_owner_acts_as_the_one_person_who_can_be_meant) {
    auto demo = run_with({"console", "link", "--json"});
    auto owner = run_with(
        {"console", "link", "--json"}, {{"TELEGRAM_BOT_TOKEN", "1:a"}, {"POSTRIDER_OWNERS", "42"}}
    );

    EXPECT_EQ(boost::json::parse(demo.out).at("user_id").as_int64(), 1000);
    EXPECT_EQ(boost::json::parse(owner.out).at("user_id").as_int64(), 42);
}

TEST_F(console_commands, a_link_that_no_browser_could_open_is_wrong_usage) {
    auto socket = run_with({"console", "link"}, {{"POSTRIDER_LISTEN", "unix:/tmp/x"}});
    auto any_port = run_with({"console", "link"}, {{"POSTRIDER_LISTEN", "127.0.0.1:0"}});
    auto role = run_with({"console", "link", "--role", "user"});

    EXPECT_EQ(socket.code, 2);
    EXPECT_THAT(socket.err, HasSubstr("server.public_url"));
    EXPECT_EQ(any_port.code, 2);
    EXPECT_EQ(role.code, 2);
}

TEST_F(console_commands, sessions_are_listed_and_revoked) {
    ASSERT_EQ(run_with({"migrate"}).code, 0);
    EXPECT_THAT(run_with({"console", "sessions"}).err, HasSubstr("console link"));
    add_session("7");
    add_session("null");

    auto const list = run_with({"console", "sessions"});
    EXPECT_THAT(list.out, HasSubstr("reader"));
    auto const json = boost::json::parse(run_with({"console", "sessions", "--json"}).out);
    EXPECT_EQ(json.at("sessions").as_array().size(), 2u);
    EXPECT_EQ(json.at("sessions").at(1).at("user_id").as_int64(), 7);
    EXPECT_EQ(run_with({"console", "revoke", "1"}).code, 0);
    EXPECT_EQ(run_with({"console", "revoke", "1"}).code, 1) << "it is over";
    EXPECT_EQ(run_with({"console", "revoke"}).code, 2);
    EXPECT_EQ(run_with({"console", "revoke", "2", "--all"}).code, 2);
    auto const all = run_with({"console", "revoke", "--all", "--json"});
    EXPECT_EQ(boost::json::parse(all.out).at("revoked").as_int64(), 1);
    EXPECT_EQ(run_with({"console", "sessions"}).out, "");
}

} // namespace
} // namespace postrider::cli::console_test
