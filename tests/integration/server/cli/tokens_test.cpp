#include "net/digest.hpp"
#include "tests/integration/server/cli/database_commands.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::tokens_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class token_commands : public tests::database_commands {
protected:
    // Nothing yet: a token may be made before the first start.
    token_commands() : database_commands(tests::test_database::content::empty) {}
};

TEST_F(token_commands, a_token_is_printed_once_and_stored_as_its_hash) {
    auto creation = run_with({"token", "create", "--user", "7", "--role", "user", "--json"});
    auto plain =
        run_with({"token", "create", "--user", "7", "--role", "reader", "--name", "graph"});
    auto list = run_with({"token", "list"});

    ASSERT_EQ(creation.code, 0) << creation.err;
    auto const answer = boost::json::parse(creation.out);
    std::string const token(answer.at("token").as_string());
    EXPECT_EQ(answer.at("id").as_int64(), 1);
    EXPECT_EQ(
        database.value("select encode(sha256, 'hex') from postrider.token where token_id = 1"),
        net::sha256_hex(token)
    );
    EXPECT_THAT(plain.out, testing::MatchesRegex("prt_[0-9a-f]+\n")) << "only the token on stdout";
    EXPECT_THAT(list.out, HasSubstr("graph"));
    EXPECT_THAT(list.out, Not(HasSubstr("prt_")));
}

TEST_F(token_commands, a_token_is_revoked_by_its_id) {
    run_with({"token", "create", "--user", "7", "--role", "owner", "--expires-in", "90d"});

    auto revoked = run_with({"token", "revoke", "1"});
    auto unknown = run_with({"token", "revoke", "2"});
    auto list = boost::json::parse(run_with({"token", "list", "--json"}).out);

    EXPECT_EQ(revoked.code, 0) << revoked.err;
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("there is no token 2"));
    EXPECT_FALSE(list.at("tokens").at(0).at("active").as_bool());
    EXPECT_TRUE(list.at("tokens").at(0).at("expires_at").is_string());
}

TEST_F(token_commands, what_cannot_be_kept_is_wrong_usage) {
    auto duration =
        run_with({"token", "create", "--user", "7", "--role", "user", "--expires-in", "soon"});
    auto name = run_with(
        {"token", "create", "--user", "7", "--role", "user", "--name", std::string(101, 'x')}
    );

    EXPECT_EQ(duration.code, 2);
    EXPECT_THAT(duration.err, HasSubstr("--expires-in"));
    EXPECT_EQ(name.code, 2);
}

} // namespace
} // namespace postrider::cli::tokens_test
