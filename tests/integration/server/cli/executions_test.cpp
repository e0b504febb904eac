// `postrider executions list` on a real Postgres.
#include "server/cli/run.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <sstream>

namespace postrider::cli::executions_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto jobs = R"sql(
insert into postrider.lane (lane_id, lane_key) overriding system value values (1, 'flow:greeting');
insert into postrider.flow (flow_id, name, draft) overriding system value values (901, 'greeting', '{}');
insert into postrider.flow_version (flow_id, version, document) values (901, 3, '{}'), (901, 5, '{}');
update postrider.flow set published_version = 5;
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, finished_at, error_class, input)
values (51, 1, 9, 0, 'completed', 'flow', postrider.now(), null, '{"flow": "greeting", "version": 3}'),
       (52, 1, 9, 0, 'failed', 'flow', postrider.now(), 'timeout', '{"flow": "greeting", "version": 5}'),
       (53, 1, 9, 0, 'completed', 'other', postrider.now(), null, '{}');
)sql";

struct execution_commands : testing::Test {
    tests::test_database database;
    std::ostringstream out, err;

    execution_commands() { database.execute(jobs); }

    int run_with(std::vector<std::string> args) {
        args.insert(args.begin(), {"executions", "list"});
        return run(args, {{"DATABASE_URL", database.url()}}, out, err);
    }
};

TEST_F(execution_commands, list_what_is_pinned_beside_what_is_current) {
    EXPECT_EQ(run_with({}), 0) << err.str();

    EXPECT_THAT(out.str(), HasSubstr("51  greeting  v3 (now v5)  completed"));
    EXPECT_THAT(out.str(), HasSubstr("52  greeting  v5           failed"));
    EXPECT_THAT(out.str(), Not(HasSubstr("\n53  ")));
}

TEST_F(execution_commands, list_by_filter_and_as_json) {
    EXPECT_EQ(run_with({"--flow", "greeting", "--version", "5", "--state", "failed", "--json"}), 0)
        << err.str();

    auto const page = boost::json::parse(out.str());
    ASSERT_EQ(page.at("executions").as_array().size(), 1u);
    EXPECT_EQ(page.at("executions").at(0).at("job_id").as_int64(), 52);
}

TEST_F(execution_commands, list_the_degraded_ones) {
    database.execute("update postrider.job set degraded = true, error_class = 'unauthorized', "
                     "error = 'HTTP 401' where job_id = 51");

    database.execute("update postrider.job set degraded_reason = 'model_failed' where degraded");
    EXPECT_EQ(run_with({"--reason", "model_failed"}), 0) << err.str();

    EXPECT_THAT(out.str(), HasSubstr("51  greeting  v3 (now v5)  degraded  "));
    EXPECT_THAT(out.str(), HasSubstr("HTTP 401"));
    EXPECT_THAT(out.str(), Not(HasSubstr("52  greeting")));
}

} // namespace
} // namespace postrider::cli::executions_test
