// What nodes ask of the triggers that start them, and triggers of each other.
#include "agent/flow/parameters.hpp"
#include "agent/flow/validate/inspection.hpp"
#include "base/texts.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <map>

namespace postrider::agent::flow {

namespace {

trigger const* trigger_of(inspection const& in, std::size_t at) {
    if (!in.type_of[at] || in.flow.nodes[at].disabled) return nullptr;
    return std::get_if<trigger>(&in.type_of[at]->behaviour);
}

// Two triggers of a flow that the same request would start.
void check_rivals_within(inspection& in) {
    std::map<std::string, std::size_t> first_taker;
    for (std::size_t at = 0; at < in.flow.nodes.size(); ++at) {
        auto const* trigger = trigger_of(in, at);
        if (!trigger || trigger->unique.empty()) continue;
        auto const& node = in.flow.nodes[at];
        std::vector<std::string> values;
        for (auto const& name : trigger->unique)
            if (auto const* value = given_or_default(node.parameters, *in.type_of[at], name))
                values.push_back(boost::json::serialize(*value));
        if (values.size() < trigger->unique.size()) continue;
        auto const key = fmt::format("{} {}", node.type, base::joined(values, " "));
        auto const [first, fresh] = first_taker.emplace(key, at);
        if (fresh) continue;
        in.add(
            node,
            {.code = "path_taken",
             .path = below(below(node.path, "parameters"), trigger->unique.front()),
             .message = fmt::format(
                 "{} of this flow has the same {}",
                 in_quotes(in.flow.nodes[first->second].name),
                 base::joined(trigger->unique, " and ")
             ),
             .hint = "one of both would never start"}
        );
    }
}

bool tells_the_chat(trigger const& trigger) {
    return trigger.source != trigger_source::elsewhere;
}

std::vector<std::string> parameters_from_message(behaviour const& of) {
    if (auto const* acting = std::get_if<durable>(&of)) return acting->from_message;
    if (auto const* hanging = std::get_if<part>(&of)) return hanging->from_message;
    return {};
}

// A node that acts in a chat knows which by its parameters, or by the message that started it.
void check_chat_of(inspection& in, std::size_t at) {
    auto const& node = in.flow.nodes[at];
    if (!in.type_of[at] || node.disabled || in.unread.connections) return;
    std::vector<std::string> unwritten;
    for (auto const& name : parameters_from_message(in.type_of[at]->behaviour))
        if (!node.parameters.contains(name)) unwritten.push_back(name);
    if (unwritten.empty()) return;

    bool reported = false;
    std::string_view silent;
    auto const before = runs_before(in, at);
    for (std::size_t earlier = 0; earlier < before.size(); ++earlier) {
        if (!before[earlier]) continue;
        if (!in.type_of[earlier]) return; // it may be a trigger of whatever kind
        auto const* from = trigger_of(in, earlier);
        if (!from) continue;
        if (tells_the_chat(*from))
            reported = true;
        else
            silent = in.flow.nodes[earlier].name;
    }
    if (silent.empty()) return;
    in.add(
        node,
        {.code = "unknown_chat",
         .path = below(below(node.path, "parameters"), unwritten.front()),
         .message = fmt::format("started by {} it cannot know where it acts", in_quotes(silent)),
         .hint = fmt::format("write {}", base::joined(unwritten, " and ")),
         .severity = reported ? severity::warning : severity::error}
    );
}

// The lane of a chat is held by what waits there.
void check_chat_waits(inspection& in, std::size_t at) {
    auto const& node = in.flow.nodes[at];
    auto const& settings = in.flow.settings;
    if (!in.type_of[at] || node.disabled || in.unread.connections) return;
    auto const* waiting = std::get_if<durable>(&in.type_of[at]->behaviour);
    if (!waiting || !waiting->holds_chat || !settings.lane.empty()) return;
    if (settings.mailbox == "interrupt") return;
    auto const parameter = waiting->holds_chat(node.parameters, settings.mailbox);
    if (parameter.empty()) return;
    auto const before = runs_before(in, at);
    for (std::size_t earlier = 0; earlier < before.size(); ++earlier) {
        auto const* from = before[earlier] ? trigger_of(in, earlier) : nullptr;
        if (!from || from->source != trigger_source::message) continue;
        in.add(
            node,
            {.code = "chat_waits",
             .path = below(below(node.path, "parameters"), parameter),
             .message = fmt::format(
                 "while it waits, the next messages of the chat of {} wait too",
                 in_quotes(in.flow.nodes[earlier].name)
             ),
             .hint = "commands and \"stop\" are answered meanwhile; to answer messages too, set "
                     "settings.lane, or settings.mailbox to interrupt, or let a reminder or a "
                     "schedule act later",
             .severity = severity::warning}
        );
        return;
    }
}

bool may_need_approval(inspection const& in, std::size_t at) {
    auto const& node = in.flow.nodes[at];
    if (!in.type_of[at] || node.disabled) return false;
    auto const* tools = std::get_if<part>(&in.type_of[at]->behaviour);
    return tools && tools->needs_approval && tools->needs_approval(node.parameters);
}

// Where an execution answers no chat, only approvers can decide about calls with a high risk.
void check_approvers(inspection& in, std::size_t tool) {
    if (in.context.has_approvers || in.unread.connections || !may_need_approval(in, tool)) return;
    for (auto const host : in.hosts_of[tool]) {
        auto const& agent = in.flow.nodes[host];
        auto const* approvers = agent.parameters.if_contains("approvers");
        if (approvers && approvers->is_array() && !approvers->get_array().empty()) continue;
        auto const before = runs_before(in, host);
        for (std::size_t earlier = 0; earlier < before.size(); ++earlier) {
            auto const* start = before[earlier] ? trigger_of(in, earlier) : nullptr;
            if (!start || tells_the_chat(*start)) continue;
            in.add(
                agent,
                {.code = "no_approver",
                 .path = below(below(agent.path, "parameters"), "approvers"),
                 .message = fmt::format(
                     "a call of {} with a high risk needs an approval, but executions that {} "
                     "starts "
                     "have no chat, and there are no approvers",
                     in_quotes(in.flow.nodes[tool].name),
                     in_quotes(in.flow.nodes[earlier].name)
                 ),
                 .hint = "set \"approvers\", approvals.approvers or a bot's owners",
                 .severity = severity::warning}
            );
            return;
        }
    }
}

} // namespace

void check_triggers(inspection& in) {
    if (in.unread.nodes) return;
    check_rivals_within(in);
    for (std::size_t at = 0; at < in.flow.nodes.size(); ++at) {
        check_chat_of(in, at);
        check_chat_waits(in, at);
        check_approvers(in, at);
    }
}

} // namespace postrider::agent::flow
