// A past turn of an agent again, with another model or prompt.
#include "agent/flow/watch/trial_plan.hpp"
#include "agent/models/reply_json.hpp"
#include "agent/tools/tool_output.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::trial_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

auto const guide =
    flow_builder("guide")
        .trigger("In", "manual")
        .node("Before", "set", {{"fields", {{"text", "{{ $json.text }}"}}}})
        .agent("Guide", {{"system_prompt", "Be short."}})
        .part("Sum", "tool.calculator")
        .part(
            "Post",
            "tool.flow",
            {{"name", "post"}, {"description", "Posts."}, {"flow", "poster"}, {"risk", "high"}}
        )
        .node("Out", "telegram.send", {{"bot", "fern"}, {"chat", 6}, {"text", "{{ $json.text }}"}})
        .text();

auto const poster = flow_builder("poster")
                        .trigger("In", "manual")
                        .node("See", "set", {{"fields", {{"text", "posted anew"}}}})
                        .text();

flow::definition definition_of(std::string_view text) {
    return std::get<flow::definition>(flow::read_definition(text));
}

json::value output_of_tool(std::string text) {
    return agent::to_json(agent::tool_output(std::move(text)));
}

struct trial_world {
    explicit trial_world(agent::chat_reply first) : w(guide) {
        w.others["poster"] = compiled(poster);
        w.model.script = {std::move(first), says("Done.")};
        input.flow = "guide";
        input.version = 1;
        input.data = json::object{{"text", "Post it"}};
        input.silent = true;
        input.trial = flow::trial{job_id{1}, "guide", {}};
    }
    void record(std::string tool, json::object arguments, queue::step_value result) {
        input.trial->calls.push_back(to_json(flow::recorded_call{
            std::move(tool), std::move(arguments), std::move(result)}));
    }
    std::string heard() const { return w.model.requests.back().messages.back().content; }

    flow_world w;
    flow::execution_input input;
};

TEST(trial, runs_nothing_behind_its_agent) {
    trial_world trial(says("Done."));

    auto const outcome = trial.w.run(trial.input);

    EXPECT_EQ(outcome.state, queue::job_state::completed) << to_string(outcome.error);
    EXPECT_THAT(trial.w.log, Contains("step guide/model"));
    EXPECT_THAT(trial.w.chat.sent, IsEmpty());
}

TEST(trial, gives_the_same_call_what_it_came_to) {
    trial_world trial(calls({{"post", {}}}));
    trial.record("post", {}, output_of_tool("It was posted."));

    auto const outcome = trial.w.run(trial.input);

    EXPECT_EQ(outcome.state, queue::job_state::completed) << to_string(outcome.error);
    EXPECT_THAT(trial.heard(), HasSubstr("It was posted."));
    EXPECT_THAT(trial.w.log, Not(Contains("step guide/tool:1/version")));
}

TEST(trial, gives_the_same_call_the_failure_that_it_came_to) {
    trial_world trial(calls({{"post", {}}}));
    trial.record("post", {}, base::error(base::errc::timeout, "nobody answered"));

    (void)trial.w.run(trial.input);

    EXPECT_THAT(trial.heard(), HasSubstr("nobody answered"));
}

TEST(trial, runs_no_other_call_that_might_act) {
    trial_world trial(calls({{"post", {}}}));
    trial.record("post", {{"to", "somebody"}}, output_of_tool("It was posted."));

    auto const outcome = trial.w.run(trial.input);

    EXPECT_EQ(outcome.state, queue::job_state::completed) << to_string(outcome.error);
    EXPECT_THAT(trial.heard(), HasSubstr("Not run: this is a trial"));
    EXPECT_THAT(trial.w.chat.sent, IsEmpty());
}

TEST(trial, runs_other_calls_that_change_nothing) {
    trial_world trial(calls({{"calculator", {{"expression", "6 * 7"}}}}));

    (void)trial.w.run(trial.input);

    EXPECT_THAT(trial.heard(), HasSubstr("42"));
}

TEST(trial, is_read_from_the_input_that_it_writes) {
    trial_world trial(says("Done."));
    trial.record("post", {{"n", 1}}, output_of_tool("x"));

    auto const read = flow::execution_input_from(flow::to_json(trial.input)).value();

    ASSERT_TRUE(read.trial);
    EXPECT_EQ(read.trial->original, job_id{1});
    EXPECT_EQ(read.trial->node, "guide");
    EXPECT_EQ(read.trial->calls, trial.input.trial->calls);
}

queue::step_summary step_of(std::int64_t number, std::string key, json::value result) {
    queue::step_summary step;
    step.number = number;
    step.key = std::move(key);
    step.outcome = "done";
    step.result = std::move(result);
    return step;
}

// Two calls, of which a limit let one run, and an answer.
queue::recording recorded_turn() {
    queue::recording record;
    record.job.id = job_id{42};
    auto reply = calls({{"post", {{"n", 1}}}, {"post", {{"n", 2}}}});
    reply.text = "";
    auto& steps = record.details.steps;
    steps.push_back(step_of(1, "now", "2026-11-21T10:00:00Z"));
    steps.push_back(step_of(2, "guide/model", agent::to_json(reply)));
    steps.back().paid = queue::model_payment{100, 10, 50, 2000};
    steps.push_back(step_of(3, "guide/tool:1/version", 1));
    steps.push_back(step_of(4, "guide/tool:1", output_of_tool("posted")));
    steps.push_back(step_of(5, "guide/model#2", agent::to_json(says("It is done."))));
    steps.back().paid = queue::model_payment{200, 20, 0, 3000};
    return record;
}

TEST(agent_record, has_what_the_agent_did) {
    auto const record = recorded_turn();

    auto const agent = flow::read_agent_record(record.details, "guide");

    ASSERT_TRUE(agent);
    EXPECT_EQ(agent->first_step, "guide/model");
    EXPECT_EQ(agent->text, "It is done.");
    ASSERT_EQ(agent->calls.size(), 1u);
    EXPECT_EQ(agent->calls[0].arguments, json::value(json::object{{"n", 1}}));
    EXPECT_EQ(*agent->calls[0].result, output_of_tool("posted"));
    EXPECT_EQ(agent->paid.tokens_in, 300);
    EXPECT_EQ(agent->paid.tokens_out, 30);
    EXPECT_EQ(agent->paid.cost_micro, 5000);
    EXPECT_FALSE(agent->failure);
    EXPECT_FALSE(flow::read_agent_record(record.details, "other"));
}

TEST(agent_record, has_why_no_model_replied) {
    queue::recording record;
    auto failed = step_of(1, "guide/model", nullptr);
    failed.outcome = "failed";
    failed.error_class = "refused";
    failed.error = "no credit";
    record.details.steps.push_back(failed);

    auto const agent = flow::read_agent_record(record.details, "guide");

    ASSERT_TRUE(agent);
    EXPECT_EQ(agent->text, "");
    ASSERT_TRUE(agent->failure);
    EXPECT_EQ(agent->failure->detail, "no credit");
}

TEST(trial_plan, changes_the_model_and_the_prompt_of_the_agent) {
    auto const plan = flow::plan_trial(
        definition_of(guide),
        recorded_turn(),
        {.node = {}, .model = "cheap", .system_prompt = "Be kind."}
    );

    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(plan->from_step, "guide/model");
    auto const changed = std::get<flow::definition>(flow::read_definition(plan->document));
    auto const& parameters = changed.nodes.at(*changed.find("guide")).parameters;
    EXPECT_EQ(parameters.at("system_prompt").as_string(), "Be kind.");
    auto const& model = changed.nodes.at(*changed.find("model"));
    EXPECT_EQ(model.type, "model");
    EXPECT_EQ(model.parameters, (json::object{{"model", "cheap"}}));
    auto const& trial = plan->input.at("trial").as_object();
    EXPECT_EQ(trial.at("original").as_int64(), 42);
    EXPECT_EQ(trial.at("calls").as_array().size(), 1u);
    EXPECT_EQ(plan->input.at("document"), plan->document);
    EXPECT_EQ(plan->input.at("version").as_int64(), 0);
}

TEST(trial_plan, says_what_is_missing) {
    auto const definition = definition_of(guide);
    auto const unchanged = flow::plan_trial(definition, recorded_turn(), {});
    auto const unheard =
        flow::plan_trial(definition, queue::recording{}, {.node = {}, .model = "cheap"});
    auto const absent =
        flow::plan_trial(definition, recorded_turn(), {.node = "Other", .model = "cheap"});

    EXPECT_EQ(unchanged.error(), base::errc::invalid);
    EXPECT_EQ(unheard.error(), base::errc::not_found);
    EXPECT_EQ(absent.error(), base::errc::not_found);
    EXPECT_THAT(absent.error().detail, HasSubstr("Other"));
}

} // namespace
} // namespace postrider::tests::trial_test
