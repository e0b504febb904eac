#include "agent/flow/watch/trace.hpp"

#include "base/names.hpp"

namespace postrider::agent::flow {

namespace {

constexpr base::names<node_state, 8> states{{
    {node_state::not_reached, "not_reached"},
    {node_state::skipped, "skipped"},
    {node_state::running, "running"},
    {node_state::waiting, "waiting"},
    {node_state::stopped, "stopped"},
    {node_state::used, "used"},
    {node_state::done, "done"},
    {node_state::failed, "failed"},
}};

template<class T>
std::optional<std::size_t> index_of(T const& element, std::vector<T> const& elements) {
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (&elements[i] == &element) return i;
    return std::nullopt;
}

} // namespace

std::string_view to_string(node_state state) noexcept {
    return base::name_of(states, state);
}

tracer::tracer(definition const& flow, std::function<std::chrono::microseconds()> clock)
    : flow_(flow),
      clock_(std::move(clock)) {
    began();
}

void tracer::began() {
    seen_ = {};
    seen_.nodes.resize(flow_.nodes.size());
}

void tracer::note(happening happened) {
    happened.when = clock_();
    seen_.happened.push_back(std::move(happened));
}

void tracer::node_started(node const& node, items const& input) {
    auto const at = index_of(node, flow_.nodes);
    if (!at) return;
    auto& trace = seen_.nodes[*at];
    ++trace.runs;
    trace.state = node_state::running;
    trace.input = input;
    trace.output.clear();
    trace.failure.reset();
    trace.ended.reset();
    trace.began = clock_();
    note({happening::sort::node_started, *at, {}, input.size()});
}

void tracer::connection_used(connection const& connection, std::size_t count) {
    auto const at = index_of(connection, flow_.connections);
    if (at) note({happening::sort::connection_used, *at, {}, count});
}

void tracer::node_finished(
    node const& node,
    outputs const& output,
    base::error const* failure,
    boost::json::object const& metadata
) {
    auto const at = index_of(node, flow_.nodes);
    if (!at) return;
    auto& trace = seen_.nodes[*at];
    trace.state = failure ? node_state::failed : node_state::done;
    trace.output = output;
    if (failure) trace.failure = *failure;
    trace.metadata = metadata;
    if (trace.runs > 1) trace.metadata["runs"] = trace.runs;
    trace.ended = clock_();
    finish end{trace.state, {}, trace.failure, trace.metadata, trace.began, trace.runs};
    for (auto const& [port, passed] : output) end.counts[port] = passed.size();
    happening finished{happening::sort::node_finished, *at, {}};
    finished.end = std::move(end);
    note(std::move(finished));
}

void tracer::node_reported(node const& node, std::string_view event, boost::json::object detail) {
    auto const at = index_of(node, flow_.nodes);
    if (!at) return;
    note({happening::sort::told, *at, {}, 0, std::string(event), std::move(detail)});
}

} // namespace postrider::agent::flow
