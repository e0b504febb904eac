// Flows that are run within the job of another.
#include "agent/loop/untrusted_text.hpp"
#include "agent/models/reply_json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::called_flow_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

auto const inner = flow_builder("inner")
                       .trigger("In", "manual")
                       .agent("Ask", {{"prompt", "{{ $json.city }}"}})
                       .text();

// in → call, which runs that flow.
std::string calling(std::string_view flow, std::string_view name = "outer") {
    return flow_builder(name)
        .trigger("In", "manual")
        .node("Call", "call_flow", {{"flow", flow}})
        .text();
}

TEST(called_flow, runs_another_flow_within_its_own_job) {
    flow_world w(calling("inner"));
    w.others["inner"] = compiled(inner);
    w.model.script = {says("rain")};
    EXPECT_TRUE(w.run_and_die(1, json::object{{"city", "Bergen"}}));
    w.model.script = {says("rain")};
    auto const outcome = w.run();
    EXPECT_EQ(w.ended(outcome), R"([{"text":"rain","iterations":1,"tool_calls":0}])");
    EXPECT_THAT(w.log, Contains("step call/1/ask/model"));
    EXPECT_EQ(w.record.paid.tokens_in, 10);
}

TEST(called_flow, refuses_flows_that_call_each_other_without_end) {
    auto const circle = calling("circle", "circle");
    flow_world w(circle);
    w.others["circle"] = compiled(circle);
    auto const outcome = w.run();
    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_EQ(outcome.error.code, base::errc::too_large);
}

// covers: S3.11 S3.18
TEST(called_flow, offers_a_flow_as_a_tool) {
    flow_world w(flow_builder("guide")
                     .trigger("In", "manual")
                     .agent("Guide")
                     .part(
                         "Weather",
                         "tool.flow",
                         {{"name", "weather"},
                          {"description", "The weather of a city."},
                          {"flow", "inner"},
                          {"input",
                           {{"city", "{{ $from_ai('city', 'which city') }}"},
                            {"user", "{{ $session.id }}"}}}}
                     )
                     .text());
    w.others["inner"] = compiled(inner);
    w.model.script = {
        calls({{"weather", {{"city", "Bergen"}}}}), says("rain"), says("Take an umbrella")};
    auto const outcome = w.run(json::object{{"text", "Umbrella?"}});
    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    ASSERT_THAT(w.model.requests, SizeIs(3));
    auto const& offered = w.model.requests[0].tools.at(0);
    EXPECT_EQ(offered.parameters.at("properties").at("city").at("description"), "which city");
    EXPECT_EQ(w.model.requests[1].messages.back().content, "Bergen");
    EXPECT_EQ(
        w.model.requests[2].messages.back().content, agent::mark_untrusted("rain", "weather")
    );
    EXPECT_THAT(w.told, Contains("Guide: tool_called"));
}

// in → ask, and in → stop. A run that is served its steps comes to the one or the other first.
auto const failing = flow_builder("failing")
                         .trigger("In", "manual")
                         .agent("Ask", {{"prompt", "how?"}})
                         .after("In")
                         .node("Stop", "stop", {{"message", "no stock"}})
                         .text();

struct failed_call : testing::Test {
    failed_call() {
        w.others["failing"] = compiled(failing);
        w.side_by_side = true;
    }
    std::string message_of(queue::outcome const& outcome) {
        auto const& item = outcome.output.at("items").at(0);
        return std::string(item.at("error").at("message").as_string());
    }

    flow_world w{flow_builder("outer")
                     .trigger("In", "manual")
                     .node("Call", "call_flow", {{"flow", "failing"}})
                     .with("on_error", "continue")
                     .text()};
};

// covers: S3.17
TEST_F(failed_call, of_an_earlier_run_begins_nothing_more_and_fails_with_what_it_had_failed_with) {
    w.record.steps["call/1/version"] = 7;
    w.record.steps["call/1/failed"] = base::error(base::errc::refused, "flow failing, Ask: no");

    auto const outcome = w.run();

    EXPECT_EQ(message_of(outcome), "flow failing, Ask: no");
    EXPECT_THAT(w.model.requests, IsEmpty());
    EXPECT_THAT(w.log, Not(Contains("give up call/1/"))) << "the earlier run did";
}

// As in the record of a job that was parked before failures were recorded.
// covers: S3.17
TEST_F(failed_call, that_no_run_has_recorded_is_recorded_and_its_branches_are_given_up) {
    w.record.steps["call/1/version"] = 7;
    w.model.script = {base::error(base::errc::invalid, "HTTP 400")};

    auto const first = w.run();
    EXPECT_THAT(w.log, IsSupersetOf({"value call/1/failed", "give up call/1/"}));
    auto const second = w.run();

    EXPECT_EQ(message_of(first), "flow failing, Stop: no stock")
        << "the model, which was asked meanwhile, failed later";
    EXPECT_EQ(message_of(second), message_of(first));
    EXPECT_THAT(w.log, Not(Contains("value call/1/failed")));
    EXPECT_THAT(w.model.requests, SizeIs(1));
}

// Its result tells that it is over, also where its failure was not recorded yet.
// covers: S3.17
TEST(called_flow, that_a_tool_has_run_begins_nothing_more) {
    flow_world w(flow_builder("guide")
                     .trigger("In", "manual")
                     .agent("Guide")
                     .part(
                         "Order",
                         "tool.flow",
                         {{"name", "order"}, {"description", "Orders."}, {"flow", "failing"}}
                     )
                     .text());
    w.others["failing"] = compiled(failing);
    w.side_by_side = true;
    w.record.steps["guide/model"] = to_json(calls({{"order", {}}}));
    w.record.steps["guide/tool:1/version"] = 7;
    w.record.steps["guide/tool:1"] = base::error(base::errc::refused, "no stock");
    w.model.script = {says("There is none.")};

    auto const outcome = w.run(json::object{{"text", "Order it"}});

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    ASSERT_THAT(w.model.requests, SizeIs(1)) << "the guide's second round";
    EXPECT_THAT(w.model.requests[0].messages.back().content, HasSubstr("no stock"));
}

// What models number their calls by may come again, and may be anything.
// covers: S3.11
TEST(called_flow, runs_anew_for_each_call_whatever_the_model_calls_it) {
    flow_world w(flow_builder("guide")
                     .trigger("In", "manual")
                     .agent("Guide")
                     .part(
                         "Post",
                         "tool.flow",
                         {{"name", "post"}, {"description", "Posts."}, {"flow", "poster"}}
                     )
                     .text());
    w.others["poster"] =
        compiled(flow_builder("poster")
                     .trigger("In", "manual")
                     .node("Send", "telegram.send", {{"chat", 5}, {"text", "posted"}})
                     .text());
    auto original = calls({{"post", {}}});
    auto same = original;
    auto odd = original;
    same.calls[0].id = original.calls[0].id = "0";
    odd.calls[0].id = "a/b#~" + std::string(3000, 'x');
    w.model.script = {original, same, odd, says("done")};
    flow::execution_input input;
    input.heard = flow::heard_message{
        {bot_id{1}, chat_id{5}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
    auto const outcome = w.run(input);
    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_THAT(w.chat.sent, SizeIs(3));
}

// The database was away for a moment: no node fails of it.
TEST(called_flow, that_cannot_be_had_now_leaves_the_job_to_a_later_run) {
    flow_world w(calling("inner"));
    w.others["inner"] = compiled(inner);
    w.others_away = base::error(base::errc::unavailable);
    EXPECT_THROW(w.run(json::object{{"city", "Bergen"}}), queue::not_here);
    w.others_away.reset();
    w.model.script = {says("rain")};
    EXPECT_EQ(w.run(json::object{{"city", "Bergen"}}).state, queue::job_state::completed);
}

// Each call has room of its own in the history.
TEST(called_flow, keeps_what_each_call_said) {
    flow_world w(calling("remembering"));
    w.others["remembering"] = compiled(flow_builder("remembering")
                                           .trigger("In", "manual")
                                           .agent("Ask", {{"prompt", "{{ $json.city }}"}})
                                           .part("Memory", "memory.window")
                                           .text());
    w.model.script = {says("rain"), says("sun")};
    flow::execution_input input;
    input.flow = "outer";
    input.version = 1;
    input.pinned["In"] = json::array{{{"city", "Bergen"}}, {{"city", "Rome"}}};
    w.run(input);
    std::vector<std::string> said;
    for (auto const& row : w.table.rows) said.emplace_back(row.at("content").as_string());
    EXPECT_THAT(said, UnorderedElementsAre("Bergen", "rain", "Rome", "sun"));
}

} // namespace

} // namespace postrider::tests::called_flow_test
