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
    static observer none;
    return none;
}

// "" = the flow has none.
std::string callable_trigger_of(graph const& flow) {
    for (auto at : flow.triggers()) {
        auto const& called = flow.nodes()[at];
        auto const& starts = std::get<trigger>(called.type->behaviour);
        if (starts.source == trigger_source::caller) return called.node->id;
    }
    return {};
}

// That of the run that first came to it. Branches of the flow are not as far in every run, and another
// of them may fail first.
base::awaitable<base::error> failure_of_record(
    queue::workflow& steps, std::string const& call, base::error failure
) {
    auto const step = failure_step(call);
    bool const known = steps.recorded(step);
    // A tool's result stands for it where the record is from before failures were recorded.
    bool const is_only_read = steps.is_read_only() || steps.recorded(call);
    if (!known && is_only_read) co_return failure;
    auto const recorded = co_await steps.record_value(step, failure);
    if (!known) steps.scope(call).give_up();
    co_return recorded ? failure : recorded.error();
}

} // namespace

base::awaitable<base::result<items>> visit::call(
    std::string flow, json::value data, flow_call_name as
) {
    auto& outer = walk_.context_;
    if (outer.depth >= deepest_call)
        co_return base::error(
            base::errc::too_large,
            "flows call each other " + std::to_string(deepest_call) + " levels deep"
        );
    json::value const current = outer.services.current_version(flow);
    auto pinned = co_await steps_.record_value(version_step(as.step), current);
    execution_input input;
    input.flow = flow;
    input.version = base::json_reader{*pinned}.int64();
    if (input.version == 0)
        co_return base::error(base::errc::not_found, "no flow " + flow + " is published");
    auto found = co_await find_to_run(outer.services, choice_of(input));
    if (!found) co_return found.error();
    auto const called = std::move(*found);
    input.trigger = callable_trigger_of(*called);
    if (input.trigger.empty())
        co_return base::error(base::errc::invalid, "flow " + flow + " has no manual trigger");
    input.agent = outer.input.agent;
    input.heard = outer.input.heard;
    input.silent = outer.input.silent;
    input.data = std::move(data);

    // What branches of it had yet to do is not for later runs: somebody may have been told of its end.
    bool const has_failed = steps_.recorded(failure_step(as.step));
    bool const has_ended = has_failed || steps_.recorded(as.step);
    auto const inside = steps_.scope(as.step);
    walk_context inner{
        *called,
        has_ended ? inside.read_only() : inside,
        outer.services,
        nobody(),
        input,
        outer.conversation,
        agent_of(*called, outer.services, input),
        outer.slice};
    inner.has_ended = has_ended;
    inner.times_begun = outer.times_begun;
    inner.reservations = outer.reservations;
    inner.audit = outer.audit;
    inner.now = outer.now;
    if (called->asks_for_the_time() && inner.now.empty()) {
        json::value const now(base::to_iso8601(outer.services.clock.now()));
        auto recorded = co_await steps_.record_value(as.step + "/now", now);
        inner.now = std::string(recorded->as_string());
    }
    inner.depth = outer.depth + 1;
    inner.calls = outer.calls;
    inner.calls.push_back({compiled_.rank, as.behind, as.number});
    inner.path = outer.path + "/" + compiled_.node->id + "/" + as.step;
    walk within(inner);
    within.committed_ = walk_.committed_ || steps_.served();
    co_await within.run();
    walk_.committed_ = walk_.committed_ || within.committed_;
    within.hand_over(walk_, at_);
    if (inner.degraded) degrade(std::move(*inner.degraded));
    auto const& failed = within.failure();
    if (!failed && !has_failed) co_return within.last_items();
    // What it was to say and did not come to is not pending once the job completes.
    auto const& job = steps_.job();
    at_the_end(storage::close_deliveries(job.lane, job.id));
    base::error failure;
    if (failed) {
        failure = failed->error;
        failure.detail = "flow " + flow + ", " + failed->name + ": " + failure.detail;
    }
    co_return co_await failure_of_record(steps_, as.step, std::move(failure));
}

base::awaitable<base::result<outputs>> call_flow(node_run& run) {
    outputs output;
    for (std::size_t i = 0; i < run.input().size(); ++i) {
        auto parameters = co_await run.parameters(i);
        if (!parameters) co_return parameters.error();
        auto const* input = parameters->if_contains("input");
        json::value data = input ? *input : *run.input()[i].json;
        auto name = std::string(parameters->at("flow").as_string());
        flow_call_name as{.step = std::to_string(i + 1), .behind = static_cast<int>(i)};
        auto ended = co_await run.call(std::move(name), std::move(data), std::move(as));
        if (!ended) co_return ended.error();
        std::ranges::move(*ended, std::back_inserter(output["main"]));
    }
    co_return output;
}

} // namespace postrider::agent::flow
