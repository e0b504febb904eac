// Parts of an agent that somebody outside is asked for: the question is a step of the agent's node,
// so that a later run of the execution is made of the same parts, whatever they have become outside.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/agent/node_seam/scratch_parts.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

namespace postrider::tests::part_seam_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::SizeIs;

auto const with_server = flow_builder("asking")
                             .trigger("In", "scratch.ring")
                             .agent("Ask")
                             .part("Server", "tool.scratch")
                             .text();

auto const with_diary = flow_builder("remembering")
                            .trigger("In", "scratch.ring")
                            .agent("Ask")
                            .part("Diary", "memory.scratch")
                            .text();

class part_seam : public testing::Test {
protected:
    part_seam() { outside = {}; }
    ~part_seam() override { outside = {}; }

    static json::value question() { return json::object{{"text", "Where is the key?"}}; }
};

std::vector<std::string> tools_in(agent::chat_request const& request) {
    std::vector<std::string> names;
    for (auto const& tool : request.tools) names.push_back(tool.name);
    return names;
}

TEST_F(part_seam, the_tools_of_a_server_are_listed_in_a_step_and_called) {
    flow_world w(with_server);
    outside.tools = {"find", "open"};
    w.model.script = {calls({{"find", json::object{}}}), says("Under the mat")};

    w.run(question());

    EXPECT_THAT(tools_in(w.model.requests.at(0)), ElementsAre("find", "open"));
    EXPECT_EQ(w.model.requests.at(1).messages.back().content, "The answer of find");
    EXPECT_THAT(
        w.log,
        ElementsAre(
            "step ask/part:server",
            "step ask/model",
            "commit",
            "step ask/tool:1",
            "commit",
            "step ask/model#2",
            "commit"
        )
    );
}

// The process dies once the model has chosen a tool that the server drops meanwhile.
TEST_F(part_seam, a_later_run_has_the_tools_that_were_recorded) {
    flow_world w(with_server);
    outside.tools = {"find"};
    w.model.script = {calls({{"find", json::object{}}}), says("Under the mat")};
    ASSERT_TRUE(w.run_and_die(2, question()));
    outside.tools = {"open"};

    w.run(question());

    EXPECT_EQ(outside.listings, 1);
    EXPECT_THAT(tools_in(w.model.requests.at(1)), ElementsAre("find"));
    EXPECT_EQ(w.model.requests.at(1).messages.back().content, "The answer of find");
}

TEST_F(part_seam, another_execution_has_the_tools_that_the_server_has_by_then) {
    flow_world w(with_server);
    outside.tools = {"find"};
    w.model.script = {says("Under the mat"), says("Still there")};
    w.run(question());
    outside.tools = {"open"};
    w.job.id = job_id{101};
    w.record = {};

    w.run(question());

    EXPECT_THAT(tools_in(w.model.requests.at(1)), ElementsAre("open"));
}

TEST_F(part_seam, a_server_that_is_away_is_asked_again_as_of_any_step) {
    flow_world w(with_server);
    outside.tools = {"find"};
    outside.failures = {base::error(base::errc::unavailable)};
    w.model.script = {says("Under the mat")};

    auto const outcome = w.run(question());

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_EQ(outside.listings, 2);
}

TEST_F(part_seam, a_server_that_refuses_fails_its_agent) {
    flow_world w(with_server);
    outside.failures = {base::error(base::errc::refused, "no such key")};

    auto const outcome = w.run(question());

    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(w.model.requests, SizeIs(0));
    EXPECT_EQ(w.record.steps.at("ask/part:server").error().detail, "no such key");
}

// The process dies once the model has answered, and elsewhere the diary is written on.
TEST_F(part_seam, a_memory_is_searched_for_the_question_in_a_step) {
    flow_world w(with_diary);
    outside.remembered = "The key is under the mat";
    w.model.script = {calls({{"no_such", json::object{}}}), says("Under the mat")};
    ASSERT_TRUE(w.run_and_die(2, question()));
    outside.remembered = "The key is lost";

    w.run(question());

    EXPECT_THAT(outside.questions, ElementsAre("Where is the key?"));
    auto const& told = w.model.requests.at(1).messages;
    EXPECT_EQ(told.at(0).content, "The key is under the mat");
    EXPECT_EQ(told.at(1).content, "Where is the key?");
}

// Nothing goes out before the answer stands: an edit may still change the question.
TEST_F(part_seam, a_memory_outside_gets_what_was_said_behind_the_commit_of_the_answer) {
    flow_world w(with_diary);
    w.model.script = {says("Under the mat")};

    w.run(question());

    EXPECT_THAT(outside.written, ElementsAre("Where is the key?", "Under the mat"));
    auto const step = std::ranges::find(w.log, "step ask/remember");
    ASSERT_NE(step, w.log.end());
    EXPECT_EQ(*std::prev(step), "commit");
}

// What stands in the record is written all the same: the process may have died in between.
TEST_F(part_seam, a_memory_outside_gets_all_of_it_in_a_later_run) {
    flow_world w(with_diary);
    w.model.script = {says("Under the mat")};
    ASSERT_TRUE(w.run_and_die(2, question())) << "behind the step that wrote";
    ASSERT_THAT(w.model.requests, SizeIs(1));
    outside.written.clear();

    w.run(question());

    EXPECT_THAT(outside.written, ElementsAre("Where is the key?", "Under the mat"));
    EXPECT_THAT(w.model.requests, SizeIs(1)) << "the answer stood in the record";
}

// covers: S3.17
TEST_F(part_seam, an_answer_stands_where_a_memory_outside_cannot_be_written) {
    flow_world w(with_diary);
    w.model.script = {says("Under the mat")};
    outside.is_full = true;

    auto const outcome = w.run(question());

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    ASSERT_TRUE(outcome.degraded.has_value());
    EXPECT_EQ(outcome.degraded->reason, "memory_degraded");
    EXPECT_EQ(noted(outcome, "memory_degraded"), "refused");
}

} // namespace
} // namespace postrider::tests::part_seam_test
