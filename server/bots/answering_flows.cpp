#include "server/bots/answering_flows.hpp"

#include "agent/flow/lane_key.hpp"

namespace postrider::server {

std::optional<telegram::chosen_flow> answering_flows::choose(
    telegram::bot_settings const& bot,
    agent::flow::heard_message const& message,
    telegram::said_words words
) const {
    auto const start = taking(bot, message.from.chat, [&](chat_id chat) {
        return library_.starts().message(
            {bot.name, chat, words.command, bot.agent, message.addressed}
        );
    });
    if (!start) return std::nullopt;
    auto chosen = chosen_from(*start);
    chosen.starts = start->begins;
    chosen.asks_for_command = start->asks_for_command;
    if (!start->lent) set_lane(chosen, message, words.text);
    return chosen;
}

std::optional<telegram::chosen_flow> answering_flows::choose_watching(
    telegram::bot_settings const& bot, telegram::watched_update const& incident
) const {
    auto const& job = incident.job;
    auto const start = taking(bot, job.heard.from.chat, [&](chat_id chat) {
        return library_.starts().group({bot.name, chat, incident.event});
    });
    if (!start) return std::nullopt;
    auto chosen = chosen_from(*start);
    set_lane(chosen, job.heard, job.text);
    return chosen;
}

std::optional<agent::flow::start> answering_flows::taking(
    telegram::bot_settings const& bot,
    chat_id chat,
    std::function<std::optional<agent::flow::start>(chat_id)> const& find
) const {
    auto start = find(chat);
    auto const former = moves_.former(bot.id, chat);
    bool const is_named = start && start != find(chat_id{});
    return former && !is_named ? find(*former) : std::move(start);
}

std::set<agent::group_event> answering_flows::watched_events(telegram::bot_settings const& bot
) const {
    return library_.starts().group_events(bot.name);
}

telegram::chosen_flow answering_flows::chosen_from(agent::flow::start const& start) const {
    telegram::chosen_flow chosen;
    chosen.takes_files = start.takes_files;
    chosen.flow = start.flow;
    chosen.trigger = start.node;
    chosen.version = library_.current(chosen.flow)->version;
    return chosen;
}

void answering_flows::set_lane(
    telegram::chosen_flow& chosen, agent::flow::heard_message const& message, std::string_view text
) const {
    auto const& current = *library_.current(chosen.flow);
    auto const& settings = current.opening->settings;
    chosen.deadline = settings.timeout;
    if (!settings.mailbox.empty())
        chosen.manner = storage::lane_manner{
            settings.mailbox, settings.debounce.value_or(std::chrono::milliseconds{0})};
    if (!settings.lane.empty())
        chosen.lane_key =
            agent::flow::lane_key(*current.opening, agent::flow::item_of(message, text));
}

} // namespace postrider::server
