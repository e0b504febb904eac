#include "server/bots/answering_flows.hpp"

#include "agent/flow/lane_key.hpp"

namespace postrider::server {

std::optional<telegram::chosen_flow> answering_flows::choose(
    telegram::bot_settings const& bot,
    agent::flow::heard_message const& message,
    telegram::said_words words
) const {
    auto const start = library_.starts().message(
        {bot.name, message.from.chat, words.command, bot.agent, message.addressed}
    );
    if (!start) return std::nullopt;
    telegram::chosen_flow chosen;
    chosen.starts = start->begins;
    chosen.asks_for_command = start->asks_for_command;
    chosen.flow = start->flow;
    chosen.trigger = start->node;
    auto const& current = *library_.current(chosen.flow);
    chosen.version = current.version;
    if (start->lent) return chosen;
    auto const& settings = current.opening->settings;
    chosen.deadline = settings.timeout;
    if (!settings.mailbox.empty())
        chosen.manner = storage::lane_manner{
            settings.mailbox, settings.debounce.value_or(std::chrono::milliseconds{0})};
    if (!settings.lane.empty())
        chosen.lane_key =
            agent::flow::lane_key(*current.opening, agent::flow::item_of(message, words.text));
    return chosen;
}

} // namespace postrider::server
