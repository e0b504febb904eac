#include "agent/flow/library/rivals.hpp"

#include "agent/flow/library/triggers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

problem warning(
    definition const& flow, std::string_view id, std::string message, std::string_view hint
) {
    auto const at = std::ranges::find(flow.nodes, id, &node::id);
    return {
        .code = "rivalled_trigger",
        .path = below("/nodes", static_cast<std::size_t>(at - flow.nodes.begin())),
        .message = std::move(message),
        .hint = std::string(hint),
        .node = at->name,
        .severity = severity::warning};
}

problem taken_by(definition const& flow, std::string_view id, std::string_view winner) {
    return warning(
        flow,
        id,
        fmt::format("messages that it takes start the flow {}, the first by name", winner),
        "let one of both ask for other bots, chats or commands"
    );
}

problem taken_from(definition const& flow, std::string_view id, std::string_view loser) {
    return warning(
        flow,
        id,
        fmt::format("takes messages from the flow {}, being the first by name", loser),
        "let one of both ask for other bots, chats or commands"
    );
}

// Triggers that ask for a command, a chat or a bot, both for as much.
void add_specific(
    std::vector<problem>& problems, definition const& flow, triggers const& with_others
) {
    for (auto const& rival : with_others.rivalled()) {
        if (rival.flow == rival.winner.flow) continue;
        if (rival.flow == flow.name)
            problems.push_back(taken_by(flow, rival.node, rival.winner.flow));
        else if (rival.winner.flow == flow.name)
            problems.push_back(taken_from(flow, rival.winner.node, rival.flow));
    }
}

// A trigger that asks for nothing: the bots' agents decide, then the assistant, then names.
void add_unasking(
    std::vector<problem>& problems,
    definition const& flow,
    triggers const& others,
    triggers const& with_others,
    std::span<std::string const> agents,
    catalog const& types
) {
    triggers own;
    own.add(0, flow, types);
    auto const trigger = own.unasking();
    if (!trigger) return;
    auto const winner = [&](std::string_view agent) {
        auto const answers = with_others.answering(agent);
        return answers ? answers->flow : with_others.unasking()->flow;
    };
    auto const served = std::ranges::find(agents, flow.name, winner);
    if (served == agents.end()) {
        problems.push_back(warning(
            flow,
            trigger->node,
            fmt::format("what no trigger asks for starts the flow {}", winner(agents.front())),
            "ask for bots, chats or commands, or name this flow as the `agent` of a bot"
        ));
        return;
    }
    auto const loser = others.unasking();
    if (loser && !with_others.answering(*served))
        problems.push_back(taken_from(flow, trigger->node, loser->flow));
}

} // namespace

std::vector<problem> rivalled_triggers(
    definition const& flow,
    std::span<definition const> others,
    std::span<std::string const> agents,
    catalog const& types
) {
    std::vector<definition const*> sorted{&flow};
    for (auto const& other : others) sorted.push_back(&other);
    std::ranges::sort(sorted, {}, &definition::name);
    triggers without;
    triggers with_others;
    for (auto const* contender : sorted) {
        with_others.add(0, *contender, types);
        if (contender != &flow) without.add(0, *contender, types);
    }
    static std::vector<std::string> const nobody{""};
    std::vector<problem> problems;
    add_specific(problems, flow, with_others);
    add_unasking(problems, flow, without, with_others, agents.empty() ? nobody : agents, types);
    return problems;
}

} // namespace postrider::agent::flow
