// Rounds: the nodes of a loop's body run once more, with other items.
#include "agent/flow/run/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

void append(items& target, items const& more) {
    target.insert(target.end(), more.begin(), more.end());
}

} // namespace

// Nothing follows it, but for the body of its own loop.
bool walk::is_last(std::size_t index) const {
    auto const& compiled = graph_.nodes()[index];
    if (!compiled.back_outputs.empty()) return false;
    return std::ranges::all_of(compiled.main_outputs, [&](auto edge) {
        return graph_.flow().connections[edge].output == compiled.body_output;
    });
}

// A node of a loop runs several times: each run has names of its own for its steps and its ids. Those of
// its next run are known before: what runs ahead of a wait may give somebody the wait's link.
void walk::note_next_scope(std::size_t index) {
    if (graph_.nodes()[index].loops.empty()) return;
    names_.note_scope(index, scope_of(index, places_[index].visits + 1));
}

std::string walk::scope_of(std::size_t index, int visit) const {
    auto const& compiled = graph_.nodes()[index];
    if (compiled.loops.empty()) return compiled.node->id;
    return fmt::format("{}/{}{}", compiled.node->id, round_prefix, visit);
}

// A round stands in the conversation as what a called flow says: behind the one before it.
std::vector<call_place> walk::calls_of(std::size_t index) const {
    auto calls = context_.calls;
    for (auto const loop : graph_.nodes()[index].loops)
        calls.push_back({graph_.nodes()[loop].rank, places_[loop].round, 0});
    return calls;
}

void walk::begin_round(std::size_t loop) {
    ++places_[loop].round;
    for (auto const index : graph_.nodes()[loop].body) {
        auto const& compiled = graph_.nodes()[index];
        auto& visited = places_[index];
        visited.unresolved = static_cast<int>(compiled.main_inputs.size());
        visited.reached = false;
        visited.is_done = false;
        visited.is_of_round = true;
        visited.round = 0;
        visited.output.clear();
        visited.metadata.clear();
        names_.forget(index);
        note_next_scope(index);
        for (auto const* edges : {&compiled.main_inputs, &compiled.back_outputs})
            for (auto edge : *edges) carried_[edge] = nullptr;
    }
}

base::awaitable<base::result<outputs>> walk::run_round(std::size_t loop, items batch) {
    auto const& compiled = graph_.nodes()[loop];
    outputs came_back;
    if (context_.input.only) co_return came_back;
    if (context_.slice.is_over()) co_await context_.slice.yield();
    begin_round(loop);
    auto& visited = places_[loop];
    visited.output.clear();
    visited.output.emplace(compiled.body_output, std::move(batch));
    names_.note(loop, visited.output);
    auto ready = settle(loop, true);
    if (!ready.empty()) co_await follow_all(std::move(ready));
    for (auto edge : compiled.returns)
        if (carried_[edge])
            append(came_back[graph_.flow().connections[edge].input], *carried_[edge]);
    for (auto const index : compiled.body) {
        auto& of_body = places_[index];
        if (!of_body.is_done || graph_.nodes()[index].loops.back() != loop || !ends_here(index))
            continue;
        for (auto const& [port, port_items] : of_body.output) append(of_body.of_rounds, port_items);
        if (of_body.of_rounds.size() > most_items)
            co_return base::error(
                base::errc::too_large,
                fmt::format(
                    "more than {} items in all rounds of {}",
                    most_items,
                    graph_.nodes()[index].node->name
                )
            );
    }
    co_return came_back;
}

} // namespace postrider::agent::flow
