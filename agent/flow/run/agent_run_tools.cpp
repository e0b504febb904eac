// The tools that the agent's model calls.
#include "agent/flow/run/agent_run.hpp"
#include "agent/history.hpp"
#include "base/json_text.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using namespace std::chrono_literals;

constexpr base::retry_policy using_tool{
    .limit = 2,
    .delay = 1s,
    .backoff = base::backoff_shape::exponential,
    .timeout = 30s,
    .total = 60s};

// What a flow ends with, for a model: the text of a lone item that has one, else JSON.
std::string text_of(items const& ended) {
    if (ended.size() == 1) {
        auto const* members = ended.front().json.if_object();
        auto const* text = members ? members->if_contains("text") : nullptr;
        if (text && text->is_string()) return std::string(text->get_string());
        return base::json_text(ended.front().json);
    }
    json::array all;
    for (auto const& one : ended) all.push_back(one.json);
    return base::json_text(all);
}

} // namespace

// The calls that may run, one after the other, and the others' refusal. Goes on with a round.
base::awaitable<agent_run::finding> agent_run::use_tools(
    chat_reply reply, run_tools what, bool known
) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    queue::commit_with rows;
    keep(rows, message);
    so_far_.said += static_cast<int>(what.run.size());
    for (auto const& call : what.refused)
        keep(rows, result_of(call, std::string(limit_reached), true));
    so_far_.results = so_far_.said;
    so_far_.said -= static_cast<int>(what.run.size() + what.refused.size());
    if (!known) co_await run_.commit(std::move(rows));

    ++state_.rounds;
    state_.calls += static_cast<int>(what.run.size());
    state_.concluding = what.concluding;
    message.provider_state = std::move(reply.provider_state);
    own_.push_back(std::move(message));
    for (auto& call : what.run) co_await use_tool(std::move(call));
    for (auto const& call : what.refused) note_result(call, std::string(limit_reached), true);
    so_far_.said = so_far_.results;
    co_return std::nullopt;
}

base::awaitable<void> agent_run::use_tool(tool_call call) {
    auto const name = fmt::format("tool:{}", ++so_far_.calls);
    bool const known = steps_.recorded(name);
    tools_used_.insert(call.name);
    // Outside of the step: who looks at the record hears it as well.
    run_.tell("tool_called", {{"tool", call.name}, {"call", call.id}});
    queue::step_value value;
    if (auto const flow = tools_->flows.find(call.name); flow != tools_->flows.end()) {
        // In steps of its own, asked for at every run; then what it came to.
        auto const ended = co_await run_flow(flow->second, call, name);
        value = co_await steps_.record_value(name, ended);
    } else {
        auto const of = tools_->nodes.find(call.name);
        auto tries = of == tools_->nodes.end() ? using_tool : of->second->tries(using_tool);
        value = co_await steps_.try_step(name, tries, [&] { return run_tool(call, name); });
    }
    auto text = value ? std::string(value->as_string()) : std::string{};
    if (!value) {
        auto const& why = value.error();
        text = why.detail.empty() ? std::string(base::to_string(why.code)) : why.detail;
    }
    note_result(call, std::move(text), !value);
    queue::commit_with row;
    keep(row, own_.back());
    if (!known) (void)co_await steps_.commit(std::move(row));
}

base::awaitable<queue::step_value> agent_run::run_tool(tool_call call, std::string as) {
    tool_context context;
    context.job = steps_.job().id;
    context.call_id = std::move(as);
    if (auto const& heard = run_.started_by().heard) {
        context.bot = heard->from.bot;
        context.chat = heard->from.chat;
        context.user = heard->user;
    } else if (auto const& posted = run_.started_by().posted) {
        context.user = posted->user;
    }
    auto result = co_await tools_->set.run(std::move(call), std::move(context));
    if (!result) co_return result.error();
    co_return json::value(*result);
}

base::awaitable<queue::step_value> agent_run::run_flow(
    flow_call const& what, tool_call call, std::string as
) {
    auto arguments = tools_->set.check(call);
    if (!arguments) co_return arguments.error();
    auto input = what.input(*arguments);
    if (!input) co_return input.error();
    // Between a call and its results nothing else may stand.
    flow_call_name called{
        .step = std::move(as), .behind = so_far_.results - 1, .number = so_far_.calls};
    auto ended = co_await run_.call(what.flow, std::move(*input), std::move(called));
    if (!ended) co_return ended.error();
    co_return json::value(text_of(*ended));
}

void agent_run::note_result(tool_call const& call, std::string text, bool is_error) {
    results_.push_back({call.name, text, is_error});
    own_.push_back(result_of(call, std::move(text), is_error));
}

} // namespace postrider::agent::flow
