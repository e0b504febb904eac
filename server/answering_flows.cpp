#include "server/answering_flows.hpp"

#include "agent/flow/lane_key.hpp"

namespace postrider::server {

namespace {

using agent::flow::definition;

constexpr std::string_view shipped = "assistant";

// "/help" of "/help@fern_bot me"; "" when it is none.
std::string_view command_of(std::string_view text) {
    if (!text.starts_with('/')) return {};
    return text.substr(0, text.find_first_of("@ \n\t"));
}

// The first enabled trigger of the type; empty = the flow has none.
std::string trigger_of(definition const& flow, std::string_view type) {
    for (auto const& node : flow.nodes)
        if (node.type == type && !node.disabled) return node.id;
    return {};
}

} // namespace

std::optional<telegram::chosen_flow> answering_flows::choose(
    telegram::bot_settings const& bot,
    agent::flow::heard_message const& heard,
    std::string_view text
) const {
    telegram::chosen_flow made;
    agent::flow::incoming_message const message{bot.name, heard.from.chat, command_of(text)};
    if (auto const asked_for = library_.starts().message(message, agent::flow::reach::specific)) {
        made.flow = asked_for->flow;
        made.trigger = asked_for->node;
    } else {
        for (std::string_view name : {std::string_view(bot.agent), shipped}) {
            auto const* found = library_.current(name);
            if (!found || !found->flow) continue;
            made.trigger = trigger_of(*found->flow, "telegram.message");
            if (made.trigger.empty()) continue;
            made.flow = name;
            break;
        }
    }
    if (made.flow.empty()) {
        auto const any = library_.starts().message(message);
        if (!any) return std::nullopt;
        made.flow = any->flow;
        made.trigger = any->node;
    }
    auto const& current = *library_.current(made.flow);
    made.version = current.version;
    auto const& settings = current.flow->settings;
    made.deadline = settings.timeout;
    if (!settings.mailbox.empty())
        made.manner = storage::lane_manner{
            settings.mailbox, settings.debounce.value_or(std::chrono::milliseconds{0})};
    if (current.graph && !settings.lane.empty()) {
        made.lane_key = agent::flow::lane_key(*current.graph, agent::flow::item_of(heard, text));
    }
    return made;
}

std::optional<agent::flow::start> answering_flows::over_chat(std::string_view wanted) const {
    for (std::string_view name : {wanted, shipped}) {
        auto const* found = library_.current(name);
        if (!found || !found->flow) continue;
        auto const trigger = trigger_of(*found->flow, "chat");
        if (!trigger.empty()) return agent::flow::start{std::string(name), found->version, trigger};
    }
    return std::nullopt;
}

} // namespace postrider::server
