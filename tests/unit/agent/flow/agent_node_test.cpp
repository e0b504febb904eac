// The agent loop as a node: its memory, its answer's form.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::agent_node_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

auto const remembering =
    flow_builder("remembering")
        .trigger("In", "manual")
        .agent("Ask")
        .part(
            "Memory",
            "memory.window",
            {{"session_id", "{{ 'customer ' + string($json.customer) }}"}, {"max_messages", 4}}
        )
        .text();

TEST(agent_node, remembers_a_session_that_an_expression_names) {
    flow_world w(remembering);
    w.model.script = {says("Hello Ann"), says("You are Ann"), says("I do not know")};
    auto ask = [&w](std::int64_t job, int customer, std::string text) {
        w.job.id = job_id{job};
        w.job.input = nullptr;
        w.record = {};
        return w.run(json::object{{"customer", customer}, {"text", text}});
    };
    ask(100, 1, "I am Ann");
    ask(101, 1, "Who am I?");
    ask(102, 2, "Who am I?");
    ASSERT_THAT(w.model.requests, SizeIs(3));
    auto const& second = w.model.requests[1].messages;
    ASSERT_THAT(second, SizeIs(3));
    EXPECT_EQ(second[0].content, "I am Ann");
    EXPECT_EQ(second[1].content, "Hello Ann");
    EXPECT_THAT(w.model.requests[2].messages, SizeIs(1)) << "another customer's session";
}

TEST(agent_node, a_silent_fork_reads_its_session_and_adds_nothing) {
    flow_world w(remembering);
    w.model.script = {says("Hello Ann"), says("You are Ann")};
    flow::execution_input input;
    input.flow = "remembering";
    input.version = 1;
    input.data = json::object{{"customer", 1}, {"text", "I am Ann"}};
    w.run(input);
    w.job.id = job_id{101};
    w.record.steps.clear();
    input.silent = true;
    w.run(input);
    EXPECT_THAT(w.model.requests.at(1).messages, SizeIs(3));
    EXPECT_THAT(w.table.sessions, SizeIs(2));
}

TEST(agent_node, remembers_each_item_in_its_own_session) {
    flow_world w(remembering);
    w.model.script = {says("Hello Ann"), says("Hello Bob")};
    flow::execution_input input;
    input.flow = "remembering";
    input.version = 1;
    input.pinned["In"] = json::array{
        {{"customer", 1}, {"text", "I am Ann"}}, {{"customer", 2}, {"text", "I am Bob"}}};
    w.run(input);
    std::vector<std::string> kept;
    for (auto const& row : w.table.sessions)
        kept.push_back(
            std::string(row.at("session").as_string()) + ": " +
            std::string(row.at("content").as_string())
        );
    EXPECT_THAT(
        kept,
        testing::ElementsAre(
            "customer 1: I am Ann",
            "customer 1: Hello Ann",
            "customer 2: I am Bob",
            "customer 2: Hello Bob"
        )
    );
}

TEST(agent_node, asks_the_model_that_each_item_names) {
    flow_world w(
        flow_builder("choosing")
            .trigger("In", "manual")
            .node("Ask", "agent")
            .part(
                "Model", "model", {{"model", "{{ $json.m }}"}, {"max_tokens", "{{ $json.tokens }}"}}
            )
            .text()
    );
    std::vector<flow::model_selection> selected;
    w.adjust = [&](flow::node_services& services) {
        services.model = [&](flow::model_selection const& selection) {
            selected.push_back(selection);
            flow::model_part part;
            part.model = &w.model;
            return base::result<flow::model_part>(std::move(part));
        };
    };
    w.model.script = {says("one"), says("two")};
    flow::execution_input input;
    input.flow = "choosing";
    input.version = 1;
    input.pinned["In"] = json::array{
        {{"m", "cheap"}, {"tokens", 100}, {"text", "a"}},
        {{"m", "clever"}, {"tokens", 200}, {"text", "b"}}};

    w.run(input);

    ASSERT_THAT(selected, SizeIs(2));
    EXPECT_EQ(selected[0].credential, "cheap");
    EXPECT_EQ(selected[0].max_tokens, 100);
    EXPECT_EQ(selected[1].credential, "clever");
    EXPECT_EQ(selected[1].max_tokens, 200);
}

// covers: S3.17
TEST(agent_node, goes_on_without_a_memory_that_cannot_be_read) {
    flow_world w(remembering);
    w.table.sessions_away = true;
    w.model.script = {says("Hello")};
    auto const outcome = w.run(json::object{{"customer", 1}, {"text", "Hi"}});
    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_EQ(noted(outcome, "memory_degraded"), "unavailable");
    EXPECT_THAT(w.ended(outcome), HasSubstr("Hello"));
}

// covers: S3.02
TEST(agent_node, asks_again_until_the_answer_fits_its_schema) {
    flow_world w(
        flow_builder("form")
            .trigger("In", "manual")
            .agent(
                "Ask",
                {{"output_format", "json_schema"},
                 {"schema",
                  json::parse(
                      R"({"type": "object", "required": ["age"], "properties": {"age": {"type": "integer"}}})"
                  )}}
            )
            .text()
    );
    w.model.script = {says("seven"), says(R"({"age": "7"})"), says("```json\n{\"age\": 7}\n```")};
    auto const outcome = w.run(json::object{{"text", "How old?"}});
    EXPECT_EQ(outcome.output.at("items").at(0).at("output").at("age"), 7);
    ASSERT_THAT(w.model.requests, SizeIs(3));
    EXPECT_THAT(w.model.requests[1].messages.back().content, HasSubstr("not JSON"));
    EXPECT_THAT(w.model.requests[2].messages.back().content, HasSubstr("/age"));
}

auto const chooser = flow_builder("chooser")
                         .trigger("In", "manual")
                         .agent(
                             "Ask",
                             {{"tool_choice", "{{ $json.choice }}"},
                              {"when_model_fails", "{{ $json.?policy.orValue('fail') }}"}}
                         )
                         .part("Sum", "tool.calculator")
                         .text();

// covers: S3.02
TEST(agent_node, insists_once_on_a_call_that_has_to_be) {
    flow_world w(chooser);
    json::value const question = json::object{{"text", "2+2?"}, {"choice", "required"}};
    w.model.script = {says("4"), calls({{"calculator", {{"expression", "2+2"}}}}), says("4")};
    auto const outcome = w.run(question);
    EXPECT_EQ(outcome.output.at("items").at(0).at("text"), "4");
    ASSERT_THAT(w.model.requests, SizeIs(3));
    EXPECT_THAT(w.model.requests[1].messages.back().content, HasSubstr("called no tool"));
    EXPECT_EQ(w.model.requests[1].choice, agent::tool_choice::required);
    EXPECT_EQ(w.model.requests[2].choice, agent::tool_choice::automatic);

    flow_world idle(chooser);
    idle.model.script = {says("4"), says("4, really")};
    auto const failed = idle.run(question);
    EXPECT_EQ(failed.state, queue::job_state::failed);
    EXPECT_THAT(failed.error.detail, HasSubstr("called no tool"));
}

// covers: S3.17
TEST(agent_node, that_calls_no_tool_although_it_has_to_has_no_answer) {
    flow_world told(chooser);
    told.model.script = {says("4"), says("4, really")};
    json::object question{{"text", "2+2?"}, {"choice", "required"}, {"policy", "tell"}};
    auto const said = told.run(question);
    EXPECT_EQ(said.state, queue::job_state::completed);
    EXPECT_NE(said.output.at("items").at(0).at("text"), "4, really");
    EXPECT_TRUE(said.degraded);

    flow_world ruled(chooser);
    ruled.model.script = {says("4"), says("4, really")};
    question["policy"] = "rules";
    auto const answered = ruled.run(question);
    EXPECT_EQ(answered.output.at("items").at(0).at("text"), "2+2 = 4");
    EXPECT_EQ(noted(answered, "answered_by"), "rules");
}

// covers: S3.02
TEST(agent_node, runs_no_tool_that_must_not_be_called) {
    flow_world w(chooser);
    auto reply = calls({{"calculator", {{"expression", "2+2"}}}});
    reply.text = "It is 4.";
    w.model.script = {reply};
    auto const outcome = w.run(json::object{{"text", "2+2?"}, {"choice", "none"}});
    EXPECT_EQ(outcome.output.at("items").at(0).at("text"), "It is 4.");
    EXPECT_EQ(noted(outcome, "tool_calls"), 0);
    EXPECT_EQ(w.model.requests.at(0).choice, agent::tool_choice::none);
}

std::string speaker(json::object parameters) {
    parameters["speaks"] = "tools";
    return flow_builder("speaker")
        .trigger("In", "manual")
        .agent("Ask", std::move(parameters))
        .part("Sum", "tool.calculator")
        .text();
}

TEST(agent_node, that_speaks_with_tools_may_end_without_words) {
    flow_world w(speaker({}));
    w.model.script = {says("")};
    auto const outcome = w.run(json::object{{"text", "hm"}});
    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_FALSE(outcome.degraded);
    EXPECT_EQ(outcome.output.at("items").at(0).at("text"), "");
}

TEST(agent_node, that_speaks_with_tools_shows_nothing_else) {
    flow_world w(speaker({}));
    w.model.script = {says("Nobody is to see this.")};
    EXPECT_EQ(w.run(json::object{{"text", "hm"}}).output.at("items").at(0).at("text"), "");
    EXPECT_THAT(w.model.requests, SizeIs(1));
}

TEST(agent_node, that_speaks_with_tools_is_nudged_once) {
    flow_world w(speaker({{"nudge", true}}));
    w.model.script = {says("It is 4."), says("It is 4.")};
    EXPECT_EQ(w.run(json::object{{"text", "2+2?"}}).output.at("items").at(0).at("text"), "");
    ASSERT_THAT(w.model.requests, SizeIs(2));
    EXPECT_THAT(w.model.requests[1].messages.back().content, HasSubstr("Nobody sees"));
}

TEST(agent_node, that_speaks_with_tools_tells_no_failure) {
    flow_world w(speaker({{"when_model_fails", "tell"}}));
    w.model.script = {base::error(base::errc::refused, "no credit")};
    EXPECT_EQ(w.run(json::object{{"text", "hm"}}).state, queue::job_state::failed);
}

auto const form =
    flow_builder("form")
        .trigger("In", "manual")
        .agent(
            "Ask",
            {{"output_format", "json_schema"},
             {"max_iterations", 2},
             {"schema",
              json::parse(
                  R"({"type": "object", "required": ["age"], "properties": {"age": {"type": "integer"}}})"
              )}}
        )
        .text();

// covers: S3.02
TEST(agent_node, finds_the_json_behind_a_sentence) {
    flow_world w(form);
    w.model.script = {says("Sure! Here it is (see {this}): {\"age\": 7} Anything else?")};
    auto const outcome = w.run(json::object{{"text", "How old?"}});
    EXPECT_EQ(outcome.output.at("items").at(0).at("output"), (json::object{{"age", 7}}));
    EXPECT_EQ(w.model.requests[0].answer_schema->at("required").at(0), "age");
}

// covers: S3.02
TEST(agent_node, keeps_what_it_says_to_the_model_from_the_person) {
    flow_world w(form);
    w.model.script = {says("seven"), says("eight")};
    auto const outcome = w.run(json::object{{"text", "How old?"}});
    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(outcome.error.detail, HasSubstr("does not fit the schema"));
    EXPECT_THAT(outcome.error.detail, testing::Not(HasSubstr("Answer with")));
}

// A list of what the tools returned is no JSON.
TEST(agent_node, has_no_answer_in_words_where_json_is_asked_for) {
    flow_world w(flow_builder("form")
                     .trigger("In", "manual")
                     .agent(
                         "Ask",
                         {{"output_format", "json_schema"},
                          {"max_iterations", 2},
                          {"schema", {{"type", "object"}, {"required", json::array{"age"}}}}}
                     )
                     .part("Sum", "tool.calculator")
                     .text());
    w.model.script = {
        calls({{"calculator", {{"expression", "2+2"}}}}),
        base::error(base::errc::refused, "declined")};

    auto const outcome = w.run(json::object{{"text", "How old?"}});

    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_EQ(outcome.error, base::errc::refused);
}

TEST(agent_node, asks_again_for_json_that_was_cut) {
    flow_world w(form);
    auto cut = says("{\"age\": ");
    cut.stop = agent::stop_reason::length;
    w.model.script = {cut, says("{\"age\": 7}")};
    auto const outcome = w.run(json::object{{"text", "How old?"}});
    EXPECT_EQ(outcome.output.at("items").at(0).at("text"), "{\"age\": 7}");
}

// covers: S3.02
TEST(agent_node, leaves_an_answer_that_does_not_fit_out_of_the_conversation) {
    flow_world w(flow_builder("form")
                     .trigger("In", "telegram.message")
                     .agent(
                         "Ask",
                         {{"output_format", "json_schema"},
                          {"max_iterations", 1},
                          {"schema", {{"type", "object"}, {"required", json::array{"age"}}}}}
                     )
                     .part("Memory", "memory.window")
                     .text());
    w.model.script = {says("seven")};
    flow::execution_input input;
    input.flow = "form";
    input.version = 1;
    input.heard = flow::heard_message{
        {bot_id{1}, chat_id{7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
    auto const outcome = w.run(input);
    EXPECT_EQ(outcome.state, queue::job_state::failed);
    for (auto const& write : outcome.writes) EXPECT_NE(write.statement->name, "add_message");
    ASSERT_GE(outcome.writes.size(), 2u);
    EXPECT_EQ(outcome.writes.rbegin()[1].statement->name, "close_deliveries");
    EXPECT_EQ(outcome.writes.back().statement->name, "withdraw_questions");
    EXPECT_THAT(w.table.rows, IsEmpty());
}

// covers: S3.02
TEST(agent_node, is_asked_no_more_often_than_it_may_be) {
    for (int most : {1, 3}) {
        flow_world w(flow_builder("guide")
                         .trigger("In", "manual")
                         .agent("Ask", {{"max_iterations", most}})
                         .part("Sum", "tool.calculator")
                         .text());
        auto const more = calls({{"calculator", {{"expression", "2+2"}}}});
        w.model.script = {more, more, more, more};
        auto const outcome = w.run(json::object{{"text", "2+2?"}});
        EXPECT_THAT(w.model.requests, SizeIs(most));
        EXPECT_EQ(outcome.output.at("items").at(0).at("iterations"), most);
        auto const last = most == 1 ? agent::tool_choice::automatic : agent::tool_choice::none;
        EXPECT_EQ(w.model.requests.back().choice, last);
    }
}

} // namespace

} // namespace postrider::tests::agent_node_test
