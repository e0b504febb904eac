#include "agent/flow/watch/replay_difference.hpp"

#include "agent/flow/run/names.hpp"
#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

constexpr base::names<difference_reason, 5> reason_words{{
    {difference_reason::definition, "definition"},
    {difference_reason::output, "output"},
    {difference_reason::state, "state"},
    {difference_reason::asks, "asks"},
    {difference_reason::outcome, "outcome"},
}};

bool did_run(node_trace const& trace) noexcept {
    return trace.state == node_state::done || trace.state == node_state::failed ||
           trace.state == node_state::used;
}

bool is_same_definition(node const& former, node const& current) {
    return former.type == current.type && former.type_version == current.type_version &&
           former.disabled == current.disabled && former.on_error == current.on_error &&
           former.parameters == current.parameters;
}

boost::json::object items_by_port(outputs const& output) {
    boost::json::object ports;
    for (auto const& [port, of_port] : output)
        if (!of_port.empty()) ports[port] = array_of(of_port);
    return ports;
}

bool has_failed(retraced const& run) noexcept {
    return run.outcome && run.outcome->state == queue::job_state::failed;
}

class comparison {
public:
    comparison(replayed_graph then, replayed_graph now) : then_(then), now_(now) {}

    std::optional<replay_difference> first() const {
        auto const& nodes = now_.flow.nodes();
        std::vector<std::size_t> order(nodes.size());
        for (std::size_t index = 0; index < order.size(); ++index) order[index] = index;
        std::ranges::sort(order, {}, [&](std::size_t index) { return nodes[index].rank; });
        for (auto const index : order)
            if (auto difference = of_node(index)) return difference;
        if (auto gone = of_missing_node()) return gone;
        return of_end();
    }

private:
    std::optional<replay_difference> of_node(std::size_t index) const {
        auto const& compiled = now_.flow.nodes()[index];
        if (!compiled.type || is_part(*compiled.type)) return std::nullopt;
        if (auto asked_in_vain = of_missing_step(*compiled.node)) return asked_in_vain;
        auto const& trace = now_.run.seen.nodes[index];
        auto const former = then_.flow.flow().find(compiled.node->id);
        static node_trace const never{};
        auto const& former_trace = former ? then_.run.seen.nodes[*former] : never;
        if (did_run(trace) != did_run(former_trace)) return of_state(compiled, trace);
        if (!did_run(trace)) return std::nullopt;
        if (trace.failure && !former_trace.failure)
            return difference(
                difference_reason::state, *compiled.node, "it fails: " + trace.failure->detail
            );
        if (auto other = of_definition(compiled, *former)) return other;
        if (former_trace.failure && !trace.failure)
            return difference(
                difference_reason::state, *compiled.node, "it failed then, and does not now"
            );
        if (items_by_port(trace.output) != items_by_port(former_trace.output))
            return difference(difference_reason::output, *compiled.node, "it makes other items");
        return std::nullopt;
    }

    std::optional<replay_difference> of_missing_step(node const& asking) const {
        for (auto const& step : now_.run.missing)
            if (step.starts_with(asking.id + "/"))
                return difference(
                    difference_reason::asks, asking, fmt::format("the record has no step {}", step)
                );
        return std::nullopt;
    }

    std::optional<replay_difference> of_state(
        compiled_node const& compiled, node_trace const& trace
    ) const {
        auto const& missing = now_.run.missing;
        if (did_run(trace))
            return difference(difference_reason::state, *compiled.node, "it did not run then");
        bool const ended = now_.run.outcome.has_value();
        if (!ended && !missing.empty())
            return difference(
                difference_reason::asks,
                *compiled.node,
                fmt::format("the record has no step {}", missing.front())
            );
        return difference(difference_reason::state, *compiled.node, "it does not run now");
    }

    // Of what acts: the answers in the record are for what it was. What only computes is computed anew.
    std::optional<replay_difference> of_definition(
        compiled_node const& compiled, std::size_t former
    ) const {
        auto const& former_nodes = then_.flow.nodes();
        if (!std::holds_alternative<durable>(compiled.type->behaviour)) return std::nullopt;
        if (!is_same_definition(*former_nodes[former].node, *compiled.node))
            return difference(
                difference_reason::definition,
                *compiled.node,
                "it was changed: what the record has is for the former one"
            );
        for (auto const index : compiled.parts) {
            auto const& part = *now_.flow.nodes()[index].node;
            auto const former_part = then_.flow.flow().find(part.id);
            if (former_part && is_same_definition(*former_nodes[*former_part].node, part)) continue;
            return difference(
                difference_reason::definition,
                part,
                "it was changed: what the record has is for the former one"
            );
        }
        if (compiled.parts.size() != former_nodes[former].parts.size())
            return difference(
                difference_reason::definition, *compiled.node, "a part of it was taken away"
            );
        return std::nullopt;
    }

    // Ran then, and is not there any more.
    std::optional<replay_difference> of_missing_node() const {
        auto const& nodes = then_.flow.nodes();
        for (std::size_t index = 0; index < nodes.size(); ++index) {
            auto const& former = *nodes[index].node;
            auto const& trace = then_.run.seen.nodes[index];
            bool const ran = did_run(trace) && trace.state != node_state::used;
            if (!ran || now_.flow.flow().find(former.id)) continue;
            return replay_difference{
                .reason = difference_reason::state,
                .fails = fails(),
                .detail = former.name + " ran then, and is gone"};
        }
        return std::nullopt;
    }

    std::optional<replay_difference> of_end() const {
        auto const is_over = now_.run.outcome.has_value();
        if (is_over == then_.run.outcome.has_value() && !fails() &&
            has_failed(now_.run) == has_failed(then_.run))
            return std::nullopt;
        return replay_difference{
            .reason = difference_reason::outcome, .fails = fails(), .detail = "it ends otherwise"};
    }

    replay_difference difference(difference_reason reason, node const& node, std::string detail)
        const {
        return {reason, fails(), &node, std::move(detail)};
    }
    bool fails() const noexcept { return has_failed(now_.run) && !has_failed(then_.run); }

    replayed_graph then_;
    replayed_graph now_;
};

} // namespace

std::string_view to_string(difference_reason reason) noexcept {
    return base::name_of(reason_words, reason);
}

std::optional<replay_difference> first_difference(replayed_graph then, replayed_graph now) {
    return comparison(then, now).first();
}

} // namespace postrider::agent::flow
