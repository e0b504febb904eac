#include "server/bots/answering_flows.hpp"

#include "agent/flow/start/lane_key.hpp"

namespace postrider::server {

std::optional<telegram::chosen_flow> answering_flows::choose(
    telegram::bot_settings const& bot,
    agent::flow::heard_message const& heard,
    telegram::said_words said
) const {
    auto const found = library_.starts().message(
        {bot.name, heard.from.chat, said.command, bot.agent, heard.addressed}
    );
    if (!found) return std::nullopt;
    telegram::chosen_flow chosen;
    chosen.starts = found->begins;
    chosen.asks_for_command = found->asks_for_command;
    chosen.flow = found->flow;
    chosen.trigger = found->node;
    auto const& current = *library_.current(chosen.flow);
    chosen.version = current.version;
    if (found->lent) return chosen;
    auto const& settings = current.opening->settings;
    chosen.deadline = settings.timeout;
    if (!settings.mailbox.empty())
        chosen.manner = storage::lane_manner{
            settings.mailbox, settings.debounce.value_or(std::chrono::milliseconds{0})};
    if (!settings.lane.empty())
        chosen.lane_key =
            agent::flow::lane_key(*current.opening, agent::flow::item_of(heard, said.text));
    return chosen;
}

} // namespace postrider::server
