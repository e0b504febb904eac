// What servers told of their tools stands in the record of a job, which later runs go by.
#include "tests/unit/agent/flow/mcp_tools_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::mcp_tool_record_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using recorded_mcp_tools = mcp_tools_world;

// The process dies once the model has chosen, and the server is gone from the configuration.
TEST_F(recorded_mcp_tools, are_those_of_the_record_in_a_later_run) {
    begin("{}", {"read_only"});
    w->model.script = {calls({{"read_only_echo", json::object{}}}), says("It failed.")};
    ASSERT_TRUE(w->run_and_die(2, question));
    configure({});

    w->run(question);

    auto const& second = w->model.requests.at(1);
    EXPECT_THAT(tools_in(second), SizeIs(2));
    EXPECT_THAT(second.messages.back().content, HasSubstr("not configured any more"));
}

TEST_F(recorded_mcp_tools, are_recorded_by_the_digest_of_their_list) {
    begin("{}", {"read_only"});
    w->model.script = {says("one"), says("two")};

    w->run(question);
    auto const first = w->record.steps.at(mcp_step()).value();
    w->record = {};
    w->run(question);

    EXPECT_EQ(w->record.steps.at(mcp_step()).value(), first);
    EXPECT_LT(json::serialize(first).size(), 150u);
    ASSERT_THAT(w->table.catalogs, SizeIs(1));
    EXPECT_THAT(w->table.catalogs.begin()->second, HasSubstr("input"));
    EXPECT_EQ(w->table.catalogs_sent, 1) << "the next turn sends the digest alone";
}

TEST_F(recorded_mcp_tools, that_an_earlier_version_recorded_in_full_are_those_of_the_record) {
    begin("{}", {"read_only"});
    w->model.script = {calls({{"read_only_echo", json::object{}}}), says("It failed.")};
    ASSERT_TRUE(w->run_and_die(2, question));
    auto const tools = json::parse(w->table.catalogs.begin()->second);
    json::object const whole{{"tools", tools}, {"left_out", json::array{}}};
    w->record.steps.at(mcp_step()) = json::value(json::object{{"read_only", whole}});
    w->table.catalogs.clear();
    configure({});

    w->run(question);

    EXPECT_THAT(tools_in(w->model.requests.at(1)), SizeIs(2));
}

TEST_F(recorded_mcp_tools, whose_list_is_kept_no_more_end_the_turn_with_a_reason) {
    begin("{}", {"read_only"});
    w->model.script = {calls({{"read_only_echo", json::object{}}}), says("It failed.")};
    ASSERT_TRUE(w->run_and_die(2, question));
    w->table.catalogs.clear();

    auto const ended = w->run(question);

    EXPECT_EQ(ended.state, queue::job_state::failed);
    EXPECT_THAT(ended.error.detail, HasSubstr("is not kept any more"));
}

// The first server is configured while a turn waits.
TEST_F(recorded_mcp_tools, are_none_in_a_turn_whose_model_was_offered_none) {
    begin("{}", {});
    w->model.script = {calls({{"guess", json::object{}}}), says("I cannot."), says("I can.")};
    w->held_stands = true;
    ASSERT_TRUE(w->run_and_die(1, question));
    configure({"read_only"});

    w->run(question);

    EXPECT_THAT(tools_in(w->model.requests.at(1)), IsEmpty());
    EXPECT_THAT(w->log, testing::Not(testing::Contains(HasSubstr("part:mcp"))));
    w->record.steps.clear();
    w->run(question);
    EXPECT_THAT(tools_in(w->model.requests.at(2)), SizeIs(2)) << "the next turn has them";
}

TEST_F(recorded_mcp_tools, are_those_of_the_record_when_their_server_is_named_and_gone) {
    begin(R"({"servers": ["read_only"]})", {"read_only"});
    w->model.script = {calls({{"read_only_echo", json::object{}}}), says("It failed.")};
    ASSERT_TRUE(w->run_and_die(2, question));
    configure({});

    auto const ended = w->run(question);

    EXPECT_THAT(w->ended(ended), HasSubstr("It failed."));
    EXPECT_THAT(tools_in(w->model.requests.at(1)), SizeIs(2));
}

// Turns share what is the same for all of them.
TEST_F(recorded_mcp_tools, are_those_of_the_record_beside_turns_that_have_none) {
    begin("{}", {"read_only"});
    w->model.script = {
        calls({{"read_only_echo", json::object{}}}), says("yes"), says("no"), says("done")};
    ASSERT_TRUE(w->run_and_die(2, question));
    configure({});
    auto const waiting = std::exchange(w->record.steps, {});
    w->run(question);
    w->record.steps = waiting;

    w->run(question);

    EXPECT_THAT(tools_in(w->model.requests.at(1)), IsEmpty());
    EXPECT_THAT(tools_in(w->model.requests.at(2)), SizeIs(2));
    w->record.steps.clear();
    w->run(question);
    EXPECT_THAT(tools_in(w->model.requests.at(3)), IsEmpty()) << "and that was for one job";
}

} // namespace
} // namespace postrider::tests::mcp_tool_record_test
