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
outputs passed_on(std::string port, items all) {
    outputs output;
    output.emplace(std::move(port), std::move(all));
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
    for (std::size_t at = 0; at < places_.size(); ++at)
        places_[at].open = static_cast<int>(graph_.nodes()[at].main_inputs.size());
}

base::awaitable<void> walk::run() {
    auto const first = starts();
    if (first.empty()) {
        base::error none(base::errc::not_found, "the flow has no node to begin with");
        failure_ = failed_node{context_.input.trigger, std::move(none)};
        co_return;
    }
    close_what_is_out_of_reach(first);
    try {
        co_await follow_all(first);
        co_return;
    } catch (has_failed const&) {
    } catch (queue::suspended const&) {
        // Not of the job, which goes on behind the call: here the record ends.
        if (!context_.has_ended) throw;
    }
    // A later run may come to the failure before its branches come to what they had done.
    context_.steps.skip_unasked();
}

std::vector<std::size_t> walk::starts() const {
    auto const& input = context_.input;
    auto const& named = input.start.empty() ? input.trigger : input.start;
    if (!named.empty()) {
        auto const at = graph_.flow().find(named);
        return at ? std::vector{*at} : std::vector<std::size_t>{};
    }
    if (graph_.triggers().empty()) return {};
    return {graph_.triggers().front()};
}

// Connections from nodes that this execution never comes to bring nothing, or what is pinned.
void walk::close_what_is_out_of_reach(std::vector<std::size_t> const& starts) {
    std::vector<bool> reached(places_.size());
    auto to_look_at = starts;
    for (auto at : starts) reached[at] = true;
    while (!to_look_at.empty()) {
        auto const at = to_look_at.back();
        to_look_at.pop_back();
        if (context_.input.only) continue;
        for (auto via : graph_.nodes()[at].main_outputs) {
            auto const to = graph_.flow().connections[via].to;
            if (!reached[to]) to_look_at.push_back(to);
            reached[to] = true;
        }
    }
    for (std::size_t at = 0; at < places_.size(); ++at) {
        if (reached[at]) continue;
        auto const pinned_items = pinned(at);
        if (pinned_items) {
            places_[at].output = passed_on(graph_.nodes()[at].first_output, *pinned_items);
            names_.note(at, places_[at].output);
        }
        for (auto via : graph_.nodes()[at].main_outputs) {
            auto& to = places_[graph_.flow().connections[via].to];
            --to.open;
            if (!pinned_items || pinned_items->empty()) continue;
            auto const found = places_[at].output.find(graph_.flow().connections[via].output);
            if (found == places_[at].output.end()) continue;
            carried_[via] = &found->second;
            to.reached = true;
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
    for (auto at : ready) branches.emplace_back([this, at] { return follow(at); });
    co_await context_.steps.parallel(std::move(branches));
}

// A chain of nodes, as far as one leads to the next. Where several may run, each is a branch; where
// branches meet, the last one to come goes on.
base::awaitable<void> walk::follow(std::size_t at) {
    for (;;) {
        if (failure_) throw has_failed{};
        co_await go(at);
        if (failure_) throw has_failed{};
        if (context_.input.only) co_return;
        auto ready = settle(at);
        if (ready.empty()) co_return;
        if (ready.size() > 1) {
            co_await follow_all(std::move(ready));
            co_return;
        }
        at = ready.front();
    }
}

base::awaitable<void> walk::go(std::size_t at) {
    auto const& node = *graph_.nodes()[at].node;
    items own;
    auto const& input = input_of(at, own);
    context_.watcher.node_started(node, input);
    base::result<outputs> output = outputs{};
    if (auto pinned_items = pinned(at))
        output = passed_on(graph_.nodes()[at].first_output, std::move(*pinned_items));
    else if (input.size() > most_items)
        output = too_many("input");
    else if (node.disabled)
        output = passed_on(graph_.nodes()[at].first_output, input);
    else
        output = co_await act(at, input);
    if (output && any_too_many(*output)) output = too_many("output");

    auto& visited = places_[at];
    visited.over = true;
    base::error const failure = output ? base::error() : output.error();
    auto const* reason = output ? nullptr : &failure;
    if (output)
        visited.output = std::move(*output);
    else if (node.on_error == error_strategy::fail)
        fail(at, *reason);
    else
        visited.output = pass_failure_on(at, *reason);
    if (reason) visited.metadata["error"] = base::to_string(reason->code);
    context_.watcher.node_finished(node, visited.output, reason, visited.metadata);
    names_.note(at, visited.output);
}

base::awaitable<base::result<outputs>> walk::act(std::size_t at, items const& input) {
    auto const& doing = graph_.nodes()[at].type->behaviour;
    if (std::holds_alternative<trigger>(doing))
        co_return passed_on(graph_.nodes()[at].first_output, input);
    if (std::holds_alternative<pure>(doing)) co_return co_await act_purely(at, input);
    if (std::holds_alternative<durable>(doing)) co_return co_await act_in_steps(at, input);
    co_return base::error(base::errc::invalid, "this node does not run by itself");
}

base::awaitable<base::result<outputs>> walk::act_in_steps(std::size_t at, items const& input) {
    visit here(*this, at, input);
    co_return co_await std::get<durable>(graph_.nodes()[at].type->behaviour).execute(here);
}

base::awaitable<base::result<outputs>> walk::act_purely(std::size_t at, items const& input) {
    auto const& compiled = graph_.nodes()[at];
    auto const& doing = std::get<pure>(compiled.type->behaviour);
    node_input const whole(input);
    outputs all;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (context_.slice.is_over()) co_await context_.slice.yield();
        item_names const names(names_, at, whole, i);
        auto values = parameters(at, names);
        if (!values) co_return values.error();
        auto output = doing.execute({*compiled.node, *values, input[i]});
        if (!output) co_return output.error();
        for (auto& [port, sent] : *output) std::ranges::move(sent, std::back_inserter(all[port]));
        if (any_too_many(all)) co_return too_many("output");
    }
    co_return all;
}

base::result<json::object> walk::parameters(std::size_t at, agent::scope const& names) {
    auto const& compiled = graph_.nodes()[at];
    if (compiled.fitted) return *compiled.fitted;
    auto& settled = context_.agent.fitted[at];
    if (settled) return *settled;
    auto value = compiled.parameters.evaluate(names);
    if (!value) return base::error(base::errc::invalid, to_text(value.error()));
    auto fitted = fit_parameters(std::move(value->as_object()), *compiled.type, graph_.types());
    if (fitted && compiled.settled_by_agent) settled = *fitted;
    return fitted;
}

outputs walk::pass_failure_on(std::size_t at, base::error const& reason) {
    auto const& node = *graph_.nodes()[at].node;
    bool const apart = node.on_error == error_strategy::error_output;
    if (!apart) { // what has no way of its own is told to nobody else
        auto failed = reason;
        failed.detail = node.name + ": " + reason.detail;
        keep_graver(context_.degraded, degradation_of(degraded_by::node_failed, std::move(failed)));
    }
    items failure{{failure_item(node, reason)}};
    return passed_on(apart ? "error" : graph_.nodes()[at].first_output, std::move(failure));
}

std::optional<items> walk::pinned(std::size_t at) const {
    auto const& all = context_.input.pinned;
    auto const found = all.find(graph_.nodes()[at].node->name);
    if (found == all.end()) return std::nullopt;
    items pinned_items;
    if (!found->value().is_array()) {
        pinned_items.push_back({found->value()});
        return pinned_items;
    }
    for (auto const& value : found->value().get_array()) pinned_items.push_back({value});
    return pinned_items;
}

items const& walk::input_of(std::size_t at, items& own) const {
    std::vector<items const*> came;
    for (auto via : graph_.nodes()[at].main_inputs)
        if (carried_[via]) came.push_back(carried_[via]);
    if (came.size() == 1) return *came.front();
    for (auto const* sent : came) own.insert(own.end(), sent->begin(), sent->end());
    if (own.empty()) own = begin_with();
    return own;
}

// What started the execution, as an item.
items walk::begin_with() const {
    items trigger_items;
    auto const& input = context_.input;
    auto const& question = context_.conversation.question();
    if (!input.data.is_null())
        trigger_items.push_back({input.data});
    else if (input.heard)
        trigger_items.push_back({item_of(*input.heard, question)});
    else
        trigger_items.push_back({json::object{}});
    return trigger_items;
}

// Hands on what the node made. Returns the nodes that may run now, in the graph's order; those that
// nothing came to are passed over, and so on.
std::vector<std::size_t> walk::settle(std::size_t at) {
    std::vector<std::size_t> ready;
    std::vector<std::size_t> settled{at};
    while (!settled.empty()) {
        auto const from = settled.back();
        settled.pop_back();
        for (auto via : graph_.nodes()[from].main_outputs) {
            auto const& connection = graph_.flow().connections[via];
            auto const found = places_[from].output.find(connection.output);
            auto& to = places_[connection.to];
            if (found != places_[from].output.end() && !found->second.empty()) {
                carried_[via] = &found->second;
                to.reached = true;
                context_.watcher.connection_used(connection, found->second.size());
            }
            if (--to.open > 0) continue;
            (to.reached ? ready : settled).push_back(connection.to);
        }
    }
    std::ranges::sort(ready);
    return ready;
}

items walk::last_items() const {
    items all;
    for (std::size_t at = 0; at < places_.size(); ++at) {
        bool const last = context_.input.only || graph_.nodes()[at].main_outputs.empty();
        if (!places_[at].over || !last) continue;
        for (auto const& [port, sent] : places_[at].output)
            all.insert(all.end(), sent.begin(), sent.end());
    }
    return all;
}

json::object walk::metadata() const {
    json::object all;
    for (std::size_t at = 0; at < places_.size(); ++at)
        if (!places_[at].metadata.empty())
            all[graph_.nodes()[at].node->name] = places_[at].metadata;
    return all;
}

// Answers that no node sent are stored in the conversation all the same.
std::vector<storage::write> walk::last_rows() {
    auto rows = std::exchange(last_rows_, {});
    for (auto const& answer : std::exchange(answers_, {}))
        rows.push_back(storage::add_message(answer.row));
    return rows;
}

void walk::hand_over(walk& caller, std::size_t at) {
    std::ranges::move(std::exchange(last_rows_, {}), std::back_inserter(caller.last_rows_));
    for (auto& answer : std::exchange(answers_, {}))
        caller.answers_.push_back({at, std::move(answer.row)});
}

queue::workflow walk::steps_of(node const& node) const {
    auto steps = context_.steps.scope(node.id);
    return branches_over_ ? steps.unless(branches_over_) : steps;
}

// What runs beside it may fail as well before it is given up: the first failure counts.
void walk::fail(std::size_t at, base::error reason) {
    if (failure_) return;
    failure_ = failed_node{graph_.nodes()[at].node->name, std::move(reason)};
    if (branches_over_) *branches_over_ = true;
}

bool walk::leads(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> ahead{from};
    std::vector<bool> seen(places_.size());
    while (!ahead.empty()) {
        auto const at = ahead.back();
        ahead.pop_back();
        if (at == to) return true;
        if (seen[at]) continue;
        seen[at] = true;
        for (auto via : graph_.nodes()[at].main_outputs)
            ahead.push_back(graph_.flow().connections[via].to);
    }
    return false;
}

// The answers that are in the text are said with it. Of those that are the whole of it the first:
// another item may have the same.
std::optional<storage::message_row> walk::take_answer(std::size_t at, std::string_view text) {
    auto const comes_here = [&](given_answer const& answer) { return leads(answer.by, at); };
    auto const whole = std::ranges::find_if(answers_, [&](given_answer const& answer) {
        return answer.row.content == text && comes_here(answer);
    });
    std::optional<storage::message_row> taken;
    if (whole != answers_.end()) {
        taken = std::move(whole->row);
        answers_.erase(whole);
        return taken;
    }
    std::erase_if(answers_, [&](given_answer& answer) {
        if (answer.row.content.empty() || text.find(answer.row.content) == text.npos ||
            !comes_here(answer))
            return false;
        taken = std::move(answer.row);
        return true;
    });
    if (taken) taken->content = text;
    return taken;
}

} // namespace postrider::agent::flow
