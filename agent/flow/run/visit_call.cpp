// Flows that are run within the job of another.
#include "agent/flow/run/visit.hpp"
#include "base/json/json.hpp"
#include "storage/stores/messages.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// The nodes of a flow that is called are not in the graph that somebody watches.
observer& nobody() {
    static observer silent_observer;
    return silent_observer;
}

// "" = the flow has none.
std::string callable_trigger_of(graph const& flow) {
    for (auto index : flow.triggers()) {
        auto const& compiled = flow.nodes()[index];
        auto const& start_trigger = std::get<trigger>(compiled.type->behaviour);
        if (start_trigger.source == trigger_source::caller) return compiled.node->id;
    }
    return {};
}

// That of the run that first came to it. Branches of the flow are not as far in every run, and another
// of them may fail first.
base::awaitable<base::error> failure_of_record(
    queue::workflow& steps, std::string const& call, base::error failure
) {
    auto const step = failure_step(call);
    bool const was_recorded = steps.recorded(step);
    // A tool's result stands for it where the record is from before failures were recorded.
    bool const is_only_read = steps.is_read_only() || steps.recorded(call);
    if (!was_recorded && is_only_read) co_return failure;
    auto const recorded = co_await steps.record_value(step, failure);
    if (!was_recorded) steps.scope(call).give_up();
    co_return recorded ? failure : recorded.error();
}

} // namespace

base::awaitable<base::result<items>> visit::call(
    std::string flow, json::value data, flow_call_name call_name
) {
    auto& caller = walk_.context_;
    if (caller.depth >= deepest_call)
        co_return base::error(
            base::errc::too_large,
            "flows call each other " + std::to_string(deepest_call) + " levels deep"
        );
    json::value const current = caller.services.current_version(flow);
    auto pinned = co_await steps_.record_value(version_step(call_name.step), current);
    execution_input input;
    input.flow = flow;
    input.version = base::json_reader{*pinned}.int64();
    if (input.version == 0)
        co_return base::error(base::errc::not_found, "no flow " + flow + " is published");
    auto compiled = co_await find_to_run(caller.services, choice_of(input));
    if (!compiled) co_return compiled.error();
    auto const callee = std::move(*compiled);
    input.trigger = callable_trigger_of(*callee);
    if (input.trigger.empty())
        co_return base::error(base::errc::invalid, "flow " + flow + " has no manual trigger");
    input.agent = caller.input.agent;
    input.heard = caller.input.heard;
    input.silent = caller.input.silent;
    input.data = std::move(data);

    // What branches of it had yet to do is not for later runs: somebody may have been told of its end.
    bool const has_failed = steps_.recorded(failure_step(call_name.step));
    bool const has_ended = has_failed || steps_.recorded(call_name.step);
    auto const call_steps = steps_.scope(call_name.step);
    walk_context callee_context{
        *callee,
        has_ended ? call_steps.read_only() : call_steps,
        caller.services,
        nobody(),
        input,
        caller.conversation,
        agent_of(*callee, caller.services, input),
        caller.slice};
    callee_context.has_ended = has_ended;
    callee_context.times_begun = caller.times_begun;
    callee_context.reservations = caller.reservations;
    callee_context.audit = caller.audit;
    callee_context.now = caller.now;
    if (callee->asks_for_the_time() && callee_context.now.empty()) {
        json::value const now(base::to_iso8601(caller.services.clock.now()));
        auto recorded = co_await steps_.record_value(call_name.step + "/now", now);
        callee_context.now = std::string(recorded->as_string());
    }
    callee_context.depth = caller.depth + 1;
    callee_context.calls = walk_.calls_of(index_);
    callee_context.calls.push_back({compiled_.rank, call_name.behind, call_name.number});
    callee_context.path = caller.path + "/" + walk_.scope_of(index_) + "/" + call_name.step;
    walk callee_walk(callee_context);
    callee_walk.committed_ = walk_.committed_ || steps_.served();
    co_await callee_walk.run();
    walk_.committed_ = walk_.committed_ || callee_walk.committed_;
    callee_walk.hand_over(walk_, index_);
    if (callee_context.degraded) degrade(std::move(*callee_context.degraded));
    auto const& failed = callee_walk.failure();
    if (!failed && !has_failed) co_return callee_walk.last_items();
    // What it was to say and did not come to is not pending once the job completes.
    auto const& job = steps_.job();
    add_last_row(storage::close_deliveries(job.lane, job.id));
    base::error failure;
    if (failed) {
        failure = failed->error;
        failure.detail = "flow " + flow + ", " + failed->name + ": " + failure.detail;
    }
    co_return co_await failure_of_record(steps_, call_name.step, std::move(failure));
}

base::awaitable<base::result<outputs>> call_flow(node_run& run) {
    outputs output;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto const* input = parameters->if_contains("input");
        json::value data = input ? *input : *run.input()[i].json;
        auto name = std::string(parameters->at("flow").as_string());
        flow_call_name call_name{.step = std::to_string(i + 1), .behind = static_cast<int>(i)};
        auto flow_items = co_await run.call(std::move(name), std::move(data), std::move(call_name));
        if (!flow_items) co_return flow_items.error();
        std::ranges::move(*flow_items, std::back_inserter(output["main"]));
    }
    co_return output;
}

} // namespace postrider::agent::flow
