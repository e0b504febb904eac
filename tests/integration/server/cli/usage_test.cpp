// What models were asked and what it cost: the view, and the command that prints it.
#include "server/cli/run.hpp"
#include "storage/stores/usage.hpp"
#include "tests/support/postgres.hpp"
#include "tests/support/usage_rows.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace postrider::cli::usage_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class usage_command : public testing::Test {
protected:
    usage_command() { database.execute(tests::four_calls); }

    struct outcome {
        int code;
        std::string out;
        std::string err;
    };

    outcome run_with(std::vector<std::string> const& args) {
        std::ostringstream out, err;
        int const code = run(args, {{"DATABASE_URL", database.url()}}, out, err);
        return {code, out.str(), err.str()};
    }

    json::array usage_by(std::string const& key) {
        auto const done = run_with({"usage", "--by", key, "--days", "3660", "--json"});
        EXPECT_EQ(done.code, 0) << done.err;
        return json::parse(done.out).at("usage").as_array();
    }

    tests::test_database database;
};

// covers: X.04
TEST_F(usage_command, tells_who_used_how_much) {
    auto const users = usage_by("user");

    ASSERT_EQ(users.size(), 3u);
    EXPECT_EQ(
        users.at(0), json::parse(R"({"user": 7, "calls": 2, "tokens_in": 300, "tokens_out": 30,
                        "tokens_cached": 60, "cost": 7.5E0})")
    );
    EXPECT_EQ(users.at(1).at("user"), nullptr) << "nobody's";
    EXPECT_EQ(users.at(1).at("cost").to_number<double>(), 0.0001);
    EXPECT_EQ(users.at(2).at("user"), 8);
}

TEST_F(usage_command, tells_of_chats_agents_and_flows) {
    auto const chats = usage_by("chat");
    auto const agents = usage_by("agent");
    auto const flows = usage_by("flow");

    EXPECT_EQ(chats.at(0).at("chat"), 5);
    EXPECT_EQ(chats.at(2).at("chat"), "00000000-0000-0000-0000-000000000001");
    EXPECT_EQ(agents.at(0).at("agent"), "assistant");
    EXPECT_EQ(agents.at(2).at("agent"), "terse");
    EXPECT_EQ(flows.at(0).at("flow"), "assistant");
    EXPECT_EQ(flows.at(2).at("flow"), "todo");
}

TEST_F(usage_command, a_day_begins_in_the_configured_zone) {
    auto const days = [this] {
        std::string text;
        for (auto const& line : usage_by("day")) {
            text += std::string(line.at("day").as_string()) + "=";
            text += std::to_string(line.at("tokens_in").as_int64()) + " ";
        }
        return text;
    };
    auto const in_utc = days();
    auto const kept = storage::run_blocking(database.options(), [](storage::transaction& tx) {
        storage::keep_timezone(tx, "Europe/Berlin");
    });

    EXPECT_TRUE(kept);
    EXPECT_EQ(in_utc, "2026-11-22=5 2026-11-20=301 ");
    EXPECT_EQ(days(), "2026-11-22=5 2026-11-21=201 2026-11-20=100 ");
    EXPECT_THAT(run_with({"usage", "--days", "3660"}).err, HasSubstr("midnight in Europe/Berlin"));
}

TEST_F(usage_command, prints_a_table_with_its_sum) {
    auto const done = run_with({"usage", "--by", "user", "--days", "3660"});

    EXPECT_THAT(done.out, testing::ContainsRegex("7 +2 +300 +60 +30 +0.075000\n"));
    EXPECT_THAT(done.out, testing::ContainsRegex("8 +1 +1 +0 +2 +-\n")) << "its model has no price";
    EXPECT_THAT(done.out, testing::ContainsRegex("all +4 +306 +60 +37 +0.075001\n"));
}

TEST_F(usage_command, reads_the_last_days_alone) {
    database.execute("update postrider.step set ended_at = postrider.now() where job_id = 43");

    auto const done = run_with({"usage", "--days", "1", "--json"});

    auto const lines = json::parse(done.out).at("usage").as_array();
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines.at(0).at("tokens_in"), 5);
}

TEST_F(usage_command, refuses_what_it_does_not_know) {
    auto const key = run_with({"usage", "--by", "usr"});
    auto const days = run_with({"usage", "--days", "0"});

    EXPECT_EQ(key.code, 2);
    EXPECT_THAT(key.err, HasSubstr("did you mean user?"));
    EXPECT_EQ(days.code, 2);
}

} // namespace
} // namespace postrider::cli::usage_test
