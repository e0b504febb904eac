#include "agent/flow/run/walk.hpp"

#include "agent/flow/parameters.hpp"
#include "agent/flow/run/visit.hpp"
#include "agent/talk/degradation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// "continue" and "error_output": what goes on in place of the node's items.
json::object failure_item(node const& node, base::error const& reason) {
    return {
        {"error",
         json::object{
             {"node", node.name},
             {"code", base::to_string(reason.code)},
             {"message", reason.detail},
         }},
    };
}

// Out of the output that a node of the type has first: "main" of most.
outputs passed_on(std::string port, items passed) {
    outputs output;
    output.emplace(std::move(port), std::move(passed));
    return output;
}

base::error too_many(std::string_view where) {
    return {base::errc::too_large, fmt::format("more than {} items in one {}", most_items, where)};
}

bool any_too_many(outputs const& output) {
    return std::ranges::any_of(output, [](auto const& port) {
        return port.second.size() > most_items;
    });
}

} // namespace

walk::walk(walk_context& context)
    : context_(context),
      graph_(context.flow),
      places_(graph_.nodes().size()),
      carried_(graph_.flow().connections.size()),
      names_(context) {
    for (std::size_t index = 0; index < places_.size(); ++index) {
        places_[index].unresolved = static_cast<int>(graph_.nodes()[index].main_inputs.size());
        note_next_scope(index);
    }
    find_way();
    if (auto const& trial = context.input.trial) trial_node_ = graph_.flow().find(trial->node);
}

base::awaitable<void> walk::run() {
    auto const start_nodes = starts();
    if (start_nodes.empty()) {
        base::error no_start(base::errc::not_found, "the flow has no node to begin with");
        failure_ = failed_node{context_.input.trigger, std::move(no_start)};
        co_return;
    }
    resolve_unreachable(start_nodes);
    try {
        co_await follow_all(start_nodes);
        // The record may have nodes beside those that lead to the trial's agent.
        if (trial_node_) context_.steps.skip_unasked();
        co_return;
    } catch (has_failed const&) {
    } catch (queue::suspended const&) {
        // Not of the job, which goes on behind the call: here the record ends.
        if (!context_.has_ended) throw;
    }
    // A later run may come to the failure before its branches come to what they had done.
    context_.steps.skip_unasked();
}

bool walk::is_of_trial(std::size_t index) const {
    return index == *trial_node_ || (leads(index, *trial_node_) && !leads(*trial_node_, index));
}

std::vector<std::size_t> walk::starts() const {
    auto const& input = context_.input;
    auto const& start_name = input.start.empty() ? input.trigger : input.start;
    if (!start_name.empty()) {
        auto const index = graph_.flow().find(start_name);
        return index ? std::vector{*index} : std::vector<std::size_t>{};
    }
    if (graph_.triggers().empty()) return {};
    return {graph_.triggers().front()};
}

// Connections from nodes that this execution never comes to bring nothing, or what is pinned.
void walk::resolve_unreachable(std::vector<std::size_t> const& starts) {
    std::vector<bool> reached(places_.size());
    auto pending = starts;
    for (auto index : starts) reached[index] = true;
    while (!pending.empty()) {
        auto const index = pending.back();
        pending.pop_back();
        if (context_.input.only) continue;
        for (auto edge : graph_.nodes()[index].main_outputs) {
            auto const target = graph_.flow().connections[edge].to;
            if (!reached[target]) pending.push_back(target);
            reached[target] = true;
        }
    }
    for (std::size_t index = 0; index < places_.size(); ++index) {
        if (reached[index]) continue;
        auto const pinned_items = pinned(index);
        if (pinned_items) {
            places_[index].output = passed_on(graph_.nodes()[index].first_output, *pinned_items);
            names_.note(index, places_[index].output);
        }
        for (auto edge : graph_.nodes()[index].main_outputs) {
            auto& target = places_[graph_.flow().connections[edge].to];
            --target.unresolved;
            if (!pinned_items || pinned_items->empty()) continue;
            auto const port_items =
                places_[index].output.find(graph_.flow().connections[edge].output);
            if (port_items == places_[index].output.end()) continue;
            carried_[edge] = &port_items->second;
            target.reached = true;
        }
    }
}

base::awaitable<void> walk::follow_all(std::vector<std::size_t> ready) {
    if (ready.size() == 1) {
        co_await follow(ready.front());
        co_return;
    }
    if (!branches_over_) branches_over_ = std::make_shared<bool>(false);
    std::vector<queue::branch> branches;
    branches.reserve(ready.size());
    for (auto index : ready) branches.emplace_back([this, index] { return follow(index); });
    co_await context_.steps.parallel(std::move(branches));
}

// A chain of nodes, as far as one leads to the next. Where several may run, each is a branch; where
// branches meet, the last one to come goes on.
base::awaitable<void> walk::follow(std::size_t index) {
    for (;;) {
        if (failure_) throw has_failed{};
        co_await go(index);
        if (failure_) throw has_failed{};
        if (context_.input.only) co_return;
        auto ready = settle(index);
        if (trial_node_) std::erase_if(ready, [this](auto next) { return !is_of_trial(next); });
        if (ready.empty()) co_return;
        if (ready.size() > 1) {
            co_await follow_all(std::move(ready));
            co_return;
        }
        index = ready.front();
    }
}

base::awaitable<void> walk::go(std::size_t index) {
    auto const& node = *graph_.nodes()[index].node;
    ++places_[index].visits;
    items merged_input;
    auto const& input = input_of(index, merged_input);
    context_.watcher.node_started(node, input);
    base::result<outputs> output = outputs{};
    auto pinned_items = pinned(index);
    if (pinned_items)
        output = passed_on(graph_.nodes()[index].first_output, std::move(*pinned_items));
    else if (input.size() > most_items)
        output = too_many("input");
    else if (node.disabled)
        output = passed_on(graph_.nodes()[index].first_output, input);
    else
        output = co_await act(index, input);
    if (output && any_too_many(*output)) output = too_many("output");

    auto& visited = places_[index];
    visited.is_done = true;
    base::error const failure = output ? base::error() : output.error();
    auto const* reason = output ? nullptr : &failure;
    if (output)
        visited.output = std::move(*output);
    else if (node.on_error == error_strategy::fail)
        fail(index, *reason);
    else
        visited.output = pass_failure_on(index, *reason);
    if (reason) visited.metadata["error"] = base::to_string(reason->code);
    auto told_metadata = visited.metadata;
    if (pinned_items) told_metadata["pinned"] = true;
    context_.watcher.node_finished(node, visited.output, reason, told_metadata);
    names_.note(index, visited.output);
}

base::awaitable<base::result<outputs>> walk::act(std::size_t index, items const& input) {
    auto const& behaviour = graph_.nodes()[index].type->behaviour;
    if (auto const* start = std::get_if<trigger>(&behaviour)) {
        if (!start->read) co_return passed_on(graph_.nodes()[index].first_output, input);
        visit node_visit(*this, index, input);
        co_return co_await start->read(node_visit);
    }
    if (std::holds_alternative<pure>(behaviour)) co_return co_await act_purely(index, input);
    if (std::holds_alternative<durable>(behaviour)) co_return co_await act_in_steps(index, input);
    co_return base::error(base::errc::invalid, "this node does not run by itself");
}

base::awaitable<base::result<outputs>> walk::act_in_steps(std::size_t index, items const& input) {
    visit node_visit(*this, index, input);
    co_return co_await std::get<durable>(graph_.nodes()[index].type->behaviour).execute(node_visit);
}

base::awaitable<base::result<outputs>> walk::act_purely(std::size_t index, items const& input) {
    auto const& compiled = graph_.nodes()[index];
    auto const& behaviour = std::get<pure>(compiled.type->behaviour);
    node_input const all_items(input);
    outputs results;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (context_.slice.is_over()) co_await context_.slice.yield();
        item_names const names(names_, index, all_items, i);
        auto values = parameters(index, names);
        if (!values) co_return values.error();
        auto output = behaviour.execute({*compiled.node, *values, input[i]});
        if (!output) co_return output.error();
        for (auto& [port, port_items] : *output)
            std::ranges::move(port_items, std::back_inserter(results[port]));
        if (any_too_many(results)) co_return too_many("output");
    }
    co_return results;
}

base::result<json::object> walk::parameters(std::size_t index, agent::scope const& names) {
    auto const& compiled = graph_.nodes()[index];
    if (compiled.fitted) return *compiled.fitted;
    auto& settled = context_.agent.fitted[index];
    if (settled) return *settled;
    auto value = compiled.parameters.evaluate(names);
    if (!value) return base::error(base::errc::invalid, to_text(value.error()));
    auto fitted = fit_parameters(std::move(value->as_object()), *compiled.type, graph_.types());
    if (fitted && compiled.settled_by_agent) settled = *fitted;
    return fitted;
}

outputs walk::pass_failure_on(std::size_t index, base::error const& reason) {
    auto const& node = *graph_.nodes()[index].node;
    bool const has_error_output = node.on_error == error_strategy::error_output;
    if (!has_error_output) { // what has no way of its own is told to nobody else
        auto failed = reason;
        failed.detail = node.name + ": " + reason.detail;
        keep_graver(context_.degraded, degradation_of(degraded_by::node_failed, std::move(failed)));
    }
    items failure{{failure_item(node, reason)}};
    return passed_on(
        has_error_output ? "error" : graph_.nodes()[index].first_output, std::move(failure)
    );
}

std::optional<items> walk::pinned(std::size_t index) const {
    auto const& pins = context_.input.pinned;
    auto const pin = pins.find(graph_.nodes()[index].node->name);
    if (pin == pins.end()) return std::nullopt;
    items pinned_items;
    if (!pin->value().is_array()) {
        pinned_items.push_back({pin->value()});
        return pinned_items;
    }
    for (auto const& value : pin->value().get_array()) pinned_items.push_back({value});
    return pinned_items;
}

// Brings what the node made to the end of that connection, if there is any.
bool walk::carry(std::size_t edge) {
    auto const& connection = graph_.flow().connections[edge];
    auto const& output = places_[connection.from].output;
    auto const port_items = output.find(connection.output);
    if (port_items == output.end() || port_items->second.empty()) return false;
    carried_[edge] = &port_items->second;
    context_.watcher.connection_used(connection, port_items->second.size());
    return true;
}

// Hands on what the node made, into the body of its loop or behind it. Returns the nodes that may run
// now, in the graph's order; those that nothing came to are passed over, and so on.
std::vector<std::size_t> walk::settle(std::size_t index, bool into_body) {
    std::vector<std::size_t> ready;
    std::vector<std::size_t> settled{index};
    while (!settled.empty()) {
        auto const current = settled.back();
        settled.pop_back();
        auto const& compiled = graph_.nodes()[current];
        bool const enters_body = into_body && current == index;
        if (!enters_body)
            for (auto edge : compiled.back_outputs) carry(edge);
        for (auto edge : compiled.main_outputs) {
            auto const& connection = graph_.flow().connections[edge];
            if ((connection.output == compiled.body_output) != enters_body) continue;
            if (!is_on_way_.empty() && !is_on_way_[connection.to]) continue;
            auto& target = places_[connection.to];
            if (carry(edge)) target.reached = true;
            if (--target.unresolved > 0) continue;
            (target.reached ? ready : settled).push_back(connection.to);
        }
    }
    std::ranges::sort(ready);
    return ready;
}

items walk::last_items() const {
    items collected;
    for (std::size_t index = 0; index < places_.size(); ++index) {
        if (!context_.input.only && !ends_here(index)) continue;
        auto const& visited = places_[index];
        collected.insert(collected.end(), visited.of_rounds.begin(), visited.of_rounds.end());
        if (!visited.is_done || visited.is_of_round) continue;
        for (auto const& [port, port_items] : visited.output)
            collected.insert(collected.end(), port_items.begin(), port_items.end());
    }
    return collected;
}

json::object walk::metadata() const {
    json::object by_node;
    for (std::size_t index = 0; index < places_.size(); ++index)
        if (!places_[index].metadata.empty())
            by_node[graph_.nodes()[index].node->name] = places_[index].metadata;
    return by_node;
}

// Answers that no node sent are stored in the conversation all the same.
std::vector<storage::write> walk::last_rows() {
    auto rows = std::exchange(last_rows_, {});
    for (auto const& answer : std::exchange(answers_, {}))
        rows.push_back(storage::add_message(answer.row));
    return rows;
}

void walk::hand_over(walk& caller, std::size_t index) {
    std::ranges::move(std::exchange(last_rows_, {}), std::back_inserter(caller.last_rows_));
    for (auto& answer : std::exchange(answers_, {}))
        caller.answers_.push_back({index, std::move(answer.row)});
}

queue::workflow walk::steps_of(std::size_t index) const {
    auto steps = context_.steps.scope(scope_of(index));
    return branches_over_ ? steps.unless(branches_over_) : steps;
}

// What runs beside it may fail as well before it is given up: the first failure counts.
void walk::fail(std::size_t index, base::error reason) {
    if (failure_) return;
    failure_ = failed_node{graph_.nodes()[index].node->name, std::move(reason)};
    if (branches_over_) *branches_over_ = true;
}

} // namespace postrider::agent::flow
