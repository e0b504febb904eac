#include "server/telemetry/spans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace postrider::telemetry::spans_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr base::sys_time noon{1'795'000'000s};

model_names names() {
    model_names::entries models;
    models["default"].provider = "anthropic";
    models["default"].model = "claude-haiku-4-5";
    return model_names(models);
}

step_record step(std::string key, std::chrono::milliseconds from, std::chrono::milliseconds to) {
    step_record record;
    record.key = std::move(key);
    record.outcome = "done";
    record.began = noon + from;
    record.ended = noon + to;
    return record;
}

step_record reply(
    std::string key, std::chrono::milliseconds from, std::vector<std::string> calls = {}
) {
    auto record = step(std::move(key), from, from + 10ms);
    record.model = "claude-haiku-4-5-20251001";
    record.stop = calls.empty() ? "end" : "tool_calls";
    record.paid = queue::usage{100, 20, 80, 7};
    for (auto const& name : calls) record.call_ids.push_back("call_" + name);
    record.call_names = std::move(calls);
    return record;
}

// A question, a tool, the answer, and its message.
job_record turn() {
    job_record job;
    job.id = job_id{7};
    job.kind = "turn";
    job.state = "completed";
    job.runs = 1;
    job.conversation = conversation_id{3};
    job.began = noon;
    job.ended = noon + 100ms;
    job.flow = "assistant";
    job.version = 2;
    job.steps = {
        reply("assistant/model", 10ms, {"calculator"}),
        step("assistant/tool:1", 20ms, 21ms),
        reply("assistant/model#2", 30ms),
        step("reply/send", 50ms, 60ms)};
    job.steps.back().effect = effect_record{"telegram.send", "at_least_once", "done"};
    return job;
}

std::vector<std::string> names_of(std::vector<span> const& spans) {
    std::vector<std::string> all;
    for (auto const& shown : spans) all.push_back(shown.name);
    return all;
}

span const& named(std::vector<span> const& spans, std::string_view name) {
    for (auto const& shown : spans)
        if (shown.name == name) return shown;
    throw std::out_of_range(std::string(name));
}

template<class T>
T value(span const& of, std::string_view key) {
    for (auto const& attribute : of.attributes)
        if (attribute.key == key) return std::get<T>(attribute.value);
    throw std::out_of_range(std::string(key));
}

bool has(span const& of, std::string_view key) {
    for (auto const& attribute : of.attributes)
        if (attribute.key == key) return true;
    return false;
}

using text = std::string;
using number = std::int64_t;

// covers: X.18
TEST(spans, of_a_turn_are_its_job_its_agent_model_calls_tools_and_messages) {
    auto const spans = spans_of(turn(), names());

    ASSERT_THAT(
        names_of(spans),
        ElementsAre(
            "turn assistant",
            "invoke_agent assistant",
            "chat claude-haiku-4-5",
            "execute_tool calculator",
            "chat claude-haiku-4-5",
            "send telegram"
        )
    );
    auto const& job = spans[0];
    EXPECT_EQ(job.parent, "");
    EXPECT_EQ(job.kind, span_kind::consumer);
    EXPECT_EQ(job.began, noon);
    EXPECT_EQ(job.ended, noon + 100ms);
    EXPECT_EQ(value<number>(job, "postrider.job.id"), 7);
    EXPECT_EQ(value<number>(job, "postrider.flow.version"), 2);
    EXPECT_EQ(value<text>(job, "gen_ai.conversation.id"), "3");
    for (auto const& shown : spans) {
        EXPECT_EQ(shown.trace_id, job.trace_id);
        EXPECT_EQ(shown.trace_id.size(), 32u);
        EXPECT_EQ(shown.id.size(), 16u);
        EXPECT_FALSE(shown.failed);
    }
}

// covers: X.18
TEST(spans, of_model_calls_have_the_names_of_the_conventions) {
    auto const spans = spans_of(turn(), names());

    auto const& call = named(spans, "chat claude-haiku-4-5");
    EXPECT_EQ(call.kind, span_kind::client);
    EXPECT_EQ(value<text>(call, "gen_ai.operation.name"), "chat");
    EXPECT_EQ(value<text>(call, "gen_ai.provider.name"), "anthropic");
    EXPECT_EQ(value<text>(call, "gen_ai.request.model"), "claude-haiku-4-5");
    EXPECT_EQ(value<text>(call, "gen_ai.response.model"), "claude-haiku-4-5-20251001");
    EXPECT_EQ(value<number>(call, "gen_ai.usage.input_tokens"), 100);
    EXPECT_EQ(value<number>(call, "gen_ai.usage.output_tokens"), 20);
    EXPECT_EQ(value<number>(call, "gen_ai.usage.cache_read.input_tokens"), 80);
    EXPECT_THAT(
        value<std::vector<text>>(call, "gen_ai.response.finish_reasons"), ElementsAre("tool_calls")
    );
    auto const& tool = named(spans, "execute_tool calculator");
    EXPECT_EQ(value<text>(tool, "gen_ai.operation.name"), "execute_tool");
    EXPECT_EQ(value<text>(tool, "gen_ai.tool.name"), "calculator");
    EXPECT_EQ(value<text>(tool, "gen_ai.tool.call.id"), "call_calculator");
    auto const& message = named(spans, "send telegram");
    EXPECT_EQ(message.kind, span_kind::client);
    EXPECT_EQ(value<text>(message, "messaging.system"), "telegram");
    EXPECT_EQ(value<text>(message, "postrider.effect.state"), "done");
}

TEST(spans, of_an_agent_hold_its_calls_and_last_as_long) {
    auto const spans = spans_of(turn(), names());

    auto const& agent = named(spans, "invoke_agent assistant");
    EXPECT_EQ(agent.parent, spans[0].id);
    EXPECT_EQ(agent.began, noon + 10ms);
    EXPECT_EQ(agent.ended, noon + 40ms);
    EXPECT_EQ(value<text>(agent, "gen_ai.agent.name"), "assistant");
    EXPECT_EQ(named(spans, "chat claude-haiku-4-5").parent, agent.id);
    EXPECT_EQ(named(spans, "execute_tool calculator").parent, agent.id);
    EXPECT_EQ(named(spans, "send telegram").parent, spans[0].id);
}

TEST(spans, of_a_flow_that_is_run_as_a_tool_stand_below_the_call) {
    auto job = turn();
    job.steps = {
        reply("assistant/model", 10ms, {"research"}),
        reply("assistant/tool:1/helper/model", 30ms),
        step("assistant/tool:1", 50ms, 50ms)};

    auto const spans = spans_of(job, names());

    auto const& call = named(spans, "execute_tool research");
    auto const& helper = named(spans, "invoke_agent helper");
    EXPECT_EQ(helper.parent, call.id);
    EXPECT_EQ(call.began, noon + 30ms) << "it lasts as long as what is in it";
    EXPECT_EQ(call.parent, named(spans, "invoke_agent assistant").id);
}

TEST(spans, of_tools_have_the_names_that_the_round_before_asked_for) {
    auto job = turn();
    job.steps = {
        reply("assistant/model", 10ms, {"first", "second", "third"}),
        step("assistant/tool:1", 20ms, 21ms),
        step("assistant/tool:2", 21ms, 22ms),
        reply("assistant/model#2", 30ms, {"fourth"}),
        step("assistant/tool:3", 50ms, 51ms),
        step("assistant/tool:4", 52ms, 53ms)};

    auto const spans = spans_of(job, names());

    std::vector<text> tools;
    for (auto const& shown : spans)
        if (shown.name.starts_with("execute_tool")) tools.push_back(shown.name);
    EXPECT_THAT(
        tools,
        ElementsAre(
            "execute_tool first", "execute_tool second", "execute_tool fourth", "execute_tool"
        )
    );
}

TEST(spans, of_what_failed_say_the_class_alone) {
    auto job = turn();
    job.state = "failed";
    job.error_class = "unavailable";
    auto failed = step("assistant/model", 10ms, 20ms);
    failed.outcome = "retry";
    failed.error_class = "timeout";
    auto second = reply("assistant/model", 20ms);
    second.attempt = 2;
    job.steps = {failed, second};

    auto const spans = spans_of(job, names());

    ASSERT_EQ(spans.size(), 4u);
    EXPECT_TRUE(spans[0].failed);
    EXPECT_EQ(value<text>(spans[0], "error.type"), "unavailable");
    EXPECT_TRUE(spans[2].failed);
    EXPECT_EQ(value<text>(spans[2], "error.type"), "timeout");
    EXPECT_EQ(spans[2].name, "chat claude-haiku-4-5") << "as the agent's other calls say";
    EXPECT_FALSE(has(spans[2], "gen_ai.usage.input_tokens"));
    EXPECT_FALSE(spans[3].failed);
    EXPECT_NE(spans[2].id, spans[3].id);
}

TEST(spans, of_each_call_have_the_model_of_its_own_reply) {
    auto job = turn();
    auto first = reply("assistant/model", 10ms, {"calculator"});
    first.model = "gpt-4o-mini";
    auto failed = step("assistant/model#2", 20ms, 25ms);
    failed.outcome = "retry";
    job.steps = {first, failed, reply("assistant/model#2", 30ms)};
    job.steps.back().attempt = 2;

    auto const spans = spans_of(job, names());

    EXPECT_EQ(value<text>(named(spans, "chat gpt-4o-mini"), "gen_ai.provider.name"), "openai");
    EXPECT_EQ(spans.back().name, "chat claude-haiku-4-5");
    EXPECT_EQ(spans[3].name, "chat claude-haiku-4-5") << "a failed try has the agent's last";
}

TEST(spans, cut_what_others_named) {
    auto job = turn();
    auto asks = reply("assistant/model", 10ms, {"calculator"});
    asks.model = text(5'000, 'm');
    asks.stop = "an invented reason";
    asks.call_ids = {text(5'000, 'i')};
    job.steps = {asks, step("assistant/tool:1", 20ms, 21ms)};

    auto const spans = spans_of(job, names());

    EXPECT_LE(value<text>(spans[2], "gen_ai.response.model").size(), 128u);
    EXPECT_LE(value<text>(spans[2], "gen_ai.request.model").size(), 128u);
    EXPECT_LE(spans[2].name.size(), 140u);
    EXPECT_FALSE(has(spans[2], "gen_ai.response.finish_reasons"));
    EXPECT_LE(value<text>(spans[3], "gen_ai.tool.call.id").size(), 128u);
}

TEST(spans, of_a_turn_without_its_answer_have_failed_though_it_is_completed) {
    auto job = turn();
    job.degraded = true;
    job.error_class = "timeout";

    auto const spans = spans_of(job, names());

    EXPECT_TRUE(spans[0].failed);
    EXPECT_TRUE(value<bool>(spans[0], "postrider.job.degraded"));
    EXPECT_EQ(value<text>(spans[0], "error.type"), "timeout");
}

TEST(spans, have_the_same_ids_whenever_they_are_made) {
    auto const first = spans_of(turn(), names());
    auto const second = spans_of(turn(), names());
    auto other_job = turn();
    other_job.began += 1us; // the same number in another database
    auto const other = spans_of(other_job, names());

    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].id, second[i].id);
    EXPECT_EQ(first[0].trace_id, second[0].trace_id);
    EXPECT_NE(first[0].trace_id, other[0].trace_id);
    EXPECT_NE(first[0].id, other[0].id);
}

// covers: X.18
TEST(spans, go_on_with_the_trace_that_a_request_came_with) {
    auto job = turn();
    job.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    auto const continued = spans_of(job, names());
    job.traceparent.back() = '0';
    auto const unrecorded = spans_of(job, names());

    EXPECT_EQ(continued[0].trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(continued[0].parent, "00f067aa0ba902b7");
    EXPECT_EQ(continued[1].parent, continued[0].id);
    EXPECT_EQ(continued[0].id, spans_of(turn(), names())[0].id) << "two jobs may share a trace";
    EXPECT_THAT(unrecorded, IsEmpty()) << "whoever began it does not record it";
}

TEST(model_names, say_who_provides_a_model) {
    auto const all = names();

    EXPECT_EQ(all.find("claude-haiku-4-5-20251001").provider, "anthropic");
    EXPECT_EQ(all.find("claude-haiku-4-5-20251001").name, "claude-haiku-4-5");
    EXPECT_EQ(all.find("gpt-4o-mini").provider, "openai") << "as the provider's list has it";
    EXPECT_EQ(all.find("builtin").provider, "rules");
    EXPECT_EQ(all.find("my-own").provider, "");
    EXPECT_EQ(all.find("my-own").name, "my-own");
}

TEST(model_names, tell_a_model_from_one_whose_name_begins_so) {
    model_names::entries models;
    models["default"].provider = "compatible";
    models["default"].model = "gpt-4o";
    model_names const all(models);

    EXPECT_EQ(all.find("gpt-4o").provider, "compatible") << "what is configured goes first";
    EXPECT_EQ(all.find("gpt-4o-2024-08-06").name, "gpt-4o");
    EXPECT_EQ(all.find("gpt-4o-mini-2024-07-18").name, "gpt-4o-mini");
    EXPECT_EQ(all.find("gpt-4o-mini-2024-07-18").provider, "openai");
    EXPECT_EQ(all.find("gpt-4o-tuned").name, "gpt-4o-tuned");
}

} // namespace
} // namespace postrider::telemetry::spans_test
