// `postrider schedules set`: what could never run is refused while somebody looks.
#include "server/cli/run.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace postrider::cli::schedules_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto flows = R"sql(
insert into postrider.flow (flow_id, name, draft) overriding system value
values (901, 'report', '{}'), (902, 'draft', '{}'), (903, 'old', '{}');
insert into postrider.flow_version (flow_id, version, document) values (901, 2, '{}'), (903, 1, '{}');
update postrider.flow set published_version = 2 where flow_id = 901;
update postrider.flow set published_version = 1, archived_at = postrider.now() where flow_id = 903;
)sql";

struct schedule_commands : testing::Test {
    tests::test_database database;
    std::string said;

    schedule_commands() { database.execute(flows); }

    int set(std::vector<std::string> more) {
        more.insert(more.begin(), {"schedules", "set", "morning"});
        std::ostringstream out, err;
        int const code = run(more, {{"DATABASE_URL", database.url()}}, out, err);
        said = err.str();
        return code;
    }
    std::string refusal(std::string const& input, int code = 1) {
        EXPECT_EQ(set({"--cron", "@daily", "--kind", "flow", "--input", input}), code) << input;
        return said;
    }
    std::string count() { return database.value("select count(*) from postrider.schedule"); }
};

TEST_F(schedule_commands, refuse_a_flow_that_cannot_start) {
    EXPECT_THAT(
        refusal("{}", 2), HasSubstr(R"(--input: a flow's job needs {"flow": "NAME", "version": N})")
    );
    EXPECT_THAT(
        refusal(R"({"flow": "reprot", "version": 2})"),
        HasSubstr("there is no flow reprot; did you mean report?")
    );
    EXPECT_THAT(
        refusal(R"({"flow": "report", "version": 1})"),
        HasSubstr("the flow report has no version 1; 2 is published")
    );
    EXPECT_THAT(
        refusal(R"({"flow": "draft", "version": 1})"),
        HasSubstr("the flow draft has no version 1; publish it first")
    );
    EXPECT_THAT(refusal(R"({"flow": "old", "version": 1})"), HasSubstr("old is archived"));
    EXPECT_EQ(count(), "0");

    int const code =
        set({"--cron", "@daily", "--kind", "flow", "--input", R"({"flow": "report", "version": 2})"}
        );

    EXPECT_EQ(code, 0) << said;
    EXPECT_EQ(count(), "1");
}

TEST_F(schedule_commands, blame_no_other_option_for_a_kind_that_is_too_long) {
    EXPECT_EQ(set({"--cron", "@daily", "--any-kind", "--kind", std::string(201, 'k')}), 2);

    EXPECT_THAT(said, HasSubstr("a kind of job has 1 to 200 bytes"));
    EXPECT_THAT(said, Not(HasSubstr("--cron: ")));
    EXPECT_EQ(count(), "0");
}

TEST_F(schedule_commands, refuse_a_time_that_is_past) {
    EXPECT_EQ(set({"--at", "2020-01-01T00:00:00Z", "--kind", "turn"}), 2);

    EXPECT_THAT(said, HasSubstr("--at: 2020-01-01T00:00:00Z is past; give a time to come"));
    EXPECT_EQ(count(), "0");
}

TEST_F(schedule_commands, accept_a_one_shot_that_is_set_again_after_its_time) {
    database.execute("insert into postrider.schedule (name, kind, at, input) "
                     "values ('morning', 'turn', '2020-01-01T00:00:00Z', '{}')");

    EXPECT_EQ(set({"--at", "2020-01-01T00:00:00Z", "--kind", "turn"}), 0) << said;
}

} // namespace
} // namespace postrider::cli::schedules_test
